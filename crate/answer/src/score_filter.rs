//! The score filter of ObliQA-MP, section 4.2: keeps the passages that score close to the best.
//!
//! Scores are min–max normalised over the K passages; the prefix is kept whose scores are at least 0.7 and drop by less
//! than 0.2 from one to the next. The first always stays; equal scores all stay. It applies to answering, never to the
//! hits of a search. The authors' [program](https://github.com/RegNLP/MultiPassage-RegIR) keeps as many of 20 passages, but
//! looks at the first ten only. Linear.

/// Bounds of the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreFilter {
    /// Least normalised score that stays, 0 to 1.
    pub least: f64,
    /// Least drop between neighbours that ends the list, 0 to 1.
    pub drop: f64,
}

/// Tolerance of comparisons, since 1 − 0.8 is not exactly 0.2 in `f32`.
const EPSILON: f64 = 1e-9;

impl Default for ScoreFilter {
    fn default() -> Self {
        Self { least: 0.7, drop: 0.2 }
    }
}

impl ScoreFilter {
    /// Length of the kept prefix of `scores`, which are sorted best first.
    pub fn kept(&self, scores: &[f64]) -> usize {
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let spread = best - worst;
        if spread.is_nan() || spread <= 0.0 {
            return scores.len();
        }
        let mut last = 1.0;
        let stays = |score: &&f64| {
            let score = (**score - worst) / spread;
            let stays = score >= self.least - EPSILON && last - score < self.drop - EPSILON;
            last = score;
            stays
        };
        scores.iter().take_while(stays).count().max(scores.len().min(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_that_scores_like_the_first_stays() {
        let cases: [(&[f64], usize); 8] = [
            (&[], 0),
            (&[3.0], 1),
            (&[2.0, 2.0, 2.0], 3),
            (&[10.0, 9.0, 8.0, 0.0], 3),
            // 0.8 lies 0.2 below the first.
            (&[10.0, 8.0, 7.9, 0.0], 1),
            // 0.69 is below the least, though near the one before.
            (&[10.0, 9.0, 8.0, 6.9, 0.0], 3),
            (&[-1.0, -1.1, -5.0], 2),
            (&[f64::NAN, 1.0], 2),
        ];
        for (scores, n) in cases {
            assert_eq!(ScoreFilter::default().kept(scores), n, "{scores:?}");
        }
    }

    #[test]
    fn scores_are_normalised_over_all_passages_and_not_over_ten() {
        let scores = [10.0, 9.9, 9.8, 9.7, 9.6, 9.5, 9.4, 9.3, 9.2, 9.1, 0.0, 0.0];
        assert_eq!(ScoreFilter::default().kept(&scores), 10);
        assert_eq!(ScoreFilter::default().kept(&scores[..10]), 3, "what the authors' program keeps of these");
    }
}
