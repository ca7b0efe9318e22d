//! Percentile bootstrap intervals of means over questions.
//!
//! A resample draws as many questions as there are, with replacement; the interval holds the middle share of the
//! resamples' means. Two rankings are compared by the interval of their paired [`difference`], in which the difficulty of
//! a question cancels. Draws come from a seeded SplitMix64, so the interval is the same on every machine. Time:
//! resamples × questions.
//!
//! Efron, Tibshirani: An Introduction to the Bootstrap (1993), chapter 13. For tests of rankings: Sakai,
//! [Evaluating evaluation metrics based on the bootstrap](https://doi.org/10.1145/1148170.1148261) (SIGIR 2006).

use crate::random::SplitMix64;
use crate::ranking::{Metrics, mean};

/// Options of the bootstrap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// Number of resamples, at least 1; 1,000 give two sound digits.
    pub n_resamples: usize,
    /// Confidence level: the share of resample means inside the interval, in (0, 1).
    pub level: f64,
    /// Seed of the draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { n_resamples: 1000, level: 0.95, seed: 7 }
    }
}

/// The confidence interval of each metric's mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// Lower bounds.
    pub low: Metrics,
    /// Upper bounds.
    pub high: Metrics,
}

/// The interval of the means over `questions`; zeros for none.
pub fn interval(questions: &[Metrics], bootstrap: &Bootstrap) -> Interval {
    let Bootstrap { n_resamples, level, seed } = *bootstrap;
    let mut random = SplitMix64::new(seed);
    let mut means: [Vec<f64>; Metrics::N] = Default::default();
    for _ in 0..n_resamples.max(1) {
        let drawn = (0..questions.len()).filter_map(|_| questions.get(random.below(questions.len())));
        for (means, mean) in means.iter_mut().zip(mean(drawn).to_array()) {
            means.push(mean);
        }
    }
    let ends = means.map(|means| middle(means, level).unwrap_or_default());
    Interval {
        low: Metrics::from_array(ends.map(|(low, _)| low)),
        high: Metrics::from_array(ends.map(|(_, high)| high)),
    }
}

/// The interval of any statistic of items, for instance of an agreement; ends in order. Resamples without a value are left
/// out; `None` if none has one. Time: resamples × (items + the statistic's).
pub fn percentiles<T: Copy>(
    items: &[T],
    bootstrap: &Bootstrap,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let Bootstrap { n_resamples, level, seed } = *bootstrap;
    let mut random = SplitMix64::new(seed);
    let mut values = Vec::new();
    for _ in 0..n_resamples.max(1) {
        let drawn: Vec<T> =
            (0..items.len()).filter_map(|_| items.get(random.below(items.len())).copied()).collect();
        values.extend(statistic(&drawn));
    }
    middle(values, level)
}

/// The ends of the middle share of values; `None` for none.
fn middle(mut values: Vec<f64>, level: f64) -> Option<(f64, f64)> {
    values.sort_unstable_by(f64::total_cmp);
    // As many values are cut off above as below, so that the interval of −x is that of x mirrored.
    let n_cut = ((1.0 - level.clamp(0.0, 1.0)) / 2.0 * values.len() as f64) as usize;
    let n_cut = n_cut.min(values.len().saturating_sub(1) / 2);
    let low = *values.get(n_cut)?;
    let high = *values.get(values.len() - 1 - n_cut)?;
    Some((low, high))
}

