//! The scan over all vectors.
//!
//! Plain f32 in sixteen running sums, which the compiler turns into SIMD natively and in wasm alike; the order
//! of additions is fixed, so both give the same bits.

use document::{ChunkId, DocumentIdx};

use super::{Neighbour, QueryVector, TopK, VectorIndex};
use crate::Index;

/// Searches the vectors of a snapshot as they are. Costs nothing to make.
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
        for (document, entry) in self.index.iter() {
            if entry.vectors().fingerprint() != Some(query.fingerprint) {
                continue;
            }
            let chunks = entry.segment().embeddable();
            for batch in entry.vectors().batches() {
                if batch.n_dims() as usize != query.values.len() {
                    continue;
                }
                let chunks = chunks.get(batch.start() as usize..).unwrap_or_default();
                for (&chunk, row) in chunks.iter().zip(batch.rows()) {
                    if keep(document, chunk) {
                        top.push(dot(query.values, row), (document, chunk));
                    }
                }
            }
        }
        let best = top.into_sorted().into_iter();
        best.map(|(score, (document, chunk))| Neighbour { document, chunk, score }).collect()
    }
}

/// The scalar product; of unit vectors, the cosine. Over the shorter length.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let mut rest = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        rest += a * b;
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0] + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn dot_is_the_sum_of_products(values in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 0..70)) {
            let (a, b): (Vec<f32>, Vec<f32>) = values.iter().copied().unzip();
            let naive: f64 = values.iter().map(|&(a, b)| f64::from(a) * f64::from(b)).sum();
            prop_assert!((f64::from(dot(&a, &b)) - naive).abs() < 1e-4);
        }
    }
}
