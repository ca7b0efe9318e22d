//! Sentences, scored by how well they answer a question.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use document::{BlockKind, Document, DocumentIdx, Role, SectionId, TextRange};
use text::{Analyzer, AnalyzerKind};

use crate::answer::Evidence;
use crate::corpus::TermWeights;
use crate::passage::{heads_of, is_head, note_ranges, notes_called, sentences_of, table_at};
use crate::question::{AnswerKind, Clause, ConceptTerms, defined_term};
use crate::similarities::Similarities;

/// Weight factor of the terms of other parts of the question.
const BESIDE_FOCUS: f64 = 0.35;
/// Weight factor of a word of the same root.
const RELATED: f64 = 0.5;
/// Weight factor of a word that a text has under another name.
const NAMED: f64 = 0.8;
/// Bonus of a sentence with the figure or the duty asked for.
const KIND: f64 = 0.25;
/// Score factor of a line that states nothing.
const MUTE: f64 = 0.6;
/// Score factor of a sentence without a word of the question.
const EMPTY: f64 = 0.5;
/// Share of late interaction in the score of a sentence, where passages were compared; the rest is its words'.
const SIMILAR: f64 = 0.75;
/// Rank factor of a sentence of either kind.
const MUTE_RANK: f64 = 0.2;
/// Minimum share of the question in a note beside a quotation, 0 to 1.
const LEAST_IN_NOTE: f64 = 0.1;

/// A sentence with its score.
#[derive(Clone, Debug)]
pub(super) struct ScoredSentence<'a> {
    pub(super) evidence: Evidence<'a>,
    pub(super) section: SectionId,
    pub(super) range: TextRange,
    /// Content terms of the question in the sentence itself.
    pub(super) own: BTreeSet<String>,
    /// All terms, to detect repetitions.
    pub(super) terms: BTreeSet<String>,
    /// Share of the question's weight in the sentence, and in the sentence with headings and neighbours, 0 to 1.
    covered: f64,
    covered_in_context: f64,
    /// Prior from the rank of its passage, 0 to 1.
    pub(super) prior: f64,
    /// Rank of its passage, from 0.
    pub(super) rank: usize,
    is_statement: bool,
    /// True if it was compared with the question, whose words it need not have.
    pub(super) is_compared: bool,
    pub(super) score: f64,
}

impl ScoredSentence<'_> {
    /// Factor of the passage's rank, 0 to 1: small for a sentence that states nothing, and for one that neither has a word
    /// of the question nor was compared with it.
    pub(super) fn speaks(&self) -> f64 {
        if (self.covered > 0.0 || self.is_compared) && self.is_statement { 1.0 } else { MUTE_RANK }
    }

    pub(super) fn place(&self) -> (u32, TextRange) {
        (self.evidence.document.0, self.range)
    }
}

/// A sentence before scoring.
struct Sentence<'a> {
    evidence: Evidence<'a>,
    range: TextRange,
    terms: BTreeSet<String>,
    /// Terms of its neighbours; for a note, of the sentence that calls it.
    near: BTreeSet<String>,
    rank: usize,
    prior: f64,
}

/// Scores sentences against a clause of the question.
pub(super) struct SentenceScorer<'q> {
    pub(super) clause: &'q Clause,
    analyzer: Analyzer,
    weights: BTreeMap<&'q str, f64>,
    total: f64,
    /// Similarities by late interaction, where the passages were compared.
    similarities: Option<&'q Similarities>,
}

impl<'q> SentenceScorer<'q> {
    pub(super) fn new(
        clause: &'q Clause,
        weights: &dyn TermWeights,
        similarities: Option<&'q Similarities>,
    ) -> Self {
        let weigh = |term: &String| {
            let is_beside = !clause.focus.is_empty() && !clause.focus.contains(term);
            weights.idf(term).max(0.1) * if is_beside { BESIDE_FOCUS } else { 1.0 }
        };
        let weights: BTreeMap<&str, f64> =
            clause.terms.keys().map(|term| (term.as_str(), weigh(term))).collect();
        let total = weights.values().sum::<f64>().max(f64::MIN_POSITIVE);
        Self { clause, analyzer: Analyzer::new(AnalyzerKind::Default), weights, total, similarities }
    }

    /// Similarity by late interaction of the most similar sentence in a range, 0 to 1, if any was compared.
    pub(super) fn similarity(&self, document: DocumentIdx, range: TextRange) -> Option<f64> {
        self.similarities.and_then(|all| all.best_in(document, range))
    }

    pub(super) fn terms(&self, text: &str) -> BTreeSet<String> {
        let mut terms = BTreeSet::new();
        self.analyzer.analyze(text, &mut |token| {
            terms.insert(token.term.to_owned());
        });
        terms
    }

