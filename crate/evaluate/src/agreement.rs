//! Agreement of two raters on the same items: raw agreement and Cohen's κ, plain and weighted.
//!
//! κ is the agreement above chance over the most that is possible above chance, where chance is both raters drawing
//! from their own labels: 1 is full agreement, 0 that of chance, below 0 less. Weighted κ counts a disagreement by the
//! distance of two ordered labels, linear or squared (Cohen, [Weighted kappa](https://doi.org/10.1037/h0026256), 1968).
//! Both equal scikit-learn's `cohen_kappa_score`. Where both raters give one and the same label to every item, chance
//! agrees fully and κ is undefined: `None`. Time and memory: items, and labels squared.
//!
//! Cohen, [A coefficient of agreement for nominal scales](https://doi.org/10.1177/001316446002000104) (1960).

use crate::bootstrap::{Bootstrap, percentiles};

/// Weight of a disagreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// 1 for every disagreement: labels without an order.
    Nominal,
    /// Distance of the two labels in their order.
    Linear,
    /// Its square.
    Quadratic,
}

/// Share of the items with the same label, 0 to 1; `None` without items.
pub fn raw_agreement(pairs: &[(usize, usize)]) -> Option<f64> {
    let n_same = pairs.iter().filter(|(first, second)| first == second).count();
    (!pairs.is_empty()).then(|| n_same as f64 / pairs.len() as f64)
}

/// Cohen's κ, -1 to 1, of the pairs (first rater's label, second rater's), each below `n_labels` and in the order of the
/// scale. `None` where it is undefined: no items, or one label throughout. Pairs with a label out of range are left out.
pub fn kappa(pairs: &[(usize, usize)], n_labels: usize, weights: Weights) -> Option<f64> {
    let (mut rows, mut columns) = (vec![0.0; n_labels], vec![0.0; n_labels]);
    let (mut observed, mut n) = (0.0, 0.0);
    for &(first, second) in pairs {
        let (Some(row), Some(column)) = (rows.get_mut(first), columns.get_mut(second)) else { continue };
        *row += 1.0;
        *column += 1.0;
        observed += weight(first, second, weights);
        n += 1.0;
    }
    let mut by_chance = 0.0;
    for (first, row) in rows.iter().enumerate() {
        for (second, column) in columns.iter().enumerate() {
            by_chance += row * column * weight(first, second, weights);
        }
    }
    (by_chance > 0.0).then(|| 1.0 - observed * n / by_chance)
}

/// Percentile bootstrap interval of κ over items, ends in order. Resamples in which κ is undefined are left out; `None`
/// where it is undefined in all.
pub fn kappa_interval(
    pairs: &[(usize, usize)],
    n_labels: usize,
    weights: Weights,
    bootstrap: &Bootstrap,
) -> Option<(f64, f64)> {
    percentiles(pairs, bootstrap, |drawn| kappa(drawn, n_labels, weights))
}

