//! Result of a search.

use document::{ChunkKind, Explanation};
use serde::Serialize;
use ts_rs::TS;

use super::location::Location;

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchReply {
    /// Hits, best first.
    pub hits: Vec<SearchHit>,
    /// Reason why there are no hits; `null` if there are some.
    pub nothing: Option<EmptyReason>,
    /// Documents whose vectors took part.
    pub vectors: VectorUse,
    /// By hit, the indexes of the gold places of the options that it is the first to reach. Missing without gold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<_>", optional)]
    pub gold: Vec<Vec<usize>>,
}

/// Passage that a search found.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// Location of the passage.
    #[serde(flatten)]
    pub location: Location,
    /// Kind of chunk.
    pub kind: ChunkKind,
    /// Text of the passage.
    pub text: String,
    /// Score by which hits are ordered; comparable within one search only.
    pub score: f32,
    /// Rank, from 1.
    pub rank: u32,
    /// Terms of the score, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub explanation: Option<Explanation>,
}

/// Documents whose vectors took part in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum VectorUse {
    /// Every document, as far as the model can read its passages.
    All,
    /// All passages that were embedded before the question, and of the others those that its words find.
    Candidates,
    /// All but the documents that are still being embedded.
    Some,
    /// No document: there are no vectors, or the question has none, as where the model cannot read it.
    None,
}

/// Reason why a search found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyReason {
    /// The library has no documents.
    NoDocuments,
    /// The query has no letter and no digit.
    NoQuery,
    /// The filter excludes every passage.
    NothingInScope,
    /// No passage matches the query.
    NoMatch,
}

impl EmptyReason {
    /// Message for a person.
    pub fn message(self) -> &'static str {
        match self {
            Self::NoDocuments => "the library has no documents",
            Self::NoQuery => "the query has no words",
            Self::NothingInScope => "the filter excludes every passage",
            Self::NoMatch => "no passage matches the query",
        }
    }
}
