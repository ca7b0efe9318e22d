//! Measurements of rankings as a table or as JSON: means over questions, with bootstrap intervals where wanted.

use std::collections::BTreeMap;

use evaluate::bootstrap::{Bootstrap, Interval, difference, interval};
use evaluate::ranking::{Metrics, mean};
use serde_json::{Map, Value, json};

/// Summary of measurements.
pub(crate) struct Summary<'a> {
    /// Where the metrics are cut.
    pub(crate) ks: &'a [usize],
    /// Options of the bootstrap intervals, if requested.
    pub(crate) bootstrap: Option<Bootstrap>,
}

/// Metrics of one ranking: for each cutoff, those of each question in order of the questions' ids.
pub(crate) struct Measured {
    by_cut: Vec<Vec<Metrics>>,
}

/// Questions by their value of a field, as places in the order of the questions' ids.
pub(crate) type Groups = BTreeMap<String, Vec<usize>>;

impl Measured {
    /// From the metrics of each question, a list of one for each cut.
    pub(crate) fn new(n_cuts: usize, questions: &[Vec<Metrics>]) -> Self {
        let at_cut = |cut: usize| {
            questions.iter().map(|cuts| cuts.get(cut).copied().unwrap_or_default()).collect::<Vec<Metrics>>()
        };
        Self { by_cut: (0..n_cuts).map(at_cut).collect() }
    }

    /// The paired difference to another ranking, per question.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        let pairs = self.by_cut.iter().zip(&other.by_cut);
        Self { by_cut: pairs.map(|(first, second)| difference(first, second)).collect() }
    }

    /// Only these questions.
    pub(crate) fn only(&self, members: &[usize]) -> Self {
        let chosen = |questions: &Vec<Metrics>| {
            members.iter().filter_map(|&at| questions.get(at).copied()).collect::<Vec<Metrics>>()
        };
        Self { by_cut: self.by_cut.iter().map(chosen).collect() }
    }

    /// Number of questions.
    pub(crate) fn n_questions(&self) -> usize {
        self.by_cut.first().map_or(0, Vec::len)
    }
}

impl Summary<'_> {
    /// Means, and intervals where wanted, under `metrics` and `intervals`: a key `recall@10` for each metric.
    pub(crate) fn json(&self, measured: &Measured) -> Map<String, Value> {
        let (mut means, mut intervals) = (Map::new(), Map::new());
        for (k, mean, interval) in self.rows(measured) {
            for (name, value) in Metrics::NAMES.iter().zip(mean.to_array()) {
                means.insert(format!("{name}@{k}"), json!(value));
            }
            let Some(Interval { low, high }) = interval else { continue };
            for (name, ends) in Metrics::NAMES.iter().zip(low.to_array().into_iter().zip(high.to_array())) {
                intervals.insert(format!("{name}@{k}"), json!([ends.0, ends.1]));
            }
        }
        let mut out = Map::new();
        out.insert("metrics".to_owned(), Value::Object(means));
        if self.bootstrap.is_some() {
            out.insert("intervals".to_owned(), Value::Object(intervals));
        }
        out
    }

    /// The line over what [`Summary::print`] prints.
    pub(crate) fn print_head(&self) {
        let width = self.width();
        say_part!("{:28} {:>7} {:>4}", "", "queries", "k");
        Metrics::NAMES.iter().for_each(|name| say_part!("  {name:<width$}"));
        say!("");
    }

    /// A line for each cut.
    pub(crate) fn print(&self, name: &str, measured: &Measured) {
        let width = self.width();
        for (k, mean, interval) in self.rows(measured) {
            say_part!("{name:28} {:>7} {k:>4}", measured.n_questions());
            let ends = interval.unwrap_or_default();
            let ends = ends.low.to_array().into_iter().zip(ends.high.to_array());
            for (mean, (low, high)) in mean.to_array().into_iter().zip(ends) {
                let cell = match interval {
                    Some(_) => format!("{mean:.4} [{low:.4}, {high:.4}]"),
                    None => format!("{mean:.4}"),
                };
                say_part!("  {cell:<width$}");
            }
            say!("");
        }
    }

    fn rows(&self, measured: &Measured) -> Vec<(usize, Metrics, Option<Interval>)> {
        let row = |(&k, questions): (&usize, &Vec<Metrics>)| {
            (k, mean(questions), self.bootstrap.as_ref().map(|bootstrap| interval(questions, bootstrap)))
        };
        self.ks.iter().zip(&measured.by_cut).map(row).collect()
    }

    fn width(&self) -> usize {
        if self.bootstrap.is_some() { "-0.0000 [-0.0000, -0.0000]".len() } else { "recall_all".len() }
    }
}
