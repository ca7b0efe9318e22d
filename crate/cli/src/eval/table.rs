//! `pincite eval table`: the tables of the papers, filled on one's own questions.
//!
//! Each row of a table is a configuration (`rows.toml`): naive RAG, LongRAG, ours, and ours with one part left out or added.
//! All rows are asked the same questions. Rankings that need no model are filled without one; rows that need one and have none
//! are listed as such. What is random, the replies of a model, is run several times; what is not is run once.
//!
//! Under `--out` lie a file for each ranking and for each run of a row, written whole, the log of replies, the vectors, a TREC
//! run for each row, and the table as Markdown and CSV. A run that was stopped goes on: nothing is asked, embedded or ranked
//! twice.

mod answering;
mod collection;
mod columns;
mod fill;
mod judging;
mod questions;
mod record;
mod report;
mod rows;

use std::path::PathBuf;

use evaluate::bootstrap::Bootstrap;

use crate::eval::model_replies::RunArgs;
use crate::failure::Failure;
use crate::threads::ThreadArgs;
use collection::Collection;
use fill::Filling;
use report::Report;
use rows::{Reader, Row, Table};

/// Arguments of `pincite eval table`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Table: `lclf` (LCLF-QA), over a library; `obliqa` (ObliQA) or `legaldc` (Legal-DC), over a corpus of passages.
    table: String,
    /// Directory with the papers' data: obliqa/passages.jsonl.gz, legaldc/units.jsonl.gz and their questions.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Passages instead of those of --data: JSON lines with `id`, `text`, optional `title`, `chapter`, `doc`; may be gzipped.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Library instead of a corpus; judgments then name pages, `file.pdf#7,8` for either of two.
    #[arg(long, value_name = "LIB", conflicts_with_all = ["corpus", "data"])]
    library: Option<PathBuf>,
    /// Questions instead of those of --data: JSON lines with `qid`, `query` and what there is of gold; may be gzipped.
    #[arg(long)]
    queries: Option<PathBuf>,
    /// Judgments instead of those of --data. Without them those of the questions count: `passages`, or `document` and `pages`.
    #[arg(long)]
    qrels: Option<PathBuf>,
    /// Only these rows, and the default, with which they are compared.
    #[arg(long, value_name = "ROW", value_delimiter = ',')]
    only: Vec<String>,
    /// Only N of the questions, drawn by --seed.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    n: Option<u32>,
    /// Seed of the draw.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Runs of rows that a model answers: each asks all anew.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    runs: u32,
    /// Requests at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=128))]
    parallel: u32,
    /// Directory of the results, made where it is not there; a second run goes on in it.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// File that caches vectors [default: one under --out].
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Directory of the embedding model.
    #[arg(long)]
    embedder: Option<PathBuf>,
    /// Resamples of the 95 % bootstrap intervals.
    #[arg(long, default_value_t = Bootstrap::default().n_resamples, value_parser = at_least_one)]
    bootstrap: usize,
    /// Base URL of a judge of the answers, by the criteria of the table. Its key, if it needs one, in PINCITE_API_KEY_JUDGE.
    #[arg(long, value_name = "BASE_URL", requires = "judge_model")]
    judge: Option<String>,
    /// Name of the judge's model.
    #[arg(long, value_name = "M", requires = "judge")]
    judge_model: Option<String>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

fn at_least_one(value: &str) -> Result<usize, String> {
    value.parse().ok().filter(|&n| n >= 1).ok_or_else(|| "expected a number from 1".to_owned())
}

