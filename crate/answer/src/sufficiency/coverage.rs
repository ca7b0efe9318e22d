//! Coverage of a question by a passage, for [`crate::sufficiency()`].
//!
//! A word counts by its idf as a share of the idf of the whole question, so a library of ten passages and one of a
//! million give comparable shares. Chinese words are pairs of characters. Cost: one analysis of each passage, and for
//! each pair of the question's words one pass over the positions of both, which are capped.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use document::{OrNever as _, Slice as _};
use text::{Analyzer, AnalyzerKind};

use crate::corpus::TermWeights;
use crate::question::{ConceptTerms, QuestionWords};

/// Stems of words that address the answerer and carry no content, beside the analyzer's stop words.
const ASKING: &[&str] = &[
    "about", "also", "ani", "between", "can", "clarifi", "could", "describ", "detail", "each", "elabor",
    "exampl", "explain", "i", "if", "may", "me", "might", "must", "my", "our", "outlin", "pleas", "provid",
    "s", "shall", "should", "some", "specif", "such", "tell", "than", "there", "under", "us", "we", "will",
    "you", "your",
];
/// Pairs of Chinese characters that carry no content.
const ASKING_ZH: &[&str] = &[
    "么办", "什么", "何时", "为何", "可以", "哪个", "哪些", "哪种", "多久", "多少", "如何", "应当", "怎么",
    "怎样", "我们", "我想", "是什", "是否", "有哪", "的是", "请问", "需要",
];
/// Maximum different terms of a question.
const MAX_TERMS: usize = 48;
/// Maximum words of a question, repetitions counted.
const MAX_SEQUENCE: usize = 256;
/// Maximum words of a passage.
const MAX_WORDS: usize = 4096;
/// Maximum positions of a term in a passage.
const MAX_PLACES: usize = 16;
/// Maximum distance in words of neighbours of the question that count as near in a passage.
const NEAR: u32 = 8;
/// Maximum distance in words of any two terms that count as together.
const TOGETHER: u32 = 16;
/// Maximum span in words of a row of three terms.
const ROW: u32 = 5;
/// BM25's k1 and b, over a mean of 100 words.
const SATURATION: (f64, f64) = (0.5, 0.7);

/// A term of the question.
#[derive(Clone, Debug)]
pub struct Term {
    /// Its first occurrence, in bytes of the question.
    pub range: Range<usize>,
    /// Its idf, > 0.
    pub idf: f64,
    /// True for a number and for a capitalised word that is not the first.
    pub is_constraint: bool,
}

/// The terms of a question, to be measured in passages.
pub struct QuestionTerms {
    analyzer: Analyzer,
    ids: BTreeMap<String, usize>,
    /// Terms, each once, in order.
    pub terms: Vec<Term>,
    /// Ids of the terms in order of the question.
    sequence: Vec<usize>,
    /// Different pairs of neighbours.
    pairs: Vec<(usize, usize)>,
    total: f64,
    /// Concepts of the thesaurus, each with the ids of the terms of its phrase.
    concepts: Vec<(ConceptTerms, Vec<usize>)>,
}

/// Coverage of a question by a passage, in shares from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct TermCoverage {
    /// Occurrences of each term, headings included.
    pub counts: Vec<u32>,
    /// Terms by idf.
    pub covered: f64,
    /// Terms, unweighted.
    pub flat: f64,
    /// Terms by idf; a term counts fully from three occurrences.
    pub repeated: f64,
    /// Terms by idf and by frequency for the passage's length.
    pub saturated: f64,
    /// Neighbours that are near each other.
    pub near: f64,
    /// Pairs of terms, by their idf, that are together.
    pub together: f64,
    /// Rows of three terms.
    pub rows: f64,
}

impl QuestionTerms {
    /// The terms of a question that tell passages apart.
    pub fn new(words: &QuestionWords, weights: &dyn TermWeights) -> Self {
        let mut ids = BTreeMap::new();
        let mut terms: Vec<Term> = Vec::new();
        let mut sequence: Vec<usize> = Vec::new();
        let mut pairs = Vec::new();
        for token in &words.tokens {
            let word = words.text.slice(token.range.clone());
            let is_han = word.chars().next().is_some_and(text::is_cjk);
            let is_asking =
                if is_han { ASKING_ZH.contains(&word) } else { ASKING.contains(&token.term.as_str()) };
            let is_weak = is_han && word.chars().nth(1).is_none();
            if is_asking || is_weak {
                continue;
            }
            if terms.len() >= MAX_TERMS || sequence.len() >= MAX_SEQUENCE {
                break;
            }
            let next = terms.len();
            let id = *ids.entry(token.term.clone()).or_insert(next);
            if id == next {
                let is_name = next > 0 && word.starts_with(char::is_uppercase);
                terms.push(Term {
                    idf: weights.idf(&token.term).max(0.05),
                    is_constraint: is_name || word.contains(|c: char| c.is_ascii_digit()),
                    range: token.range.clone(),
                });
            }
            if let Some(&last) = sequence.last()
                && last != id
                && !pairs.contains(&(last, id))
            {
                pairs.push((last, id));
            }
            sequence.push(id);
        }
        let total = terms.iter().map(|term| term.idf).sum::<f64>().max(f64::MIN_POSITIVE);
        let of_phrase = |concept: &ConceptTerms| {
            let ids = concept.phrase.iter().filter_map(|term| ids.get(term).copied()).collect();
            (concept.clone(), ids)
        };
        let concepts = words.concepts.iter().map(of_phrase).collect();
        Self { analyzer: Analyzer::new(AnalyzerKind::Default), ids, terms, sequence, pairs, total, concepts }
    }

