//! Verdicts on the answers of all rows, by the criteria of the table, from a judge with an endpoint of its own.

use std::collections::BTreeMap;

use judge::{Criterion, Item};

use super::args::Args;
use super::calibrating::calibrate;
use super::columns::{ACCURACY, CALIBRATED};
use super::fill::Results;
use super::record::Answered;
use super::rows::Table;
use crate::eval::judge::verdicts_on;
use crate::eval::questions::Question;
use crate::failure::Failure;

/// Criteria that have a twin.
const COVERAGE: &str = "coverage";
const REPASS: &str = "repass";
/// Label of an answer that states all that the reference does.
const COMPLETE: &str = "complete";
/// Column of coverage in which an answer with none of the claims, such as a refusal, has 0: by the paper's wording it is
/// partial.
const STRICT: &str = "coverage_none_at_0";
/// Column of RePASs over answers alone, as the authors' program has it; over all, a refusal has 1/3.
const OF_ANSWERS: &str = "repass_of_answers";

/// Columns that a judge adds to a table.
#[derive(Default)]
pub(super) struct Judged {
    /// Columns of the answers.
    pub(super) columns: Vec<String>,
    /// Line about them.
    pub(super) about: Option<String>,
}

/// Judges the answers, if there is a judge, and says in which columns. Answers that lack what is judged (a reference,
/// passages), and those to questions that nothing answers, are left out.
pub(super) fn judge(
    args: &Args,
    table: &Table,
    questions: &[Question],
    filled: &mut [Results<'_>],
) -> Result<Judged, Failure> {
    let (Some(base), Some(model)) = (&args.judge, &args.judge_model) else { return Ok(Judged::default()) };
    let (places, items): (Vec<Place<'_>>, Vec<_>) = due(table, questions, filled).into_iter().unzip();
    let endpoints: Result<Vec<_>, Failure> =
        (0..args.parallel).map(|_| args.run.llm().other("judge", base, model)).collect();
    let verdicts = verdicts_on(items, &args.out.join("judge"), model, endpoints?)?;
    let mut complete = BTreeMap::new();
    for (Place { name, at, run, n }, verdict) in places.into_iter().zip(verdicts) {
        let (Some(results), Some(verdict)) = (filled.get_mut(at), verdict) else { continue };
        let is_answered = results.answered.get(run).and_then(|answers| answers.get(n)).is_some_and(is_answer);
        let mut set = |column: &str, value: f64| results.judge(column, run, n, value);
        set(name, verdict.value());
        match name.as_str() {
            COVERAGE => {
                set(STRICT, if verdict.is_absent() { 0.0 } else { verdict.value() });
                complete.insert((at, run, n), verdict.label() == Some(COMPLETE));
            }
            REPASS if is_answered => set(OF_ANSWERS, verdict.value()),
            _ => {}
        }
    }
    let twins = [(COVERAGE, STRICT), (REPASS, OF_ANSWERS)].into_iter();
    let twins = twins.filter(|(of, _)| table.judged.iter().any(|name| name == of));
    let mut columns: Vec<String> = table.judged.clone();
    columns.extend(twins.map(|(_, twin)| twin.to_owned()));
    let has_accuracy = table.answers.iter().any(|column| column == ACCURACY);
    let about = if has_accuracy { calibrate(&complete, questions, filled) } else { None };
    columns.extend(about.as_ref().map(|_| CALIBRATED.to_owned()));
    Ok(Judged { columns, about })
}

/// True if something was answered: no refusal.
fn is_answer(answer: &Answered) -> bool {
    answer.sufficient && !answer.text.trim().is_empty()
}

/// Place of an answer: criterion, row, run and question.
struct Place<'t> {
    name: &'t String,
    at: usize,
    run: usize,
    n: usize,
}

/// The answers to judge, by each criterion of the table, with their places.
fn due<'t>(
    table: &'t Table,
    questions: &[Question],
    filled: &[Results<'_>],
) -> Vec<(Place<'t>, (String, Criterion, Item))> {
    let named = table.judged.iter().filter_map(|name| Some((name, Criterion::named(name)?)));
    let mut all = Vec::new();
    for (name, criterion) in named {
        for (at, results) in filled.iter().enumerate() {
            let runs = results.answered.iter().enumerate();
            let answers = runs.flat_map(|(run, answers)| {
                answers.iter().zip(questions).enumerate().map(move |(n, pair)| (run, n, pair))
            });
            for (run, n, (answer, question)) in answers {
                let Some(item) = item(criterion, answer, question) else { continue };
                let id = format!("{}/{}", results.row.name, question.id);
                all.push((Place { name, at, run, n }, (id, criterion, item)));
            }
        }
    }
    all
}

/// An answer as a judge is given it; `None` where it lacks what the criterion needs. Equal answers of rows are one request.
fn item(criterion: Criterion, answer: &Answered, question: &Question) -> Option<Item> {
    let reference = question.gold.answer.clone().unwrap_or_default();
    // The score asks what the passages support; the other criteria are of the answer and the reference alone.
    let is_given = criterion.needs_passages() || criterion == Criterion::Score;
    let passages = if is_given { answer.read.clone() } else { Vec::new() };
    let lacks = criterion.needs_reference() && reference.is_empty()
        || criterion.needs_passages() && passages.is_empty();
    let answer = if answer.sufficient { answer.text.clone() } else { String::new() };
    let item = Item { question: question.text.clone(), reference, answer, passages };
    (question.gold.answerable && !lacks).then_some(item)
}

#[cfg(test)]
mod tests {
    use evaluate::answers::Gold;

    use super::*;

    #[test]
    fn the_score_is_told_with_the_passages_and_coverage_without() {
        let answer = Answered {
            id: "q".to_owned(),
            text: "Ten days.".to_owned(),
            sufficient: true,
            cited: Vec::new(),
            found: Vec::new(),
            read: vec!["Within ten days.".to_owned()],
            calls: 0,
            failed: 0,
            sent: 0,
            received: 0,
            seconds: 0.0,
        };
        let gold = Gold { answer: Some("Ten days.".to_owned()), answerable: true, ..Gold::default() };
        let question =
            Question { id: "q".to_owned(), text: "When?".to_owned(), judged: Default::default(), gold };
        let passages = |criterion| item(criterion, &answer, &question).map(|item| item.passages);
        assert_eq!(passages(Criterion::Score), Some(answer.read.clone()));
        assert_eq!(passages(Criterion::Coverage), Some(Vec::new()));
        let unread = Answered { read: Vec::new(), ..answer.clone() };
        assert!(item(Criterion::Score, &unread, &question).is_some());
        assert!(item(Criterion::Repass, &unread, &question).is_none());
    }
}
