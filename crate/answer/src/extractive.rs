//! The extracted answer: sentences of the documents, cited, without a model.
//!
//! Every sentence of the passages is scored: by the share of the question's terms (weighted by idf) in it, by the
//! question's phrases that it repeats, by its headings and neighbours, by the rank of its passage, and by its kind (a
//! definition, a figure, a duty). Where the passages were compared with the question token by token
//! ([`Similarities`]), that is the larger part of a sentence's score. So are the rows of tables, read with their
//! headers, and the notes that the passages call. The provisions of the best sentences are quoted, as much of each as
//! the question asks for (`extractive/provisions.rs`): a row with its headers, a note whole, a sentence with the notes
//! that bear on the question. A question for a place ("which chapter deals with …") is answered by headings, each with the
//! words below it (`question/place.rs`). A question that asks several things is answered part by part, each from the passages
//! found for it. Statements are in the order of their citations, the best provision first. Cost: for each part of the
//! question a few analyses of each sentence; an ask over 10,000 passages takes 18 ms in Chromium
//! (`tests/bench/answering.mjs`).
//!
//! The sufficiency of the evidence ([`crate::sufficiency()`]) decides between three answers: the sentences; the nearest
//! passages as what may answer, with the words that no passage has; and "the documents do not say", with the same.

mod citing;
mod messages;
mod options;
mod provisions;
mod ranks;
mod sentences;
mod support;

use crate::answer::{Answer, Citation, Evidence, Statement};
use crate::answerability::Answerability;
use crate::corpus::TermWeights;
use crate::question::QuestionAnalysis;
use crate::similarities::Similarities;
use citing::cite;
use messages::{left_open, may_answer, refusal};
pub use options::Options;
use provisions::{ScoredProvision, by_place, provisions};
use ranks::ranked;
use sentences::SentenceScorer;
use support::Support;

/// Answers a question from `evidence` alone. `parts` holds the passages found for each query of a question that asks
/// several things; without them all its parts are answered from `evidence`. `similarities`
/// are those to the question, then to each part, as far as they were compared.
pub(crate) fn extractive(
    question: &QuestionAnalysis,
    evidence: &[Evidence<'_>],
    parts: &[Vec<Evidence<'_>>],
    similarities: &[Similarities],
    weights: &dyn TermWeights,
    options: &Options,
) -> Answer {
    let evidence = evidence.get(..options.max_passages).unwrap_or(evidence);
    let support = Support::of(question, evidence, parts, similarities, weights, options);
    let clauses = question.clauses();
    let is_by_part = clauses.len() == parts.len();
    let similarities_to =
        |at: usize| similarities.get(if is_by_part { at + 1 } else { 0 }).filter(|all| !all.is_empty());
    let scorer = |(at, clause)| SentenceScorer::new(clause, weights, similarities_to(at));
    let scorers: Vec<SentenceScorer<'_>> = clauses.iter().enumerate().map(scorer).collect();
    let provisions_of = |(at, scorer): (usize, &SentenceScorer<'_>)| {
        // A part that the documents do not answer is left open, not answered by the nearest passage.
        if support.is_open(at) {
            return Vec::new();
        }
        let own = parts.get(at).filter(|_| is_by_part);
        let mut sentences = scorer.sentences(&ranked(evidence, own.map_or(&[], Vec::as_slice)));
        sentences.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
        by_place(provisions(&sentences, options), scorer.clause)
    };
    let found: Vec<Vec<ScoredProvision<'_>>> = scorers.iter().enumerate().map(provisions_of).collect();
    let is_any = found.iter().any(|found| !found.is_empty());
    let answerability = if is_any { support.answerability } else { Answerability::Silent };
    let citations = cite(&found, &scorers, answerability, options);
    let language = question.language();
    let open = left_open(&support.open_queries(question));
    let message = match answerability {
        Answerability::Silent => refusal(language, &support.missing),
        Answerability::MayAnswer if open.is_empty() => may_answer(language, &support.missing),
        Answerability::MayAnswer | Answerability::Answers => open,
    };
    let statements = if answerability == Answerability::Silent { Vec::new() } else { statements(&citations) };
    Answer {
        statements,
        citations,
        sufficient: answerability != Answerability::Silent,
        answerability,
        probability: support.probability,
        missing: support.missing,
        message,
        ..Answer::default()
    }
}

/// A statement for each citation, the best provision first; within a provision in order of the text.
fn statements(citations: &[Citation]) -> Vec<Statement> {
    let statement = |citation: &Citation| Statement {
        text: citation.quote.clone(),
        citations: vec![citation.id],
        operative: citation.operative.clone(),
        ..Statement::default()
    };
    citations.iter().map(statement).collect()
}

#[cfg(test)]
mod tests;
