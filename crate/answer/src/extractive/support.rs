//! Support of the evidence for an answer to a question and to each of its parts.

use super::options::Options;
use crate::answer::Evidence;
use crate::answerability::Answerability;
use crate::corpus::TermWeights;
use crate::question::{QuestionAnalysis, QuestionWords};
use crate::similarities::Similarities;
use crate::sufficiency::{Sufficiency, sufficiency};

/// A part of a question is left open below this probability if another part is answered. Of two questions in one, of which the
/// document answers one, .34 have the other named: .30 at .22, with as few errors (`tests/answers/two_questions.py`).
const UNANSWERED: f64 = 0.24;

/// The probability that the evidence answers, and what it does not contain.
pub(super) struct Support {
    /// Probability that the evidence answers the question or, on average, its parts, 0 to 1.
    pub(super) probability: f64,
    /// Answerability by that probability.
    pub(super) answerability: Answerability,
    /// Content words of the question, and of its open parts, that no passage speaks to.
    pub(super) missing: Vec<String>,
    /// By query of the question: true if the documents do not answer that part. Empty if no part is open.
    open: Vec<bool>,
}

impl Support {
    /// Judges the question by `evidence`, and each of its queries by what was found for it; `similarities` are those to
    /// the question, then to each query.
    pub(super) fn of(
        question: &QuestionAnalysis,
        evidence: &[Evidence<'_>],
        parts: &[Vec<Evidence<'_>>],
        similarities: &[Similarities],
        weights: &dyn TermWeights,
        options: &Options,
    ) -> Self {
        let Sufficiency { probability, answerability, bounds: _, mut missing } =
            sufficiency(question.words(), evidence, similarities.first(), weights);
        // No passage need contain the words of two questions together, so each part is judged by itself.
        let queries = question.queries();
        let of_parts: Vec<Sufficiency> = if queries.len() == parts.len() {
            let similarities = (1..).map(|at| similarities.get(at));
            let found = queries.iter().zip(parts).zip(similarities);
            found.map(|((query, found), similar)| sufficiency(query, found, similar, weights)).collect()
        } else {
            Vec::new()
        };
        let sum = of_parts.iter().map(|part| part.probability).fold(0.0, |sum, part| sum + part);
        let by_parts = sum / of_parts.len().max(1) as f64;
        // Parts and whole may be judged by models of different bounds.
        let of_mean = of_parts.first().map(|part| part.bounds.place(by_parts));
        let answerability = answerability.max(of_mean.unwrap_or_default());
        let probability = by_parts.max(probability);
        let can_be_open = question.clauses().len() == of_parts.len()
            && (options.always || of_parts.iter().any(|part| part.answerability > Answerability::Silent));
        let open: Vec<bool> =
            of_parts.iter().map(|part| can_be_open && part.probability < UNANSWERED).collect();
        for (part, _) in of_parts.iter().zip(&open).filter(|(_, is_open)| **is_open) {
            let new: Vec<String> =
                part.missing.iter().filter(|word| !missing.contains(word)).cloned().collect();
            missing.extend(new);
        }
        let answerability = match options.always {
            true => Answerability::Answers,
            false => answerability,
        };
        Self { probability, answerability, missing, open }
    }

    /// True if the documents do not answer the part.
    pub(super) fn is_open(&self, part: usize) -> bool {
        self.open.get(part) == Some(&true)
    }

    /// The queries of the parts that are left open.
    pub(super) fn open_queries<'q>(&self, question: &'q QuestionAnalysis) -> Vec<&'q QuestionWords> {
        question
            .queries()
            .iter()
            .zip(&self.open)
            .filter(|(_, is_open)| **is_open)
            .map(|(query, _)| query)
            .collect()
    }
}
