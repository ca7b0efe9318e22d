//! `pincite eval ask`: answer many questions from a corpus of ready-made passages.
//!
//! The passages become a library, as in `eval retrieval`, and each question is answered as by `pincite ask` without a
//! language model. Each line of the output is one answer with the corpus ids of the passages that it cites; `eval
//! answers` reads it. With `--library` the questions are asked of a library instead, and each line is an answer as
//! `pincite ask --json` prints it, with the question's `id`: what a process for each question would say, in a hundredth
//! of the time.

mod library;
mod output;

use std::path::PathBuf;

use engine::{AnswerOptions, Embedder as _, Library, Location, QueryVector, SearchOptions, SearchUnits};
use native::model::Activations;
use retrieval::ModelScripts;
use serde_json::{Value, json};
use text::AnalyzerKind;

use crate::eval::retrieval::corpus::{Children, Corpus, read_questions};
use crate::eval::retrieval::vectors::{self, TextEmbedder};
use crate::failure::Failure;
use crate::threads::ThreadArgs;
use output::Output;

/// Questions between two lines of progress.
const TICK: usize = 200;

/// Arguments of `pincite eval ask`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The passages: JSON lines with `id`, `text`, optional `title`, `chapter`; may be gzipped.
    #[arg(long, required_unless_present = "library")]
    corpus: Option<PathBuf>,
    /// Directory of a library to ask instead of a corpus.
    #[arg(long, value_name = "LIB", conflicts_with_all = ["corpus", "ranker", "k", "vectors"])]
    library: Option<PathBuf>,
    /// Glossary for a library: other words for terms, as a JSON object of lists.
    #[arg(long, value_name = "FILE", requires = "library")]
    glossary: Option<PathBuf>,
    /// Thesaurus for a library, as of `pincite ask`.
    #[arg(long, value_name = "FILE | none", requires = "library")]
    thesaurus: Option<PathBuf>,
    /// Compare no passage of a library with the question token by token, to measure what that does.
    #[arg(long, requires = "library")]
    no_comparison: bool,
    /// The questions: JSON lines with `qid` and `query`; may be gzipped.
    #[arg(long)]
    queries: PathBuf,
    /// The file of answers to write, JSON lines.
    #[arg(long)]
    out: PathBuf,
    /// The ranker. `default` is that of `ask`; `bm25` needs no model.
    #[arg(long, default_value = "default", value_parser = ["default", "bm25", "blend", "rrf"])]
    ranker: String,
    /// Passages retrieved for a question.
    #[arg(long, default_value_t = SearchOptions::for_answers().k)]
    k: usize,
    /// Answer every question, also on insufficient evidence, to measure the quotations alone.
    #[arg(long)]
    always: bool,
    /// Options of the answerer to try, as `name=value`: rank-share, rank-share-compared, max-whole-bytes, max-provisions, least, drop.
    #[arg(long = "try", value_name = "NAME=VALUE", value_delimiter = ',')]
    tried: Vec<String>,
    /// Answer only the first N questions.
    #[arg(long)]
    limit: Option<usize>,
    /// Directory of the embedding model.
    #[arg(long)]
    embedder: Option<PathBuf>,
    /// File that caches vectors; used where texts and model are the same.
    #[arg(long)]
    vectors: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut questions = read_questions(&args.queries)?;
    questions.truncate(args.limit.unwrap_or(usize::MAX));
    if let Some(directory) = &args.library {
        let embedder = args.embedder.as_deref();
        let library = library::AskedLibrary::load(
            directory,
            embedder,
            args.glossary.as_deref(),
            args.thesaurus.as_deref(),
            !args.no_comparison,
        )?;
        let mut out = Output::create(&args.out)?;
        for (at, question) in questions.iter().enumerate() {
            out.write(&library.answer(question, answering(args)?)?)?;
            progress(at, questions.len());
        }
        return out.finish();
    }
    let Some(corpus) = &args.corpus else {
        return Err(Failure::Usage("expected --corpus or --library".to_owned()));
    };
    let corpus = Corpus::read(corpus)?;
    note!("{} passages, {} questions", corpus.n_passages(), questions.len());
    let mut library = Library::new();
    for segment in corpus.segments(AnalyzerKind::Default, Children::Same) {
        library.add(&segment.encode())?;
    }
    let texts: Vec<String> = questions.iter().map(|question| question.text.clone()).collect();
    let session = match args.ranker.as_str() {
        "bm25" => None,
        // Questions in these scripts are searched by words alone and need no vectors.
        _ if !texts.iter().any(|question| ModelScripts::default().can_read(question)) => None,
        _ => crate::model::load(args.embedder.as_deref(), Activations::default())?,
    };
    let (mut fingerprint, mut question_vectors) = (String::new(), Vec::new());
    if let Some(session) = &session {
        let kept = args.vectors.as_deref();
        let embedder = TextEmbedder { session, n_threads: args.threads.count(), kept };
        fingerprint = session.fingerprint().to_owned();
        let passages = embedder.passages(&corpus, ModelScripts::default())?;
        for (document, members) in corpus.members().enumerate() {
            for batch in vectors::batches(document, members, &passages, &fingerprint)? {
                library.add_vectors(&batch.encode())?;
            }
        }
        question_vectors = embedder.rows("questions", &texts)?;
    } else {
        note!("answering without vectors");
    }
    let options = options(args)?;
    let answering = answering(args)?;
    let mut out = Output::create(&args.out)?;
    for (at, question) in questions.iter().enumerate() {
        let values = question_vectors.get(at).map(Vec::as_slice);
        let vector = values.map(|values| QueryVector { fingerprint: &fingerprint, values });
        let answer = library.ask_with(&question.text, vector, &options, answering)?;
        out.write(&answer_json(&question.qid, &answer, &corpus))?;
        progress(at, questions.len());
    }
    out.finish()
}

