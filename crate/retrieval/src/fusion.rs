//! Score fusion: reciprocal ranks, or a convex combination of normalised scores.
//!
//! Both retrievers score every candidate, also one that they did not list; such a score is at least that of the last in
//! the list. A candidate without a vector takes an estimated cosine ([`crate::estimate`]), or where there is none, and for
//! reciprocal ranks, its lexical score for both.
//!
//! Sources: Cormack, Clarke and Büttcher, *Reciprocal Rank Fusion*, SIGIR 2009 (k = 60); Bruch, Gai and
//! Ingber, *An Analysis of Fusion Functions for Hybrid Retrieval*, 2022 (convex combinations).

use crate::bm25::LexicalRetriever;
use crate::candidate::{Candidate, ScoredCandidate};
use crate::knn::DenseRetriever;
use crate::options::{Fusion, Norm, Options, Ranker};

/// Scores the union of both lists.
pub fn score(
    candidates: Vec<Candidate>,
    lexical: &LexicalRetriever,
    dense: &DenseRetriever<'_>,
    options: &Options,
) -> Vec<ScoredCandidate> {
    let fusion = match options.ranker {
        Ranker::Hybrid(fusion) if dense.is_active() => Some(fusion),
        Ranker::Hybrid(_) | Ranker::Lexical | Ranker::Dense => None,
    };
    let by_dense_alone = matches!(options.ranker, Ranker::Dense);
    let (lexical_scale, dense_scale) = match fusion {
        Some(Fusion::Blend(blend)) => {
            (ScoreScale::of(&lexical.best, blend.norm), ScoreScale::of(&dense.best, blend.norm))
        }
        _ => (ScoreScale::default(), ScoreScale::default()),
    };
    candidates
        .into_iter()
        .map(|candidate| {
            let Candidate { document, chunk, lexical, lexical_rank, dense, dense_rank, is_estimated, .. } =
                candidate;
            let score = match fusion {
                None if by_dense_alone => dense.unwrap_or(-1.0),
                None => lexical,
                Some(Fusion::Rrf(rrf)) => {
                    let of = |rank: Option<u32>| rank.map_or(0.0, |rank| 1.0 / (rrf.k + rank as f32));
                    let lexical = of(lexical_rank);
                    lexical + if dense.is_some() && !is_estimated { of(dense_rank) } else { lexical }
                }
                Some(Fusion::Blend(blend)) => {
                    let lexical = lexical_scale.apply(lexical);
                    let dense = dense.map_or(lexical, |dense| dense_scale.apply(dense));
                    blend.dense_weight * dense + (1.0 - blend.dense_weight) * lexical
                }
            };
            ScoredCandidate {
                document,
                chunk,
                score,
                lexical: (lexical, lexical_rank),
                // What is estimated explains nothing.
                dense: if is_estimated { (None, None) } else { (dense, dense_rank) },
                own: score,
                folded: Vec::new(),
                reranked: None,
            }
        })
        .collect()
}

/// Linear map that normalises a retriever's scores, and its minimum value.
#[derive(Clone, Copy, Debug)]
pub struct ScoreScale {
    shift: f32,
    unit: f32,
    floor: f32,
}

impl Default for ScoreScale {
    /// For an empty list: every score is 0.
    fn default() -> Self {
        Self { shift: 0.0, unit: f32::INFINITY, floor: 0.0 }
    }
}

impl ScoreScale {
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
            let (a, b) = (ScoreScale::of(&list, norm), ScoreScale::of(&moved, norm));
            for (&(x, _), &(y, _)) in list.iter().zip(&moved) {
                prop_assert!((a.apply(x) - b.apply(y)).abs() < 1e-3);
            }
            prop_assert!(a.apply(-100.0) >= a.apply(scores[scores.len() - 1]) - 1e-6);
        }
    }

    #[test]
    fn equal_scores_and_empty_lists_scale_to_zero() {
        assert_eq!(ScoreScale::of(&[(2.0, 0), (2.0, 1)], Norm::ZScore).apply(7.0), 0.0);
        assert_eq!(ScoreScale::of::<u8>(&[], Norm::MinMax).apply(7.0), 0.0);
    }
}
