//! How an answer came about: every step, every call, what was found, kept and quoted. Part of the answer, so that a
//! reader can check it and two drivers can be compared.

use document::{ChunkId, DocumentIdx, TextRange};
use serde::Serialize;
use ts_rs::TS;

use crate::reflect::Verdict;
use crate::request::Step;

/// The record of one answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The question as it was understood: of a follow-up, the one that stands alone.
    pub question: String,
    /// Its rewrites.
    pub rewrites: Vec<String>,
    /// The passage that was written to find real ones, where there was one.
    pub passage: Option<String>,
    /// What was searched for, round by round.
    pub queries: Vec<Vec<String>>,
    /// What was found, best first.
    pub retrieved: Vec<(DocumentIdx, ChunkId)>,
    /// What the filter kept of it.
    pub kept: Vec<(DocumentIdx, ChunkId)>,
    /// What was quoted around it.
    pub extracts: Vec<(DocumentIdx, Vec<TextRange>)>,
    /// What the answer was written from: P1 first.
    pub selected: Vec<(DocumentIdx, Vec<TextRange>)>,
    /// The verdicts on the answers, one a round.
    pub reflection: Vec<Verdict>,
    /// Every request to a model.
    pub calls: Vec<Call>,
    /// Steps that had to be left out or done without a model, and why.
    pub degraded: Vec<Degraded>,
}

/// A request to a model and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "ModelCall")]
pub struct Call {
    /// Its number, from 1.
    pub call: u32,
    /// The step that asked.
    pub step: Step,
    /// The endpoint and the model that the profile names for it.
    pub endpoint: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The version of the step's prompt.
    pub prompt: u32,
    /// Bytes of the messages sent.
    #[serde(rename = "sent")]
    pub n_sent: usize,
    /// Bytes of the reply.
    #[serde(rename = "received")]
    pub n_received: usize,
    /// State of the request.
    pub outcome: CallOutcome,
    /// Reason why the reply was not used, or why there is none.
    pub why: Option<String>,
}

/// State of a request to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum CallOutcome {
    /// No reply yet.
    Open,
    /// The reply was used.
    Used,
    /// The reply did not fit the step.
    Unusable,
    /// No reply came.
    Failed,
}

/// A step that did not run as the profile says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Degraded {
    /// The step.
    pub step: Step,
    /// The code of the [`Fault`](crate::Fault) if an endpoint failed, else one of [`SENT_LESS`], [`FAILED_BEFORE`],
    /// [`CUT_AT_LENGTH`], [`UNUSABLE`], [`PARTS_UNREAD`] and [`QUOTES_DROPPED`].
    pub code: String,
    /// Number of the request in question; `None` if no request was made.
    pub call: Option<u32>,
    /// Reason in words, for the reader.
    pub why: String,
}

/// The passages were halved because the model takes no longer prompt.
pub const SENT_LESS: &str = "sent-less";
/// The step was skipped because its endpoint had failed before.
pub const FAILED_BEFORE: &str = "failed-before";
/// The answer ends at the maximum length of a reply.
pub const CUT_AT_LENGTH: &str = "cut-at-length";
/// Two replies did not have the form asked for.
pub const UNUSABLE: &str = "unusable";
/// Parts of long passages exceed the requests of a round and were not read.
pub const PARTS_UNREAD: &str = "parts-unread";
/// Quotations of a reply are not in the text and were dropped.
pub const QUOTES_DROPPED: &str = "quotes-dropped";
