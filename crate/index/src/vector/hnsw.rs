//! The graph of Malkov and Yashunin (arXiv 1603.09320), by `instant-distance`.
//!
//! It takes no insertions: it is built from a snapshot and rebuilt when documents change; it is never stored.
//! The seed is fixed. Natively the crate links nodes on several threads, so two builds may differ in a link;
//! in a browser there is one thread. Scores are exact scalar products either way: only which chunks are found
//! is approximate.

use document::{ChunkId, DocumentIdx};
use instant_distance::{Builder, Point, Search};

use super::{Neighbour, QueryVector, TopK, VectorIndex, dot};
use crate::Index;

/// How the graph is built and searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HnswParams {
    /// Candidates looked at when a node is linked, from 1. More is slower to build and finds more.
    pub ef_construction: usize,
    /// Candidates looked at in a search, from 1; also the most that a search returns.
    pub ef_search: usize,
    /// Seed of the levels.
    pub seed: u64,
}

impl Default for HnswParams {
    fn default() -> Self {
        Self { ef_construction: 100, ef_search: 200, seed: 0x5EED }
    }
}

/// A graph over the vectors that a snapshot had.
pub struct Hnsw {
    graph: instant_distance::HnswMap<Row, (DocumentIdx, ChunkId)>,
    fingerprint: String,
    n_vectors: usize,
    source: Vec<(String, usize)>,
}

#[derive(Clone)]
struct Row(Vec<f32>);

impl Point for Row {
    fn distance(&self, other: &Self) -> f32 {
        1.0 - dot(&self.0, &other.0)
    }
}

impl Hnsw {
    /// Builds the graph over all vectors of one model. O(n log n), seconds for thousands.
    pub fn build(index: &Index, fingerprint: &str, params: HnswParams) -> Self {
        let (mut points, mut values) = (Vec::new(), Vec::new());
        for (document, entry) in index.iter() {
            if entry.vectors().fingerprint() != Some(fingerprint) {
                continue;
            }
            let chunks = entry.segment().embeddable();
            for batch in entry.vectors().batches() {
                let chunks = chunks.get(batch.start() as usize..).unwrap_or_default();
                for (&chunk, row) in chunks.iter().zip(batch.rows()) {
                    points.push(Row(row.to_vec()));
                    values.push((document, chunk));
                }
            }
        }
        let n_vectors = points.len();
        let graph = Builder::default()
            .ef_construction(params.ef_construction.max(1))
            .ef_search(params.ef_search.max(1))
            .seed(params.seed)
            .build(points, values);
        Self { graph, fingerprint: fingerprint.to_owned(), n_vectors, source: source_of(index) }
    }

    /// Whether it still stands for all of a snapshot's vectors.
    pub fn is_of(&self, index: &Index) -> bool {
        self.source == source_of(index)
    }
}

impl VectorIndex for Hnsw {
    fn n_vectors(&self) -> usize {
        self.n_vectors
    }

    /// At most `ef_search` are found; a filter takes from these.
    fn nearest(
        &self,
        query: QueryVector<'_>,
        k: usize,
        keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
    ) -> Vec<Neighbour> {
        let mut top = TopK::new(k);
        if query.fingerprint == self.fingerprint && self.n_vectors > 0 {
            let point = Row(query.values.to_vec());
            let mut search = Search::default();
            for found in self.graph.search(&point, &mut search) {
                let &(document, chunk) = found.value;
                if keep(document, chunk) {
                    top.push(dot(query.values, &found.point.0), (document, chunk));
                }
            }
        }
        let best = top.into_sorted().into_iter();
        best.map(|(score, (document, chunk))| Neighbour { document, chunk, score }).collect()
    }
}

fn source_of(index: &Index) -> Vec<(String, usize)> {
    index
        .iter()
        .map(|(_, entry)| (entry.segment().document().digest.clone(), entry.vectors().n_rows()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use document::{Chunk, ChunkKind, Document, SectionId};
    use text::AnalyzerKind;

    use super::*;
    use crate::vector::Exact;
    use crate::{Segment, VectorBatch};

    /// Numbers that look random and are the same everywhere (SplitMix64).
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z >> 40) as f32) / (1_u64 << 24) as f32 - 0.5
        }

        fn unit(&mut self, n_dims: usize) -> Vec<f32> {
            let values: Vec<f32> = (0..n_dims).map(|_| self.next()).collect();
            let norm = dot(&values, &values).sqrt();
            values.into_iter().map(|value| value / norm).collect()
        }
    }

    fn index_of(rows: &[Vec<f32>]) -> Index {
        let chunk = Chunk {
            kind: ChunkKind::Child,
            ranges: Vec::new(),
            section: SectionId(0),
            n_tokens: 1,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        };
        let document =
            Document { digest: "d".to_owned(), chunks: vec![chunk; rows.len()], ..Document::default() };
        let mut index = Index::default();
        index.insert(Arc::new(Segment::with_units(document, &[], AnalyzerKind::Default)));
        index.add_vectors(Arc::new(VectorBatch::new("d", "m", 0, rows).unwrap())).unwrap();
        index
    }

    #[test]
    fn finds_nearly_all_that_the_scan_finds() {
        const SEED: u64 = 7;
        let mut numbers = Numbers(SEED);
        let rows: Vec<Vec<f32>> = (0..1500).map(|_| numbers.unit(32)).collect();
        let index = index_of(&rows);
        let graph = Hnsw::build(&index, "m", HnswParams::default());
        let (mut n_found, mut n_all) = (0, 0);
        for _ in 0..40 {
            let values = numbers.unit(32);
            let query = QueryVector { fingerprint: "m", values: &values };
            let exact: BTreeSet<ChunkId> =
                Exact::new(&index).nearest(query, 10, &|_, _| true).iter().map(|near| near.chunk).collect();
            let near = graph.nearest(query, 10, &|_, _| true);
            assert!(near.is_sorted_by(|a, b| a.score >= b.score));
            n_found += near.iter().filter(|near| exact.contains(&near.chunk)).count();
            n_all += exact.len();
        }
        assert!(n_found * 100 >= n_all * 97, "{n_found} of {n_all}, seed {SEED}");
        assert!(graph.is_of(&index));
        assert!(!graph.is_of(&Index::default()));
    }

    #[test]
    fn knows_no_vectors_of_another_model_and_may_be_empty() {
        let index = index_of(&[vec![1.0, 0.0], vec![0.0, 1.0]]);
        let graph = Hnsw::build(&index, "m", HnswParams::default());
        let query = QueryVector { fingerprint: "other", values: &[1.0, 0.0] };
        assert!(graph.nearest(query, 5, &|_, _| true).is_empty());
        let only_second = |_, chunk: ChunkId| chunk == ChunkId(1);
        let near = graph.nearest(QueryVector { fingerprint: "m", ..query }, 5, &only_second);
        assert_eq!(near.iter().map(|near| near.chunk).collect::<Vec<_>>(), [ChunkId(1)]);
        let empty = Hnsw::build(&Index::default(), "m", HnswParams::default());
        assert!(empty.nearest(QueryVector { fingerprint: "m", ..query }, 5, &|_, _| true).is_empty());
    }
}
