//! Fast ways against the slow one: every vector, by all its bits, sorted.

use std::sync::Arc;

use document::{Chunk, ChunkId, ChunkKind, Document, DocumentIdx, SectionId};
use proptest::prelude::*;
use text::AnalyzerKind;

use super::*;
use crate::{Index, Segment, VectorBatch};

/// Numbers that look random and are the same everywhere (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z >> 40) as f32) / (1_u64 << 24) as f32 - 0.5
    }

    /// A unit vector in any direction, or near one that is given.
    pub fn unit(&mut self, n_dims: usize, near: Option<(&[f32], f32)>) -> Vec<f32> {
        let mut values: Vec<f32> = (0..n_dims).map(|_| self.next()).collect();
        if let Some((centre, width)) = near {
            values.iter_mut().zip(centre).for_each(|(value, centre)| *value = *value * width + centre);
        }
        let length = dot(&values, &values).sqrt();
        values.into_iter().map(|value| value / length).collect()
    }

    /// Vectors in clusters, as those of texts are; some of them twice.
    pub fn clustered(&mut self, n: usize, n_dims: usize) -> Vec<Vec<f32>> {
        let centres: Vec<Vec<f32>> = (0..n / 50 + 1).map(|_| self.unit(n_dims, None)).collect();
        let mut rows: Vec<Vec<f32>> = Vec::with_capacity(n);
        for at in 0..n {
            let row = match rows.get(at / 2) {
                Some(twice) if at % 10 == 9 => twice.clone(),
                _ => self.unit(n_dims, Some((&centres[at % centres.len()], 0.2))),
            };
            rows.push(row);
        }
        rows
    }

    /// Vectors without any order.
    pub fn scattered(&mut self, n: usize, n_dims: usize) -> Vec<Vec<f32>> {
        (0..n).map(|_| self.unit(n_dims, None)).collect()
    }
}

/// A document with a child for each vector to come.
pub fn document(digest: &str, n_chunks: usize) -> Arc<Segment> {
    let chunk = Chunk {
        kind: ChunkKind::Child,
        ranges: Vec::new(),
        section: SectionId(0),
        n_tokens: 1,
        parents: Vec::new(),
        article: None,
        notes: Vec::new(),
    };
    let document = Document {
        digest: digest.to_owned(),
        name: digest.to_owned(),
        chunks: vec![chunk; n_chunks],
        ..Document::default()
    };
    Arc::new(Segment::with_units(document, &[], AnalyzerKind::Default))
}

/// Vectors of a document from `start` on.
pub fn batch(digest: &str, start: usize, rows: &[Vec<f32>]) -> VectorBatch {
    VectorBatch::new(digest, "m", u32::try_from(start).unwrap(), rows).unwrap()
}

/// An index of a few documents that share the vectors evenly, in batches.
pub fn index_of(rows: &[Vec<f32>], n_documents: usize) -> Index {
    let mut index = Index::default();
    for (at, rows) in rows.chunks(rows.len().div_ceil(n_documents).max(1)).enumerate() {
        let digest = format!("d{at}");
        index.insert(document(&digest, rows.len()));
        for (nth, some) in rows.chunks(32).enumerate() {
            index.add_vectors(&batch(&digest, nth * 32, some)).unwrap();
        }
    }
    index
}

/// Every vector by all its bits, sorted.
pub fn naive(
    index: &Index,
    query: &[f32],
    k: usize,
    keep: &dyn Fn(DocumentIdx, ChunkId) -> bool,
) -> Vec<Neighbour> {
    let mut all = Vec::new();
    for (document, entry) in index.iter() {
        for (row, &chunk) in entry.segment().embeddable().iter().enumerate() {
            let Some(row) = entry.vectors().row(row) else { continue };
            if keep(document, chunk) {
                all.push(Neighbour { document, chunk, score: row.dot(query).unwrap() });
            }
        }
    }
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.document, a.chunk).cmp(&(b.document, b.chunk))));
    all.truncate(k);
    all
}

