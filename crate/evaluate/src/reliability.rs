//! Reliability of probabilities: of what was said to be so likely, how much came true.
//!
//! Probabilities are sorted into bins of equal width. The expected calibration error is the mean distance of predicted and
//! observed over the bins, weighted by their numbers; the Brier score is the mean square distance of a probability to what
//! came true. Sources: Naeini et al., *Obtaining well calibrated probabilities using Bayesian binning*, AAAI 2015; Brier,
//! *Verification of forecasts expressed in terms of probability*, 1950.

use crate::calibration::Judged;

/// A bin of probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Lower bound, 0 to 1.
    pub low: f64,
    /// Upper bound, 0 to 1; the last bin includes it.
    pub high: f64,
    /// Number of predictions.
    pub n: usize,
    /// Mean of the predictions; `None` without any.
    pub predicted: Option<f64>,
    /// Share of them that came true.
    pub observed: Option<f64>,
}

/// Reliability of predictions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    /// Bins, from 0 to 1.
    pub bins: Vec<Bin>,
    /// Expected calibration error, 0 to 1.
    pub ece: f64,
    /// Brier score, 0 to 1.
    pub brier: f64,
}

/// Reliability of probabilities, which are cut to 0 and 1; those that are not numbers are left out.
pub fn reliability(judged: &[Judged], n_bins: usize) -> Reliability {
    let n_bins = n_bins.max(1);
    let judged: Vec<(f64, f64)> = judged
        .iter()
        .filter(|(probability, _)| !probability.is_nan())
        .map(|&(probability, right)| (probability.clamp(0.0, 1.0), f64::from(u8::from(right))))
        .collect();
    let total = judged.len().max(1) as f64;
    let (mut bins, mut ece) = (Vec::with_capacity(n_bins), 0.0);
    for at in 0..n_bins {
        let of_bin = |probability: f64| ((probability * n_bins as f64) as usize).min(n_bins - 1) == at;
        let inside: Vec<&(f64, f64)> =
            judged.iter().filter(|(probability, _)| of_bin(*probability)).collect();
        let n = inside.len();
        let mean = |values: &mut dyn Iterator<Item = f64>| (n > 0).then(|| values.sum::<f64>() / n as f64);
        let predicted = mean(&mut inside.iter().map(|(probability, _)| *probability));
        let observed = mean(&mut inside.iter().map(|(_, right)| *right));
        ece += n as f64 / total * (predicted.unwrap_or_default() - observed.unwrap_or_default()).abs();
        let bound = |at: usize| at as f64 / n_bins as f64;
        bins.push(Bin { low: bound(at), high: bound(at + 1), n, predicted, observed });
    }
    let square = |(probability, right): &(f64, f64)| (probability - right) * (probability - right);
    Reliability { bins, ece, brier: judged.iter().map(square).sum::<f64>() / total }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn worked_example() {
        let Reliability { bins, ece, brier } =
            reliability(&[(0.1, false), (0.3, true), (0.9, true), (1.0, true)], 2);
        assert_eq!(bins.iter().map(|bin| bin.n).collect::<Vec<_>>(), [2, 2]);
        assert!((bins[0].predicted.unwrap() - 0.2).abs() < 1e-12);
        assert!((bins[0].observed.unwrap() - 0.5).abs() < 1e-12);
        assert!((ece - (0.5 * 0.3 + 0.5 * 0.05)).abs() < 1e-12);
        assert!((brier - (0.01 + 0.49 + 0.01) / 4.0).abs() < 1e-12);
        assert_eq!(reliability(&[(f64::NAN, true)], 1).bins[0].observed, None);
    }

    proptest! {
        #[test]
        fn every_prediction_is_in_one_bin_within_its_bounds(
            judged in vec((0.0..=1.0_f64, any::<bool>()), 0..60), n_bins in 1_usize..15,
        ) {
            let Reliability { bins, ece, brier } = reliability(&judged, n_bins);
            prop_assert_eq!(bins.iter().map(|bin| bin.n).sum::<usize>(), judged.len());
            for bin in bins {
                let within = |mean: f64| (bin.low - 1e-9..=bin.high + 1e-9).contains(&mean);
                prop_assert!(bin.predicted.is_none_or(within));
            }
            prop_assert!((0.0..=1.0).contains(&ece) && (0.0..=1.0).contains(&brier));
        }
    }
}
