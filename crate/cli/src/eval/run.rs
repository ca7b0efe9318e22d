//! `pincite eval run`: measure a TREC run, and compare two.
//!
//! A run is read strictly: six columns, finite scores, no passage twice for a question. A malformed run would otherwise
//! be measured as a bad one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evaluate::bootstrap::Bootstrap;
use evaluate::ranking::{Judgments, Metrics, measure, order};
use serde_json::{Map, Value, json};

use crate::eval::retrieval::corpus::{Queries, for_lines, read_judgments};
use crate::failure::Failure;
use crate::measures::{Groups, Measured, Summary};

/// Arguments of `pincite eval run`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The judgments: `qid 0 id relevance`; may be gzipped.
    #[arg(long)]
    qrels: PathBuf,
    /// The run: `qid Q0 id rank score tag`, ordered by score, not by rank; may be gzipped.
    #[arg(long)]
    run: PathBuf,
    /// A second run of the same questions, to print the paired differences.
    #[arg(long)]
    compare: Option<PathBuf>,
    /// Cutoffs of the metrics.
    #[arg(long, value_delimiter = ',', default_value = "1,5,10,20")]
    ks: Vec<usize>,
    /// Resamples of the 95 % bootstrap intervals; 0 for none.
    #[arg(long, default_value_t = Bootstrap::default().n_resamples)]
    bootstrap: usize,
    /// Break the figures down by this field of --queries.
    #[arg(long, requires = "queries")]
    by: Option<String>,
    /// The questions, for --by: JSON lines with `qid`, `query` and fields; may be gzipped.
    #[arg(long)]
    queries: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.ks.is_empty() || args.ks.contains(&0) {
        return Err(Failure::Usage("--ks: expected numbers from 1, such as 5,10".to_owned()));
    }
    let judgments = read_judgments(&args.qrels)?;
    if judgments.is_empty() {
        return Err(Failure::Failed(format!("{}: nothing is judged relevant", args.qrels.display())));
    }
    let groups = groups(args, &judgments)?;
    let first = measured(&args.run, &judgments, &args.ks)?;
    let second = match &args.compare {
        Some(path) => Some(measured(path, &judgments, &args.ks)?),
        None => None,
    };
    let bootstrap = Bootstrap { n_resamples: args.bootstrap, ..Bootstrap::default() };
    let summary = Summary { ks: &args.ks, bootstrap: (args.bootstrap > 0).then_some(bootstrap) };
    let rows = Rows { summary, first, second };
    if args.json {
        let mut out = rows.json(None);
        if let Some(field) = &args.by {
            let values: Map<String, Value> = groups
                .iter()
                .map(|(value, members)| (value.clone(), Value::Object(rows.json(Some(members)))))
                .collect();
            out.insert("by".to_owned(), json!({ "field": field, "values": values }));
        }
        return crate::input::print_json(&Value::Object(out));
    }
    rows.summary.print_head();
    rows.print("all", None);
    for (value, members) in &groups {
        rows.print(value, Some(members));
    }
    Ok(())
}

/// One or two runs and the form of their summary.
struct Rows<'a> {
    summary: Summary<'a>,
    first: Measured,
    second: Option<Measured>,
}

impl Rows<'_> {
    /// The figures of a group of questions.
    fn json(&self, members: Option<&[usize]>) -> Map<String, Value> {
        let first = of(&self.first, members);
        let mut out = self.summary.json(&first);
        out.insert("queries".to_owned(), json!(first.n_questions()));
        if let Some(second) = &self.second {
            let second = of(second, members);
            out.insert("compared".to_owned(), Value::Object(self.summary.json(&second)));
            out.insert("difference".to_owned(), Value::Object(self.summary.json(&first.minus(&second))));
        }
        out
    }

    fn print(&self, name: &str, members: Option<&[usize]>) {
        let first = of(&self.first, members);
        self.summary.print(name, &first);
        if let Some(second) = &self.second {
            let second = of(second, members);
            self.summary.print(&format!("{name}, compared"), &second);
            self.summary.print(&format!("{name}, difference"), &first.minus(&second));
        }
    }
}

fn of(measured: &Measured, members: Option<&[usize]>) -> Measured {
    let all: Vec<usize> = (0..measured.n_questions()).collect();
    measured.only(members.unwrap_or(&all))
}

/// The judged questions by their value of the field, where one is wanted.
fn groups(args: &Args, judgments: &BTreeMap<String, Judgments>) -> Result<Groups, Failure> {
    let mut groups = Groups::new();
    let (Some(queries), Some(field)) = (&args.queries, &args.by) else { return Ok(groups) };
    let queries = Queries::read(queries, &args.qrels)?;
    let values: BTreeMap<&str, String> =
        queries.judged().map(|question| (question.qid.as_str(), question.field(field))).collect();
    for (at, qid) in judgments.keys().enumerate() {
        let value = values.get(qid.as_str()).cloned().unwrap_or_else(|| "-".to_owned());
        groups.entry(value).or_default().push(at);
    }
    Ok(groups)
}

/// Reads a run and measures every judged question; a question without results scores 0.
fn measured(path: &Path, judgments: &BTreeMap<String, Judgments>, ks: &[usize]) -> Result<Measured, Failure> {
    let run = read_run(path)?;
    let n_absent = judgments.keys().filter(|qid| !run.contains_key(*qid)).count();
    let n_unjudged = run.keys().filter(|qid| !judgments.contains_key(*qid)).count();
    if n_absent == judgments.len() {
        return Err(Failure::Failed(format!(
            "{}: none of the {n_absent} judged questions is in this run of {} questions",
            path.display(),
            run.len()
        )));
    }
    if n_absent > 0 {
        note!("{}: {n_absent} judged questions are absent and score 0", path.display());
    }
    if n_unjudged > 0 {
        note!("{}: {n_unjudged} questions are not judged and are left out", path.display());
    }
    let questions: Vec<Vec<Metrics>> = judgments
        .iter()
        .map(|(qid, judged)| {
            let ranking = run.get(qid).map(|results| order(results)).unwrap_or_default();
            ks.iter().map(|&k| measure(&ranking, judged, k).unwrap_or_default()).collect()
        })
        .collect();
    Ok(Measured::new(ks.len(), &questions))
}

/// The passages and scores of each question.
type Run = BTreeMap<String, Vec<(String, f64)>>;

fn read_run(path: &Path) -> Result<Run, Failure> {
    let mut scores: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for_lines(path, |line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [qid, _, id, rank, score, _] = columns.as_slice() else {
            return Err(format!(
                "expected the 6 columns `qid Q0 id rank score tag`, found {} columns",
                columns.len()
            ));
        };
        if rank.parse::<u64>().is_err() {
            return Err("expected a whole number as rank in column 4".to_owned());
        }
        let score = score
            .parse()
            .ok()
            .filter(|score: &f64| score.is_finite())
            .ok_or("expected a finite number as score in column 5")?;
        match scores.entry((*qid).to_owned()).or_default().insert((*id).to_owned(), score) {
            Some(_) => Err(format!("passage {id} is there twice for question {qid}")),
            None => Ok(()),
        }
    })?;
    if scores.is_empty() {
        return Err(Failure::Failed(format!("{}: the run is empty", path.display())));
    }
    Ok(scores.into_iter().map(|(qid, results)| (qid, results.into_iter().collect())).collect())
}
