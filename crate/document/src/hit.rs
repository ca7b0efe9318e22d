//! Hits of a search, with explanations. Made by `retrieval`.

use serde::Serialize;
use ts_rs::TS;

use crate::ChunkId;

/// Position of a document in a library snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentIdx(pub u32);

impl DocumentIdx {
    /// The position.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// A hit: a chunk that matches a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The document.
    pub document: DocumentIdx,
    /// The chunk in it.
    pub chunk: ChunkId,
    /// Its score; hits are sorted by it, descending. Comparable within one search only.
    pub score: f32,
    /// Its rank, from 1.
    pub rank: u32,
    /// Derivation of its score.
    pub explanation: Explanation,
}

/// Derivation of a score: a tree of named contributions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
pub struct Explanation {
    /// Value of this node.
    pub value: f32,
    /// Its name in the formula: "bm25(rule)", "cosine", "rrf k=60".
    pub description: String,
    /// Its contributions.
    pub details: Vec<Explanation>,
}
