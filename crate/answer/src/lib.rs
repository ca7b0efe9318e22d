//! From a question and the passages found for it to an answer whose every statement is pinned to the text.
//!
//! There is no model here and no I/O: the extractive answerer ([`extractive()`]) picks the sentences that answer,
//! each with a [`Citation`] to the range of the document that it is a copy of. [`check`] takes the answer of a model
//! and says of each quotation, figure and modal whether the passages it names have it; [`locate`] finds one quotation
//! in one source.
//!
//! What it will not do: write a sentence of its own, cite a passage it was not given, or search.

mod citations;
mod corpus;
mod extractive;
mod passage;
mod question;

pub use citations::{Checked, Piece, Quotation, Source, Status, Unsupported, UnsupportedKind, check, locate};
pub use corpus::{Corpus, Definition, TermUse, TermWeights};
pub use extractive::{Answer, Citation, Evidence, Options, Statement, extractive};
pub use question::Language;
