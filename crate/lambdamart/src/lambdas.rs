//! Lambdas: gradient and second derivative of a question's ranking loss at its scores.
//!
//! Every pair of candidates with different labels pulls the better one up and the worse one down, by the probability that
//! it is the wrong way round times the nDCG that exchanging the two would change. Pairs count if one of them is within the
//! truncation level. As LightGBM does, what a pair pulls is divided by the distance of its scores, and a question's lambdas
//! are scaled by the logarithm of their sum, so that questions with many pairs do not outweigh the others. Time: candidates
//! × truncation level. Source: Burges, *From RankNet to LambdaRank to LambdaMART*, 2010, section 4.

/// Gradient and second derivative of the loss by a candidate's score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lambda {
    pub(crate) gradient: f64,
    pub(crate) hessian: f64,
}

/// Lambdas of a question's candidates, in their order.
pub(crate) fn lambdas(scores: &[f64], labels: &[u8], truncation: usize) -> Vec<Lambda> {
    let mut lambdas = vec![Lambda::default(); scores.len()];
    let order = order(scores);
    let best_dcg = best_dcg(labels, truncation);
    let at = |rank: usize| {
        let row = *order.get(rank)?;
        Some((row, *scores.get(row)?, *labels.get(row)?))
    };
    let (Some((_, greatest, _)), Some((_, least, _))) = (at(0), at(order.len().saturating_sub(1))) else {
        return lambdas;
    };
    if best_dcg <= 0.0 {
        return lambdas;
    }
    let mut sum = 0.0;
    for first in 0..order.len().min(truncation) {
        for second in first + 1..order.len() {
            let (Some(upper), Some(lower)) = (at(first), at(second)) else { continue };
            if upper.2 == lower.2 {
                continue;
            }
            let (better, worse) = if upper.2 > lower.2 { (upper, lower) } else { (lower, upper) };
            let gap = better.1 - worse.1;
            let discounts = discount(first) - discount(second);
            let mut change = (gain(better.2) - gain(worse.2)) * discounts / best_dcg;
            if greatest > least {
                change /= 0.01 + gap.abs();
            }
            let wrong = 1.0 / (1.0 + libm::exp(gap));
            let (pull, curve) = (wrong * change, wrong * (1.0 - wrong) * change);
            for (row, sign) in [(better.0, -1.0), (worse.0, 1.0)] {
                if let Some(lambda) = lambdas.get_mut(row) {
                    lambda.gradient += sign * pull;
                    lambda.hessian += curve;
                }
            }
            sum += 2.0 * pull;
        }
    }
    if sum > 0.0 {
        let factor = libm::log2(1.0 + sum) / sum;
        for lambda in &mut lambdas {
            lambda.gradient *= factor;
            lambda.hessian *= factor;
        }
    }
    lambdas
}

/// nDCG of a question's candidates at a cutoff, 0 to 1; `None` if none is relevant.
pub(crate) fn ndcg(scores: &[f64], labels: &[u8], cutoff: usize) -> Option<f64> {
    let best = best_dcg(labels, cutoff);
    let ranked = order(scores).into_iter().take(cutoff).enumerate();
    let gained: f64 = ranked.filter_map(|(rank, row)| Some(gain(*labels.get(row)?) * discount(rank))).sum();
    (best > 0.0).then(|| gained / best)
}

/// Candidates from the greatest score to the least; equals in their order.
fn order(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let score = |row: &usize| scores.get(*row).copied().unwrap_or(f64::MIN);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    order
}

fn best_dcg(labels: &[u8], cutoff: usize) -> f64 {
    let mut ideal = labels.to_vec();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    ideal.iter().take(cutoff).enumerate().map(|(rank, &label)| gain(label) * discount(rank)).sum()
}

/// 2^label − 1.
fn gain(label: u8) -> f64 {
    (0..label.min(crate::MAX_LABEL)).fold(1.0, |power, _| power * 2.0) - 1.0
}

