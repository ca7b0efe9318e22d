//! A request to the judge.

use answer::{Chat, Message};

/// A request to the judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeRequest {
    /// Name of its step: `judge-coverage`.
    pub step: &'static str,
    /// Messages, in order.
    pub messages: Vec<Message>,
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// JSON schema of the reply.
    pub schema: &'static str,
}

impl JudgeRequest {
    /// The request as an endpoint takes it, at temperature 0.
    pub fn chat(&self) -> Chat<'_> {
        Chat {
            name: self.step,
            model: None,
            messages: &self.messages,
            max_tokens: self.max_tokens,
            temperature: 0.0,
            schema: Some(self.schema),
        }
    }

    /// Identity of the request to a model, as of [`Chat::key`].
    pub fn key(&self, model: &str) -> String {
        self.chat().key(model)
    }

    /// Size of its messages in bytes.
    pub fn n_bytes(&self) -> usize {
        self.messages.iter().map(|message| message.content.len()).sum()
    }
}
