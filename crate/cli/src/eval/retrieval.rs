//! `pincite eval retrieval`: rank a corpus of ready-made passages, or the documents of a library, for judged queries,
//! and measure.
//!
//! Passages go through the same index and the same search as a user's documents: documents of articles,
//! each with the vector of a child. No score filter; passages under 5 characters are left out; a passage longer
//! than the encoder is embedded up to its size. Of a library the judgments name pages: `pages.rs`.

mod args;
mod candidates;
pub(crate) mod corpus;
mod features;
pub(crate) mod pages;
pub(crate) mod report;
pub(crate) mod vectors;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use ::index::Index;
use ::index::vector::{Ann, Exact, Hnsw, HnswParams, QueryVector, VectorIndex};
use document::Hit;
use engine::Embedder;
use evaluate::ranking::{Judgments, Metrics, measure, order};
use retrieval::{
    AnalyzedQuery, Blend, Bm25, Filter, Fusion, Glossary, LambdaMart, LengthNorm, Lexicon, ModelScripts,
    Norm, Options, Query, Ranker, Reranker, Rrf, SearchUnits,
};
use text::AnalyzerKind;

use crate::failure::Failure;
use crate::store::Store;
pub(crate) use args::Args;
use corpus::{Children, Corpus, Queries};
use pages::Pages;
use report::{Run, report};
use vectors::TextEmbedder;

/// Length of a run for each query, and depth of each retriever.
const N_RUN: usize = 1000;
/// The same where features are written: what `models/train_ranker.py` trains on.
const N_FEATURES: usize = 200;

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.ks.is_empty() || args.ks.contains(&0) {
        return Err(Failure::Usage("--ks: expected numbers from 1, such as 5,10".to_owned()));
    }
    let queries = Queries::read(&args.queries, &args.qrels)?;
    let mut index = Index::default();
    let source = Collection::read(args, &mut index)?;
    note!("{}, {} questions", source.size(&index), queries.n_judged());
    let (ranker, query_vectors) = match retrievers(args, &queries)? {
        Retrievers::Lexical(ranker) => (ranker, None),
        Retrievers::Dense(session, ranker) => {
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
    if let (Some(out), Collection::Corpus(corpus)) = (&args.features, &source) {
        let vector =
            |at: usize| query_vectors.as_ref().and_then(|(_, vectors)| vectors.get(at)).map(Vec::as_slice);
        let source =
            features::FeatureContext { index: &index, vectors: vector_index, options: &options, fingerprint };
        return features::write(out, &source, corpus, &queries, &vector);
    }
    let thesaurus = args.thesaurus.as_deref().map(crate::search::read_thesaurus).transpose()?;
    let glossary = Glossary::default().with_thesaurus(thesaurus);
    let searched = Searched {
        args,
        index: &index,
        collection: &source,
        vectors: vector_index,
        lexicon: &lexicon,
        glossary,
    };
    let vector = |at: usize| {
        let values = query_vectors.as_ref().and_then(|(_, vectors)| vectors.get(at))?;
        Some(QueryVector { fingerprint, values })
    };
    let reranker = second_stage(args)?;
    let mut run = Run::create(args.run.as_ref(), &args.ranker)?;
    let mut measured: Vec<Vec<Metrics>> = Vec::new();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, question) in queries.judged().enumerate() {
        let judgments = queries.judgments(&question.qid);
        let results = searched.results(question, vector(at), reranker.as_ref(), &options, judgments);
        let ranked = order(&results);
        run.write(&question.qid, &results)?;
        measured.push(args.ks.iter().map(|&k| measure(&ranked, judgments, k).unwrap_or_default()).collect());
        if let Some(by) = &args.by {
            groups.entry(question.field(by)).or_default().push(at);
        }
    }
    run.finish()?;
    report(args, &options, &measured, &groups)
}

/// Index, collection and lexicon that every question is searched in.
struct Searched<'a> {
    args: &'a Args,
    index: &'a Index,
    collection: &'a Collection,
    vectors: &'a dyn VectorIndex,
    lexicon: &'a Lexicon,
    glossary: Glossary,
}

