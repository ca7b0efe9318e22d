//! Measures of a table, question by question: of rankings, of answers, of their cost and by a judge; means over questions and
//! runs, and paired differences.
//!
//! A figure is the mean over the questions that have it, of each run, and then over runs. The corpus BLEU is no mean; it is
//! made of each run's counts. A difference is that of the same questions, averaged over runs first, with a bootstrap
//! interval.

use std::collections::{BTreeMap, BTreeSet};

use evaluate::answers::{Given, Listed, NAMES, Options, measure as measure_answer, summary};
use evaluate::bootstrap::{Bootstrap, percentiles};
use evaluate::overlap::{BleuCounts, Unit};
use evaluate::ranking::{Metrics, measure, order};

use super::record::{Answered, Found};
use crate::eval::questions::Question;

/// Columns of the cost of an answer.
pub(super) const COST: [&str; 5] = ["calls", "failed", "tokens_sent", "tokens_received", "seconds"];
/// Column of answers that are right by a constant.
pub(super) const ACCURACY: &str = "accuracy";
/// Column of those that are right by a threshold that was chosen.
pub(super) const CALIBRATED: &str = "accuracy_calibrated";
/// Column of a measure that is no mean.
const BLEU: &str = "bleu";

/// The measures of one question.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    by_name: BTreeMap<String, f64>,
    bleu: Option<BleuCounts>,
}

/// The questions of one run, in their order.
pub(super) type Run = Vec<Values>;

/// A figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Figure {
    /// Mean over questions and runs.
    pub(super) mean: f64,
    /// Questions that have it in the first run.
    pub(super) n: usize,
    /// Standard deviation of the means of two runs or more.
    pub(super) deviation: Option<f64>,
}

/// A paired difference with the ends of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Where a ranking is cut.
#[derive(Clone, Copy)]
enum Cut {
    /// After passages.
    Passages(usize),
    /// After tokens, so that rankings of long and short passages are compared by what is read.
    Tokens(usize),
}

/// `recall@10` as "recall" after 10 passages, `recall@1500t` after 1,500 tokens.
fn cut(column: &str) -> Option<(&str, Cut)> {
    let (name, k) = column.split_once('@')?;
    let number = |text: &str| text.parse().ok().filter(|&k: &usize| k > 0);
    let cut = match k.strip_suffix('t') {
        Some(tokens) => Cut::Tokens(number(tokens)?),
        None => Cut::Passages(number(k)?),
    };
    Some((name, cut))
}

impl Cut {
    /// The passages before the cut.
    fn of(self, found: &[Found]) -> &[Found] {
        let n = match self {
            Self::Passages(k) => k,
            Self::Tokens(n_tokens) => {
                let sizes = found.iter().scan(0, |sum, one| {
                    *sum += one.tokens;
                    Some(*sum)
                });
                sizes.take_while(|&sum| sum <= n_tokens).count()
            }
        };
        found.get(..n.min(found.len())).unwrap_or_default()
    }
}

/// True if a column of the ranking is known.
#[cfg(test)]
pub(super) fn is_known(column: &str) -> bool {
    cut(column)
        .is_some_and(|(name, _)| Metrics::NAMES.contains(&name) || ["document", "tokens"].contains(&name))
}

/// A ranking as judged places with their scores. A passage whose judged places were found before keeps its rank under a name
/// of its own.
pub(super) fn results(found: &[Found]) -> Vec<(String, f64)> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut results = Vec::with_capacity(found.len());
    for (at, one) in found.iter().enumerate() {
        let before = results.len();
        let new = one.places.iter().filter(|place| seen.insert(place));
        results.extend(new.map(|place| (place.clone(), one.score)));
        if results.len() == before {
            results.push((format!("{}:again:{at}", one.document), one.score));
        }
    }
    results
}

impl Values {
    /// The value of a column.
    pub(super) fn get(&self, column: &str) -> Option<f64> {
        self.by_name.get(column).copied()
    }

    /// Sets the value of a column.
    pub(super) fn set(&mut self, column: &str, value: f64) {
        self.by_name.insert(column.to_owned(), value);
    }

