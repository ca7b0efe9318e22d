//! `pincite eval retrieval`: rank a corpus of ready-made passages, or the documents of a library, for judged queries,
//! and measure.
//!
//! Passages go through the same index and the same search as a user's documents: documents of articles,
//! each with the vector of a child. No score filter; passages under 5 characters are left out; a passage longer
//! than the encoder is embedded up to its size. Of a library the judgments name pages: `pages.rs`.

pub(crate) mod corpus;
mod features;
mod pages;
mod report;
pub(crate) mod vectors;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::index::Index;
use ::index::vector::{Ann, Exact, Hnsw, HnswParams, QueryVector, VectorIndex};
use document::Hit;
use engine::Embedder;
use evaluate::ranking::{Judgments, Metrics, measure, order};
use retrieval::{
    AnalyzedQuery, Blend, Bm25, Filter, Fusion, Glossary, LambdaMart, LengthNorm, Lexicon, ModelScripts,
    Norm, Options, Query, RERANK_DEPTH, Ranker, Reranker, Rrf, SearchUnits,
};
use text::AnalyzerKind;

use crate::failure::Failure;
use crate::store::Store;
use corpus::{Children, Corpus, Queries};
use pages::Pages;
use report::{Run, report};

/// Length of a run for each query, and depth of each retriever.
const N_RUN: usize = 1000;

/// Arguments of `pincite eval retrieval`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The passages: JSON lines with `id`, `text`, optional `title`, `chapter`; may be gzipped.
    #[arg(long, required_unless_present = "library")]
    corpus: Option<PathBuf>,
    /// A library with vectors instead of passages; judgments then name pages, `file.pdf#7,8` for either of two.
    #[arg(long, conflicts_with_all = ["corpus", "features", "vectors", "analyzer"])]
    library: Option<PathBuf>,
    /// With --library: search each question only in the document that this field of it names.
    #[arg(long, requires = "library", value_name = "FIELD")]
    within: Option<String>,
    /// With --library: count only the first N words of each ranking.
    #[arg(long, requires = "library")]
    words: Option<usize>,
    /// The units that are ranked: whole passages (`article`), their children of sentences (`child`), or both. Default:
    /// articles of a corpus, both of a library.
    #[arg(long, value_parser = ["child", "article", "both"])]
    units: Option<String>,
    /// The questions: JSON lines with `qid`, `query` and fields for --by; may be gzipped.
    #[arg(long)]
    queries: PathBuf,
    /// The judgments: `qid 0 id relevance`; may be gzipped.
    #[arg(long)]
    qrels: PathBuf,
    /// File for the best 1,000 passages of each question, as a TREC run.
    #[arg(long)]
    run: Option<PathBuf>,
    /// The ranker. `default` is that of `search`.
    #[arg(long, default_value = "default", value_parser = ["bm25", "dense", "rrf", "blend", "ltr", "default"])]
    ranker: String,
    /// LightGBM text model for `ltr`; default: the one that ships.
    #[arg(long)]
    ranking_model: Option<PathBuf>,
    /// Directory for the features of all candidates, for training.
    #[arg(long, value_name = "DIR")]
    features: Option<PathBuf>,
    /// The analyzer.
    #[arg(long, default_value = "default", value_parser = ["default", "lucene"])]
    analyzer: String,
    /// `flat`: title, chapter and text as one field.
    #[arg(long, default_value = "default", value_parser = ["default", "flat"])]
    fields: String,
    /// BM25's k1.
    #[arg(long)]
    k1: Option<f32>,
    /// BM25's b.
    #[arg(long)]
    b: Option<f32>,
    /// Weight of a term in title or chapter.
    #[arg(long)]
    header_weight: Option<f32>,
    /// Precision of document lengths; `lucene` rounds as its index does. Default: that of --analyzer.
    #[arg(long, value_parser = ["exact", "lucene"])]
    length: Option<String>,
    /// Normalisation of the scores of `blend`.
    #[arg(long, default_value = "z-score", value_parser = ["z-score", "min-max"])]
    norm: String,
    /// Weight of the dense score in `blend`, 0 to 1.
    #[arg(long)]
    dense_weight: Option<f32>,
    /// Weight of expansions of the question's words, at least 0.
    #[arg(long)]
    expansion_weight: Option<f32>,
    /// Whether provisions named in the question are ranked first.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    named: bool,
    /// The vector index.
    #[arg(long, default_value = "auto", value_parser = ["exact", "hnsw", "auto"])]
    ann: String,
    /// Candidates of each retriever, default 1,000; the limit of a run.
    #[arg(long)]
    depth: Option<usize>,
    /// Cutoffs of the metrics.
    #[arg(long, value_delimiter = ',', default_value = "1,5,10,20")]
    ks: Vec<usize>,
    /// Break the figures down by this field of the questions.
    #[arg(long)]
    by: Option<String>,
    /// Directory of the embedding model.
    #[arg(long)]
    embedder: Option<PathBuf>,
    /// File that caches vectors; used where texts and model are the same.
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.ks.is_empty() || args.ks.contains(&0) {
        return Err(Failure::Usage("--ks: expected numbers from 1, such as 5,10".to_owned()));
    }
    let queries = Queries::read(&args.queries, &args.qrels)?;
    let mut index = Index::default();
    let source = Source::read(args, &mut index)?;
    eprintln!("{}, {} questions", source.size(&index), queries.n_judged());
    let (ranker, query_vectors) = match legs(args, &queries)? {
        Legs::Lexical(ranker) => (ranker, None),
        Legs::Dense(session, ranker) => {
            let vectors = source.embed(session.as_ref(), &queries, args, &mut index)?;
            (ranker, Some((session.fingerprint().to_owned(), vectors)))
        }
    };
    let options = options(args, ranker);
    let fingerprint = query_vectors.as_ref().map_or("", |(fingerprint, _)| fingerprint.as_str());
    let graph = graph(args, &index, fingerprint);
    let exact = Exact::new(&index);
    let graph = graph.as_ref().map(|graph| graph.attach(&index).eager());
    let vector_index: &dyn VectorIndex = graph.as_ref().map_or(&exact, |graph| graph);
    let lexicon = Lexicon::of(&index);
    let glossary = Glossary::default();
    if let (Some(out), Source::Corpus(corpus)) = (&args.features, &source) {
        let vector =
            |at: usize| query_vectors.as_ref().and_then(|(_, vectors)| vectors.get(at)).map(Vec::as_slice);
        let source =
            features::Source { index: &index, vectors: vector_index, options: &options, fingerprint };
        return features::write(out, &source, corpus, &queries, &vector);
    }
    let named = second_stage(args)?;
    let is_ranked_again = matches!(args.ranker.as_str(), "ltr" | "default");
    let mut run = Run::create(args.run.as_ref(), &args.ranker)?;
    let mut measured: Vec<Vec<Metrics>> = Vec::new();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, question) in queries.judged().enumerate() {
        let values = query_vectors.as_ref().and_then(|(_, vectors)| vectors.get(at)).map(Vec::as_slice);
        let vector = values.map(|values| QueryVector { fingerprint, values });
        let read = AnalyzedQuery::read(&question.text, &lexicon, &glossary);
        let query = Query {
            text: &question.text,
            vector,
            analysis: Some(&read),
            citations: Some(lexicon.citations()),
        };
        let second = match &named {
            Some(named) => Some(named as &dyn Reranker),
            None => engine::second_stage(&question.text).filter(|_| is_ranked_again),
        };
        let filter = source.filter(args, question, &index);
        let options = Options { filter, ..options.clone() };
        let hits = retrieval::search_with(&index, vector_index, second, &query, &options);
        let judgments = queries.judgments(&question.qid);
        let results = source.results(&hits, judgments, &index);
        let ranking = order(&results);
        run.write(&question.qid, &results)?;
        measured.push(args.ks.iter().map(|&k| measure(&ranking, judgments, k).unwrap_or_default()).collect());
        if let Some(by) = &args.by {
            groups.entry(question.field(by)).or_default().push(at);
        }
    }
    run.finish()?;
    report(args, &options, &measured, &groups)
}

