//! What `retrieval` gives: ranked hits that can explain themselves.

use serde::Serialize;
use ts_rs::TS;

use crate::ChunkId;

/// A document of a library snapshot: its position in the library's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentIdx(pub u32);

impl DocumentIdx {
    /// The position.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A chunk that answers a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document.
    pub document: DocumentIdx,
    /// The chunk in it.
    pub chunk: ChunkId,
    /// The score by which hits are ordered, descending; comparable within one search only.
    pub score: f32,
    /// Place in the ranking, from 1.
    pub rank: u32,
    /// Why.
    pub explanation: Explanation,
}

/// Where a score comes from: a tree of named contributions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
pub struct Explanation {
    /// The value at this node.
    pub value: f32,
    /// What it is, in the words of the formula: "bm25(rule)", "cosine", "rrf k=60".
    pub description: String,
    /// What it is made of.
    pub details: Vec<Explanation>,
}
