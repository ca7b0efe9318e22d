//! Sentences as candidates: what each carries of the question.

use std::collections::{BTreeMap, BTreeSet};

use document::{SectionId, TextRange};
use text::{Analyzer, AnalyzerKind};

use super::Evidence;
use crate::corpus::TermWeights;
use crate::passage::{section_at, sentences_of};
use crate::question::{Asked, Question, defined_term};

/// A sentence that may answer.
#[derive(Clone, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) evidence: Evidence<'a>,
    pub(super) section: SectionId,
    pub(super) range: TextRange,
    /// The content terms of the question that it has itself.
    pub(super) own: BTreeSet<String>,
    /// All its terms, to see whether another says the same.
    pub(super) terms: BTreeSet<String>,
    /// Share of the question's weight in the sentence itself, and in it, its headings and its neighbours.
    covered: f64,
    covered_in_context: f64,
    /// How well its passage ranked, 0 to 1.
    pub(super) prior: f64,
    pub(super) score: f64,
}

impl Candidate<'_> {
    pub(super) fn place(&self) -> (u32, TextRange) {
        (self.evidence.document.0, self.range)
    }
}

/// What reads sentences with the question in mind.
pub(super) struct Reader<'q> {
    pub(super) question: &'q Question,
    analyzer: Analyzer,
    weights: BTreeMap<&'q str, f64>,
    total: f64,
}

impl<'q> Reader<'q> {
    pub(super) fn new(question: &'q Question, weights: &dyn TermWeights) -> Self {
        let weights: BTreeMap<&str, f64> =
            question.terms.keys().map(|term| (term.as_str(), weights.idf(term).max(0.1))).collect();
        let total = weights.values().sum::<f64>().max(f64::MIN_POSITIVE);
        Self { question, analyzer: Analyzer::new(AnalyzerKind::Default), weights, total }
    }

    pub(super) fn terms(&self, text: &str) -> BTreeSet<String> {
        let mut terms = BTreeSet::new();
        self.analyzer.analyze(text, &mut |token| {
            terms.insert(token.term.to_owned());
        });
        terms
    }

    /// The question's share that a set of terms covers, 0 to 1.
    pub(super) fn share(&self, terms: &BTreeSet<String>) -> f64 {
        self.weights.iter().filter(|(term, _)| terms.contains(**term)).map(|(_, weight)| weight).sum::<f64>()
            / self.total
    }

    pub(super) fn candidates<'a>(&self, evidence: &[Evidence<'a>]) -> Vec<Candidate<'a>> {
        let best = evidence.iter().map(|item| item.score).fold(f32::NEG_INFINITY, f32::max);
        let worst = evidence.iter().map(|item| item.score).fold(f32::INFINITY, f32::min);
        let spread = f64::from(best - worst).max(f64::MIN_POSITIVE);
        let mut seen: BTreeSet<(u32, TextRange)> = BTreeSet::new();
        let mut candidates = Vec::new();
        for item in evidence {
            let Some(chunk) = item.source.chunks.get(item.chunk.idx()) else { continue };
            let prior = if best > worst { f64::from(item.score - worst) / spread } else { 1.0 };
            let sentences: Vec<(TextRange, BTreeSet<String>)> = sentences_of(item.source, &chunk.ranges)
                .into_iter()
                .map(|range| (range, self.terms(item.source.layout.slice(range))))
                .collect();
            for (at, (range, terms)) in sentences.iter().enumerate() {
                if !seen.insert((item.document.0, *range)) {
                    continue;
                }
                let section = section_at(item.source, *range);
                let neighbours = [at.checked_sub(1), at.checked_add(1)];
                let near = neighbours.iter().flatten().filter_map(|&other| sentences.get(other));
                let mut context: BTreeSet<String> =
                    self.terms(&item.source.tree.path_titles(section).join("\n"));
                if let Some(title) = &item.source.title {
                    context.extend(self.terms(title));
                }
                let in_headings = self.share(&terms.union(&context).cloned().collect());
                context.extend(near.flat_map(|(_, terms)| terms.iter().cloned()));
                context.extend(terms.iter().cloned());
                let own: BTreeSet<String> =
                    terms.iter().filter(|term| self.weights.contains_key(term.as_str())).cloned().collect();
                let mut candidate = Candidate {
                    evidence: *item,
                    section,
                    range: *range,
                    covered: self.share(terms),
                    covered_in_context: 0.5 * in_headings + 0.5 * self.share(&context),
                    own,
                    terms: terms.clone(),
                    prior,
                    score: 0.0,
                };
                candidate.score = self.score(&candidate);
                candidates.push(candidate);
            }
        }
        candidates
    }

    fn score(&self, candidate: &Candidate<'_>) -> f64 {
        let sentence = candidate.evidence.source.layout.slice(candidate.range);
        let kind = if candidate.own.is_empty() { 0.0 } else { self.kind(sentence) };
        // A fragment of a few words seldom answers: what it lacks is in the sentence around it. And a sentence
        // of a hundred words has some of every question's.
        let n_terms = candidate.terms.len() as f64;
        let size = (0.5 + n_terms / 12.0).min(1.0) - 0.3 * ((n_terms - 35.0) / 65.0).clamp(0.0, 1.0);
        let words = 0.6 * candidate.covered + 0.2 * self.phrases(sentence);
        (words + 0.2 * candidate.covered_in_context + 0.2 * candidate.prior) * size + kind
    }

    /// What a sentence gains by having the shape that is asked for.
    fn kind(&self, sentence: &str) -> f64 {
        let does = |form: &str| self.question.forms.contains(form);
        match self.question.asked {
            Asked::Definition if self.defines(sentence) => 0.6,
            Asked::Anything if !self.analyzer.forms(sentence).any(does) => 0.0,
            Asked::Anything => 0.15,
            _ if self.question.is_answered_in_kind(sentence) => 0.15,
            _ => 0.0,
        }
    }

    /// How well a piece of a provision fits the question, its place and length apart.
    pub(super) fn fit(&self, piece: &str) -> f64 {
        let share = self.share(&self.terms(piece));
        if share > 0.0 { share + 0.5 * self.phrases(piece) + 0.5 * self.kind(piece) } else { 0.0 }
    }

    /// The share of the question's pairs of neighbouring terms that are neighbours in the sentence too, at most
    /// one word between: "sole guarantor", "regulations extend".
    fn phrases(&self, sentence: &str) -> f64 {
        let mut positions: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        self.analyzer.analyze(sentence, &mut |token| {
            if self.weights.contains_key(token.term) {
                positions.entry(token.term.to_owned()).or_default().push(token.position);
            }
        });
        let near = |(first, second): &&(String, String)| {
            let (Some(first), Some(second)) = (positions.get(first), positions.get(second)) else {
                return false;
            };
            first.iter().any(|&a| second.iter().any(|&b| b > a && b - a <= 2))
        };
        let n_pairs = self.question.pairs.len();
        self.question.pairs.iter().filter(near).count() as f64 / n_pairs.max(1) as f64
    }

    /// Whether a sentence says what the question's words mean: they stand before its "means", and little else.
    fn defines(&self, sentence: &str) -> bool {
        let Some(term) = defined_term(sentence) else { return false };
        let terms = self.terms(term);
        !terms.is_empty() && self.share(&terms) >= 0.8 && terms.len() <= self.weights.len() + 3
    }
}
