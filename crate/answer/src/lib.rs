//! From a question and the passages found for it to an answer whose every statement is pinned to the text.
//!
//! [`Machine`] is the whole of it, without I/O: it says what it needs, a search or a reply of a model, and is fed it.
//! Without a model the extractive answerer ([`extractive()`]) picks the sentences that answer, each with a
//! [`Citation`] to the range of the document that it is a copy of. With one, every quotation of the answer is looked
//! up in the passages that the model was given, and nothing is called verified that does not stand there.
//!
//! What it will not do: cite a passage it was not given, obey a document, or let a model choose what happens next.

mod ambiguity;
mod conflicts;
mod corpus;
mod extract;
mod extractive;
mod fence;
mod filter;
#[cfg(test)]
mod fixture;
mod follow;
mod followup;
mod language;
mod machine;
mod outcome;
mod parse;
mod passage;
mod profile;
mod prompt;
mod question;
mod read;
mod reflect;
mod request;
mod rewrite;
mod score_filter;
mod selection;
mod source;
mod sufficiency;
mod trace;

pub use citations::{Status, UnsupportedKind};
pub use conflicts::{Conflict, ConflictKind, ConflictPlace, Note, conflicts, notes};
pub use corpus::{Corpus, TermUse, TermWeights};
pub use extractive::{Answer, Citation, Doubt, Evidence, Options, Statement, extractive};
pub use fence::Fence;
pub use follow::{Followed, MAX_DEFINITIONS, MAX_REFERENCES, Why, follow};
pub use language::Language;
pub use machine::{Machine, Need, Question};
pub use outcome::{Author, Outcome};
pub use passage::section_at;
pub use profile::{
    Around, Budgets, Example, Profile, ProfileError, Reflect, Retrieval, Rewrite, RewriteBy, Setting, Steps,
    Voice,
};
pub use prompt::Turn;
pub use reflect::Verdict;
pub use request::{Fault, Finish, Message, Reply, Request, Role, Sent, Step, TOO_LONG};
pub use score_filter::ScoreFilter;
pub use selection::Found;
pub use sufficiency::{SIGNALS, Sufficiency, signals, sufficiency};
pub use trace::{Call, CallOutcome, Degraded, Trace};
