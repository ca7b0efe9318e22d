//! Protocols of endpoints.

/// Protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions, which most servers and gateways speak.
    Openai,
    /// Anthropic's messages.
    Anthropic,
}