    /// The idf of a term.
    pub fn idf(&self, id: usize) -> f64 {
        self.terms.get(id).map(|term| term.idf).or_never("a term of the question")
    }

    /// Share of the question by idf of the terms that `has` accepts, 0 to 1.
    pub fn share(&self, has: &dyn Fn(usize) -> bool) -> f64 {
        (0..self.terms.len()).filter(|&id| has(id)).map(|id| self.idf(id)).sum::<f64>() / self.total
    }

    /// Ids of the question's terms in a text, in order, then those of terms that it has under another name.
    pub fn ids_in(&self, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        self.analyzer.analyze(text, &mut |token| found.extend(self.ids.get(token.term)));
        found.extend(self.ids_of_concepts(text));
        found
    }

    /// Ids of the terms of phrases that a text has under another name.
    fn ids_of_concepts(&self, text: &str) -> Vec<usize> {
        if self.concepts.is_empty() {
            return Vec::new();
        }
        let terms: BTreeSet<String> = self.analyzer.terms(text).into_iter().collect();
        let named = self.concepts.iter().filter(|(concept, _)| concept.is_in(&terms));
        named.flat_map(|(_, ids)| ids.iter().copied()).collect()
    }

    /// Measures a passage under its headings.
    pub fn read(&self, text: &str, headings: &str) -> TermCoverage {
        let n_terms = self.terms.len().max(1) as f64;
        let mut counts = vec![0_u32; self.terms.len()];
        let mut hits: Vec<(u32, usize)> = Vec::new();
        let mut n_words = 0_usize;
        let mut last_place = None;
        self.analyzer.analyze(text, &mut |token| {
            n_words += usize::from(last_place.replace(token.position) != Some(token.position));
            if let Some(&id) = self.ids.get(token.term).filter(|_| n_words <= MAX_WORDS) {
                hits.push((token.position, id));
                if let Some(count) = counts.get_mut(id) {
                    *count += 1;
                }
            }
        });
        let weigh = |counts: &[u32], worth: &dyn Fn(f64) -> f64| {
            let worths = counts.iter().enumerate().map(|(id, &n)| self.idf(id) * worth(f64::from(n)));
            worths.sum::<f64>() / self.total
        };
        let (k1, b) = SATURATION;
        let saturated = weigh(&counts, &|n| n / (n + k1 + b * n_words.min(MAX_WORDS) as f64 / 100.0));
        let (near, together) = self.stand_together(&hits);
        let rows = self.rows(&hits);
        for id in self.ids_in(headings) {
            if let Some(count) = counts.get_mut(id) {
                *count += 1;
            }
        }
        for id in self.ids_of_concepts(text) {
            if let Some(count) = counts.get_mut(id) {
                *count = (*count).max(1);
            }
        }
        TermCoverage {
            covered: weigh(&counts, &|n| n.min(1.0)),
            flat: counts.iter().filter(|&&n| n > 0).count() as f64 / n_terms,
            repeated: weigh(&counts, &|n| n.min(3.0) / 3.0),
            saturated,
            near,
            together,
            rows,
            counts,
        }
    }

    /// [`TermCoverage::near`] and [`TermCoverage::together`].
    fn stand_together(&self, hits: &[(u32, usize)]) -> (f64, f64) {
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); self.terms.len()];
        for &(position, id) in hits {
            if let Some(places) = places.get_mut(id).filter(|places| places.len() < MAX_PLACES) {
                places.push(position);
            }
        }
        let of = |id: usize| places.get(id).map(Vec::as_slice).or_never("the places of a term");
        // A question of one term has no pairs: the term is together with itself.
        if self.pairs.is_empty() {
            let share = self.share(&|id| !of(id).is_empty());
            return (share, share);
        }
        let near = self.pairs.iter().filter(|&&(a, b)| distance(of(a), of(b)) <= NEAR).count();
        let (mut together, mut all) = (0.0, 0.0_f64);
        for a in 0..self.terms.len() {
            for b in 0..a {
                let weight = self.idf(a) * self.idf(b);
                all += weight;
                together += if distance(of(a), of(b)) <= TOGETHER { weight } else { 0.0 };
            }
        }
        (near as f64 / self.pairs.len() as f64, together / all.max(f64::MIN_POSITIVE))
    }

    /// [`TermCoverage::rows`]; a question of fewer than three terms is one row.
    fn rows(&self, hits: &[(u32, usize)]) -> f64 {
        let n = self.sequence.len().min(3);
        if n == 0 {
            return 0.0;
        }
        let is_row = |row: &[(u32, usize)]| {
            let ends = row.first().zip(row.last());
            ends.is_some_and(|((start, _), (end, _))| end.saturating_sub(*start) <= ROW)
        };
        let rows: std::collections::BTreeSet<Vec<usize>> = hits
            .windows(n)
            .filter(|row| is_row(row))
            .map(|row| row.iter().map(|(_, id)| *id).collect())
            .collect();
        let wanted = self.sequence.windows(n);
        let n_wanted = wanted.len().max(1);
        wanted.filter(|row| rows.contains(*row)).count() as f64 / n_wanted as f64
    }
}

/// Minimum distance between two lists of positions, both ascending.
fn distance(a: &[u32], b: &[u32]) -> u32 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut least = u32::MAX;
    while let (Some(&&x), Some(&&y)) = (a.peek(), b.peek()) {
        least = least.min(x.abs_diff(y));
        if x < y {
            a.next()
        } else {
            b.next()
        };
    }
    least
}