impl Searched<'_> {
    /// Judged ids with their scores, as the search ranks them.
    fn results(
        &self,
        question: &corpus::JudgedQuestion,
        vector: Option<QueryVector<'_>>,
        reranker: Option<&LambdaMart>,
        options: &Options,
        judgments: &Judgments,
    ) -> Vec<(String, f64)> {
        let analysis = AnalyzedQuery::read(&question.text, self.lexicon, &self.glossary);
        let query = Query {
            text: &question.text,
            vector,
            analysis: Some(&analysis),
            citations: Some(self.lexicon.citations()),
        };
        let is_reranked = matches!(self.args.ranker.as_str(), "ltr" | "default");
        let second = match reranker {
            Some(reranker) => Some(reranker as &dyn Reranker),
            None => engine::second_stage(&question.text).filter(|_| is_reranked),
        };
        let filter = self.collection.filter(self.args, question, self.index);
        let options = Options { filter, ..options.clone() };
        let hits = match self.args.candidates.filter(|_| vector.is_some()) {
            Some(n) => {
                let index = candidates::embedded(self.index, &query, &options, n);
                retrieval::search_with(&index, &Exact::new(&index), second, &query, &options)
            }
            None => retrieval::search_with(self.index, self.vectors, second, &query, &options),
        };
        self.collection.results(&hits, judgments, self.index)
    }
}

/// The collection that is ranked.
enum Collection {
    /// Ready-made passages.
    Corpus(Corpus),
    /// The pages of a library's documents.
    Pages(Pages),
}

impl Collection {
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
        session: &encoder::Session,
        queries: &Queries,
        args: &Args,
        index: &mut Index,
    ) -> Result<Vec<Vec<f32>>, Failure> {
        let questions: Vec<String> = queries.judged().map(|question| question.text.clone()).collect();
        let kept = args.vectors.as_deref();
        let embedder = TextEmbedder { session, n_threads: args.threads.count(), kept };
        if let Self::Corpus(corpus) = self {
            if units(args) != SearchUnits::Article {
                let why = "--units: children of passages are ranked by words alone";
                return Err(Failure::Usage(why.to_owned()));
            }
            let passages = embedder.passages(corpus, model_scripts(args))?;
            for (document, members) in corpus.members().enumerate() {
                vectors::add(index, document, members, &passages, session.fingerprint())?;
            }
        }
        embedder.rows("questions", &questions)
    }

    fn filter(&self, args: &Args, question: &corpus::JudgedQuestion, index: &Index) -> Filter {
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
enum Retrievers {
    /// Words alone.
    Lexical(Ranker),
    /// Words and vectors.
    Dense(Box<encoder::Session>, Ranker),
}

fn retrievers(args: &Args, queries: &Queries) -> Result<Retrievers, Failure> {
    if args.ranker == "bm25" {
        return Ok(Retrievers::Lexical(Ranker::Lexical));
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
        _ if !queries.judged().any(|question| ModelScripts::default().can_read(&question.text)) => {
            return Ok(Retrievers::Lexical(Ranker::default()));
        }
        _ => Ranker::default(),
    };
    match crate::model::load(args.embedder.as_deref(), args.activations)? {
        Some(session) => Ok(Retrievers::Dense(Box::new(session), ranker)),
        None if matches!(args.ranker.as_str(), "default" | "ltr") => {
            note!("no model found: ranking without vectors, as `search` does");
            Ok(Retrievers::Lexical(ranker))
        }
        None => Err(Failure::Failed(format!(
            "--ranker {} needs a model, expected in --embedder DIR",
            args.ranker
        ))),
    }
}

/// Scripts whose passages and questions are compared: a named ranker is measured alone, the default is the pipeline of
/// `search`.
fn model_scripts(args: &Args) -> ModelScripts {
    if matches!(args.ranker.as_str(), "default" | "ltr") {
        ModelScripts::default()
    } else {
        ModelScripts::All
    }
}

fn depth(args: &Args) -> usize {
    args.depth.unwrap_or(if args.features.is_some() { N_FEATURES } else { N_RUN })
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
        model_scripts: model_scripts(args),
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
    note!("linking {n_vectors} vectors");
    let params =
        HnswParams { ef_search: depth(args).max(HnswParams::default().ef_search), ..HnswParams::default() };
    Some(Hnsw::build(index, fingerprint, params))
}
