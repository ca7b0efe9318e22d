//! `pincite eval judge`: a language model judges answers, with a reason for every verdict.
//!
//! **Items** come from questions with reference answers (`--gold`) and answers (`--answers`), as `eval answers` reads
//! them, or from one file (`--items`), JSON lines with `id`, `question`, `reference`, `answer`, `passages`. Passages are
//! texts, objects with `text`, or ids of a `--corpus`. RePASs and the score read the passages that were retrieved
//! for the answer (the first `--k`), else its quotations; connections are those of the question's own passages.
//!
//! **Verdicts** are written to `--out`, JSON lines with `id`, `criterion`, `value`, `reason`, and what the criterion
//! finds. Every reply is appended to a log beside it (`OUT.replies.jsonl`) as soon as it is there, under a hash of its
//! request: a run that was stopped goes on where it was, and nothing is asked twice. Verdicts follow from the log
//! alone, so their file is written at the end, whole. Items without a verdict have a `fault` there and are asked again
//! by the next run.

mod items;
mod nli;
mod report;
mod runner;
mod verdicts;

use std::path::{Path, PathBuf};

use evaluate::bootstrap::Bootstrap;
use judge::{Criterion, Item, Obligations, Verdict};

use crate::endpoint::Endpoint;
use crate::eval::reply_log::ReplyLog;
use crate::failure::Failure;
use crate::llm::LlmArgs;
use crate::threads::one_per_core;
use items::ItemArgs;
use nli::Nli;
use runner::Runner;

/// Arguments of `pincite eval judge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    items: ItemArgs,
    /// The file of verdicts to write, JSON lines. The log of replies lies beside it.
    #[arg(long)]
    out: PathBuf,
    /// Directory of a model of natural language inference for RePASs, instead of the judge: manifest.json, model.onnx, vocab.txt.
    #[arg(long, value_name = "DIR")]
    nli: Option<PathBuf>,
    /// Finder of obligations for RePASs: the modals of a sentence, or the judge.
    #[arg(long, default_value = "modals", value_parser = ["modals", "judge"])]
    obligations: String,
    /// Requests at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=128))]
    parallel: u32,
    /// Say how many requests are due and stop.
    #[arg(long)]
    dry_run: bool,
    /// Resamples of the 95 % bootstrap intervals; 0 for none.
    #[arg(long, default_value_t = Bootstrap::default().n_resamples)]
    bootstrap: usize,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    llm: LlmArgs,
}

impl Args {
    /// Finder of obligations.
    fn finder(&self) -> Obligations {
        if self.obligations == "judge" { Obligations::Judge } else { Obligations::Modals }
    }

    /// Who judges by a criterion: `judge`, and for RePASs who finds the `obligations`.
    fn origin(&self, criterion: Criterion) -> Vec<(&'static str, String)> {
        let model = self.llm.model().to_owned();
        if criterion != Criterion::Repass {
            return vec![("judge", model)];
        }
        let judge = self.nli.as_ref().map_or(model, |directory| format!("nli:{}", directory.display()));
        vec![("judge", judge), ("obligations_by", self.obligations.clone())]
    }
}

/// Verdicts on items, each by its criterion and in their order, of the judge behind the endpoints; `None` where it gave none.
/// Ids name items in the log of replies beside `out`; nothing that the log has is asked again.
pub(super) fn verdicts_on(
    items: Vec<(String, Criterion, Item)>,
    out: &Path,
    model: &str,
    endpoints: Vec<Endpoint>,
) -> Result<Vec<Option<Verdict>>, Failure> {
    let job = |(id, criterion, item)| items::Job { id, passage: None, criterion, item };
    let jobs = items.into_iter().map(job).collect();
    let log = ReplyLog::open(out, true)?;
    let runner = Runner::new(jobs, log, model.to_owned(), Obligations::Modals, None);
    note!("judge: {}", runner.due());
    runner.ask(endpoints)?;
    Ok(runner.judge().into_iter().map(|(_, verdict)| verdict.ok()).collect())
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.nli.is_some() && args.finder() == Obligations::Judge {
        return Err(Failure::Usage(
            "--nli finds obligations by modals: leave --obligations judge out".to_owned(),
        ));
    }
    let jobs = items::read(&args.items)?;
    let nli = args.nli.as_deref().map(Nli::load).transpose()?;
    let log = ReplyLog::open(&args.out, true)?;
    let model = args.llm.model().to_owned();
    let runner = Runner::new(jobs, log, model, args.finder(), nli);
    let due = runner.due();
    note!("{}: {due}", args.out.display());
    if args.dry_run {
        return Ok(());
    }
    if due.n_requests > 0 {
        let mut endpoints = Vec::new();
        for _ in 0..(args.parallel as usize).min(due.n_requests) {
            endpoints.push(args.llm.endpoint()?.ok_or_else(|| {
                Failure::Usage(format!("{} requests are due: expected --llm and --model", due.n_requests))
            })?);
        }
        runner.ask(endpoints)?;
    }
    runner.infer(one_per_core().get())?;
    let judged = runner.judge();
    verdicts::write(&args.out, &judged, &|criterion| args.origin(criterion))?;
    report::print(&judged, args.bootstrap, args.json)?;
    let n_failed = judged.iter().filter(|(_, verdict)| verdict.is_err()).count();
    if n_failed == 0 {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{n_failed} of {} have no verdict (see \"fault\" in {}): run again to ask for them",
        judged.len(),
        args.out.display()
    )))
}
