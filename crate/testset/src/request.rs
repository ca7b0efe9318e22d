//! A request to a language model, as plain data; protocols and keys belong to the caller.

use answer::{Chat, Fence, Message, Values, fence_rule};
use text::{ApproximateTokens, TokenCount as _};

/// Request to a model, at temperature 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Name of what is asked for: "summary", "questions" or "rewrite".
    pub name: &'static str,
    /// Messages, in order.
    pub messages: Vec<Message>,
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// JSON schema of the reply, for endpoints that enforce one; `None` for prose.
    pub schema: Option<String>,
}

impl Request {
    /// The request as an endpoint takes it.
    pub fn chat(&self) -> Chat<'_> {
        Chat {
            name: self.name,
            model: None,
            messages: &self.messages,
            max_tokens: self.max_tokens,
            temperature: 0.0,
            schema: self.schema.as_deref(),
        }
    }

    /// Size of its messages in tokens, by [`ApproximateTokens`].
    pub fn n_tokens(&self) -> usize {
        self.messages.iter().map(|message| ApproximateTokens.count(&message.content)).sum()
    }
}

/// The messages of a prompt file over passages, each between the lines of a fence.
pub(crate) fn messages(file: &str, passages: &[&str], mut values: Values) -> Vec<Message> {
    let fence = Fence::around(passages);
    let wrapped = (1..).zip(passages).map(|(n, text)| fence.wrap(&format!("P{n}"), text));
    values.insert("passages", wrapped.collect());
    values.insert("count", passages.len().to_string());
    values.insert("fence", fence_rule(&fence));
    answer::messages(file, &values)
}
