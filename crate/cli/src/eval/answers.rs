//! `pincite eval answers`: measure the answers of a file against gold answers.
//!
//! **Answers**, JSON lines, one a question: `id` (or `qid`), `answer`, `sufficient` (true where absent), `citations`
//! best first, and `retrieved` there or in `trace`. An item of these lists is an id of a passage or an object with
//! `passage` (or `passage_id`, `chunk`) and `document`, so the output of `pincite ask --json` can be read once it has an
//! `id`: there an item without `passage` is the page that it begins on, `document#page`, or the document where it has no
//! pages. Marks like `[P1]` are not part of the answer's text.
//!
//! **Gold**, JSON lines: `qid` (or `id`), and what there is of `answer`; `title`, `document` or `documents` (names of
//! the right documents); `passages` or `ev_units` (ids, in lists or lists of lists); `answerable` (true where absent).
//! Judgments in a file (--qrels) add passages. A question without an answer counts as refused and is reported.

mod calibrated;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use evaluate::answers::{Given, Gold, Measures, NAMES, Options, measure, summary};
use evaluate::overlap::Unit;
use serde_json::{Map, Value, json};

use crate::eval::fields::{gold, id_of, listed, object, without_marks};
use crate::eval::retrieval::corpus::{for_lines, read_judgments};
use crate::failure::Failure;
use calibrated::Calibrated;

/// Arguments of `pincite eval answers`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The questions with their gold, JSON lines; may be gzipped.
    #[arg(long)]
    gold: PathBuf,
    /// The answers, JSON lines; may be gzipped.
    #[arg(long)]
    answers: PathBuf,
    /// Judgments that add gold passages: `qid 0 id relevance`; may be gzipped.
    #[arg(long)]
    qrels: Option<PathBuf>,
    /// Cutoff k of citations and retrieved passages.
    #[arg(long, default_value_t = Options::default().k)]
    k: usize,
    /// ROUGE-L F1 at which an answer counts as right, 0 to 1.
    #[arg(long, default_value_t = Options::default().threshold)]
    threshold: f64,
    /// Tokens of ROUGE-L and BLEU; `auto` takes characters where the gold answer is Chinese.
    #[arg(long, default_value = "auto", value_parser = ["auto", "words", "characters"])]
    unit: String,
    /// Verdicts on coverage, a judge's or those of a person, to calibrate the ROUGE-L threshold by: one half of the
    /// questions chooses it, the other is measured.
    #[arg(long, value_name = "FILE")]
    verdicts: Option<PathBuf>,
    /// Seed of the halves.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Break the figures down by this field of the gold file.
    #[arg(long)]
    by: Option<String>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.k == 0 {
        return Err(Failure::Usage("--k: expected a number from 1".to_owned()));
    }
    let unit = match args.unit.as_str() {
        "words" => Some(Unit::Words),
        "characters" => Some(Unit::Characters),
        _ => None,
    };
    let options = Options { k: args.k, threshold: args.threshold, unit };
    let gold = read_gold(args)?;
    let mut answers = read_answers(args)?;
    let n_absent = gold.iter().filter(|question| !answers.contains_key(&question.id)).count();
    if n_absent == gold.len() {
        return Err(Failure::Failed(format!(
            "{}: none of the {n_absent} gold questions is answered here",
            args.answers.display()
        )));
    }
    if n_absent > 0 {
        note!("{}: {n_absent} questions are absent and count as refused", args.answers.display());
    }
    let mut measured: Vec<Measures> = Vec::with_capacity(gold.len());
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, question) in gold.iter().enumerate() {
        let given = answers.remove(&question.id).unwrap_or_default();
        measured.push(measure(&given, &question.gold, &options));
        if args.by.is_some() {
            groups.entry(&question.group).or_default().push(at);
        }
    }
    if !answers.is_empty() {
        note!("{}: {} questions have no gold and are left out", args.answers.display(), answers.len());
    }
    let scores = gold.iter().zip(&measured);
    let scores: Vec<(&str, f64)> =
        scores.filter_map(|(question, one)| Some((question.id.as_str(), one.rouge_l?.f1))).collect();
    let verdicts = args.verdicts.as_deref();
    let calibrated = verdicts.map(|path| Calibrated::of(&scores, path, args.seed)).transpose()?;
    report(args, &measured, &groups, calibrated.as_ref())
}

