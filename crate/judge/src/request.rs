//! A request to the judge.

use std::fmt::Write as _;

use answer::{Chat, Message};
use sha2::{Digest as _, Sha256};

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

    /// Identity of the request to a model, 64 hex digits: equal for the same messages to the same model, so that nothing
    /// is asked twice.
    pub fn key(&self, model: &str) -> String {
        let mut hash = Sha256::new();
        let limit = self.max_tokens.to_string();
        let texts = self.messages.iter().flat_map(|message| [message.role.name(), message.content.as_str()]);
        for text in [model, self.step, limit.as_str()].into_iter().chain(texts) {
            // With its length, so that different lists of texts hash differently.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
            // Writing to a string does not fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// Size of its messages in bytes.
    pub fn n_bytes(&self) -> usize {
        self.messages.iter().map(|message| message.content.len()).sum()
    }
}
