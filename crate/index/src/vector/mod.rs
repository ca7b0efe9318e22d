//! Nearest-neighbour search over vectors.
//!
//! [`Exact`] scans every vector: no build, no parameters, additions and filters for free, 1 ms for 50,000 in wasm.
//! [`Hnsw`] visits few, is built separately, and pays only for far more vectors; see [`AUTO_GRAPH_FROM`].
//!
//! A vector of 384 numbers takes 580 bytes on disk and 584 in memory: twelve bits a value, of which a scan reads eight. A
//! graph takes 330 more.

pub(crate) mod batch;
pub(crate) mod codes;
mod exact;
mod hnsw;
pub(crate) mod links;
mod products;
pub(crate) mod rows;
mod top;

use document::{ChunkId, DocumentIdx};

pub use codes::Probe;
pub use exact::Exact;
pub use hnsw::{Coverage, Hnsw, HnswSource, HnswView, link};
pub use links::HnswParams;
pub use products::dot;
pub use rows::{VectorRow, VectorRows};
pub use top::TopK;

/// A query vector and its model. Only vectors of the same model are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryVector<'a> {
    /// The model's fingerprint.
    pub fingerprint: &'a str,
    /// A unit vector.
    pub values: &'a [f32],
}

/// A nearest neighbour: a chunk near a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Its document.
    pub document: DocumentIdx,
    /// The chunk.
    pub chunk: ChunkId,
    /// Cosine to the query.
    pub score: f32,
}

/// A search for the nearest vectors.
pub trait VectorIndex {
    /// Number of vectors.
    fn n_vectors(&self) -> usize;

    /// The `k` nearest chunks that pass `keep`, best first, ties in order of document and chunk.
    fn nearest(
        &self,
        query: QueryVector<'_>,
        k: usize,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Vec<Neighbour>;
}

/// Algorithm of vector search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ann {
    /// A scan over all vectors.
    Exact,
    /// A graph if one is built, else a scan.
    Hnsw,
    /// A scan below [`AUTO_GRAPH_FROM`] vectors; from there a graph if one is built.
    #[default]
    Auto,
}

/// The number of vectors from which [`Ann::Auto`] wants a graph. Measured (`examples/vectors.rs`; 384 numbers;
/// for the ten nearest and for the 400 that a search asks for; milliseconds a question, of one processor):
///
/// | vectors | scan in wasm | walk in wasm | its build | scan natively |
/// |---|---|---|---|---|
/// | 1,000 | 0.03, 0.17 | 0.12, 0.17 | 1 s | 0.04, 0.17 |
/// | 10,000 | 0.2, 0.6 | 0.5, 2.0 | 12 s | 0.3, 0.7 |
/// | 50,000 | 1.0, 2.1 | 0.8, 5.2 | 90 s | 1.5, 2.1 |
/// | 200,000 | 5.8, 6.5 | | | 5.9, 9.7 |
/// | 1,000,000 | | | | 29, 37 |
///
/// Of the 13,007 vectors of real passages of law (`--file`), asked with 488 real questions, natively: a scan takes
/// 0.4 and 0.9 ms, a walk 0.8 and 2.8 ms after a build of 21 s, and finds all of the ten nearest and 0.9999 of the 400.
///
/// For ten, a walk is as quick as a scan at 50,000 vectors; for 400, at some 200,000. And a scan needs no build,
/// which takes minutes by then, anew when a good part of the library has changed. So a graph does not pay below
/// 200,000; and a scan keeps nobody waiting before a million.
pub const AUTO_GRAPH_FROM: usize = 1_000_000;

impl Ann {
    /// True if `n_vectors` vectors should be searched by a graph.
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
