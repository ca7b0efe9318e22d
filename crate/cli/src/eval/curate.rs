//! `pincite eval curate`: pairs of questions and rewrites that bring the source passage strictly nearer the top, by words
//! and by vectors, as training examples of a rewriter.
//!
//! The method is that of crate `testset`; here are the library, the two rankings (`curate/ranking.rs`), the endpoint and
//! the files. `OUT` has the examples, `OUT` with `.pairs.jsonl` every pair with its ranks before and after.
//! `models/rewriter/` trains with them.

mod ranking;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use testset::{CurationAction, CurationTally, Curator, Pair, Sourced, TrainingFormat, pages_of};

use crate::endpoint::Endpoint;
use crate::eval::model_replies::{ModelReplies, RunArgs, Usage, announce};
use crate::eval::output::write_lines;
use crate::eval::retrieval::corpus::{JudgedQuestion, read_questions};
use crate::eval::retrieval::pages::gold_place;
use crate::failure::Failure;
use crate::index::ModelArgs;
use crate::store::Store;
use ranking::Ranking;

/// Longest source passage in a request, in bytes.
const MAX_PASSAGE: usize = 16_000;
/// Requests between two lines of progress.
const TICK: usize = 10;

/// Arguments of `pincite eval curate`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library that the questions are about. Their source pages are sent to the endpoint.
    library: PathBuf,
    /// The questions: JSON lines with `qid`, `query` and `passages`, pages such as `file.pdf#7`, as `eval generate` writes
    /// them; may be gzipped. Those about documents without pages are left out.
    #[arg(long)]
    queries: PathBuf,
    /// The training examples to write, JSON lines. All pairs with their ranks go beside them, into `.pairs.jsonl`, and the
    /// replies into `.replies.jsonl`.
    #[arg(long)]
    out: PathBuf,
    /// Form of the examples: TRL's prompt and completion, or LLaMA-Factory's alpaca or sharegpt.
    #[arg(long, value_enum, default_value = "trl")]
    format: Format,
    /// Rewrites of a question.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=3))]
    rewrites: u32,
    /// Profile that the rewriter is trained for: its role stands in the prompt. A name or a TOML file.
    #[arg(long, value_name = "NAME | FILE", default_value = "general")]
    profile: String,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    model: ModelArgs,
}

/// Names of the forms of examples.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Trl,
    Alpaca,
    Sharegpt,
}

impl From<Format> for TrainingFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Trl => Self::Trl,
            Format::Alpaca => Self::Alpaca,
            Format::Sharegpt => Self::Sharegpt,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let index = Store::open(&args.library)?.index()?;
    let texts: BTreeMap<String, String> = index
        .iter()
        .flat_map(|(_, entry)| pages_of(entry.segment().document()))
        .map(|page| (page.id(), page.text))
        .collect();
    let (sources, questions) = sourced(args, &texts)?;
    let profile = crate::llm::profile(&args.profile)?;
    let mut log = args.run.replies(&args.out)?;
    let mut curator = Curator::new(questions, args.rewrites, profile.clone());
    announce(&format!("{} questions", sources.len()), curator.cost(&|request| log.has(request)));
    if args.run.dry_run {
        return Ok(());
    }
    let endpoint = args.run.endpoint("the rewrites")?;
    let model = args.model.lazy();
    let Some(session) = model.session()? else {
        return Err(Failure::Failed(
            "passages are ranked by vectors too: give the embedding model with --embedder DIR".to_owned(),
        ));
    };
    let ranking = Ranking::new(&index, session)?;
    work(&mut curator, &sources, &ranking, &mut log, &endpoint)?;
    let (pairs, tally) = curator.finish();
    write_lines(&args.out.with_extension("pairs.jsonl"), pairs.iter().map(pair_json))?;
    let format = TrainingFormat::from(args.format);
    let kept = pairs.iter().filter(|pair| pair.is_kept());
    write_lines(&args.out, kept.map(|pair| format.example(pair, &profile)))?;
    report(&tally, log.usage());
    Ok(())
}

