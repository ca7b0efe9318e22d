//! Candidates of a search: chunks that a retriever listed, with their scores.

use document::{ChunkId, DocumentIdx};

/// A chunk that at least one retriever listed, with its scores by both.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its document.
    pub document: DocumentIdx,
    /// The chunk.
    pub chunk: ChunkId,
    /// BM25; 0 if it has no word of the question.
    pub lexical: f32,
    /// Its rank in the lexical list, from 1.
    pub lexical_rank: Option<u32>,
    /// Cosine, if it and the question have vectors.
    pub dense: Option<f32>,
    /// The row of its vector, for an article of its nearest child's.
    pub row: Option<usize>,
    /// Its rank in the dense list, from 1.
    pub dense_rank: Option<u32>,
    /// True if it has no vector, and `dense` and `dense_rank` are estimated from its lexical score.
    pub is_estimated: bool,
}

impl Candidate {
    /// True if a retriever ranks it within `depth`, or neither lists it, as with a provision that the question names.
    pub fn is_within(&self, depth: u32) -> bool {
        let near = |rank: Option<u32>| rank.is_some_and(|rank| rank <= depth);
        near(self.lexical_rank)
            || near(self.dense_rank)
            || (self.lexical_rank.is_none() && self.dense_rank.is_none())
    }
}

/// A candidate with its score.
#[derive(Clone, Debug)]
pub struct ScoredCandidate {
    pub document: DocumentIdx,
    pub chunk: ChunkId,
    pub score: f32,
    /// BM25 and its rank in the lexical list.
    pub lexical: (f32, Option<u32>),
    /// Cosine, if there is a vector, and its rank in the dense list.
    pub dense: (Option<f32>, Option<u32>),
    /// For an article its own score, while `score` is the best of it and those of `folded`.
    pub own: f32,
    /// For an article the children folded into it, with their scores.
    pub folded: Vec<(ChunkId, f32)>,
    /// Score of the second stage, if there was one.
    pub reranked: Option<RerankScore>,
}

/// Score of the second stage.
#[derive(Clone, Debug)]
pub struct RerankScore {
    /// Name of the reranker.
    pub name: String,
    /// Score of the first stage.
    pub fused: f32,
    /// Named values that the score is made of.
    pub reasons: Vec<(&'static str, f32)>,
}