    /// Share of the question's weight in a set of terms, 0 to 1.
    pub(super) fn share(&self, terms: &BTreeSet<String>) -> f64 {
        let named: Vec<&ConceptTerms> =
            self.clause.concepts.iter().filter(|concept| concept.is_in(terms)).collect();
        let had = |(term, weight): (&&str, &f64)| match () {
            () if terms.contains(*term) => *weight,
            () if named.iter().any(|concept| concept.phrase.contains(*term)) => NAMED * weight,
            () if is_related(term, terms) => RELATED * weight,
            () => 0.0,
        };
        self.weights.iter().map(had).sum::<f64>() / self.total
    }

    /// The sentences of the evidence, of the notes called in it, and the rows of its tables, scored.
    pub(super) fn sentences<'a>(&self, evidence: &[(Evidence<'a>, f64)]) -> Vec<ScoredSentence<'a>> {
        let mut seen: BTreeSet<(u32, TextRange)> = BTreeSet::new();
        let mut candidates = Vec::new();
        // A note that was found itself comes first, with its own rank; each note is scored once.
        let mut called: Vec<Sentence<'a>> = Vec::new();
        let mut read = BTreeSet::new();
        for (rank, &(evidence, prior)) in evidence.iter().enumerate() {
            let source = evidence.source;
            let Some(chunk) = source.chunks.get(evidence.chunk.idx()) else { continue };
            let terms_of = |range| (range, self.terms(source.layout.slice(range)));
            let sentences: Vec<(TextRange, BTreeSet<String>)> =
                sentences_of(source, &chunk.ranges).into_iter().map(terms_of).collect();
            for (at, (range, terms)) in sentences.iter().enumerate() {
                let neighbours = [at.checked_sub(1), at.checked_add(1)];
                let near = neighbours.iter().flatten().filter_map(|&other| sentences.get(other));
                let near: BTreeSet<String> = near.flat_map(|(_, terms)| terms.iter().cloned()).collect();
                if !is_head(source, *range) && seen.insert((evidence.document.0, *range)) {
                    let terms = terms.clone();
                    candidates.push(self.candidate(Sentence {
                        evidence,
                        range: *range,
                        terms,
                        near,
                        rank,
                        prior,
                    }));
                }
                for note in notes_called(source, *range) {
                    // A note is read once, beside the first sentence that calls it.
                    if !read.insert((evidence.document.0, note)) {
                        continue;
                    }
                    let near = terms;
                    for (range, terms) in
                        sentences_of(source, &note_ranges(source, note)).into_iter().map(terms_of)
                    {
                        called.push(Sentence { evidence, range, terms, near: near.clone(), rank, prior });
                    }
                }
            }
        }
        for sentence in called {
            if seen.insert((sentence.evidence.document.0, sentence.range)) {
                candidates.push(self.candidate(sentence));
            }
        }
        candidates
    }

    fn candidate<'a>(&self, sentence: Sentence<'a>) -> ScoredSentence<'a> {
        let Sentence { evidence, range, terms, near, rank, prior } = sentence;
        let source = evidence.source;
        let section = source.tree.innermost(range);
        let mut context: BTreeSet<String> = self.terms(&source.tree.path_titles(section).join("\n"));
        if let Some(title) = &source.title {
            context.extend(self.terms(title));
        }
        let own: BTreeSet<String> =
            terms.iter().filter(|term| self.weights.contains_key(term.as_str())).cloned().collect();
        // A row is read with its headers, but headers alone do not answer.
        let mut read = terms.clone();
        let is_row = table_at(source, range).is_some();
        if is_row && !own.is_empty() {
            for heads in heads_of(source, range) {
                read.extend(self.terms(source.layout.slice(heads)));
            }
            read.extend(context.iter().cloned());
        }
        let in_headings = self.share(&terms.union(&context).cloned().collect());
        context.extend(near);
        context.extend(terms.iter().cloned());
        let similarity = self.similarity(evidence.document, range);
        let mut candidate = ScoredSentence {
            evidence,
            section,
            range,
            covered: self.share(&read),
            covered_in_context: 0.5 * in_headings + 0.5 * self.share(&context),
            own,
            terms,
            prior,
            rank,
            is_statement: is_row || says_something(source, range),
            is_compared: similarity.is_some(),
            score: 0.0,
        };
        candidate.score = self.score(&candidate, is_row);
        if self.similarities.is_some() {
            // A sentence that was not compared, of a note beside a passage, has its words alone.
            candidate.score = (1.0 - SIMILAR) * candidate.score + SIMILAR * similarity.unwrap_or(0.0);
        }
        candidate
    }

    fn score(&self, candidate: &ScoredSentence<'_>, is_row: bool) -> f64 {
        let sentence = candidate.evidence.source.layout.slice(candidate.range);
        let kind = if candidate.own.is_empty() { 0.0 } else { self.kind(sentence) };
        // A fragment of a few words seldom answers, and a sentence of a hundred words matches every question.
        let n_terms = candidate.terms.len() as f64;
        let least = if is_row { 1.0 } else { (0.5 + n_terms / 12.0).min(1.0) };
        let size = least - 0.3 * ((n_terms - 35.0) / 65.0).clamp(0.0, 1.0);
        let words = 0.6 * candidate.covered + 0.2 * self.phrases(sentence);
        let speaks = if candidate.is_statement { 1.0 } else { MUTE };
        let has_any = if candidate.covered > 0.0 { 1.0 } else { EMPTY };
        ((words + 0.2 * candidate.covered_in_context + 0.2 * candidate.prior) * size * speaks + kind)
            * has_any
    }

    /// Bonus of a sentence of the kind asked for.
    fn kind(&self, sentence: &str) -> f64 {
        let does = |form: &str| self.clause.forms.contains(form);
        match self.clause.kind {
            AnswerKind::Definition if self.defines(sentence) => 0.6,
            AnswerKind::Other if !self.analyzer.forms(sentence).any(does) => 0.0,
            AnswerKind::Other => 0.15,
            _ => KIND * self.clause.kind_in(sentence),
        }
    }

    /// Match of a part of a provision with the question, regardless of position and length.
    pub(super) fn fit(&self, piece: &str) -> f64 {
        let share = self.share(&self.terms(piece));
        if share > 0.0 { share + 0.5 * self.phrases(piece) + 0.5 * self.kind(piece) } else { 0.0 }
    }

    /// True if a note beside a quotation bears on the question: by a word of it, or by the figure asked for.
    pub(super) fn bears(&self, note: &str) -> bool {
        self.share(&self.terms(note)) >= LEAST_IN_NOTE
            || self.clause.kind == AnswerKind::Figure && self.clause.kind_in(note) >= 1.0
    }

    /// Share of the question's pairs of neighbouring terms that are neighbours in the sentence too, with at most one
    /// word between, 0 to 1: "sole guarantor", "regulations extend".
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
        let n_pairs = self.clause.pairs.len();
        self.clause.pairs.iter().filter(near).count() as f64 / n_pairs.max(1) as f64
    }

    /// True if a sentence defines the question's words: they are before its "means", with few others.
    fn defines(&self, sentence: &str) -> bool {
        let Some(term) = defined_term(sentence) else { return false };
        let terms = self.terms(term);
        !terms.is_empty() && self.share(&terms) >= 0.8 && terms.len() <= self.weights.len() + 3
    }
}

