//! `pincite eval table`: the tables of the papers, filled on one's own questions.
//!
//! Each row of a table is a configuration (`rows.toml`): naive RAG, LongRAG, ours, and ours with one part left out or added.
//! All rows are asked the same questions. Rankings that need no model are filled without one; rows that need one and have none
//! are listed as such. What is random, the replies of a model, is run several times; what is not is run once.
//!
//! Under `--out` lie a file for each ranking and for each run of a row, written whole, the log of replies, the vectors, a TREC
//! run for each row, the judgments of the questions that were asked, and the table as Markdown and CSV. A run that was stopped goes on: nothing is asked, embedded or ranked
//! twice.

mod answering;
mod args;
mod calibrating;
mod collection;
mod columns;
mod fill;
mod judging;
mod record;
mod report;
mod rows;

use std::io::Write as _;
use std::path::PathBuf;

use evaluate::bootstrap::Bootstrap;

use super::output::write_whole;
use super::questions::{self, Question};
use crate::failure::Failure;
pub(crate) use args::Args;
use collection::Collection;
use fill::Filling;
use report::Report;
use rows::{Reader, Row, Table};

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
    about.extend(judged.about);
    let bootstrap = Bootstrap { n_resamples: args.bootstrap, ..Bootstrap::default() };
    let rows = filled.into_iter().map(|one| one.measured(&table, &questions)).collect();
    let has_vectors = filling.has_vectors();
    let report = Report { table: &table, rows, about, has_vectors, judged: &judged.columns, bootstrap };
    write_judgments(args, &table, &questions)?;
    write(args, &report)
}

/// Questions of a table, and the texts that they are asked of.
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

/// Writes the judgments of the questions that were asked, so that `eval run` measures a sample as the sample it is.
fn write_judgments(args: &Args, table: &Table, questions: &[Question]) -> Result<(), Failure> {
    let path = args.out.join(format!("{}.qrels", table.name));
    write_whole(&path, |file| {
        let mut judged =
            questions.iter().flat_map(|one| one.judged.iter().map(|(place, gain)| (&one.id, place, gain)));
        judged.try_for_each(|(id, place, gain)| writeln!(file, "{id} 0 {place} {gain}"))
    })
}

fn write(args: &Args, report: &Report<'_>) -> Result<(), Failure> {
    for filled in report.rows.iter().filter(|filled| !filled.rankings.is_empty()) {
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
        write_whole(&path, |file| file.write_all(text.as_bytes()))?;
    }
    say_part!("{markdown}");
    Ok(())
}