/// The collection that is ranked.
enum Source {
    /// Ready-made passages.
    Corpus(Corpus),
    /// The pages of a library's documents.
    Pages(Pages),
}

impl Source {
    fn read(args: &Args, index: &mut Index) -> Result<Self, Failure> {
        let Some(path) = &args.corpus else {
            let library = args.library.as_deref().unwrap_or_else(|| Path::new(""));
            *index = Store::open(library)?.index()?;
            return Ok(Self::Pages(Pages { words: args.words }));
        };
        let corpus = Corpus::read(path)?;
        let analyzer = if args.analyzer == "lucene" { AnalyzerKind::Lucene } else { AnalyzerKind::Default };
        let children = if units(args) == SearchUnits::Article { Children::Same } else { Children::Cut };
        for segment in corpus.segments(analyzer, children) {
            index.insert(Arc::new(segment));
        }
        Ok(Self::Corpus(corpus))
    }

    fn size(&self, index: &Index) -> String {
        match self {
            Self::Corpus(corpus) => format!("{} passages", corpus.n_passages()),
            Self::Pages(_) => format!("{} documents", index.n_documents()),
        }
    }

    /// Embeds the questions, and the passages of a corpus; a library has its vectors.
    fn embed(
        &self,
        session: &engine::Session,
        queries: &Queries,
        args: &Args,
        index: &mut Index,
    ) -> Result<Vec<Vec<f32>>, Failure> {
        match self {
            Self::Corpus(_) if units(args) != SearchUnits::Article => {
                Err(Failure::Usage("--units: children of passages are ranked by words alone".to_owned()))
            }
            Self::Corpus(corpus) => vectors::embed(session, corpus, queries, args.vectors.as_deref(), index),
            Self::Pages(_) => {
                let questions: Vec<String> = queries.judged().map(|question| question.text.clone()).collect();
                vectors::rows("questions", &questions, session, None)
            }
        }
    }