/// The paired difference of two rankings, first minus second, per question. Both list the same questions in the same
/// order; surplus questions of either are left out.
pub fn difference(first: &[Metrics], second: &[Metrics]) -> Vec<Metrics> {
    first
        .iter()
        .zip(second)
        .map(|(first, second)| {
            let (mut values, second) = (first.to_array(), second.to_array());
            values.iter_mut().zip(second).for_each(|(value, second)| *value -= second);
            Metrics::from_array(values)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const FEW: Bootstrap = Bootstrap { n_resamples: 200, level: 0.95, seed: 7 };

    fn of(value: f64) -> Metrics {
        Metrics::from_array([value, value / 2.0, value / 3.0, 1.0 - value, value * value])
    }

    fn all(values: &[f64]) -> Vec<Metrics> {
        values.iter().map(|&value| of(value)).collect()
    }

    /// For each metric: low, mean, high.
    fn triples(questions: &[Metrics]) -> Vec<(f64, f64, f64)> {
        let Interval { low, high } = interval(questions, &FEW);
        let mean = mean(questions).to_array();
        (0..Metrics::N).map(|at| (low.to_array()[at], mean[at], high.to_array()[at])).collect()
    }

    proptest! {
        #[test]
        fn ends_are_in_order_and_within_what_was_measured(values in vec(0.0..=1.0_f64, 1..60)) {
            let questions = all(&values);
            for (at, (low, _, high)) in triples(&questions).into_iter().enumerate() {
                let measured = || questions.iter().map(|metrics| metrics.to_array()[at]);
                prop_assert!(low <= high);
                prop_assert!(low >= measured().fold(f64::MAX, f64::min) - 1e-12);
                prop_assert!(high <= measured().fold(f64::MIN, f64::max) + 1e-12);
            }
        }

        #[test]
        fn the_same_value_everywhere_leaves_no_doubt(value in 0.0..=1.0_f64, n in 1_usize..60) {
            for (low, mean, high) in triples(&all(&vec![value; n])) {
                prop_assert!((low - mean).abs() < 1e-12 && (high - mean).abs() < 1e-12);
            }
        }

        #[test]
        fn comparing_the_other_way_round_mirrors_the_interval(
            pairs in vec((0.0..=1.0_f64, 0.0..=1.0_f64), 1..60),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let (first, second) = (all(&first), all(&second));
            let forth = triples(&difference(&first, &second));
            let back = triples(&difference(&second, &first));
            for ((low, mean, high), (low_back, mean_back, high_back)) in forth.into_iter().zip(back) {
                prop_assert!((low + high_back).abs() < 1e-12);
                prop_assert!((mean + mean_back).abs() < 1e-12);
                prop_assert!((high + low_back).abs() < 1e-12);
            }
        }

        #[test]
        fn a_constant_gain_is_found_with_no_doubt_however_the_questions_vary(
            values in vec(0.0..=0.5_f64, 1..60), gain in 0.01..=0.5_f64,
        ) {
            let better: Vec<f64> = values.iter().map(|value| value + gain).collect();
            let Interval { low, high } = interval(&difference(&all(&better), &all(&values)), &FEW);
            prop_assert!((low.recall - gain).abs() < 1e-9 && (high.recall - gain).abs() < 1e-9);
        }

        #[test]
        fn the_seed_decides_every_draw(values in vec(0.0..=1.0_f64, 2..60), seed: u64) {
            let questions = all(&values);
            let settings = Bootstrap { seed, ..FEW };
            prop_assert_eq!(interval(&questions, &settings), interval(&questions, &settings));
        }
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_the_means() {
        let values: Vec<f64> = (0..50).map(|at| f64::from(at % 7) / 7.0).collect();
        let mean = |drawn: &[f64]| Some(drawn.iter().sum::<f64>() / drawn.len() as f64);
        let (low, high) = percentiles(&values, &FEW, mean).unwrap();
        let Interval { low: lows, high: highs } = interval(&all(&values), &FEW);
        assert!((low - lows.recall).abs() < 1e-12 && (high - highs.recall).abs() < 1e-12);
        assert_eq!(percentiles(&values, &FEW, |_| None), None);
    }

    #[test]
    fn nothing_to_draw_from_gives_zeros_and_no_resamples_count_as_one() {
        assert_eq!(interval(&[], &FEW), Interval::default());
        let Interval { low, high } = interval(&all(&[0.25, 0.75]), &Bootstrap { n_resamples: 0, ..FEW });
        assert_eq!(low, high);
    }

    /// Nineteen in twenty intervals of samples hold the true mean; percentile intervals of 80 coins slightly less.
    #[test]
    fn the_truth_is_inside_about_as_often_as_the_level_says() {
        let mut random = SplitMix64::new(99);
        let (truth, n_trials) = (0.3, 400);
        let n_inside = (0..n_trials)
            .filter(|_| {
                let sample: Vec<f64> =
                    (0..80).map(|_| f64::from(u8::from(random.below(1000) < 300))).collect();
                let Interval { low, high } = interval(&all(&sample), &FEW);
                (low.recall..=high.recall).contains(&truth)
            })
            .count();
        assert!((360..=392).contains(&n_inside), "{n_inside} of {n_trials}");
    }

    #[test]
    fn more_questions_make_a_narrower_interval() {
        let width = |n: usize| {
            let values: Vec<f64> = (0..n).map(|at| f64::from(u8::from(at % 2 == 0))).collect();
            let Interval { low, high } = interval(&all(&values), &FEW);
            high.recall - low.recall
        };
        assert!(width(40) > 1.5 * width(400) && width(400) > 1.5 * width(4000));
    }
}
