//! From a question and the passages found for it to an answer whose every statement is pinned to the text.
//!
//! There is no model here and no I/O: the extractive answerer ([`extractive()`]) picks the sentences that answer, each with
//! a [`Citation`] that [`locate`] has found, word for word, in the document it cites.
//!
//! What it will not do: write a sentence of its own, cite a passage it was not given, or search.

mod citations;
mod extractive;
mod passage;
mod question;

pub use citations::{Status, locate};
pub use extractive::{Answer, Citation, Evidence, Options, Statement, TermWeights, extractive};
pub use question::Language;