/// A question of the model of these tests.
pub fn query(values: &[f32]) -> QueryVector<'_> {
    QueryVector { fingerprint: "m", values }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_scan_by_codes_is_the_scan_by_all_bits(
        seed in any::<u64>(),
        n in 1_usize..700,
        n_dims in 1_usize..70,
        k in 0_usize..40,
        is_clustered in any::<bool>(),
        every in 1_u32..6,
    ) {
        let mut numbers = Numbers(seed);
        let rows =
            if is_clustered { numbers.clustered(n, n_dims) } else { numbers.scattered(n, n_dims) };
        let index = index_of(&rows, 3);
        // NodeDistance a vector that is there, so that many are near; and anywhere.
        for near in [Some((rows[n / 2].as_slice(), 0.1)), None] {
            let values = numbers.unit(n_dims, near);
            let keep = |_: DocumentIdx, chunk: ChunkId| chunk.0.is_multiple_of(every);
            let found = Exact::new(&index).nearest(query(&values), k, &keep);
            prop_assert_eq!(found, naive(&index, &values, k, &keep));
        }
    }
}

proptest! {
    #[test]
    fn rows_of_batches_in_any_order_are_all_rows(
        ends in prop::collection::btree_set(1_usize..90, 1..8),
        order in any::<u64>(),
    ) {
        let n = *ends.last().unwrap();
        let rows = Numbers(order).scattered(n, 5);
        let starts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
        let mut batches: Vec<VectorBatch> =
            starts.iter().zip(&ends).map(|(&start, &end)| batch("d", start, &rows[start..end])).collect();
        batches.sort_by_key(|batch| u64::from(batch.start() + 1).wrapping_mul(order | 1) >> 7);
        let mut index = Index::default();
        index.insert(document("d", n));
        let mut snapshots = Vec::new();
        for batch in batches {
            index.add_vectors(&batch).unwrap();
            // Whoever holds on to the vectors of a moment must not see what comes later.
            let vectors = index.get(DocumentIdx(0)).unwrap().vectors().clone();
            let n_rows: usize = vectors.blocks().iter().map(|block| block.rows.n_rows()).sum();
            prop_assert_eq!(n_rows, vectors.n_rows());
            snapshots.push((vectors, n_rows));
        }
        for (vectors, n_rows) in snapshots {
            prop_assert_eq!(vectors.blocks().iter().map(|block| block.rows.n_rows()).sum::<usize>(), n_rows);
        }
        let vectors = index.get(DocumentIdx(0)).unwrap().vectors();
        let whole = VectorRows::of(&rows.concat(), 5);
        prop_assert_eq!(vectors.blocks().len(), 1);
        prop_assert_eq!(vectors.blocks()[0].rows.as_ref(), &whole);
        for row in 0..n {
            prop_assert_eq!(vectors.row(row), whole.row(row));
        }
    }
}

#[test]
fn more_than_there_is_gives_all_and_nothing_gives_nothing() {
    let rows = Numbers(3).scattered(10, 8);
    let index = index_of(&rows, 2);
    let all = Exact::new(&index).nearest(query(&rows[0]), usize::MAX, &|_, _| true);
    assert_eq!(all, naive(&index, &rows[0], usize::MAX, &|_, _| true));
    assert_eq!(all.len(), 10);
    assert!(Exact::new(&index).nearest(query(&rows[0]), 0, &|_, _| true).is_empty());
    assert!(Exact::new(&index).nearest(query(&rows[0]), 5, &|_, _| false).is_empty());
    assert!(Exact::new(&index).nearest(query(&rows[0][1..]), 5, &|_, _| true).is_empty());
    assert!(Exact::new(&Index::default()).nearest(query(&rows[0]), 5, &|_, _| true).is_empty());
}

#[test]
fn vectors_that_point_nowhere_are_refused_with_what_is_wrong_of_them() {
    for (row, what) in [
        (vec![1.0, f32::NAN], "a value that is not a number"),
        (vec![1.0, f32::NEG_INFINITY], "a value that is not a number"),
        (vec![0.0, -0.0], "a vector whose length is zero or beyond measure"),
        (vec![1e-30, 0.0], "a vector whose length is zero or beyond measure"),
        (vec![1e30, 1.0], "a vector whose length is zero or beyond measure"),
    ] {
        let error = VectorBatch::new("d", "m", 0, &[vec![1.0, 0.0], row]).unwrap_err();
        assert_eq!(error.to_string(), format!("vectors do not fit the document's: {what}"));
    }
}

proptest! {
    #[test]
    fn dot_is_the_sum_of_products(values in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 0..70)) {
        let (a, b): (Vec<f32>, Vec<f32>) = values.iter().copied().unzip();
        let naive: f64 = values.iter().map(|&(a, b)| f64::from(a) * f64::from(b)).sum();
        prop_assert!((f64::from(dot(&a, &b)) - naive).abs() < 1e-4);
    }
}
