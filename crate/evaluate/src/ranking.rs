//! Metrics of a ranking against judgments, equal to `trec_eval`'s.
//!
//! Documents are ordered by score, ties by document id *descending*, as `trec_eval` does; ranks stated in a run are
//! ignored. Every judged query counts; one without results scores 0. MAP divides by all relevant documents, also
//! where they exceed k. nDCG gains are the judgments themselves, discounted by
//! log2(rank + 1).

use std::collections::{BTreeMap, BTreeSet};

/// Judgments of one query: document id → relevance; above 0 is relevant.
pub type Judgments = BTreeMap<String, i32>;

/// The metrics of a ranking at cutoff `k`, of one query or averaged over several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Metrics {
    /// Recall: share of the relevant documents found.
    pub recall: f64,
    /// Average precision.
    pub map: f64,
    /// Normalised discounted cumulative gain.
    pub ndcg: f64,
    /// One over the rank of the first relevant document.
    pub mrr: f64,
    /// 1 when all relevant documents are found.
    pub recall_all: f64,
}

impl Metrics {
    /// Number of metrics.
    pub const N: usize = Self::NAMES.len();
    /// Names of the metrics, in the order of [`Metrics::to_array`].
    pub const NAMES: [&'static str; 5] = ["recall", "map", "ndcg", "mrr", "recall_all"];

    /// The values in the order of [`Metrics::NAMES`].
    pub fn to_array(self) -> [f64; Self::N] {
        let Self { recall, map, ndcg, mrr, recall_all } = self;
        [recall, map, ndcg, mrr, recall_all]
    }

    /// The inverse of [`Metrics::to_array`].
    pub fn from_array([recall, map, ndcg, mrr, recall_all]: [f64; Self::N]) -> Self {
        Self { recall, map, ndcg, mrr, recall_all }
    }
}

/// The documents of a run in `trec_eval`'s order. A document listed twice counts once, with its better score.
pub fn order(results: &[(String, f64)]) -> Vec<&str> {
    let mut sorted: Vec<&(String, f64)> = results.iter().collect();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
    let mut seen = BTreeSet::new();
    sorted.into_iter().map(|(id, _)| id.as_str()).filter(|id| seen.insert(*id)).collect()
}

/// The metrics of one query; `None` when it has no relevant document, as such queries do not count.
pub fn measure(ranking: &[&str], judgments: &Judgments, k: usize) -> Option<Metrics> {
    let mut ideal: Vec<i32> = judgments.values().copied().filter(|&gain| gain > 0).collect();
    if ideal.is_empty() {
        return None;
    }
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let n_relevant = ideal.len() as f64;
    let (mut n_found, mut precision, mut gained, mut mrr) = (0_usize, 0.0, 0.0, 0.0);
    for (rank, id) in (1..).zip(ranking.iter().take(k)) {
        let gain = judgments.get(*id).copied().unwrap_or(0);
        if gain > 0 {
            n_found += 1;
            precision += n_found as f64 / rank as f64;
            gained += discounted(gain, rank);
            if mrr == 0.0 {
                mrr = 1.0 / rank as f64;
            }
        }
    }
    let best: f64 = (1..).zip(ideal.iter().take(k)).map(|(rank, &gain)| discounted(gain, rank)).sum();
    Some(Metrics {
        recall: n_found as f64 / n_relevant,
        map: precision / n_relevant,
        ndcg: if best > 0.0 { gained / best } else { 0.0 },
        mrr,
        recall_all: f64::from(u8::from(n_found == ideal.len())),
    })
}

/// The metrics averaged over queries; zeros for none.
pub fn mean<'a>(queries: impl IntoIterator<Item = &'a Metrics>) -> Metrics {
    let (mut sums, mut n) = ([0.0; Metrics::N], 0_usize);
    for metrics in queries {
        sums.iter_mut().zip(metrics.to_array()).for_each(|(sum, value)| *sum += value);
        n += 1;
    }
    Metrics::from_array(sums.map(|sum| sum / n.max(1) as f64))
}

