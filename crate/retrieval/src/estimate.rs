//! Estimated cosines, for candidates whose vectors are still to come.
//!
//! A candidate without a vector counts as what the others say of its lexical score: the cosine that they have on average,
//! by least squares, and the rank that such a cosine has in the dense list. So embedding it moves it by what its vector
//! says beyond its words, and a passage gains or loses nothing by being embedded sooner. Left out, its values were read
//! as a cosine of 0 and the last of the dense ranks, and it lost.
//!
//! Fitted over candidates that the words listed: those that only the vectors listed are there because their cosine is
//! high. Sums are in 64 bits and in the order of the candidates, so the estimates have the same bits on all platforms.

use crate::candidate::Candidate;
use crate::knn::DenseRetriever;

/// Fewest candidates with both scores to fit a line through; with fewer nothing is estimated.
const MIN_FITTED: usize = 8;

/// Cosine by lexical score: a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CosineLine {
    mean_lexical: f64,
    mean_cosine: f64,
    /// Cosine per unit of lexical score, from 0: better words never lower an estimate.
    slope: f64,
}

impl CosineLine {
    /// The line through the candidates with both scores.
    fn through(candidates: &[Candidate]) -> Option<Self> {
        let both = || {
            let listed = candidates.iter().filter(|candidate| candidate.lexical_rank.is_some());
            listed.filter_map(|candidate| Some((f64::from(candidate.lexical), f64::from(candidate.dense?))))
        };
        let n = both().count();
        if n < MIN_FITTED {
            return None;
        }
        let mean_lexical = both().map(|(lexical, _)| lexical).sum::<f64>() / n as f64;
        let mean_cosine = both().map(|(_, cosine)| cosine).sum::<f64>() / n as f64;
        let variance = both().map(|(lexical, _)| (lexical - mean_lexical) * (lexical - mean_lexical));
        let variance = variance.sum::<f64>();
        let covariance = both().map(|(lexical, cosine)| (lexical - mean_lexical) * (cosine - mean_cosine));
        let slope = if variance > 1e-9 { (covariance.sum::<f64>() / variance).max(0.0) } else { 0.0 };
        Some(Self { mean_lexical, mean_cosine, slope })
    }

    fn cosine(&self, lexical: f32) -> f32 {
        (self.mean_cosine + self.slope * (f64::from(lexical) - self.mean_lexical)) as f32
    }
}

/// Gives the candidates without a vector an estimated cosine and its rank in the dense list.
pub fn fill(candidates: &mut [Candidate], dense: &DenseRetriever<'_>) {
    if dense.is_active() {
        let listed: Vec<f32> = dense.best.iter().map(|&(cosine, _)| cosine).collect();
        fill_from(candidates, &listed, dense.depth);
    }
}

/// The same with the cosines of the dense list, best first, and its maximum length.
fn fill_from(candidates: &mut [Candidate], listed: &[f32], depth: usize) {
    if candidates.iter().all(|candidate| candidate.dense.is_some()) {
        return;
    }
    let Some(line) = CosineLine::through(candidates) else { return };
    for candidate in candidates.iter_mut().filter(|candidate| candidate.dense.is_none()) {
        let cosine = line.cosine(candidate.lexical);
        let rank = listed.partition_point(|&other| other >= cosine) + 1;
        candidate.dense = Some(cosine);
        candidate.dense_rank = u32::try_from(rank).ok().filter(|_| rank <= depth);
        candidate.is_estimated = true;
    }
}

#[cfg(test)]
mod tests {
    use document::{ChunkId, DocumentIdx};

    use super::*;

    /// Candidates of lexical scores 1, 2, …; those of which `cosine` knows none have no vector.
    fn candidates(n: u32, cosine: impl Fn(u32) -> Option<f32>) -> Vec<Candidate> {
        let candidate = |at: u32| Candidate {
            document: DocumentIdx(0),
            chunk: ChunkId(at),
            lexical: at as f32,
            lexical_rank: Some(n - at + 1),
            dense: cosine(at),
            row: None,
            dense_rank: None,
            is_estimated: false,
        };
        (1..=n).map(candidate).collect()
    }

    #[test]
    fn a_candidate_without_a_vector_counts_as_the_others_of_its_lexical_score() {
        // Cosines of 0.2 + 0.02 × the lexical score: the even ones are known.
        let line = |at: u32| 0.2 + 0.02 * at as f32;
        let mut found = candidates(20, |at| at.is_multiple_of(2).then(|| line(at)));
        let listed: Vec<f32> = (1..=10).rev().map(|at| line(2 * at)).collect();
        fill_from(&mut found, &listed, 10);
        for candidate in &found {
            assert!((candidate.dense.unwrap() - line(candidate.chunk.0)).abs() < 1e-6);
            assert_eq!(candidate.is_estimated, candidate.chunk.0 % 2 == 1);
        }
        // 19 lies behind 20, 1 behind all ten, which is the length of the list.
        assert_eq!((found[18].dense_rank, found[0].dense_rank), (Some(2), None));
    }

    #[test]
    fn better_words_never_lower_an_estimate() {
        let mut found = candidates(20, |at| (at > 10).then_some(1.0 - 0.02 * at as f32));
        fill_from(&mut found, &[], 200);
        let estimates: Vec<f32> = found.iter().take(10).filter_map(|candidate| candidate.dense).collect();
        assert!(estimates.iter().all(|&cosine| (cosine - 0.69).abs() < 1e-6), "{estimates:?}");
    }

    #[test]
    fn nothing_is_estimated_from_few_or_from_what_only_vectors_listed() {
        let mut few = candidates(20, |at| (at > 13).then_some(0.5));
        fill_from(&mut few, &[], 200);
        assert!(few.iter().take(13).all(|candidate| candidate.dense.is_none()));
        let mut near = candidates(20, |at| (at > 10).then_some(0.5));
        near.iter_mut()
            .filter(|candidate| candidate.dense.is_some())
            .for_each(|candidate| candidate.lexical_rank = None);
        fill_from(&mut near, &[], 200);
        assert!(near.iter().all(|candidate| !candidate.is_estimated));
    }
}
