//! From a question and the passages found for it to an answer whose every statement is pinned to the text.
//!
//! There is no model here and no I/O: the extractive answerer ([`extractive()`]) picks the sentences that answer,
//! each with a [`Citation`] to the range of the document that it is a copy of. [`locate`] finds a quotation of
//! anyone's in a source word for word; of a copy it can only confirm that folding loses nothing.
//!
//! What it will not do: write a sentence of its own, cite a passage it was not given, or search.

mod citations;
mod conflicts;
mod corpus;
mod extractive;
#[cfg(test)]
mod fixture;
mod follow;
mod passage;
mod question;
mod sufficiency;

pub use citations::{Status, locate};
pub use conflicts::{Conflict, ConflictKind, ConflictPlace, Note, conflicts, notes};
pub use corpus::{Corpus, Definition, TermUse, TermWeights};
pub use extractive::{Answer, Citation, Evidence, Options, Statement, extractive};
pub use follow::{Followed, MAX_DEFINITIONS, MAX_REFERENCES, Why, follow};
pub use question::Language;
pub use sufficiency::{SIGNALS, Sufficiency, signals, sufficiency};