impl Args {
    /// True if there is a model to answer.
    fn has_model(&self) -> bool {
        !self.run.model().is_empty()
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (table, rows) = rows::table(&args.table, &args.only)?;
    let inputs = inputs(args, &table)?;
    let read = questions::read(&inputs.queries, inputs.qrels.as_deref())?;
    let n_read = read.len();
    let mut questions = questions::sample(read, args.n.map(|n| n as usize), args.seed);
    inputs.collection.name_documents(&mut questions);
    std::fs::create_dir_all(&args.out).map_err(|error| Failure::io(&args.out, &error))?;
    let mut filling = Filling::new(args, &table, &inputs.collection, &questions)?;
    note!("{}, {} of {n_read} questions, {} rows", inputs.collection.size(), questions.len(), rows.len());
    announce(args, &table, &rows, &filling)?;
    if args.run.dry_run {
        return Ok(());
    }
    let mut filled = filling.fill(&rows)?;
    let judged = judging::judge(args, &table, &questions, &mut filled)?;
    let mut about = vec![
        format!("Asked: {}.", table.asks),
        format!(
            "{} ({}); {} of {n_read} questions ({}){}.",
            inputs.named,
            inputs.collection.size(),
            questions.len(),
            inputs.queries.display(),
            if questions.len() < n_read { format!(", drawn with seed {}", args.seed) } else { String::new() }
        ),
    ];
    about.extend(filling.about());
    let bootstrap = Bootstrap { n_resamples: args.bootstrap, ..Bootstrap::default() };
    let rows = filled.into_iter().map(|one| one.measured(&table, &questions)).collect();
    let has_vectors = filling.has_vectors();
    let report = Report { table: &table, rows, about, has_vectors, judged: &judged, bootstrap };
    write(args, &report)
}

/// What is asked, and of what.
struct Inputs {
    collection: Collection,
    /// Name of the collection in the table.
    named: String,
    queries: PathBuf,
    qrels: Option<PathBuf>,
}

fn inputs(args: &Args, table: &Table) -> Result<Inputs, Failure> {
    let below = |at: usize| {
        let path = table.data.as_ref().and_then(|paths| paths.get(at))?;
        Some(args.data.as_ref()?.join(path))
    };
    let missing = |what: &str| {
        let data = if table.data.is_some() { " or --data" } else { "" };
        Failure::Usage(format!("{}: expected {what}{data}", table.name))
    };
    let queries = args.queries.clone().or_else(|| below(1)).ok_or_else(|| missing("--queries"))?;
    // Judgments of the paper's questions say nothing of other questions.
    let qrels = args.qrels.clone().or_else(|| below(2).filter(|_| args.queries.is_none()));
    let (collection, path) = match (&args.library, args.corpus.clone().or_else(|| below(0))) {
        (Some(directory), _) => (Collection::library(directory)?, directory.clone()),
        (None, Some(path)) => (Collection::corpus(&path)?, path),
        (None, None) if table.data.is_some() => return Err(missing("--corpus, --library")),
        (None, None) => return Err(missing("--library or --corpus")),
    };
    Ok(Inputs { collection, named: path.display().to_string(), queries, qrels })
}

/// Says what is still due, before the first request.
fn announce(args: &Args, table: &Table, rows: &[Row], filling: &Filling<'_>) -> Result<(), Failure> {
    let (mut n_requests, mut n_tokens) = (0, 0);
    for row in rows {
        let ranked = if row.rewrites() { "by its answers" } else { filling.state_of_ranking(row) };
        let answered = match row.reader {
            Reader::Model if !args.has_model() => "need an endpoint".to_owned(),
            _ => {
                let n_due = filling.n_runs_due(row);
                let (n, tokens) = row.cost(&row.profile(table)?);
                if row.reader == Reader::Model {
                    n_requests += n * n_due * filling.questions.len();
                    n_tokens += n * n_due * filling.questions.len() * tokens;
                }
                format!("{n_due} of {} runs due", filling.n_runs(row))
            }
        };
        note!("{:24} ranking {ranked}, answers {answered}", row.name);
    }
    note!(
        "at most {n_requests} requests of about {n_tokens} tokens in a first round, further rounds of checks not counted; \
         {} replies are there, and equal requests of rows ask once",
        filling.n_replies()
    );
    Ok(())
}

fn write(args: &Args, report: &Report<'_>) -> Result<(), Failure> {
    for filled in &report.rows {
        let path = args.out.join(format!("{}.trec", filled.row.name));
        let mut run = crate::eval::retrieval::report::Run::create(Some(&path), &filled.row.name)?;
        for (id, found) in &filled.found {
            run.write(id, &columns::results(found))?;
        }
        run.finish()?;
    }
    let markdown = report.markdown();
    for (ending, text) in [("md", &markdown), ("csv", &report.csv())] {
        let path = args.out.join(format!("{}.{ending}", report.table.name));
        let part = path.with_extension("part");
        let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &path));
        written.map_err(|error| Failure::io(&path, &error))?;
    }
    say_part!("{markdown}");
    Ok(())
}
