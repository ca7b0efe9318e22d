//! A search from its query to its hits, step by step.

use std::collections::BTreeSet;

use document::{ChunkId, DocumentIdx, Hit};
use index::Index;
use index::vector::{Exact, VectorIndex};

use crate::bm25::LexicalRetriever;
use crate::boost::ProvisionBoosts;
use crate::candidate::Candidate;
use crate::features::{self, FeatureContext, FeatureMatrix};
use crate::filter::Scope;
use crate::knn::DenseRetriever;
use crate::options::{Options, Ranker};
use crate::query::Query;
use crate::rerank::{self, Reranker};
use crate::{estimate, explain, fusion, rank};

/// Number of candidates of each retriever that a second stage reranks; the others follow in the order of the first stage.
/// Twice as deep takes twice as long and ranks the first twenty no better (`crate/DECISIONS.md`).
pub const RERANK_DEPTH: u32 = 100;

/// True if the filter leaves any unit to find.
pub fn has_matching_units(index: &Index, options: &Options) -> bool {
    let scope = Scope::new(index, options);
    index.iter().any(|(document, entry)| {
        scope.holds_document(document)
            && entry.segment().units().iter().any(|&chunk| scope.holds(document, chunk))
    })
}

/// The best hits for a query, by a scan over all vectors and without a second stage.
pub fn search(index: &Index, query: &Query<'_>, options: &Options) -> Vec<Hit> {
    search_with(index, &Exact::new(index), None, query, options)
}

/// The best hits for a query. `vectors` searches the vectors of this snapshot; `second` reranks if the ranker is
/// [`Ranker::Hybrid`].
pub fn search_with(
    index: &Index,
    vectors: &dyn VectorIndex,
    second: Option<&dyn Reranker>,
    query: &Query<'_>,
    options: &Options,
) -> Vec<Hit> {
    search_with_progress(index, vectors, second, query, options, &mut |_| {})
}

/// A step of a search, in order. The caller has the clock to time it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStep {
    /// Analysis of the query's terms.
    Analysis,
    /// Lexical retrieval.
    Lexical,
    /// Dense retrieval.
    Dense,
    /// Fusion, reranking and explanation.
    Ranking,
}

/// [`search_with`], calling `done` at the end of each step.
pub fn search_with_progress(
    index: &Index,
    vectors: &dyn VectorIndex,
    second: Option<&dyn Reranker>,
    query: &Query<'_>,
    options: &Options,
    done: &mut dyn FnMut(SearchStep),
) -> Vec<Hit> {
    let retrieved = Retrieved::new(index, vectors, query, options, done);
    let second = second.filter(|_| matches!(options.ranker, Ranker::Hybrid(_)));
    let candidates = &retrieved.candidates;
    let is_head: Vec<bool> = candidates.iter().map(|candidate| candidate.is_within(RERANK_DEPTH)).collect();
    let rescored = second.map(|second| {
        let head = candidates.iter().zip(&is_head).filter(|(_, is_head)| **is_head);
        let head: Vec<Candidate> = head.map(|(candidate, _)| candidate.clone()).collect();
        (second.name(), second.rescore(&head, &retrieved.context(index, query, options)))
    });
    let Retrieved { lexical, dense, mut boosts, candidates } = retrieved;
    let mut scored = fusion::score(candidates, &lexical, &dense, options);
    if let Some((name, rescored)) = rescored {
        rerank::apply(name, rescored, &is_head, &mut scored);
    }
    boosts.apply(&mut scored);
    let ranked = rank::rank(scored, index, options);
    let hits = explain::hits(ranked, index, &lexical, &boosts, options);
    done(SearchStep::Ranking);
    hits
}

/// The passages whose vectors a search for the query needs first, as rows of their documents: the best `n` by its words,
/// best first. Provisions that it names lead; an article stands for its children.
pub fn passages_by_words(
    index: &Index,
    query: &Query<'_>,
    options: &Options,
    n: usize,
) -> Vec<(DocumentIdx, usize)> {
    let scope = Scope::new(index, options);
    let lexical = LexicalRetriever::new(index, query, options, &scope).search(index, options, &scope);
    let named = ProvisionBoosts::new(index, query.analysis, options, &scope);
    let chunks = named.units().chain(lexical.best.iter().map(|&(_, key)| key));
    let rows = |(document, chunk): (DocumentIdx, ChunkId)| {
        let entry = index.get(document).into_iter();
        entry.flat_map(move |entry| entry.segment().rows_of(chunk)).map(move |row| (document, row))
    };
    let mut seen = BTreeSet::new();
    chunks.flat_map(rows).filter(|row| seen.insert(*row)).take(n).collect()
}

/// The candidates of a query that a retriever ranks within `depth`, such as [`RERANK_DEPTH`], and their features: to train or
/// inspect a second stage.
pub fn candidates_with_features(
    index: &Index,
    vectors: &dyn VectorIndex,
    query: &Query<'_>,
    options: &Options,
    depth: u32,
) -> (Vec<Candidate>, FeatureMatrix) {
    let mut retrieved = Retrieved::new(index, vectors, query, options, &mut |_| {});
    retrieved.candidates.retain(|candidate| candidate.is_within(depth));
    let context = FeatureContext { explain: false, ..retrieved.context(index, query, options) };
    let features = features::extract(&retrieved.candidates, &context);
    (retrieved.candidates, features)
}

/// The output of retrieval.
struct Retrieved<'a> {
    lexical: LexicalRetriever,
    dense: DenseRetriever<'a>,
    boosts: ProvisionBoosts,
    candidates: Vec<Candidate>,
}

impl<'a> Retrieved<'a> {
    fn new(
        index: &'a Index,
        vectors: &dyn VectorIndex,
        query: &Query<'a>,
        options: &Options,
        done: &mut dyn FnMut(SearchStep),
    ) -> Self {
        let scope = Scope::new(index, options);
        let lexical = LexicalRetriever::new(index, query, options, &scope);
        done(SearchStep::Analysis);
        let lexical = lexical.search(index, options, &scope);
        done(SearchStep::Lexical);
        let vector = query.vector.filter(|_| options.uses_vector(query.text));
        let dense = DenseRetriever::search(index, vectors, vector, options, &scope);
        done(SearchStep::Dense);
        let boosts = ProvisionBoosts::new(index, query.analysis, options, &scope);
        let mut candidates = rank::union(index, &lexical, &dense, &boosts);
        // By vectors alone a chunk without one is not found.
        if !matches!(options.ranker, Ranker::Dense) {
            estimate::fill(&mut candidates, &dense);
        }
        Self { lexical, dense, boosts, candidates }
    }

    fn context<'b>(
        &'b self,
        index: &'b Index,
        query: &Query<'b>,
        options: &'b Options,
    ) -> FeatureContext<'b> {
        FeatureContext {
            index,
            question: query.text,
            analysis: query.analysis,
            citations: query.citations,
            lexical: &self.lexical,
            dense: &self.dense,
            bm25: &options.bm25,
            explain: options.explain,
        }
    }
}
