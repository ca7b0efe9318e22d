//! What the machine wants sent to a language model, and what comes back.
//!
//! Plain data: who carries it, over which protocol and with which key, is not known here.

use document::{DocumentIdx, SectionId, TextRange};
use serde::Serialize;
use ts_rs::TS;

/// The steps that ask a model, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "AnswerStep")]
pub enum Step {
    /// Write the passage that would answer.
    Passage,
    /// Rewrite the question.
    Rewrite,
    /// Keep the passages that bear on the question.
    Filter,
    /// Quote from what stands around them.
    Extract,
    /// Answer.
    Read,
    /// Check the answer.
    Reflect,
}

impl Step {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Passage, Self::Rewrite, Self::Filter, Self::Extract, Self::Read, Self::Reflect];

    /// Its name at the edge, in prompts and in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passage => "passage",
            Self::Rewrite => "rewrite",
            Self::Filter => "filter",
            Self::Extract => "extract",
            Self::Read => "read",
            Self::Reflect => "reflect",
        }
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ChatRole")]
pub enum Role {
    /// The rules.
    System,
    /// The task.
    User,
    /// The model.
    Assistant,
}

impl Role {
    /// The role's name in every chat protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a conversation with a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "ChatMessage")]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// Words of a document that a request carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The document.
    pub document: DocumentIdx,
    /// The innermost section that holds them.
    pub section: SectionId,
    /// Where they begin, and where they end; notes that stand between are not sent with it.
    pub range: TextRange,
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its number in this answer, from 1.
    pub call: u32,
    /// The step that asks.
    pub step: Step,
    /// The endpoint that the profile names for the step; `None` is the one that the caller uses anyway.
    pub endpoint: Option<String>,
    /// The model that the profile names for the step.
    pub model: Option<String>,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The longest reply, in tokens.
    pub max_tokens: u32,
    /// 0 to 2; 0 everywhere that no profile says otherwise.
    pub temperature: f32,
    /// The JSON schema of the reply, for endpoints that can hold a model to one; `None` for prose.
    pub schema: Option<String>,
    /// What of the documents is in it: what leaves the machine.
    pub sent: Vec<Sent>,
}

impl Request {
    /// Bytes of its messages.
    pub fn n_bytes(&self) -> usize {
        self.messages.iter().map(|message| message.content.len()).sum()
    }
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// It reached the longest reply.
    Length,
    /// Anything else.
    Other,
}

impl Finish {
    /// By the name that chat protocols use; an unknown one is [`Self::Other`].
    pub fn named(name: &str) -> Self {
        match name {
            "stop" | "end_turn" | "stop_sequence" => Self::Stop,
            "length" | "max_tokens" => Self::Length,
            _ => Self::Other,
        }
    }
}

/// What a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// Why it stopped.
    pub finish: Finish,
}

/// The code of a fault that says that the prompt is longer than the model takes: the machine then sends less.
pub const TOO_LONG: &str = "too-long";

/// That no reply came, after whatever retries the carrier makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A word for it, such as `timeout`.
    pub code: String,
    /// What happened, for the reader.
    pub message: String,
}
