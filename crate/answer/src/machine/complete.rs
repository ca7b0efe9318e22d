//! Supplements of an answer: supporting provisions, conflicts, remarks.

use crate::ambiguity::several_cases;
use crate::answer::{Answer, Evidence, Note};
use crate::conflicts::conflicts;
use crate::corpus::Corpus;
use crate::notes::notes;
use crate::question::QuestionAnalysis;
use crate::supporting::supporting_provisions;

/// The answer with its supporting provisions, conflicts and remarks. An insufficient answer has no supporting
/// provisions.
pub(super) fn complete(
    answer: Answer,
    question: &QuestionAnalysis,
    evidence: &[Evidence<'_>],
    corpus: &dyn Corpus,
) -> Answer {
    let citations = &answer.citations;
    let conflicts = conflicts(citations, evidence);
    let mut notes = notes(citations, evidence, corpus);
    if !answer.sufficient {
        return Answer { conflicts, notes, ..answer };
    }
    let supporting = supporting_provisions(question.text(), citations, corpus);
    let cases = several_cases(question, citations, corpus);
    notes.extend((!cases.is_empty()).then_some(Note::SeveralCases { citations: cases }));
    Answer { supporting, conflicts, notes, ..answer }
}
