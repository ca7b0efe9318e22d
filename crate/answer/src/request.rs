//! Requests to a language model and their replies, as plain data. Protocols and keys belong to the caller.

use document::{DocumentIdx, SectionId, TextRange};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use ts_rs::TS;

/// Steps that ask a model, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "AnswerStep")]
pub enum Step {
    /// Write a hypothetical passage that answers.
    Passage,
    /// Rewrite the question.
    Rewrite,
    /// Filter the passages.
    Filter,
    /// Extract quotations from their surroundings.
    Extract,
    /// Read the passages and write the answer.
    Read,
    /// Reflect: check the answer.
    Reflect,
}

impl Step {
    /// All steps.
    pub const ALL: [Self; 6] =
        [Self::Passage, Self::Rewrite, Self::Filter, Self::Extract, Self::Read, Self::Reflect];

    /// Name in JSON, JavaScript, prompts and profiles.
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

/// Speaker of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ChatRole")]
pub enum Role {
    /// The system prompt: rules.
    System,
    /// The user: task.
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
    /// Speaker of a message.
    pub role: Role,
    /// Its text.
    pub content: String,
}

/// Words of a document in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentPassage {
    /// The document.
    pub document: DocumentIdx,
    /// The innermost section around them.
    pub section: SectionId,
    /// From the first word to the last; notes between them are not sent.
    pub range: TextRange,
}

/// A request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Number of the request in the answer, from 1.
    pub call: u32,
    /// The asking step.
    pub step: Step,
    /// Endpoint named by the profile; `None` for the caller's default.
    pub endpoint: Option<String>,
    /// Model named by the profile; `None` for the caller's default.
    pub model: Option<String>,
    /// Messages, in order.
    pub messages: Vec<Message>,
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// Temperature, 0 to 2; 0 unless the profile sets it.
    pub temperature: f32,
    /// JSON schema of the reply, for endpoints that enforce one; `None` for prose.
    pub schema: Option<String>,
    /// Words of documents in it, which leave the machine.
    pub sent: Vec<SentPassage>,
    /// Number of earlier turns in it, the latest, which leave the machine with what they cite.
    pub n_turns: usize,
}

/// Request as an endpoint takes it, whoever makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chat<'a> {
    /// Name of the purpose: letters, digits and hyphens.
    pub name: &'a str,
    /// Model; `None` for the endpoint's default.
    pub model: Option<&'a str>,
    /// Messages, in order.
    pub messages: &'a [Message],
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// Temperature, 0 to 2.
    pub temperature: f32,
    /// JSON schema of the reply, for endpoints that enforce one; `None` for prose.
    pub schema: Option<&'a str>,
}

impl Chat<'_> {
    /// Identity of the request to a model, 64 hex digits: equal for the same messages, limit and schema, so that no reply
    /// is asked for twice.
    pub fn key(&self, model: &str) -> String {
        let mut hash = Sha256::new();
        let limit = self.max_tokens.to_string();
        let head = [model, self.name, limit.as_str(), self.schema.unwrap_or_default()];
        let texts = self.messages.iter().flat_map(|message| [message.role.name(), message.content.as_str()]);
        for text in head.into_iter().chain(texts) {
            // With its length, so that different lists of texts hash differently.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Request {
    /// The part of it that goes to the endpoint.
    pub fn chat(&self) -> Chat<'_> {
        Chat {
            name: self.step.name(),
            model: self.model.as_deref(),
            messages: &self.messages,
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            schema: self.schema.as_deref(),
        }
    }

    /// Size of its messages in bytes.
    pub fn n_bytes(&self) -> usize {
        self.messages.iter().map(|message| message.content.len()).sum()
    }
}

/// Reason why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model finished.
    Stop,
    /// The token limit.
    Length,
    /// Anything else.
    Other,
}

impl Finish {
    /// From the name in chat protocols; unknown names are [`Self::Other`].
    pub fn named(name: &str) -> Self {
        match name {
            "stop" | "end_turn" | "stop_sequence" => Self::Stop,
            "length" | "max_tokens" => Self::Length,
            _ => Self::Other,
        }
    }
}

/// Reply of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// Reason why it ended.
    pub finish: Finish,
}

/// Fault code for a prompt over the model's context; the machine then sends less.
pub const TOO_LONG: &str = "too-long";

/// Failure to get a reply, after the caller's retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its code, such as `timeout`.
    pub code: String,
    /// Description for the reader.
    pub message: String,
}
