//! A question, analysed once: its words, its parts, and what it asks for.
//!
//! [`QuestionAnalysis::of`] runs once for each question that is asked (and once for a question that a model or the
//! glossary has rewritten); every later step is handed the result. The rules read surface forms, in English and
//! Chinese. They only raise sentences that were found anyway, so a question that no rule knows loses nothing.

mod analysis;
mod cues;
mod extent;
mod figure;
mod kind;
mod parts;
mod place;
mod topic;
mod words;

pub(crate) use analysis::Clause;
#[cfg(test)]
pub(crate) use analysis::N_ANALYSES;
pub use analysis::QuestionAnalysis;
pub(crate) use extent::Extent;
pub(crate) use figure::is_of_value;
pub(crate) use kind::{AnswerKind, defined_term};
pub(crate) use place::PlaceAsked;
pub use place::asks_for_place;
pub use topic::topic;
pub(crate) use words::ConceptTerms;
pub use words::{Concept, QuestionWords};
