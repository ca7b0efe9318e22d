//! `pincite eval generate`: test questions with answers and sources, written by a language model from documents.
//!
//! The method is that of crate `testset`; here are files, the endpoint and the report. Replies are kept as they come
//! (`model_replies.rs`), so a run that was stopped goes on; the questions are written whole at the end. Each line of the
//! output is a question for `eval ask --queries` and the gold of it for `eval answers --gold`: `qid`, `query`, `answer`,
//! `document`, `passages` (pages as `eval retrieval --library` judges them), `style`, and the quotations in `sources`.

use std::path::PathBuf;

use document::Document;
use serde_json::{Value, json};
use testset::{GenerationAction, Generator, Question, Settings, SourcePage, Style, Tally, pages_of};

use crate::embedding;
use crate::eval::model_replies::{RunArgs, Usage, announce};
use crate::eval::output::write_lines;
use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::input::ReadArgs;
use crate::store::Store;
use crate::threads::one_per_core;

/// Actions between two lines of progress.
const TICK: usize = 10;

/// Arguments of `pincite eval generate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library directory, or PDFs and Word files (.docx). Every page that is used is sent to the endpoint.
    #[arg(required = true, value_name = "LIB | FILE")]
    sources: Vec<PathBuf>,
    /// The questions to write, JSON lines; the replies are kept beside them, in `.replies.jsonl`.
    #[arg(long)]
    out: PathBuf,
    /// Budget: requests for two questions of a style, the styles in turn.
    #[arg(long, value_name = "B", default_value_t = Settings::default().budget, value_parser = at_least_one)]
    budget: usize,
    /// Pages that a question draws on; instruction-based and reason-based ones need two.
    #[arg(long, value_name = "N", default_value_t = Settings::default().chunks, value_parser = one_to_eight)]
    chunks: usize,
    /// Clusters of the pages of each document [default: √(pages / 2)].
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    clusters: Option<usize>,
    /// Styles of question.
    #[arg(long, value_delimiter = ',', value_parser = style, default_values_t = Style::ALL.map(|style| style.name().to_owned()))]
    styles: Vec<String>,
    /// Most pages of a document that are summarised, drawn at random [default: all].
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    sample_pages: Option<usize>,
    /// Seed of every draw.
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Profile, for the model's role and the terms of domain-specific questions: a name or a TOML file.
    #[arg(long, value_name = "NAME | FILE", default_value = "general")]
    profile: String,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    read: ReadArgs,
}

fn at_least_one(value: &str) -> Result<usize, String> {
    value.parse().ok().filter(|&n| n >= 1).ok_or_else(|| "expected a number from 1".to_owned())
}

fn one_to_eight(value: &str) -> Result<usize, String> {
    at_least_one(value).ok().filter(|&n| n <= 8).ok_or_else(|| "expected 1 to 8".to_owned())
}

fn style(name: &str) -> Result<String, String> {
    let known = || Style::ALL.map(Style::name).join(", ");
    Style::named(name).map(|_| name.to_owned()).ok_or_else(|| format!("expected some of {}", known()))
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let pages = pages(args)?;
    if pages.is_empty() {
        return Err(Failure::Failed("no page has enough text to be asked about".to_owned()));
    }
    let (n_pages, settings) = (pages.len(), settings(args)?);
    let mut log = args.run.replies(&args.out)?;
    let mut generator = Generator::new(pages, settings);
    announce(&format!("{n_pages} pages"), generator.cost(&|request| log.has(request)));
    if args.run.dry_run {
        return Ok(());
    }
    let endpoint = args.run.endpoint("the questions")?;
    let model = args.model.lazy();
    let Some(session) = model.session()? else {
        return Err(Failure::Failed(
            "pages are clustered by the embedding model: give it with --embedder DIR".to_owned(),
        ));
    };
    for number in 1.. {
        match generator.next_action() {
            GenerationAction::Ask(request) => match log.reply(&request.clone(), &endpoint)? {
                Some(reply) => generator.replied(&reply),
                None => generator.failed(),
            },
            GenerationAction::Embed(summaries) => {
                let vectors = embedding::embed(session, summaries.to_vec(), one_per_core(), &|_| {})?;
                generator.embedded(&vectors);
            }
            GenerationAction::Done => break,
        }
        if number % TICK == 0 {
            let (what, left) = generator.progress();
            note!("{left} {what} left");
        }
    }
    let (questions, tally) = generator.finish();
    write_lines(&args.out, questions.iter().map(question_json))?;
    report(&tally, log.usage());
    if questions.is_empty() {
        return Err(Failure::Failed(format!("{}: no question counts, see above", args.out.display())));
    }
    Ok(())
}

fn settings(args: &Args) -> Result<Settings, Failure> {
    Ok(Settings {
        budget: args.budget,
        chunks: args.chunks,
        clusters: args.clusters,
        styles: args.styles.iter().filter_map(|name| Style::named(name)).collect(),
        max_pages: args.sample_pages,
        seed: args.seed,
        profile: crate::llm::profile(&args.profile)?,
    })
}

/// The pages of the library's documents, or of the files.
fn pages(args: &Args) -> Result<Vec<SourcePage>, Failure> {
    if let [directory] = args.sources.as_slice()
        && directory.is_dir()
    {
        let index = Store::open(directory)?.index()?;
        return Ok(index.iter().flat_map(|(_, entry)| pages_of(entry.segment().document())).collect());
    }
    let documents: Result<Vec<Document>, Failure> =
        args.sources.iter().map(|path| args.read.document(path)).collect();
    Ok(documents?.iter().flat_map(pages_of).collect())
}

/// A question as a line of the output.
fn question_json(question: &Question) -> Value {
    let Question { id, question, answer, style, is_unnamed, sources } = question;
    let quoted: Vec<&testset::Source> = sources.iter().filter(|source| !source.quotes.is_empty()).collect();
    let quotes = |source: &testset::Source| -> Vec<Value> {
        let quote = |quote: &testset::Quote| {
            let ranges: Vec<[u32; 2]> = quote.ranges.iter().map(|range| [range.start, range.end]).collect();
            json!({ "text": quote.text, "ranges": ranges, "status": quote.status.name() })
        };
        source.quotes.iter().map(quote).collect()
    };
    let source = |source: &testset::Source| json!({ "document": source.document, "page": source.page, "quotes": quotes(source) });
    json!({
        "qid": id,
        "query": question,
        "answer": answer,
        "answerable": true,
        "document": sources.first().map(|source| &source.document),
        "passages": quoted.iter().map(|source| &source.id).collect::<Vec<_>>(),
        "style": style.name(),
        "unnamed": is_unnamed,
        "sources": sources.iter().map(source).collect::<Vec<_>>(),
    })
}

fn report(tally: &Tally, usage: Usage) {
    let Tally { summarised, not_summarised, clusters, asked_again, kept, dropped } = tally;
    say!("{:16} {summarised:>8}", "pages summarised");
    say!("{:16} {not_summarised:>8}", "without summary");
    say!("{:16} {clusters:>8}", "clusters");
    say!("{:16} {kept:>8}", "questions kept");
    for (reason, n) in dropped {
        say!("{:16} {n:>8}  dropped", reason.name());
    }
    say!("{:16} {asked_again:>8}", "asked again");
    usage.report();
}
