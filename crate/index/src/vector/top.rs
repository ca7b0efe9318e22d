//! The top k of a stream, in a heap of size k.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The `k` entries with the highest scores, ties with the smallest keys. O(n log k).
#[derive(Debug)]
pub struct TopK<K> {
    k: usize,
    /// The worst on top.
    heap: BinaryHeap<Scored<K>>,
}

#[derive(Debug)]
struct Scored<K> {
    score: f32,
    key: K,
}

impl<K: Ord> Ord for Scored<K> {
    /// Better is less, so that the heap's top is the worst.
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then_with(|| self.key.cmp(&other.key))
    }
}

impl<K: Ord> PartialOrd for Scored<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> PartialEq for Scored<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<K: Ord> Eq for Scored<K> {}

impl<K: Ord> TopK<K> {
    /// Room for `k`.
    pub fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::new() }
    }

    /// Adds an entry; NaN scores are ignored.
    pub fn push(&mut self, score: f32, key: K) {
        if score.is_nan() || self.k == 0 {
            return;
        }
        let entry = Scored { score, key };
        if self.heap.len() < self.k {
            self.heap.push(entry);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && entry < *worst
        {
            *worst = entry;
        }
    }

    /// The lowest score kept, once there are `k` entries.
    pub fn worst(&self) -> Option<f32> {
        if self.heap.len() < self.k { None } else { self.heap.peek().map(|worst| worst.score) }
    }

    /// The entries, best first.
    pub fn into_sorted(self) -> Vec<(f32, K)> {
        self.heap.into_sorted_vec().into_iter().map(|entry| (entry.score, entry.key)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_what_sorting_would(scores in prop::collection::vec(0_i8..6, 0..40), k in 0_usize..12) {
            let mut top = TopK::new(k);
            let mut all: Vec<(f32, usize)> = Vec::new();
            for (key, &score) in scores.iter().enumerate() {
                top.push(f32::from(score), key);
                all.push((f32::from(score), key));
            }
            all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            all.truncate(k);
            prop_assert_eq!(top.into_sorted(), all);
        }
    }
}
