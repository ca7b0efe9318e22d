//! One score of two: reciprocal ranks, or a weighted blend of normalised scores.
//!
//! A candidate that one leg did not list is scored by that leg all the same (BM25 knows every unit, the
//! vectors are at hand), but gets no better than the leg's last. A candidate that *has* no vector takes its
//! lexical standing for both legs: it is judged by what is known of it.
//!
//! Sources: Cormack, Clarke and Büttcher, *Reciprocal Rank Fusion*, SIGIR 2009 (k = 60); Bruch, Gai and
//! Ingber, *An Analysis of Fusion Functions for Hybrid Retrieval*, 2022 (convex combinations).

use document::{ChunkId, DocumentIdx};

use crate::rank::Candidate;
use crate::{Options, Ranker, bm25, knn};

/// How two lists become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// By ranks.
    Rrf(Rrf),
    /// By normalised scores.
    Blend(Blend),
}

impl Default for Fusion {
    fn default() -> Self {
        Self::Blend(Blend::default())
    }
}

/// Reciprocal rank fusion: Σ 1 / (k + rank).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rrf {
    /// How little the first ranks differ, from 0.
    pub k: f32,
}

impl Default for Rrf {
    fn default() -> Self {
        Self { k: 60.0 }
    }
}

/// `dense_weight` × dense + (1 − `dense_weight`) × lexical, both normalised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// How the scores of a leg are made comparable.
    pub norm: Norm,
    /// The share of the dense leg, 0 to 1.
    pub dense_weight: f32,
}

impl Default for Blend {
    fn default() -> Self {
        Self { norm: Norm::ZScore, dense_weight: 0.4 }
    }
}

/// How the scores of a leg are made comparable, over what the leg listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// (score − least) / (greatest − least).
    MinMax,
    /// (score − mean) / standard deviation.
    #[default]
    ZScore,
}

/// A candidate with its score.
#[derive(Clone, Debug)]
pub struct Scored {
    pub document: DocumentIdx,
    pub chunk: ChunkId,
    pub score: f32,
    /// BM25 and its rank in the lexical list.
    pub lexical: (f32, Option<u32>),
    /// Cosine, where there is a vector, and its rank in the dense list.
    pub dense: (Option<f32>, Option<u32>),
    /// Its own score and those of the children folded into it, where it is an article; `score` is the best of
    /// these.
    pub own: f32,
    pub folded: Vec<(ChunkId, f32)>,
    /// What a second stage made of it.
    pub second: Option<crate::rerank::Second>,
}

/// Scores the union of both legs.
pub fn score(
    candidates: Vec<Candidate>,
    lexical: &bm25::Leg,
    dense: &knn::Leg<'_>,
    options: &Options,
) -> Vec<Scored> {
    let fusion = match options.ranker {
        Ranker::Hybrid(fusion) if dense.is_active() => Some(fusion),
        Ranker::Hybrid(_) | Ranker::Lexical | Ranker::Dense => None,
    };
    let by_dense_alone = matches!(options.ranker, Ranker::Dense);
    let (lexical_scale, dense_scale) = match fusion {
        Some(Fusion::Blend(blend)) => {
            (Scale::of(&lexical.best, blend.norm), Scale::of(&dense.best, blend.norm))
        }
        _ => (Scale::default(), Scale::default()),
    };
    candidates
        .into_iter()
        .map(|candidate| {
            let Candidate { document, chunk, lexical, lexical_rank, dense, dense_rank } = candidate;
            let score = match fusion {
                None if by_dense_alone => dense.unwrap_or(-1.0),
                None => lexical,
                Some(Fusion::Rrf(rrf)) => {
                    let of = |rank: Option<u32>| rank.map_or(0.0, |rank| 1.0 / (rrf.k + rank as f32));
                    let lexical = of(lexical_rank);
                    lexical + if dense.is_some() { of(dense_rank) } else { lexical }
                }
                Some(Fusion::Blend(blend)) => {
                    let lexical = lexical_scale.apply(lexical);
                    let dense = dense.map_or(lexical, |dense| dense_scale.apply(dense));
                    blend.dense_weight * dense + (1.0 - blend.dense_weight) * lexical
                }
            };
            Scored {
                document,
                chunk,
                score,
                lexical: (lexical, lexical_rank),
                dense: (dense, dense_rank),
                own: score,
                folded: Vec::new(),
                second: None,
            }
        })
        .collect()
}

/// A linear map that makes a leg's scores comparable, and the least value it gives.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    shift: f32,
    unit: f32,
    floor: f32,
}

impl Default for Scale {
    /// For a leg that listed nothing: everything is 0.
    fn default() -> Self {
        Self { shift: 0.0, unit: f32::INFINITY, floor: 0.0 }
    }
}

impl Scale {
    fn of<K>(list: &[(f32, K)], norm: Norm) -> Self {
        let (Some((greatest, _)), Some((least, _))) = (list.first(), list.last()) else {
            return Self::default();
        };
        let (shift, unit) = match norm {
            Norm::MinMax => (f64::from(*least), f64::from(*greatest) - f64::from(*least)),
            Norm::ZScore => {
                let n = list.len() as f64;
                let mean = list.iter().map(|(score, _)| f64::from(*score)).sum::<f64>() / n;
                let square =
                    list.iter().map(|(score, _)| (f64::from(*score) - mean) * (f64::from(*score) - mean));
                (mean, (square.sum::<f64>() / n).sqrt())
            }
        };
        // All equal: nothing tells them apart.
        let unit = if unit > 1e-9 { unit } else { f64::INFINITY };
        let floor = (f64::from(*least) - shift) / unit;
        Self { shift: shift as f32, unit: unit as f32, floor: floor as f32 }
    }

    fn apply(&self, score: f32) -> f32 {
        ((score - self.shift) / self.unit).max(self.floor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn scales_ignore_shift_and_unit(mut scores in prop::collection::vec(-5.0_f32..5.0, 3..20), norm in prop_oneof![Just(Norm::MinMax), Just(Norm::ZScore)]) {
            scores.sort_by(|a, b| b.total_cmp(a));
            prop_assume!(scores[0] - scores[scores.len() - 1] > 0.5);
            let list: Vec<(f32, usize)> = scores.iter().copied().zip(0..).collect();
            let moved: Vec<(f32, usize)> = list.iter().map(|&(score, key)| (score * 8.0 + 32.0, key)).collect();
            let (a, b) = (Scale::of(&list, norm), Scale::of(&moved, norm));
            for (&(x, _), &(y, _)) in list.iter().zip(&moved) {
                prop_assert!((a.apply(x) - b.apply(y)).abs() < 1e-3);
            }
            prop_assert!(a.apply(-100.0) >= a.apply(scores[scores.len() - 1]) - 1e-6);
        }
    }

    #[test]
    fn equal_scores_and_empty_lists_scale_to_zero() {
        assert_eq!(Scale::of(&[(2.0, 0), (2.0, 1)], Norm::ZScore).apply(7.0), 0.0);
        assert_eq!(Scale::of::<u8>(&[], Norm::MinMax).apply(7.0), 0.0);
    }
}
