//! The outcome of asking: the answer, its author and its trace.

use serde::Serialize;
use ts_rs::TS;

use crate::answer::Answer;
use crate::trace::Trace;

/// Author of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Author {
    /// A model, from the selected passages.
    Model,
    /// Extraction: sentences of the documents.
    Extraction,
}

impl Author {
    /// Name in JSON and JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Extraction => "extraction",
        }
    }
}

/// An answer with its author and trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// Its author.
    pub by: Author,
    /// Its trace; callers show the last verdict and the steps left out.
    pub trace: Trace,
}