    /// Measures a ranking in these columns. A question that nothing answers has no measures of rankings.
    pub(super) fn rank(&mut self, found: &[Found], question: &Question, columns: &[String]) {
        if question.judged.is_empty() {
            return;
        }
        let all = results(found);
        for column in columns {
            let Some((name, cut)) = cut(column) else { continue };
            let mut first = cut.of(found).iter();
            let value = match name {
                "tokens" => first.map(|one| one.tokens as f64).sum(),
                "document" => {
                    let is_right = |one: &Found| question.gold.documents.contains(&one.document);
                    f64::from(u8::from(first.any(is_right)))
                }
                _ => {
                    let metrics = match cut {
                        Cut::Passages(k) => measure(&order(&all), &question.judged, k),
                        Cut::Tokens(_) => {
                            let read = results(cut.of(found));
                            measure(&order(&read), &question.judged, read.len().max(1))
                        }
                    };
                    let metrics = metrics.unwrap_or_default().to_array();
                    let at = Metrics::NAMES.iter().position(|known| *known == name);
                    at.and_then(|at| metrics.get(at).copied()).unwrap_or_default()
                }
            };
            self.set(column, value);
        }
    }

    /// Measures an answer and its cost; `found` is the ranking that it was written from.
    pub(super) fn answer(&mut self, answer: &Answered, found: &[Found], question: &Question) {
        let mut cited = Listed::default();
        for (place, document) in &answer.cited {
            cited.passages.push(place.clone());
            cited.documents.push(document.clone());
        }
        let mut retrieved = Listed::default();
        for one in found {
            for place in &one.places {
                retrieved.passages.push(place.clone());
                retrieved.documents.push(one.document.clone());
            }
        }
        let given = Given { text: answer.text.clone(), sufficient: answer.sufficient, cited, retrieved };
        let measures = measure_answer(&given, &question.gold, &Options::default());
        for (name, value) in NAMES.iter().zip(summary(&[&measures])) {
            value.into_iter().for_each(|value| self.set(name, value));
        }
        let spoken = if answer.sufficient { answer.text.as_str() } else { "" };
        let gold = question.gold.answer.as_deref();
        self.bleu = gold.map(|gold| BleuCounts::of(spoken, gold, Unit::of(gold)));
        let cost = [answer.calls, answer.failed, answer.sent, answer.received].map(|n| n as f64);
        for (name, value) in COST.iter().zip(cost.into_iter().chain([answer.seconds])) {
            self.set(name, value);
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<(f64, usize)> {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| (sum / n as f64, n))
}

fn corpus_bleu(counts: &[BleuCounts]) -> f64 {
    let mut sum = BleuCounts::default();
    counts.iter().for_each(|one| sum.add(one));
    sum.corpus()
}

/// The figure of a column; `None` where no question has it.
pub(super) fn figure(runs: &[Run], column: &str) -> Option<Figure> {
    let of_run = |run: &Run| {
        if column == BLEU {
            let counts: Vec<BleuCounts> = run.iter().filter_map(|values| values.bleu).collect();
            return (!counts.is_empty()).then(|| (corpus_bleu(&counts), counts.len()));
        }
        mean(run.iter().filter_map(|values| values.get(column)))
    };
    let means: Vec<(f64, usize)> = runs.iter().map(of_run).collect::<Option<_>>()?;
    let (all, n_runs) = mean(means.iter().map(|(mean, _)| *mean))?;
    let deviation = (n_runs > 1).then(|| {
        let squares: f64 = means.iter().map(|(mean, _)| (mean - all) * (mean - all)).sum();
        (squares / (n_runs - 1) as f64).sqrt()
    });
    Some(Figure { mean: all, n: means.first()?.1, deviation })
}

/// The difference of a column between two rows, first minus second, over the questions that both have.
pub(super) fn difference(
    first: &[Run],
    second: &[Run],
    column: &str,
    bootstrap: &Bootstrap,
) -> Option<Difference> {
    let n_questions = first.first()?.len().min(second.first()?.len());
    if column == BLEU {
        let summed = |runs: &[Run], at: usize| {
            let counts: Vec<BleuCounts> = runs.iter().filter_map(|run| run.get(at)?.bleu).collect();
            let mut sum = BleuCounts::default();
            counts.iter().for_each(|one| sum.add(one));
            (!counts.is_empty()).then_some(sum)
        };
        let pairs = (0..n_questions).filter_map(|at| Some((summed(first, at)?, summed(second, at)?)));
        let pairs: Vec<(BleuCounts, BleuCounts)> = pairs.collect();
        return interval(&pairs, bootstrap, |pairs| {
            let (first, second): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
            Some(corpus_bleu(&first) - corpus_bleu(&second))
        });
    }
    let of = |runs: &[Run], at: usize| {
        mean(runs.iter().filter_map(|run| run.get(at)?.get(column))).map(|(mean, _)| mean)
    };
    let gains: Vec<f64> = (0..n_questions).filter_map(|at| Some(of(first, at)? - of(second, at)?)).collect();
    interval(&gains, bootstrap, |gains| mean(gains.iter().copied()).map(|(mean, _)| mean))
}

fn interval<T: Copy>(
    items: &[T],
    bootstrap: &Bootstrap,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<Difference> {
    if items.is_empty() {
        return None;
    }
    let mean = statistic(items)?;
    let (low, high) = percentiles(items, bootstrap, statistic)?;
    Some(Difference { mean, low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(values: &[Option<f64>]) -> Run {
        let of = |value: &Option<f64>| {
            let mut one = Values::default();
            value.iter().for_each(|value| one.set("x", *value));
            one
        };
        values.iter().map(of).collect()
    }

    #[test]
    fn a_figure_is_a_mean_over_questions_and_runs_and_one_run_has_no_deviation() {
        let once = [run(&[Some(1.0), None, Some(0.0)])];
        assert_eq!(figure(&once, "x"), Some(Figure { mean: 0.5, n: 2, deviation: None }));
        let twice = [run(&[Some(1.0), Some(1.0)]), run(&[Some(0.0), Some(1.0)])];
        let found = figure(&twice, "x").unwrap();
        assert!((found.mean - 0.75).abs() < 1e-12);
        assert!((found.deviation.unwrap() - 0.125_f64.sqrt()).abs() < 1e-12);
        assert_eq!(figure(&twice, "y"), None);
    }

    #[test]
    fn a_difference_is_of_the_questions_that_both_rows_have() {
        let first = [run(&[Some(1.0), Some(0.5), None])];
        let second = [run(&[Some(0.5), None, Some(0.0)])];
        let found = difference(&first, &second, "x", &Bootstrap::default()).unwrap();
        assert_eq!((found.mean, found.low, found.high), (0.5, 0.5, 0.5));
        assert_eq!(difference(&first, &second, "y", &Bootstrap::default()), None);
    }

    fn found(places: &[&str], score: f64) -> Found {
        let places = places.iter().map(|&place| place.to_owned()).collect();
        Found { places, document: "D".to_owned(), tokens: 10, score }
    }

    #[test]
    fn rankings_are_cut_after_passages_or_after_what_is_read() {
        let gold = evaluate::answers::Gold::default();
        let judged = ["a", "c"].map(|id| (id.to_owned(), 1)).into();
        let question = Question { id: "q".to_owned(), text: String::new(), judged, gold };
        let ranking = [found(&["a"], 3.0), found(&["b"], 2.0), found(&["c"], 1.0)];
        let columns = ["recall@2", "recall@29t", "recall@30t", "recall@9t", "tokens@2", "document@1"];
        let mut values = Values::default();
        values.rank(&ranking, &question, &columns.map(str::to_owned));
        let measured = columns.map(|column| values.get(column).unwrap());
        assert_eq!(measured, [0.5, 0.5, 1.0, 0.0, 20.0, 0.0]);
        assert!(!is_known("recall") && !is_known("recall@0") && !is_known("recal@5"));
    }

    #[test]
    fn a_place_counts_where_it_is_found_first() {
        let ids: Vec<String> = results(&[found(&["a", "b"], 3.0), found(&["b"], 2.0), found(&["c"], 1.0)])
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        assert_eq!(ids, ["a", "b", "D:again:1", "c"]);
    }
}
