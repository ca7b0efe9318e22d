//! Questions that count, and why the others do not.

use std::collections::BTreeMap;

use citations::Status;
use document::TextRange;

use crate::style::Style;

/// Test question with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Id: seed, round and number in its pair.
    pub id: String,
    /// The question.
    pub question: String,
    /// The answer, without marks.
    pub answer: String,
    /// Its style.
    pub style: Style,
    /// True for the first of a pair: it has no named entity.
    pub is_unnamed: bool,
    /// The pages that it was written from, with what the answer quotes of them.
    pub sources: Vec<Source>,
}

/// Page that a question was written from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Id of the page: `file.pdf#7`.
    pub id: String,
    /// File name of the document.
    pub document: String,
    /// Number of the page, from 1; `None` in a document without pages.
    pub page: Option<u32>,
    /// Quotations of it; empty for a page that the answer does without.
    pub quotes: Vec<Quote>,
}

/// Quotation that stands in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The words as they stand in the document.
    pub text: String,
    /// Their ranges of the document's text.
    pub ranges: Vec<TextRange>,
    /// [`Status::Verified`], or the caveat of the document's text in its place.
    pub status: Status,
}

/// Reason why a question does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// No cluster has enough pages that were not drawn before.
    NoPages,
    /// The endpoint failed.
    Failed,
    /// The reply could not be used, twice.
    Unusable,
    /// The first of a pair names an entity, twice.
    NamesEntity,
    /// A quotation does not stand in its page.
    Unverified,
    /// An instruction or a reason that quotes one page only.
    OnePage,
    /// The answer states a figure, date, modal or denial that the pages do not support.
    Unsupported,
    /// The question was written before.
    Repeated,
}

impl DropReason {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoPages => "no-pages",
            Self::Failed => "failed",
            Self::Unusable => "unusable",
            Self::NamesEntity => "names-entity",
            Self::Unverified => "unverified",
            Self::OnePage => "one-page",
            Self::Unsupported => "unsupported",
            Self::Repeated => "repeated",
        }
    }
}

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pages with a summary.
    pub summarised: usize,
    /// Pages without one: the endpoint failed, or the reply was empty.
    pub not_summarised: usize,
    /// Clusters.
    pub clusters: usize,
    /// Requests that were made again because of their replies.
    pub asked_again: usize,
    /// Questions that count.
    pub kept: usize,
    /// Questions that do not, by reason.
    pub dropped: BTreeMap<DropReason, usize>,
}
