//! Vectors and the search for the nearest.
//!
//! [`Exact`] looks at every vector: no build, no parameters, additions and filters for free, 0.9 ms for 20,000
//! in a browser. [`Hnsw`] looks at few, must be rebuilt when documents change, and pays only when there are
//! far more.

pub(crate) mod batch;
pub(crate) mod codes;
mod exact;
mod hnsw;
pub(crate) mod links;
mod products;
mod top;

use document::{ChunkId, DocumentIdx};

pub use exact::{Exact, dot};
pub use hnsw::{Attached, Hnsw, HnswSource, Standing, link};
pub use links::HnswParams;
pub use top::TopK;

/// A question as a vector, and the model that made it. Only vectors of the same model are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryVector<'a> {
    /// The model's fingerprint.
    pub fingerprint: &'a str,
    /// A unit vector.
    pub values: &'a [f32],
}

/// A chunk near a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Its document.
    pub document: DocumentIdx,
    /// The chunk.
    pub chunk: ChunkId,
    /// Cosine.
    pub score: f32,
}

/// Something that finds near vectors.
pub trait VectorIndex {
    /// How many vectors it looks among.
    fn n_vectors(&self) -> usize;

    /// The `k` nearest of the chunks to keep, best first, equal scores by document and chunk.
    fn nearest(
        &self,
        query: QueryVector<'_>,
        k: usize,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Vec<Neighbour>;
}

/// Which way to search vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ann {
    /// All vectors.
    Exact,
    /// A graph.
    Hnsw,
    /// All vectors below [`AUTO_GRAPH_FROM`], a graph from there on.
    #[default]
    Auto,
}

/// The number of vectors from which [`Ann::Auto`] builds a graph: at 50,000 the scan takes 2.5 ms in a
/// browser and the build over a minute, so the scan stays ahead for a long while.
pub const AUTO_GRAPH_FROM: usize = 200_000;

impl Ann {
    /// Whether so many vectors are to be searched by a graph.
    pub fn wants_graph(self, n_vectors: usize) -> bool {
        match self {
            Self::Exact => false,
            Self::Hnsw => true,
            Self::Auto => n_vectors >= AUTO_GRAPH_FROM,
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test that panics has failed")]
pub(crate) mod tests;