fn weight(first: usize, second: usize, weights: Weights) -> f64 {
    let distance = first.abs_diff(second) as f64;
    match weights {
        Weights::Nominal => f64::from(u8::from(first != second)),
        Weights::Linear => distance,
        Weights::Quadratic => distance * distance,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Labels of two raters, number of labels, and κ with each of [`ALL`].
    type Case = (&'static [usize], &'static [usize], usize, [f64; 3]);

    const ALL: [Weights; 3] = [Weights::Nominal, Weights::Linear, Weights::Quadratic];

    #[test]
    fn kappa_is_that_of_scikit_learn() {
        // `cohen_kappa_score(first, second, weights=None | "linear" | "quadratic", labels=range(n))` of scikit-learn
        // 1.9.1.
        let cases: [Case; 3] = [
            (
                &[2, 1, 0, 2, 1, 1, 2, 0, 1, 2],
                &[2, 1, 1, 2, 1, 0, 2, 0, 2, 2],
                3,
                [0.531250000000, 0.634146341463, 0.745762711864],
            ),
            (
                &[0, 2, 2, 0, 1, 2, 1, 2, 2, 0, 2, 0, 1, 1, 2, 0, 0, 2, 1, 2, 2, 1, 1, 2, 0, 0, 2, 0, 2, 1],
                &[2, 0, 2, 0, 1, 2, 1, 1, 2, 1, 0, 0, 1, 1, 2, 0, 1, 2, 2, 2, 2, 1, 2, 0, 2, 0, 2, 2, 2, 1],
                3,
                [0.433962264151, 0.362500000000, 0.294975688817],
            ),
            (
                &[1, 4, 2, 2, 0, 0, 3, 3, 0, 2, 0, 3, 1, 0, 2, 3, 3, 0, 0, 4, 4, 0, 3, 4],
                &[1, 3, 2, 1, 0, 0, 3, 3, 0, 2, 0, 2, 1, 0, 3, 3, 2, 0, 0, 4, 4, 0, 3, 4],
                5,
                [0.728506787330, 0.875000000000, 0.953125000000],
            ),
        ];
        for (first, second, n_labels, expected) in cases {
            let pairs: Vec<(usize, usize)> = first.iter().copied().zip(second.iter().copied()).collect();
            for (weights, expected) in ALL.into_iter().zip(expected) {
                let found = kappa(&pairs, n_labels, weights).unwrap();
                assert!((found - expected).abs() < 1e-9, "{weights:?}: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn worked_example() {
        // Cohen's table of 50 items: 20 both yes, 15 both no, 5 yes/no, 10 no/yes. Chance agrees on half.
        let cells = [((1, 1), 20), ((0, 0), 15), ((1, 0), 5), ((0, 1), 10)];
        let pairs: Vec<(usize, usize)> =
            cells.iter().flat_map(|&(pair, n)| std::iter::repeat_n(pair, n)).collect();
        assert_eq!(raw_agreement(&pairs), Some(0.7));
        assert!((kappa(&pairs, 2, Weights::Nominal).unwrap() - 0.4).abs() < 1e-12);
        let (low, high) = kappa_interval(&pairs, 2, Weights::Nominal, &Bootstrap::default()).unwrap();
        assert!(low > 0.0 && low < 0.4 && 0.4 < high && high < 0.8, "{low} to {high}");
    }

    #[test]
    fn one_label_throughout_leaves_kappa_undefined() {
        assert_eq!(kappa(&[], 3, Weights::Nominal), None);
        assert_eq!(raw_agreement(&[]), None);
        for weights in ALL {
            assert_eq!(kappa(&[(1, 1); 5], 3, weights), None);
            assert_eq!(kappa_interval(&[(1, 1); 5], 3, weights, &Bootstrap::default()), None);
        }
        assert_eq!(kappa(&[(7, 0), (0, 0), (1, 1)], 2, Weights::Nominal), Some(1.0), "out of range");
    }

    /// κ by its definition: (observed − chance) / (1 − chance), each an agreement in [0, 1].
    fn naive(pairs: &[(usize, usize)], n_labels: usize) -> f64 {
        let n = pairs.len() as f64;
        let share =
            |wanted: &dyn Fn(&&(usize, usize)) -> bool| pairs.iter().filter(wanted).count() as f64 / n;
        let chance: f64 =
            (0..n_labels).map(|label| share(&|pair| pair.0 == label) * share(&|pair| pair.1 == label)).sum();
        (share(&|pair| pair.0 == pair.1) - chance) / (1.0 - chance)
    }

    proptest! {
        #[test]
        fn plain_kappa_is_its_definition(pairs in vec((0_usize..4, 0_usize..4), 1..60)) {
            if let Some(found) = kappa(&pairs, 4, Weights::Nominal) {
                prop_assert!((found - naive(&pairs, 4)).abs() < 1e-9);
            }
        }

        #[test]
        fn raters_can_be_exchanged_and_two_labels_have_one_weight(
            pairs in vec((0_usize..2, 0_usize..2), 1..60),
        ) {
            let other: Vec<(usize, usize)> = pairs.iter().map(|&(first, second)| (second, first)).collect();
            let plain = kappa(&pairs, 2, Weights::Nominal);
            for weights in ALL {
                prop_assert_eq!(kappa(&other, 2, weights), plain);
            }
        }

        #[test]
        fn whoever_agrees_with_themselves_has_kappa_one(labels in vec(0_usize..4, 1..60)) {
            let pairs: Vec<(usize, usize)> = labels.iter().map(|&label| (label, label)).collect();
            for weights in ALL {
                if let Some(found) = kappa(&pairs, 4, weights) {
                    prop_assert_eq!(found, 1.0);
                }
            }
        }
    }
}