/// Prints progress after the question at an index.
fn progress(at: usize, n: usize) {
    if (at + 1).is_multiple_of(TICK) {
        note!("{} of {n} answered", at + 1);
    }
}

fn options(args: &Args) -> Result<SearchOptions, Failure> {
    let fusion = match args.ranker.as_str() {
        "rrf" => "rrf",
        "blend" | "bm25" => "blend",
        _ => "ltr",
    };
    // A passage of a corpus is an article with one child, which only carries the vector.
    let usual = SearchOptions { k: args.k, units: SearchUnits::Article, ..SearchOptions::for_answers() };
    if args.k == 0 || args.k > SearchOptions::MAX_K {
        return Err(Failure::Usage(format!("--k: expected 1 to {}", SearchOptions::MAX_K)));
    }
    Ok(usual.with_fusion(fusion)?)
}

/// The answerer's options: those that ship, with the changes to try.
fn answering(args: &Args) -> Result<AnswerOptions, Failure> {
    let mut options = AnswerOptions { always: args.always, ..AnswerOptions::default() };
    for tried in &args.tried {
        let bad = || Failure::Usage(format!("--try: expected name=value, found {tried:?}"));
        let (name, value) = tried.split_once('=').ok_or_else(bad)?;
        let number: f64 = value.parse().map_err(|_| bad())?;
        let count = || value.parse().map_err(|_| bad());
        match name {
            "rank-share" => options.rank_share = number,
            "beside-share" => options.beside_share = number,
            "rank-share-compared" => options.rank_share_compared = number,
            "keep-share" => options.keep_share = number,
            "max-whole-bytes" => options.max_whole_bytes = count()?,
            "max-provisions" => options.max_provisions = count()?,
            "beside-share-zh" => options.beside_share_zh = number,
            "least" => options.filter.get_or_insert_default().least = number,
            "drop" => options.filter.get_or_insert_default().drop = number,
            _ => return Err(bad()),
        }
    }
    Ok(options)
}

fn answer_json(qid: &str, answer: &engine::Answer, corpus: &Corpus) -> Value {
    let passage_at = |location: &Location| {
        let byte = location.spans.first().map_or(0, |span| span.range[0] as usize);
        (corpus.id_at(&location.document_id, byte).to_owned(), corpus.name_of(&location.document_id))
    };
    let citations = answer.own_citations().map(|citation| {
        let (passage, document) = passage_at(&citation.location);
        json!({
            "id": citation.id,
            "passage": passage,
            "document": document,
            "section_path": citation.location.section_path,
            "page": citation.location.page,
            "quote": citation.quote,
            "status": citation.status,
        })
    });
    let retrieved = answer.retrieved.iter().map(|found| {
        let (passage, document) = passage_at(&found.location);
        json!({ "passage": passage, "document": document, "score": found.score })
    });
    json!({
        "id": qid,
        "answer": answer.text,
        "sufficient": answer.sufficient,
        "citations": citations.collect::<Vec<_>>(),
        "retrieved": retrieved.collect::<Vec<_>>(),
        "missing": answer.missing,
    })
}