/// A question of the gold file.
struct GoldQuestion {
    id: String,
    gold: Gold,
    group: String,
}

fn read_gold(args: &Args) -> Result<Vec<GoldQuestion>, Failure> {
    let judgments = match &args.qrels {
        Some(path) => read_judgments(path)?,
        None => BTreeMap::new(),
    };
    let mut questions: Vec<GoldQuestion> = Vec::new();
    let mut known = BTreeSet::new();
    for_lines(&args.gold, |line| {
        let fields = object(line)?;
        let id = id_of(&fields)?;
        if !known.insert(id.clone()) {
            return Err(format!("question {id} is there twice"));
        }
        let gold = gold(&fields, judgments.get(&id));
        let group = match args.by.as_ref().and_then(|by| fields.get(by)) {
            Some(Value::String(value)) => value.clone(),
            Some(Value::Null) | None => "-".to_owned(),
            Some(value) => value.to_string(),
        };
        questions.push(GoldQuestion { id, gold, group });
        Ok(())
    })?;
    if questions.is_empty() {
        return Err(Failure::Failed(format!("{}: no questions", args.gold.display())));
    }
    Ok(questions)
}

fn read_answers(args: &Args) -> Result<BTreeMap<String, Given>, Failure> {
    let mut answers = BTreeMap::new();
    for_lines(&args.answers, |line| {
        let fields = object(line)?;
        let id = id_of(&fields)?;
        let text = fields.get("answer").and_then(Value::as_str).unwrap_or_default();
        let sufficient = fields.get("sufficient").and_then(Value::as_bool).unwrap_or(true);
        let retrieved =
            fields.get("retrieved").or_else(|| fields.get("trace").and_then(|trace| trace.get("retrieved")));
        let given = Given {
            text: without_marks(text),
            sufficient,
            cited: listed(fields.get("citations")),
            retrieved: listed(retrieved),
        };
        match answers.insert(id.clone(), given) {
            Some(_) => Err(format!("question {id} is answered twice")),
            None => Ok(()),
        }
    })?;
    Ok(answers)
}

fn report(
    args: &Args,
    measured: &[Measures],
    groups: &BTreeMap<&str, Vec<usize>>,
    calibrated: Option<&Calibrated>,
) -> Result<(), Failure> {
    let all: Vec<&Measures> = measured.iter().collect();
    let of =
        |members: &[usize]| -> Vec<&Measures> { members.iter().filter_map(|&at| measured.get(at)).collect() };
    if args.json {
        let metrics = |questions: &[&Measures]| -> Value {
            let values = NAMES.iter().zip(summary(questions));
            let named = values.filter_map(|(name, value)| Some(((*name).to_owned(), json!(value?))));
            Value::Object(named.collect())
        };
        let mut out = json!({
            "questions": measured.len(),
            "k": args.k,
            "threshold": args.threshold,
            "metrics": metrics(&all),
        });
        if let Some(calibrated) = calibrated {
            out["calibrated"] = calibrated.json();
        }
        if let (Some(field), Some(out)) = (&args.by, out.as_object_mut()) {
            let values: Map<String, Value> = groups
                .iter()
                .map(|(value, members)| {
                    let metrics = json!({ "questions": members.len(), "metrics": metrics(&of(members)) });
                    ((*value).to_owned(), metrics)
                })
                .collect();
            out.insert("by".to_owned(), json!({ "field": field, "values": values }));
        }
        return crate::input::print_json(&out);
    }
    let columns: Vec<(&str, Vec<&Measures>)> = std::iter::once(("all", all))
        .chain(groups.iter().map(|(value, members)| (*value, of(members))))
        .collect();
    let summaries: Vec<_> = columns.iter().map(|(_, questions)| summary(questions)).collect();
    say_part!("{:20}", "");
    columns.iter().for_each(|(name, _)| say_part!(" {name:>12}"));
    say!("");
    say_part!("{:20}", "questions");
    columns.iter().for_each(|(_, questions)| say_part!(" {:>12}", questions.len()));
    say!("");
    for (at, name) in NAMES.iter().enumerate() {
        say_part!("{name:20}");
        for values in &summaries {
            match values.get(at).copied().flatten() {
                Some(value) => say_part!(" {value:>12.4}"),
                None => say_part!(" {:>12}", "-"),
            }
        }
        say!("");
    }
    if let Some(calibrated) = calibrated {
        calibrated.print();
    }
    Ok(())
}