    fn filter(&self, args: &Args, question: &corpus::Question, index: &Index) -> Filter {
        let within = args.within.as_ref().map(|field| question.field(field));
        let documents = within.map(|name| index.find_by_name(&name).into_iter().collect());
        Filter { documents, ..Filter::default() }
    }

    /// The judged ids of the hits, with their scores.
    fn results(&self, hits: &[Hit], judgments: &Judgments, index: &Index) -> Vec<(String, f64)> {
        match self {
            Self::Corpus(corpus) => {
                // A passage has the score of its best child.
                let mut seen = BTreeSet::new();
                let ids = hits.iter().map(|hit| (corpus.id_of(index, hit.document, hit.chunk), hit.score));
                let first = ids.filter(|(id, _)| seen.insert(*id));
                first.map(|(id, score)| (id.to_owned(), f64::from(score))).collect()
            }
            Self::Pages(pages) => pages.results(hits, judgments, index),
        }
    }
}

fn units(args: &Args) -> SearchUnits {
    match args.units.as_deref() {
        Some("child") => SearchUnits::Child,
        Some("article") => SearchUnits::Article,
        Some(_) => SearchUnits::Both,
        None if args.library.is_some() => SearchUnits::Both,
        None => SearchUnits::Article,
    }
}

/// The reranker of that name.
fn second_stage(args: &Args) -> Result<Option<LambdaMart>, Failure> {
    let Some(path) = &args.ranking_model else { return Ok(None) };
    if args.ranker != "ltr" {
        return Err(Failure::Usage("--ranking-model goes with --ranker ltr".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path, &error))?;
    let learned = LambdaMart::parse(&text);
    learned.map(Some).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// The retrievers that take part.
enum Legs {
    /// Words alone.
    Lexical(Ranker),
    /// Words and vectors.
    Dense(Box<engine::Session>, Ranker),
}

fn legs(args: &Args, queries: &Queries) -> Result<Legs, Failure> {
    if args.ranker == "bm25" {
        return Ok(Legs::Lexical(Ranker::Lexical));
    }
    let ranker = match args.ranker.as_str() {
        "dense" => Ranker::Dense,
        "rrf" => Ranker::Hybrid(Fusion::Rrf(Rrf::default())),
        "blend" => {
            let norm = if args.norm == "min-max" { Norm::MinMax } else { Norm::ZScore };
            let dense_weight = args.dense_weight.unwrap_or(Blend::default().dense_weight);
            Ranker::Hybrid(Fusion::Blend(Blend { norm, dense_weight }))
        }
        // `search` uses no vectors for questions in these scripts.
        _ if queries.judged().all(|question| text::is_mostly_cjk(&question.text)) => {
            return Ok(Legs::Lexical(Ranker::default()));
        }
        _ => Ranker::default(),
    };
    match crate::model::load(args.embedder.as_deref())? {
        Some(session) => Ok(Legs::Dense(Box::new(session), ranker)),
        None if matches!(args.ranker.as_str(), "default" | "ltr") => {
            eprintln!("no model found: ranking without vectors, as `search` does");
            Ok(Legs::Lexical(ranker))
        }
        None => Err(Failure::Failed(format!(
            "--ranker {} needs a model, expected in --embedder DIR",
            args.ranker
        ))),
    }
}

fn depth(args: &Args) -> usize {
    args.depth.unwrap_or(if args.features.is_some() { RERANK_DEPTH as usize } else { N_RUN })
}

fn options(args: &Args, ranker: Ranker) -> Options {
    let usual = Bm25::default();
    let length = match args.length.as_deref() {
        Some("lucene") => LengthNorm::Lucene,
        Some(_) => LengthNorm::Exact,
        None if args.analyzer == "lucene" => LengthNorm::Lucene,
        None => LengthNorm::Exact,
    };
    let header_weight =
        if args.fields == "flat" { 1.0 } else { args.header_weight.unwrap_or(usual.header_weight) };
    let bm25 = Bm25 { k1: args.k1.unwrap_or(usual.k1), b: args.b.unwrap_or(usual.b), header_weight, length };
    Options {
        k: depth(args).min(N_RUN),
        depth: depth(args),
        units: units(args),
        ranker,
        // A named ranker is measured alone; the default is the pipeline of `search`.
        model_scripts: if matches!(args.ranker.as_str(), "default" | "ltr") {
            ModelScripts::default()
        } else {
            ModelScripts::All
        },
        bm25,
        named: args.named,
        expansion_weight: args.expansion_weight.unwrap_or(Options::default().expansion_weight),
        filter: Filter::default(),
        explain: false,
    }
}

fn graph(args: &Args, index: &Index, fingerprint: &str) -> Option<Hnsw> {
    let ann = match args.ann.as_str() {
        "exact" => Ann::Exact,
        "hnsw" => Ann::Hnsw,
        _ => Ann::Auto,
    };
    let n_vectors = Exact::new(index).n_vectors();
    if n_vectors == 0 || !ann.wants_graph(n_vectors) {
        return None;
    }
    eprintln!("linking {n_vectors} vectors");
    let params =
        HnswParams { ef_search: depth(args).max(HnswParams::default().ef_search), ..HnswParams::default() };
    Some(Hnsw::build(index, fingerprint, params))
}
