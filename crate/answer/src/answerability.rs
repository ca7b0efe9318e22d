//! State of the documents on a question, one of three.

use serde::Serialize;
use ts_rs::TS;

/// State of the documents on a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Answerability {
    /// They do not say.
    #[default]
    Silent,
    /// They may say: the nearest passages are shown, and the reader decides.
    MayAnswer,
    /// They answer.
    Answers,
}

impl Answerability {
    /// Name in JSON and JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::MayAnswer => "may-answer",
            Self::Answers => "answers",
        }
    }
}
