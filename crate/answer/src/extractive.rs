//! The extracted answer: sentences of the documents, cited, without a model.
//!
//! Every sentence of the passages is scored: by the share of the question's terms (weighted by idf) in it, by the
//! question's phrases that it repeats, by its headings and neighbours, by the rank of its passage, and by its kind (a
//! definition, a figure, a duty). So are the rows of tables, read with their headers, and the notes that the passages
//! call. The provisions of the best sentences are quoted, as much of each as the question asks for
//! (`extractive/provisions.rs`): a row with its headers, a note whole, a sentence with the notes that bear on the
//! question. A question that asks several things is answered part by part, each from the passages found for it.
//! Statements are in document order, citations best first. Cost: for each part of the question a few analyses of each
//! sentence; an ask over 10,000 passages takes 18 ms in Chromium (`tests/bench/answering.mjs`).
//!
//! If the evidence does not suffice ([`crate::sufficiency()`]) the answer is "the documents do not say", with the words
//! that were not found and the nearest passages as citations.

mod citing;
mod messages;
mod options;
mod provisions;
mod ranks;
mod sentences;
mod support;

use document::DocumentIdx;

use crate::answer::{Answer, Citation, Evidence, Statement};
use crate::corpus::TermWeights;
use crate::question::QuestionAnalysis;
use citing::cite;
use messages::{left_open, refusal};
pub use options::Options;
use provisions::{ScoredProvision, provisions};
use ranks::ranked;
use sentences::SentenceScorer;
use support::Support;

/// Answers a question from `evidence` alone. `parts` holds the passages found for each query of a question that asks
/// several things; without them all its parts are answered from `evidence`.
pub(crate) fn extractive(
    question: &QuestionAnalysis,
    evidence: &[Evidence<'_>],
    parts: &[Vec<Evidence<'_>>],
    weights: &dyn TermWeights,
    options: &Options,
) -> Answer {
    let evidence = evidence.get(..options.max_passages).unwrap_or(evidence);
    let support = Support::of(question, evidence, parts, weights, options);
    let clauses = question.clauses();
    let scorers: Vec<SentenceScorer<'_>> =
        clauses.iter().map(|clause| SentenceScorer::new(clause, weights)).collect();
    let provisions_of = |(at, scorer): (usize, &SentenceScorer<'_>)| {
        // A part that the documents do not answer is left open, not answered by the nearest passage.
        if support.is_open(at) {
            return Vec::new();
        }
        let own = parts.get(at).filter(|_| clauses.len() == parts.len());
        let mut sentences = scorer.sentences(&ranked(evidence, own.map_or(&[], Vec::as_slice)));
        sentences.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
        provisions(&sentences, options)
    };
    let found: Vec<Vec<ScoredProvision<'_>>> = scorers.iter().enumerate().map(provisions_of).collect();
    let sufficient = support.probability >= options.sufficient && found.iter().any(|found| !found.is_empty());
    let citations = cite(&found, &scorers, sufficient, options);
    let message = if sufficient {
        left_open(&support.open_queries(question))
    } else {
        refusal(question.language(), &support.missing)
    };
    let statements = if sufficient { statements(&citations) } else { Vec::new() };
    Answer { statements, citations, sufficient, missing: support.missing, message, ..Answer::default() }
}

/// A statement for each citation, in document order; documents in the order of their best citation.
fn statements(citations: &[Citation]) -> Vec<Statement> {
    let best_of = |document: DocumentIdx| citations.iter().position(|citation| citation.document == document);
    let mut in_order: Vec<&Citation> = citations.iter().collect();
    in_order.sort_by_key(|citation| (best_of(citation.document), citation.range));
    let statement = |citation: &Citation| Statement {
        text: citation.quote.clone(),
        citations: vec![citation.id],
        ..Statement::default()
    };
    in_order.into_iter().map(statement).collect()
}

#[cfg(test)]
mod tests;
