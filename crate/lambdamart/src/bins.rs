//! Histogram bins of a feature: values are replaced by the number of their bin, so that a split is looked for in as many
//! steps as there are bins.
//!
//! Bins hold about equally many rows; equal values share one. Bin 0 holds missing values. A split after a bin is the split
//! at the threshold midway between its greatest value and the least of the next. Time: n log n a feature. Source: Ke et al.,
//! *LightGBM*, NIPS 2017, section 2.1.

/// The bins of a feature.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bins {
    /// Thresholds between bins from 1 on, ascending: one fewer than those bins.
    thresholds: Vec<f64>,
}

/// The bin of missing values.
pub(crate) const MISSING: u8 = 0;

impl Bins {
    /// Bins of some values, at most `max` (2 to 255) besides that of NaN.
    pub(crate) fn new(values: impl Iterator<Item = f32>, max: usize) -> Self {
        let mut values: Vec<f32> = values.filter(|value| !value.is_nan()).map(finite).collect();
        values.sort_unstable_by(f32::total_cmp);
        let runs = values.chunk_by(|a, b| a == b).filter_map(|run| Some((*run.first()?, run.len())));
        let runs: Vec<(f32, usize)> = runs.collect();
        let mut thresholds = Vec::new();
        let (mut left, mut n_bins, mut n_in) = (values.len(), max, 0);
        let is_few = runs.len() <= max;
        for pair in runs.windows(2) {
            let &[(value, n), (next, n_next)] = pair else { continue };
            n_in += n;
            // The share of the bins that are left; a run that is longer than half of it has its own.
            let share = left as f64 / n_bins as f64;
            let is_full = n_in as f64 + n_next as f64 / 2.0 > share;
            if n_bins > 1 && (is_few || is_full) {
                thresholds.push(f64::midpoint(f64::from(value), f64::from(next)));
                (left, n_bins, n_in) = (left - n_in, n_bins - 1, 0);
            }
        }
        Self { thresholds }
    }

    /// The bin of a value.
    pub(crate) fn of(&self, value: f32) -> u8 {
        if value.is_nan() {
            return MISSING;
        }
        let value = f64::from(finite(value));
        let at = self.thresholds.partition_point(|&threshold| threshold < value);
        u8::try_from(at + 1).unwrap_or(u8::MAX)
    }

    /// The greatest bin of a value.
    pub(crate) fn last(&self) -> u8 {
        u8::try_from(self.thresholds.len() + 1).unwrap_or(u8::MAX)
    }

    /// The threshold up to which a value is in this bin or a lower one; after the last bin the greatest number.
    pub(crate) fn threshold(&self, bin: u8) -> f64 {
        usize::from(bin).checked_sub(1).and_then(|at| self.thresholds.get(at)).copied().unwrap_or(f64::MAX)
    }
}

/// A value with infinity cut to the greatest number, so that thresholds are finite.
fn finite(value: f32) -> f32 {
    // Adding 0 makes one zero of two.
    value.clamp(f32::MIN, f32::MAX) + 0.0
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn missing_values_have_a_bin_of_their_own_and_infinite_ones_the_outer_ones() {
        let values = [f32::NAN, f32::NEG_INFINITY, 0.0, -0.0, 1.0, f32::INFINITY];
        let bins = Bins::new(values.into_iter(), 8);
        assert_eq!(values.map(|value| bins.of(value)), [0, 1, 2, 2, 3, 4]);
        assert_eq!(bins.last(), 4);
        assert!(bins.threshold(3).is_finite() && bins.threshold(4) >= f64::from(f32::MAX));
        assert_eq!(Bins::new([f32::NAN].into_iter(), 8).last(), 1);
    }

    proptest! {
        #[test]
        fn a_value_is_in_a_bin_or_below_exactly_if_it_is_within_the_threshold(
            values in vec(prop_oneof![-3.0..3.0_f32, (-3..3_i8).prop_map(f32::from)], 1..200), max in 2_usize..20,
        ) {
            let bins = Bins::new(values.iter().copied(), max);
            prop_assert!(usize::from(bins.last()) <= max);
            for &value in &values {
                let bin = bins.of(value);
                prop_assert!((1..=bins.last()).contains(&bin));
                for after in 1..=bins.last() {
                    prop_assert_eq!(bin <= after, f64::from(value) <= bins.threshold(after));
                }
            }
        }

        #[test]
        fn as_many_bins_as_values_keep_every_value_apart(values in vec(-9..9_i8, 1..100)) {
            let values: Vec<f32> = values.into_iter().map(f32::from).collect();
            let bins = Bins::new(values.iter().copied(), 255);
            for a in &values {
                for b in &values {
                    prop_assert_eq!(bins.of(*a) == bins.of(*b), a == b);
                }
            }
        }

        #[test]
        fn distinct_values_are_spread_evenly(n in 20_u16..500, max in 2_usize..20) {
            let bins = Bins::new((0..n).map(f32::from), max);
            let mut counts = vec![0_usize; max + 1];
            (0..n).for_each(|value| counts[usize::from(bins.of(f32::from(value)))] += 1);
            let share = usize::from(n).div_ceil(max);
            prop_assert!(counts[1..].iter().all(|&count| count.abs_diff(share) <= 2), "{:?}", counts);
        }
    }
}
