//! From a question and the passages found for it to an answer whose every statement is pinned to the text.
//!
//! [`Machine`] is the whole of it, without I/O: it says what it needs, a search or a reply of a model, and is fed it.
//! Without a model the extractive answerer picks the sentences that answer, each with a
//! [`Citation`] to the range of the document that it is a copy of. With one, every quotation of the answer is looked
//! up in the passages that the model was given, and nothing is called verified that does not stand there.
//!
//! Invariants: it cites only passages that it was given, obeys no document, and lets no model choose the next step.

mod ambiguity;
mod answer;
mod answerability;
mod conflicts;
mod corpus;
mod editions;
mod extract;
mod extractive;
mod fence;
mod filter;
#[cfg(test)]
mod fixture;
mod followup;
mod language;
mod machine;
mod notes;
mod outcome;
mod parse;
mod passage;
mod pinning;
mod profile;
mod prompt;
mod prompt_passage;
mod question;
mod read;
mod reflect;
mod request;
mod rewrite;
mod rewrite_task;
mod score_filter;
mod selection;
mod similarities;
mod sufficiency;
mod supporting;
mod template;
mod trace;

pub use answer::{
    Answer, Citation, Conflict, ConflictKind, ConflictPlace, Evidence, Note, Statement, SupportReason,
    SupportingProvision, UnsupportedClaim,
};
pub use answerability::Answerability;
pub use citations::{Status, UnsupportedKind};
pub use corpus::{Corpus, TermUse, TermWeights};
pub use extractive::Options;
pub use fence::Fence;
pub use language::Language;
pub use machine::{AskRequest, Machine, NextAction};
pub use outcome::{Author, Outcome};
pub use parse::{Complaint, MAX_REPLY, head, object as json_object, unfenced};
pub use passage::{heads_of, is_contents, sentences_of};
pub use profile::{
    Budgets, Example, Profile, ProfileError, ReadUnit, ReflectSettings, RetrievalSettings, RewriteMethod,
    RewriteSettings, StepSettings, Steps, Voice,
};
pub use prompt::Turn;
pub use question::{Concept, QuestionAnalysis, QuestionWords, asks_for_place, topic};
pub use reflect::Verdict;
pub use request::{Chat, Fault, Finish, Message, Reply, Request, Role, SentPassage, Step, TOO_LONG};
pub use rewrite_task::RewriteTask;
pub use score_filter::ScoreFilter;
pub use selection::FoundPassage;
pub use similarities::{QuerySimilarity, Similarities};
pub use sufficiency::{SIGNALS, Sufficiency, signals, sufficiency};
pub use template::{Values, ask_again, fence_rule, fill, messages, version};
pub use trace::{Call, CallOutcome, Degraded, Trace};
