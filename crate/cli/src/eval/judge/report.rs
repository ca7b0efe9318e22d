//! Summary of verdicts: for each criterion the mean value with its interval, and the labels counted.

use std::collections::BTreeMap;

use evaluate::bootstrap::{Bootstrap, percentiles};
use evaluate::judged::{Connection, is_kept};
use judge::{Criterion, Finding, Verdict};
use serde_json::{Map, Value, json};

use super::runner::Judged;
use crate::failure::Failure;
use crate::input::print_json;

/// Figures of a criterion, by name, in the order in which they are printed.
struct Figures {
    criterion: Criterion,
    n_judged: usize,
    n_failed: usize,
    /// Mean value and its interval.
    mean: f64,
    interval: Option<(f64, f64)>,
    /// Parts and counts.
    others: Vec<(&'static str, f64)>,
    /// Questions whose passages are connected enough to be kept; `None` by other criteria.
    kept: Option<Vec<String>>,
}

/// Prints the summary.
pub(super) fn print(judged: &[Judged<'_>], n_resamples: usize, as_json: bool) -> Result<(), Failure> {
    let mut by_criterion: BTreeMap<Criterion, Vec<&Judged<'_>>> = BTreeMap::new();
    for one in judged {
        by_criterion.entry(one.0.criterion).or_default().push(one);
    }
    let figures: Vec<Figures> = by_criterion
        .into_iter()
        .map(|(criterion, judged)| figures(criterion, &judged, n_resamples))
        .collect();
    if as_json {
        let named = figures.iter().map(|one| (one.criterion.name().to_owned(), one.json()));
        return print_json(&Value::Object(named.collect()));
    }
    for one in &figures {
        let interval = one.interval.map(|(low, high)| format!(" [{low:.4}, {high:.4}]")).unwrap_or_default();
        say!(
            "{:12} {:.4}{interval}  of {} judged, {} without a verdict",
            one.criterion.name(),
            one.mean,
            one.n_judged,
            one.n_failed
        );
        for (name, value) in &one.others {
            let value = if value.fract().abs() < f64::EPSILON && *value > 1.0 || name.starts_with("n_") {
                format!("{value:.0}")
            } else {
                format!("{value:.4}")
            };
            say!("  {name:24} {value}");
        }
        if let Some(kept) = &one.kept {
            say!("  {:24} {}", "questions_kept", kept.join(" "));
        }
    }
    Ok(())
}

impl Figures {
    fn json(&self) -> Value {
        let mut out = Map::new();
        out.insert("judged".to_owned(), json!(self.n_judged));
        out.insert("failed".to_owned(), json!(self.n_failed));
        out.insert("mean".to_owned(), json!(self.mean));
        if let Some((low, high)) = self.interval {
            out.insert("interval".to_owned(), json!([low, high]));
        }
        if let Some(kept) = &self.kept {
            out.insert("questions_kept".to_owned(), json!(kept));
        }
        out.extend(self.others.iter().map(|(name, value)| ((*name).to_owned(), json!(value))));
        Value::Object(out)
    }
}

fn figures(criterion: Criterion, judged: &[&Judged<'_>], n_resamples: usize) -> Figures {
    let verdicts: Vec<&Verdict> = judged.iter().filter_map(|one| one.1.as_ref().ok()).collect();
    let values: Vec<f64> = verdicts.iter().map(|verdict| verdict.value()).collect();
    let mean = mean(values.iter().copied());
    let bootstrap = Bootstrap { n_resamples, ..Bootstrap::default() };
    let statistic = |drawn: &[f64]| Some(drawn.iter().sum::<f64>() / drawn.len() as f64);
    let interval =
        (n_resamples > 0 && !values.is_empty()).then(|| percentiles(&values, &bootstrap, statistic));
    Figures {
        criterion,
        n_judged: verdicts.len(),
        n_failed: judged.len() - verdicts.len(),
        mean,
        interval: interval.flatten(),
        others: others(criterion, judged, &verdicts),
        kept: (criterion == Criterion::Connection).then(|| {
            let questions = connections(judged).into_iter();
            questions.filter(|(_, labels)| is_kept(labels)).map(|(id, _)| id.to_owned()).collect()
        }),
    }
}

/// The labels of each question's passages.
fn connections<'j>(judged: &[&'j Judged<'_>]) -> BTreeMap<&'j str, Vec<Connection>> {
    let mut questions: BTreeMap<&str, Vec<Connection>> = BTreeMap::new();
    for (job, verdict) in judged.iter().map(|one| (&one.0, &one.1)) {
        if let Ok(Verdict { finding: Finding::Connection(connection), .. }) = verdict {
            questions.entry(&job.id).or_default().push(*connection);
        }
    }
    questions
}

/// Figures of a criterion beside its mean.
fn others(criterion: Criterion, judged: &[&Judged<'_>], verdicts: &[&Verdict]) -> Vec<(&'static str, f64)> {
    let n_with = |label: &str| verdicts.iter().filter(|one| one.label() == Some(label)).count() as f64;
    let n_absent = verdicts.iter().filter(|one| one.is_absent()).count() as f64;
    match criterion {
        Criterion::Claims => vec![("n_without_any_claim", n_absent)],
        Criterion::Coverage => {
            let n = verdicts.len().max(1) as f64;
            vec![
                ("n_complete", n_with("complete")),
                ("n_partial", n_with("partial")),
                ("n_incorrect", n_with("incorrect")),
                ("n_partial_without_any", n_absent),
                // The paper gives an answer that says nothing one point of two.
                (
                    "score_with_those_at_0",
                    (2.0 * n_with("complete") + n_with("partial") - n_absent) / (2.0 * n),
                ),
            ]
        }
        Criterion::Score => {
            let of = |points: fn(&evaluate::judged::Points) -> u32| {
                mean(verdicts.iter().filter_map(|one| match &one.finding {
                    Finding::Score(found) => Some(f64::from(points(found))),
                    _ => None,
                }))
            };
            vec![
                ("accuracy_of_40", of(|points| points.accuracy)),
                ("relevance_of_30", of(|points| points.relevance)),
                ("completeness_of_20", of(|points| points.completeness)),
                ("fluency_of_10", of(|points| points.fluency)),
            ]
        }
        Criterion::Repass => {
            let of = |part: fn(&evaluate::repass::Repass) -> f64| {
                mean(verdicts.iter().filter_map(|one| match &one.finding {
                    Finding::Repass(found) => Some(part(found)),
                    _ => None,
                }))
            };
            // Refusals count 1/3, so a mean over answers alone, as the authors' program has it, stands beside that of all.
            let of_answers: Vec<f64> = judged
                .iter()
                .filter(|one| !one.0.item.answer.trim().is_empty())
                .filter_map(|one| one.1.as_ref().ok())
                .map(Verdict::value)
                .collect();
            vec![
                ("mean_of_answers", mean(of_answers.iter().copied())),
                ("n_without_answer", (verdicts.len() - of_answers.len()) as f64),
                ("entailment", of(|parts| parts.entailment)),
                ("contradiction", of(|parts| parts.contradiction)),
                ("obligation_coverage", of(|parts| parts.obligation_coverage)),
            ]
        }
        Criterion::Connection => {
            let questions = connections(judged);
            let n_kept = questions.values().filter(|labels| is_kept(labels)).count() as f64;
            vec![
                ("n_directly", n_with("directly")),
                ("n_indirectly", n_with("indirectly")),
                ("n_not", n_with("not")),
                ("n_questions", questions.len() as f64),
                ("n_questions_kept", n_kept),
            ]
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_usize), |(sum, n), value| (sum + value, n + 1));
    sum / n.max(1) as f64
}
