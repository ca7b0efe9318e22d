//! The trace of an answer: its steps, requests, and the passages retrieved, kept and quoted. It is part of the answer, so
//! a reader can check it and drivers can be compared.

use document::{ChunkId, DocumentIdx, TextRange};
use serde::Serialize;
use ts_rs::TS;

use crate::reflect::Verdict;
use crate::request::Step;

/// Trace of one answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The question; of a follow-up, its self-contained form.
    pub question: String,
    /// Its rewrites.
    pub rewrites: Vec<String>,
    /// The hypothetical passage, if one was written.
    pub passage: Option<String>,
    /// Searched texts, round by round.
    pub queries: Vec<Vec<String>>,
    /// Retrieved passages, best first.
    pub retrieved: Vec<(DocumentIdx, ChunkId)>,
    /// Passages that the filter kept.
    pub kept: Vec<(DocumentIdx, ChunkId)>,
    /// Quotations of the extracting step.
    pub extracts: Vec<(DocumentIdx, Vec<TextRange>)>,
    /// Passages that the answer was written from, P1 first.
    pub selected: Vec<(DocumentIdx, Vec<TextRange>)>,
    /// Verdicts of the reflecting step, one a round.
    pub reflection: Vec<Verdict>,
    /// All requests to models.
    pub calls: Vec<Call>,
    /// Steps that were left out or done without a model.
    pub degraded: Vec<Degraded>,
}

/// A request to a model and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "ModelCall")]
pub struct Call {
    /// Number of the request, from 1.
    pub call: u32,
    /// The asking step.
    pub step: Step,
    /// Endpoint named by the profile.
    pub endpoint: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// Version of the step's prompt.
    pub prompt: u32,
    /// Size of the messages sent, in bytes.
    #[serde(rename = "sent")]
    pub n_sent: usize,
    /// Size of the reply, in bytes.
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
    /// Code of the endpoint's fault, else `sent-less`, `failed-before`, `cut-at-length`, `unusable`, `parts-unread` or
    /// `quotes-dropped`.
    pub code: String,
    /// Number of the request in question; absent if no request was made.
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
