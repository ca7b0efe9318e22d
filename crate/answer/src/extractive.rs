//! The answer without a model: the sentences that answer, cited.
//!
//! Every sentence of the passages found is a candidate. Its score is the share of the question's information
//! (terms weighted by idf) that it carries itself, the question's phrases that it repeats, what its headings
//! and its neighbours add, how well its passage ranked, and whether it has the shape asked for (a definition,
//! a figure of the kind, a duty). So are the rows of tables, read with the heads of their columns, and the notes that the
//! passages call. From the sentences follow the provisions that are quoted, and from the form of the question how
//! much of each (`extractive/provisions.rs`); a row is quoted with its heads, a note whole, a sentence with the notes that
//! bear on the question. A question that asks several things is answered part by part, each from what was found for it.
//! They are shown in document order, cited best first. Cost: for each part of the question a few analyses of each
//! candidate sentence; a whole ask over 10,000 passages takes 18 ms in Chromium (`tests/bench/answering.mjs`).
//!
//! When the evidence does not suffice ([`crate::sufficiency()`]) the answer is "the documents do not say", with the
//! words that were not found and the nearest passages as citations.

mod citing;
mod messages;
mod options;
mod provisions;
mod ranks;
mod sentences;

use document::DocumentIdx;

use crate::answer::{Answer, Citation, Evidence, Statement};
use crate::corpus::TermWeights;
use crate::language::Language;
use crate::question::{Question, asked_in_parts};
use crate::sufficiency::{Sufficiency, sufficiency};
use citing::cite;
use messages::{left_open, refusal};
pub use options::Options;
use provisions::{ScoredProvision, provisions};
use ranks::ranked;
use sentences::SentenceScorer;

/// A part of a question is left open below this probability if another part is answered.
const UNANSWERED: f64 = 0.1;

/// Answers `question` from `evidence` alone. `parts` is what was found for each part of a question that asks several
/// things; without it all parts are answered from the evidence.
pub fn extractive(
    question: &str,
    evidence: &[Evidence<'_>],
    parts: &[Vec<Evidence<'_>>],
    weights: &dyn TermWeights,
    options: &Options,
) -> Answer {
    let read = evidence.get(..options.max_passages.min(evidence.len())).unwrap_or_default();
    let Sufficiency { probability: of_whole, mut missing, .. } = sufficiency(question, read, weights);
    // No passage need have the words of two questions together: each part is judged by what was found for it.
    let texts = asked_in_parts(question);
    let of_parts: Vec<Sufficiency> = if texts.len() == parts.len() {
        texts.iter().zip(parts).map(|(text, found)| sufficiency(text, found, weights)).collect()
    } else {
        Vec::new()
    };
    let sum: f64 = of_parts.iter().map(|part| part.probability).sum();
    let probability = sum / of_parts.len().max(1) as f64;
    let probability = probability.max(of_whole);
    let asked = Question::parts(question);
    let scorers: Vec<SentenceScorer<'_>> =
        asked.iter().map(|part| SentenceScorer::new(part, weights)).collect();
    // A part that the documents do not answer is left open, not answered by what is nearest.
    let is_open = |at: usize| {
        asked.len() == of_parts.len()
            && of_parts.iter().any(|part| part.probability >= options.sufficient)
            && of_parts.get(at).is_some_and(|part| part.probability < UNANSWERED)
    };
    let open: Vec<&str> = (0..texts.len())
        .filter(|at| is_open(*at))
        .filter_map(|at| texts.get(at))
        .map(String::as_str)
        .collect();
    for (_, part) in of_parts.iter().enumerate().filter(|(at, _)| is_open(*at)) {
        missing
            .extend(part.missing.iter().filter(|word| !missing.contains(word)).cloned().collect::<Vec<_>>());
    }
    let found = |(at, scorer): (usize, &SentenceScorer<'_>)| {
        if is_open(at) {
            return Vec::new();
        }
        let own = parts.get(at).filter(|_| asked.len() == parts.len());
        let mut candidates = scorer.candidates(&ranked(read, own.map_or(&[], Vec::as_slice)));
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
        provisions(&candidates, options)
    };
    let found: Vec<Vec<ScoredProvision<'_>>> = scorers.iter().enumerate().map(found).collect();
    let sufficient = probability >= options.sufficient && found.iter().any(|found| !found.is_empty());

    let citations = cite(&found, &scorers, sufficient, options);
    let mut in_order: Vec<&Citation> = citations.iter().collect();
    let best_of = |document: DocumentIdx| citations.iter().position(|citation| citation.document == document);
    in_order.sort_by_key(|citation| (best_of(citation.document), citation.range));
    let statement = |citation: &&Citation| Statement {
        text: citation.quote.clone(),
        citations: vec![citation.id],
        ..Statement::default()
    };
    let statements = if sufficient { in_order.iter().map(statement).collect() } else { Vec::new() };
    let message = if sufficient { left_open(&open) } else { refusal(Language::of(question), &missing) };
    Answer { statements, citations, sufficient, missing, message, ..Answer::default() }
}

#[cfg(test)]
mod tests;