/// 1 / log2(rank + 2), for ranks from 0.
fn discount(rank: usize) -> f64 {
    1.0 / libm::log2(rank as f64 + 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The definition: for each pair the change of nDCG by exchanging its ranks, found by measuring twice.
    fn by_definition(scores: &[f64], labels: &[u8]) -> Vec<Lambda> {
        let rank_of = |row: usize| order(scores).iter().position(|&other| other == row).unwrap();
        let dcg = |ranks: &[usize]| -> f64 {
            ranks.iter().zip(labels).map(|(&rank, &label)| gain(label) * discount(rank)).sum()
        };
        let ranks: Vec<usize> = (0..scores.len()).map(rank_of).collect();
        let spread = scores.iter().any(|score| *score != scores[0]);
        let mut lambdas = vec![Lambda::default(); scores.len()];
        let mut sum = 0.0;
        for i in 0..scores.len() {
            for j in 0..scores.len() {
                if labels[i] <= labels[j] {
                    continue;
                }
                let mut exchanged = ranks.clone();
                exchanged.swap(i, j);
                let change = (dcg(&exchanged) - dcg(&ranks)).abs() / best_dcg(labels, labels.len());
                let gap = scores[i] - scores[j];
                let change = if spread { change / (0.01 + gap.abs()) } else { change };
                let wrong = 1.0 / (1.0 + libm::exp(gap));
                lambdas[i].gradient -= wrong * change;
                lambdas[j].gradient += wrong * change;
                lambdas[i].hessian += wrong * (1.0 - wrong) * change;
                lambdas[j].hessian += wrong * (1.0 - wrong) * change;
                sum += 2.0 * wrong * change;
            }
        }
        let factor = if sum > 0.0 { libm::log2(1.0 + sum) / sum } else { 1.0 };
        let scaled =
            |lambda: Lambda| Lambda { gradient: lambda.gradient * factor, hessian: lambda.hessian * factor };
        lambdas.into_iter().map(scaled).collect()
    }

    proptest! {
        #[test]
        fn lambdas_are_those_of_the_definition(
            rows in vec(((-8..8_i8).prop_map(|n| f64::from(n) / 4.0), 0..4_u8), 1..25),
        ) {
            let (scores, labels): (Vec<f64>, Vec<u8>) = rows.into_iter().unzip();
            let found = lambdas(&scores, &labels, scores.len());
            for (found, wanted) in found.iter().zip(by_definition(&scores, &labels)) {
                prop_assert!((found.gradient - wanted.gradient).abs() < 1e-9);
                prop_assert!((found.hessian - wanted.hessian).abs() < 1e-9);
            }
        }

        #[test]
        fn what_pulls_up_pulls_down_as_much(
            rows in vec((-2.0..2.0_f64, 0..3_u8), 1..40), truncation in 1_usize..40,
        ) {
            let (scores, labels): (Vec<f64>, Vec<u8>) = rows.into_iter().unzip();
            let lambdas = lambdas(&scores, &labels, truncation);
            prop_assert!(lambdas.iter().map(|lambda| lambda.gradient).sum::<f64>().abs() < 1e-9);
            prop_assert!(lambdas.iter().all(|lambda| lambda.hessian >= 0.0));
        }
    }

    #[test]
    fn a_right_candidate_below_a_wrong_one_is_pulled_up() {
        let lambdas = lambdas(&[1.0, 0.0], &[0, 1], 10);
        assert!(lambdas[0].gradient > 0.0 && lambdas[1].gradient < 0.0);
    }

    #[test]
    fn ndcg_of_a_worked_example() {
        // The right one is second of three.
        let found = ndcg(&[3.0, 2.0, 1.0], &[0, 1, 0], 10).unwrap();
        assert!((found - 1.0 / libm::log2(3.0)).abs() < 1e-12);
        assert_eq!(ndcg(&[3.0, 2.0], &[0, 1], 1), Some(0.0));
        assert_eq!(ndcg(&[1.0], &[0], 10), None);
    }
}