/// Does all that the curator asks for; `sources` has the pages of each question.
fn work(
    curator: &mut Curator,
    sources: &[Vec<String>],
    ranking: &Ranking<'_>,
    log: &mut ModelReplies,
    endpoint: &Endpoint,
) -> Result<(), Failure> {
    let mut n_asked = 0;
    loop {
        match curator.next_action() {
            CurationAction::Rank(at, queries) => {
                let wanted = sources.get(at).map(Vec::as_slice).unwrap_or_default();
                let ranks = ranking.ranks(queries, wanted)?;
                curator.ranked(&ranks);
            }
            CurationAction::Ask(request) => {
                match log.reply(&request.clone(), endpoint)? {
                    Some(reply) => curator.replied(&reply),
                    None => curator.failed(),
                }
                n_asked += 1;
                if n_asked % TICK == 0 {
                    note!("{n_asked} of at most {} questions rewritten", sources.len());
                }
            }
            CurationAction::Done => return Ok(()),
        }
    }
}

/// The questions whose source pages are in the library: the ids of the pages, and the question with their text.
fn sourced(
    args: &Args,
    texts: &BTreeMap<String, String>,
) -> Result<(Vec<Vec<String>>, Vec<Sourced>), Failure> {
    let (mut sources, mut questions) = (Vec::new(), Vec::new());
    let mut n_without = 0;
    for question in read_questions(&args.queries)? {
        let ids = passages(&question);
        let found: Vec<&str> =
            ids.iter().flat_map(|id| pages(id)).filter_map(|id| texts.get(&id)).map(String::as_str).collect();
        if found.is_empty() {
            n_without += 1;
            continue;
        }
        let passage = answer::head(&found.join("\n\n"), MAX_PASSAGE).to_owned();
        let JudgedQuestion { qid, text, .. } = question;
        questions.push(Sourced { id: qid, question: text, passage });
        sources.push(ids);
    }
    if n_without > 0 {
        note!("{n_without} questions have no page in the library and are left out");
    }
    if questions.is_empty() {
        return Err(Failure::Failed(format!(
            "{}: no question has `passages` that are pages of {}, such as \"file.pdf#7\"",
            args.queries.display(),
            args.library.display()
        )));
    }
    Ok((sources, questions))
}

fn passages(question: &JudgedQuestion) -> Vec<String> {
    let listed = question.value("passages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    listed.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The ids of the single pages of a judged id: `a.pdf#7,8` is `a.pdf#7` and `a.pdf#8`. None for a document alone, which
/// has no rank.
fn pages(id: &str) -> Vec<String> {
    let place = gold_place(id);
    place.pages.iter().map(|page| format!("{}#{page}", place.document)).collect()
}

/// A pair as a line of `.pairs.jsonl`.
fn pair_json(pair: &Pair) -> Value {
    let Pair { id, question, rewrite, before, after } = pair;
    json!({
        "qid": id,
        "query": question,
        "rewrite": rewrite,
        "kept": pair.is_kept(),
        "bm25": { "before": before.bm25, "after": after.bm25 },
        "dense": { "before": before.dense, "after": after.dense },
    })
}

fn report(tally: &CurationTally, usage: Usage) {
    let CurationTally {
        questions,
        first_already,
        failed,
        unusable,
        asked_again,
        kept,
        not_by_words,
        not_by_vectors,
        in_neither,
    } = tally;
    say!("{:16} {questions:>8}", "questions");
    say!("{:16} {first_already:>8}  first already, by words or by vectors", "");
    say!("{:16} {failed:>8}  failed", "");
    say!("{:16} {unusable:>8}  with no usable reply", "");
    say!("{:16} {kept:>8}", "pairs kept");
    say!("{:16} {not_by_words:>8}  dropped, not nearer by words", "");
    say!("{:16} {not_by_vectors:>8}  dropped, not nearer by vectors", "");
    say!("{:16} {in_neither:>8}  dropped, nearer in neither", "");
    say!("{:16} {asked_again:>8}", "asked again");
    usage.report();
}
