//! Request to a model as both protocols take it, borrowed from whoever asks.

use engine::{Message, Request};

/// Request for a completion.
#[derive(Clone, Copy)]
pub(crate) struct Completion<'a> {
    /// Name of what is asked for, that of the schema: letters and hyphens.
    pub(crate) name: &'a str,
    /// Model; `None` for the endpoint's.
    pub(crate) model: Option<&'a str>,
    /// Messages, in order.
    pub(crate) messages: &'a [Message],
    /// Longest reply, in tokens.
    pub(crate) max_tokens: u32,
    /// Temperature, 0 to 2.
    pub(crate) temperature: f32,
    /// JSON schema of the reply, for endpoints that enforce one.
    pub(crate) schema: Option<&'a str>,
}

impl<'a> From<&'a Request> for Completion<'a> {
    fn from(request: &'a Request) -> Self {
        Self {
            name: request.step.name(),
            model: request.model.as_deref(),
            messages: &request.messages,
            max_tokens: request.max_tokens,
            temperature: request.temperature,
            schema: request.schema.as_deref(),
        }
    }
}

impl<'a> From<&'a testset::Request> for Completion<'a> {
    fn from(request: &'a testset::Request) -> Self {
        Self {
            name: request.name,
            model: None,
            messages: &request.messages,
            max_tokens: request.max_tokens,
            temperature: 0.0,
            schema: request.schema.as_deref(),
        }
    }
}