fn discounted(gain: i32, rank: usize) -> f64 {
    f64::from(gain) / libm::log2(rank as f64 + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgments(pairs: &[(&str, i32)]) -> Judgments {
        pairs.iter().map(|&(id, gain)| (id.to_owned(), gain)).collect()
    }

    #[test]
    fn equal_scores_are_ordered_by_id_descending_and_repeats_count_once() {
        let results =
            [("a", 1.0), ("b", 1.0), ("c", 2.0), ("a", 0.5)].map(|(id, score)| (id.to_owned(), score));
        assert_eq!(order(&results), ["c", "b", "a"]);
    }

    #[test]
    fn worked_example() {
        // Relevant: a (1), b (2), z (1, not found). Ranking: x a b.
        let judged = judgments(&[("a", 1), ("b", 2), ("z", 1), ("x", 0)]);
        let at_3 = measure(&["x", "a", "b"], &judged, 3).unwrap();
        assert!((at_3.recall - 2.0 / 3.0).abs() < 1e-12);
        assert!((at_3.map - (1.0 / 2.0 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
        assert!((at_3.mrr - 0.5).abs() < 1e-12);
        assert!(at_3.recall_all.abs() < 1e-12);
        let gained = 1.0 / libm::log2(3.0) + 2.0 / libm::log2(4.0);
        let best = 2.0 + 1.0 / libm::log2(3.0) + 1.0 / libm::log2(4.0);
        assert!((at_3.ndcg - gained / best).abs() < 1e-12);
        assert_eq!(measure(&["x"], &judged, 1).unwrap(), Metrics::default());
    }

    /// Runs with ties and graded judgments, and what `ir_measures` 0.4.3 says of them by `pytrec_eval` (trec_eval's own code): R@5,
    /// R@10, AP@10, RR@10, nDCG@10, nDCG@5.
    #[test]
    fn figures_are_those_of_trec_eval() {
        let cases: [(&str, &str, [f64; 6]); 3] = [
            (
                "d24:1.7 d21:1.3 d08:0.6 d10:2.2 d02:0.4 d09:1.9 d26:0.3 d00:1.3 d13:0.6 d03:0.8 d04:2.9 d07:2.4 d20:0.9 d22:2.7 d01:0.6 d18:1.2 d12:2.6 d14:1.9 d25:0.3 d23:3.0",
                "d27:1 d09:0 d12:2 d02:2 d00:2 d21:2 d25:0 d06:1",
                [0.166666667, 0.333333333, 0.075, 0.25, 0.245382863, 0.156323573],
            ),
            (
                "d11:2.1 d19:1.2 d14:1.4 d04:0.2 d18:0.1 d15:0.3 d25:1.5 d26:0.8 d12:2.2 d05:1.2 d22:1.3 d09:2.7 d07:1.5 d17:1.6 d06:2.8 d02:2.9 d29:0.4 d10:1.4 d08:2.0 d03:1.8",
                "d06:2 d14:0 d08:0 d00:0 d24:1 d19:1 d10:0 d09:1",
                [0.5, 0.5, 0.291666667, 0.5, 0.49468115, 0.49468115],
            ),
            (
                "d16:0.1 d18:1.9 d04:1.4 d02:2.2 d11:1.0 d27:3.0 d14:0.2 d10:1.6 d21:2.2 d29:2.7 d28:2.2 d24:2.1 d01:2.4 d00:2.7 d15:1.1 d23:2.1 d05:2.7 d25:2.6 d19:1.3 d20:2.4",
                "d02:2 d08:2 d06:1 d27:0 d23:0 d00:1 d29:1 d28:1",
                [0.333333333, 0.666666667, 0.295833333, 0.5, 0.3961428, 0.231822704],
            ),
        ];
        for (run, judged, expected) in cases {
            let pairs = |text: &str| -> Vec<(String, f64)> {
                let pair = |pair: &str| {
                    pair.split_once(':').map(|(id, value)| (id.to_owned(), value.parse().unwrap()))
                };
                text.split(' ').filter_map(pair).collect()
            };
            let judged = pairs(judged).into_iter().map(|(id, gain)| (id, gain as i32)).collect();
            let run = pairs(run);
            let ranked = order(&run);
            let at = |k| measure(&ranked, &judged, k).unwrap();
            let (five, ten) = (at(5), at(10));
            let found = [five.recall, ten.recall, ten.map, ten.mrr, ten.ndcg, five.ndcg];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-8, "{found} for {expected}");
            }
        }
    }

    #[test]
    fn a_query_without_a_relevant_document_is_not_counted_and_one_without_results_is_zero() {
        assert_eq!(measure(&["a"], &judgments(&[("a", 0)]), 5), None);
        assert_eq!(measure(&[], &judgments(&[("a", 1)]), 5), Some(Metrics::default()));
    }

    #[test]
    fn means() {
        let one = Metrics { recall: 1.0, map: 1.0, ndcg: 1.0, mrr: 1.0, recall_all: 1.0 };
        assert!((mean([&one, &Metrics::default()]).recall - 0.5).abs() < 1e-12);
        assert_eq!(mean([]), Metrics::default());
    }
}
