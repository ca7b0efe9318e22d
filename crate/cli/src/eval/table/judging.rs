//! Verdicts on the answers of all rows, by the criteria of the table, from a judge with an endpoint of its own.

use std::collections::BTreeMap;

use judge::{Criterion, Item};

use super::args::Args;
use super::fill::Results;
use super::questions::Question;
use super::rows::Table;
use crate::eval::judge::values;
use crate::failure::Failure;

/// Judges the answers, if there is a judge, and says by which criteria. Answers and criteria that lack what is judged (a
/// reference, passages) are left out.
pub(super) fn judge(
    args: &Args,
    table: &Table,
    questions: &[Question],
    filled: &mut [Results<'_>],
) -> Result<Vec<String>, Failure> {
    let (Some(base), Some(model)) = (&args.judge, &args.judge_model) else { return Ok(Vec::new()) };
    let (mut places, mut items) = (Vec::new(), Vec::new());
    for name in &table.judged {
        let Some(criterion) = Criterion::named(name) else { continue };
        for (at, results) in filled.iter().enumerate() {
            for (run, answers) in results.answered.iter().enumerate() {
                for (n, (answer, question)) in answers.iter().zip(questions).enumerate() {
                    let reference = question.gold.answer.clone().unwrap_or_default();
                    let lacks = criterion.needs_reference() && reference.is_empty()
                        || criterion.needs_passages() && answer.read.is_empty();
                    if lacks {
                        continue;
                    }
                    let spoken = if answer.sufficient { answer.text.clone() } else { String::new() };
                    let item = Item {
                        question: question.text.clone(),
                        reference,
                        answer: spoken,
                        passages: answer.read.clone(),
                    };
                    places.push((name, at, run, n));
                    items.push((format!("{}/{}", results.row.name, question.id), criterion, item));
                }
            }
        }
    }
    let endpoints: Result<Vec<_>, Failure> =
        (0..args.parallel).map(|_| args.run.llm().other("judge", base, model)).collect();
    let values = values(items, &args.out.join("judge"), model, endpoints?)?;
    for ((name, at, run, n), value) in places.into_iter().zip(values) {
        let Some(results) = filled.get_mut(at) else { continue };
        let shape = || results.answered.iter().map(|answers| vec![None; answers.len()]).collect();
        let judged: &mut BTreeMap<_, Vec<Vec<Option<f64>>>> = &mut results.judged;
        let runs = judged.entry(name.clone()).or_insert_with(shape);
        runs.get_mut(run).and_then(|answers| answers.get_mut(n)).into_iter().for_each(|place| *place = value);
    }
    Ok(table.judged.clone())
}
