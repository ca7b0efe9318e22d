//! Summaries of pages, by which pages about the same matter are found.

use answer::{Values, head};

use crate::request::{Request, messages};
use crate::source_page::SourcePage;

/// Longest summary that is used, in bytes.
const MAX_BYTES: usize = 4_000;
/// Longest reply, in tokens.
pub(crate) const MAX_TOKENS: u32 = 400;

/// The request for the summary of a page.
pub(crate) fn request(page: &SourcePage) -> Request {
    let messages = messages(include_str!("prompts/summary.txt"), &[&page.text], Values::new());
    Request { name: "summary", messages, max_tokens: MAX_TOKENS, schema: None }
}

/// Reads a reply; `None` if it is empty.
pub(crate) fn read(reply: &str) -> Option<String> {
    let summary = head(reply, MAX_BYTES).trim();
    (!summary.is_empty()).then(|| summary.to_owned())
}