/// True if references are more than half of a sentence: "(See 14 CFR 91.213 and 121.628.)"
fn is_reference(sentence: &str) -> bool {
    let named: usize = text::reference::references(sentence).iter().map(|cite| cite.range.len()).sum();
    named * 2 > sentence.len()
}

/// True if a set has a term of the same root: "definition" for "define". The analyzer removes inflection, not
/// derivation.
fn is_related(term: &str, terms: &BTreeSet<String>) -> bool {
    let n = term.len();
    if n < LEAST_ROOT || !term.is_ascii() {
        return false;
    }
    let Some(root) = term.get(..LEAST_ROOT.max(n.saturating_sub(3))) else { return false };
    let from = terms.range::<str, _>((Bound::Included(root), Bound::Unbounded));
    from.take_while(|other| other.starts_with(root)).any(|other| other.len() <= root.len() + 5)
}

/// Minimum common prefix of words of one root, in letters.
const LEAST_ROOT: usize = 5;

/// True if a sentence states something: it is no caption, title, question, closing, signature, source or mere
/// reference, and does not break off.
fn says_something(source: &Document, range: TextRange) -> bool {
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    let Some(block) = source.layout.blocks.get(at) else { return true };
    let sentence = source.layout.slice(range).trim();
    let is_of_no_text =
        matches!(block.role, Role::Caption | Role::Title) || text::wording::is_caption(sentence);
    if is_of_no_text
        || sentence.ends_with(['?', '？'])
        || sentence.starts_with("Source:")
        || is_reference(sentence)
    {
        return false;
    }
    if block.kind != BlockKind::Paragraph || text::is_mostly_cjk(sentence) {
        return true;
    }
    let is_whole =
        text::wording::ends_sentence(sentence) || sentence.ends_with([':', ';', '.', '—', '–', ']', ')']);
    is_whole && !text::wording::is_closing(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_that_only_names_provisions_says_nothing() {
        assert!(is_reference("(See 14 CFR 91.213, 121.628, 125.201, and 129.14.)"));
        assert!(!is_reference("A firm must keep the records that section 12(3) names."));
    }

    #[test]
    fn words_of_one_root_are_related_and_short_ones_are_not() {
        let terms = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
        assert!(is_related("defin", &terms(&["definit"])) && is_related("guarante", &terms(&["guarantor"])));
        assert!(!is_related("tax", &terms(&["taxat"])) && !is_related("commit", &terms(&["common"])));
        assert!(!is_related("define", &terms(&[])));
    }
}
