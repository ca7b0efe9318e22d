//! The state of the answering machine.

use crate::extractive::Options;
use crate::profile::Profile;
use crate::prompt::{PromptContext, Turn};
use crate::prompt_passage::PromptPassage;
use crate::question::Concept;
use crate::read::Written;
use crate::request::Request;
use crate::selection::{FoundPassage, Selection};
use crate::similarities::Similarities;
use crate::trace::Trace;

/// A question to be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskRequest {
    /// The question.
    pub question: String,
    /// The question with glossary terms put in, if the glossary has any for it.
    pub expanded: Option<String>,
    /// Other names of phrases of the question, as a thesaurus has them.
    pub concepts: Vec<Concept>,
    /// Earlier questions and answers, oldest first.
    pub history: Vec<Turn>,
}

/// The next thing that the machine needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NextAction<'m> {
    /// Search for each of these queries, the first being the most important; answer with
    /// [`Machine::found`](crate::Machine::found).
    Search(&'m [String]),
    /// Send this request to a model; answer with [`Machine::replied`](crate::Machine::replied) or
    /// [`Machine::failed`](crate::Machine::failed).
    Ask(&'m Request),
    /// Nothing more: call [`Machine::finish`](crate::Machine::finish).
    Finish,
}

/// One question being answered.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) profile: Profile,
    pub(super) options: Options,
    /// The question as it is answered, with its analysis. Without a model, a follow-up is joined to the question
    /// before it.
    pub(super) context: PromptContext,
    /// With a model: the question with glossary terms, searched for beside its rewrites.
    pub(super) expanded: Option<String>,
    pub(super) state: State,
    /// Passages that the first search found for the question itself; sufficiency is judged by them.
    pub(super) evidence: Vec<FoundPassage>,
    /// With a model: passages that the first search found for the expanded question.
    pub(super) evidence_expanded: Vec<FoundPassage>,
    /// Without a model: passages found for each part of a question that asks several things.
    pub(super) parts: Vec<Vec<FoundPassage>>,
    /// Without a model: similarities to the question and to each of its parts, as far as they were compared.
    pub(super) similarities: Vec<Similarities>,
    pub(super) selection: Selection,
    /// The last answer, and the passages it was written from.
    pub(super) written: Option<(Written, Vec<PromptPassage>)>,
    /// Number of verdicts on answers before the last.
    pub(super) n_checks_before: usize,
    pub(super) has_model: bool,
    /// The endpoint of each failed request, and true if another request to it would fail too.
    pub(super) faults: Vec<(Option<String>, bool)>,
    /// Limits of models that refused a prompt as too long.
    pub(super) limits: Vec<Limit>,
    pub(super) rounds_left: u32,
    pub(super) trace: Trace,
}

/// The maximum size of the passages sent to a model.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    /// The endpoint and the model, as the profile names them.
    pub(super) of: (Option<String>, Option<String>),
    /// Size in tokens.
    pub(super) n_tokens: u32,
}

/// Input that the machine waits for.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// Results of these queries.
    Searching(Vec<String>),
    /// A reply.
    Asking(Box<PendingRequest>),
    /// Nothing.
    Done,
}

/// A request that waits for its reply, with the data to read the reply by.
#[derive(Clone, Debug)]
pub(super) struct PendingRequest {
    pub(super) request: Request,
    pub(super) data: RequestData,
    /// True if the request asks again after an unusable reply.
    pub(super) is_retry: bool,
}

/// The data behind a request.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestData {
    /// The passages in the prompt.
    pub(super) passages: Vec<PromptPassage>,
    /// Filter, and extract without a filter before it: the search results that the passages stand for.
    pub(super) found: Vec<FoundPassage>,
    /// Extract: the passages of the requests still to come, last first.
    pub(super) batches: Vec<Vec<PromptPassage>>,
    /// Read: the objections to the previous answer.
    pub(super) feedback: Option<String>,
}
