//! Exact search: a scan over all vectors.
//!
//! In two passes: by codes of eight bits, which exclude nearly all rows (see [`super::codes`]), then by all twelve over
//! the rest, slightly more than `k`. The result equals that of a scan by twelve bits alone to the last bit.
//!
//! Sums are of integers, or of `f32` in sixteen running sums, which the compiler turns into SIMD natively and in wasm alike;
//! the order of additions is fixed, so both give the same bits. Times: `examples/vectors.rs`, and [`super::AUTO_GRAPH_FROM`].

use std::ops::Range;

use document::{ChunkId, DocumentIdx};

use super::codes::Probe;
use super::rows::VectorRow;
use super::top::TopK;
use super::{Neighbour, QueryVector, VectorIndex};
use crate::library::{Entry, Index};

/// Exact search over a snapshot. Free to create.
#[derive(Clone, Copy, Debug)]
pub struct Exact<'a> {
    index: &'a Index,
}

impl<'a> Exact<'a> {
    /// Over this snapshot.
    pub fn new(index: &'a Index) -> Self {
        Self { index }
    }
}

impl VectorIndex for Exact<'_> {
    fn n_vectors(&self) -> usize {
        self.index.iter().map(|(_, entry)| entry.vectors().n_rows()).sum()
    }

    fn nearest(
        &self,
        query: QueryVector<'_>,
        k: usize,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Vec<Neighbour> {
        let mut top = TopK::new(k);
        scan(all_rows(self.index), query, k, keep, &mut top);
        neighbours(top)
    }
}

/// A range of a document's vectors.
#[derive(Clone)]
pub struct Rows<'a> {
    pub document: DocumentIdx,
    pub entry: &'a Entry,
    /// Rows; those past the end are ignored.
    pub range: Range<usize>,
}

/// Every vector of a snapshot.
pub fn all_rows(index: &Index) -> impl Iterator<Item = Rows<'_>> {
    index.iter().map(|(document, entry)| Rows { document, entry, range: 0..usize::MAX })
}

/// Pushes the `k` nearest of some rows with their exact scores. Rows of another model or dimension are skipped.
pub fn scan<'a>(
    rows: impl Iterator<Item = Rows<'a>>,
    query: QueryVector<'_>,
    k: usize,
    keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    top: &mut TopK<(DocumentIdx, ChunkId)>,
) {
    if k == 0 {
        return;
    }
    let probe = Probe::new(query.values);
    // Lower bounds of the k best scores; a row whose upper bound is lower is not among them.
    let mut least = TopK::new(k);
    let mut bar = f32::NEG_INFINITY;
    let mut candidates: Vec<(f32, (DocumentIdx, ChunkId), VectorRow<'_>)> = Vec::new();
    for Rows { document, entry, range } in rows {
        let vectors = entry.vectors();
        if vectors.fingerprint() != Some(query.fingerprint) || vectors.n_dims() != Some(query.values.len()) {
            continue;
        }
        let chunks = entry.segment().embeddable();
        for block in vectors.blocks() {
            let (start, end) = (block.start.max(range.start), block.end().min(range.end));
            if start >= end {
                continue;
            }
            let scores = block.rows.codes().scan(start - block.start..end - block.start, &probe);
            for (row, (score, doubt)) in (start..end).zip(scores) {
                let most = score + doubt;
                if most < bar {
                    continue;
                }
                let stored = block.rows.row(row - block.start);
                let Some((&chunk, stored)) = chunks.get(row).zip(stored) else { break };
                if keep(document, chunk) {
                    least.push(score - doubt, ());
                    bar = least.worst().unwrap_or(f32::NEG_INFINITY);
                    candidates.push((most, (document, chunk), stored));
                }
            }
        }
    }
    // Most were listed before the bar was where it is now.
    for (_, at, row) in candidates.into_iter().filter(|(most, ..)| *most >= bar) {
        if let Some(score) = row.dot(query.values) {
            top.push(score, at);
        }
    }
}

/// The neighbours, best first.
pub fn neighbours(top: TopK<(DocumentIdx, ChunkId)>) -> Vec<Neighbour> {
    let best = top.into_sorted().into_iter();
    best.map(|(score, (document, chunk))| Neighbour { document, chunk, score }).collect()
}
