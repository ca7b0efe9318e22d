//! The kind of sentence that answers a question: a definition, a figure, a duty.

use super::cues::{DEFINING, DEFINITION, DUTIES, DUTY, FIGURE, NUMBERS_ZH};
use super::figure::FigureKind;

/// The kind of sentence that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    /// "What does X mean?"
    Definition,
    /// "How long", "how much", "when".
    Figure,
    /// "Must", "may", "is it permitted".
    Duty,
    /// Any other kind.
    Other,
}

/// The kind of sentence that a question asks for, given the kind of figure it asks for.
pub(super) fn answer_kind(question: &str, figure: Option<FigureKind>) -> AnswerKind {
    let padded = format!("{} ", question.to_lowercase());
    let has = |cues: &[&str]| cues.iter().any(|cue| padded.contains(cue));
    // The narrower kind first: "what is the maximum fee" asks for a figure, "what must a firm do" for a duty.
    if figure.is_some() || has(FIGURE) {
        AnswerKind::Figure
    } else if has(DUTY) {
        AnswerKind::Duty
    } else if has(DEFINITION) {
        AnswerKind::Definition
    } else {
        AnswerKind::Other
    }
}

/// True if a sentence is of the kind.
pub(super) fn has_kind(kind: AnswerKind, sentence: &str) -> bool {
    let padded = format!(" {} ", sentence.to_lowercase());
    let has = |cues: &[&str]| cues.iter().any(|cue| padded.contains(cue));
    match kind {
        AnswerKind::Definition => has(DEFINING),
        AnswerKind::Figure => sentence.chars().any(|c| c.is_ascii_digit()) || has(NUMBERS_ZH),
        AnswerKind::Duty => has(DUTIES),
        AnswerKind::Other => false,
    }
}

/// The term that a sentence defines: the words before its "means".
pub(crate) fn defined_term(sentence: &str) -> Option<&str> {
    DEFINING.iter().filter_map(|verb| sentence.find(verb)).min().and_then(|at| sentence.get(..at))
}
