//! A query and an index to ranked, explained hits.
//!
//! ```text
//! terms  → BM25 over the postings ─┐
//!                                  ├→ union → fused score → children folded into their articles → hits
//! vector → nearest vectors ────────┘
//! ```
//!
//! Two legs look at every document of a snapshot: [`Bm25`] at its children, articles and notes, the vectors at
//! its children and notes. Each gives its best [`Options::depth`]. [`Fusion`] makes one score of the two.
//! Equal scores are ordered by document and chunk, so the same snapshot and query always give the same list.
//!
//! **Documents that have no vectors yet** are judged by their lexical evidence alone: where a chunk has no
//! vector its lexical standing takes the place of the dense one in the fusion, so that it neither gains nor
//! loses against itself embedded. The document's [`index::Entry::is_embedded`] says what was used.
//!
//! No model here: the query's vector is given, and only vectors of the same model are compared with it.

mod bm25;
mod explain;
mod features;
mod filter;
mod forest;
mod fusion;
mod knn;
mod linear;
mod named;
mod parents;
mod proximity;
mod query;
mod question;
mod questions;
mod rank;
mod rerank;
mod whole;

#[cfg(test)]
mod tests;

use document::Hit;
use index::Index;
use index::vector::{Exact, VectorIndex};

pub use bm25::{Bm25, LengthNorm, idf};
pub use features::{Feature, Features, Group, Stage, features};
pub use filter::Filter;
pub use forest::{Forest, ForestError};
pub use fusion::{Blend, Fusion, Norm, Rrf};
pub use linear::Linear;
pub use parents::parents_of;
pub use proximity::{Evidence, Matcher};
pub use query::{ModelReads, Options, Query, Ranker, Units};
pub use question::{
    Expansion, ExpansionSource, Glossary, Lexicon, NamedDocument, NamedEntity, NamedProvision, NamedSection,
    NamedTerm, Question,
};

pub use questions::over_questions;
pub use rank::Candidate;
pub use rerank::{Learned, Rerank, Rescored};

/// Whether a filter leaves anything to find.
pub fn holds_any(index: &Index, options: &Options) -> bool {
    let scope = filter::Scope::new(index, options);
    index.iter().any(|(document, entry)| {
        scope.holds_document(document)
            && entry.segment().units().iter().any(|&chunk| scope.holds(document, chunk))
    })
}

/// How deep in each leg's list a second stage looks; what is below follows in the order of the first. Deeper is
/// better (Gokhan et al., C.1), and slower.
pub const SECOND_DEPTH: u32 = 200;

/// The best hits for a query, by a scan over all vectors and without a second stage.
pub fn search(index: &Index, query: &Query<'_>, options: &Options) -> Vec<Hit> {
    search_with(index, &Exact::new(index), None, query, options)
}

/// The best hits for a query, with vectors searched as the caller says, and ranked again by a second stage where
/// there is one and the ranker is [`Ranker::Hybrid`]. `vectors` must be of this snapshot.
pub fn search_with(
    index: &Index,
    vectors: &dyn VectorIndex,
    second: Option<&dyn Rerank>,
    query: &Query<'_>,
    options: &Options,
) -> Vec<Hit> {
    search_watched(index, vectors, second, query, options, &mut |_| {})
}

/// A part of a search. What it costs is measured by who has a clock; there is none here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The question is read.
    Analysis,
    /// The lexical leg is searched.
    Lexical,
    /// The vectors are searched.
    Dense,
    /// The candidates of both legs are ranked and explained.
    Ranking,
}

/// [`search_with`], saying when each step is done, in the order of [`Step`].
pub fn search_watched(
    index: &Index,
    vectors: &dyn VectorIndex,
    second: Option<&dyn Rerank>,
    query: &Query<'_>,
    options: &Options,
    done: &mut dyn FnMut(Step),
) -> Vec<Hit> {
    let scope = filter::Scope::new(index, options);
    let lexical = bm25::Leg::ask(index, query, options, &scope);
    done(Step::Analysis);
    let lexical = lexical.search(index, options, &scope);
    done(Step::Lexical);
    let vector = query.vector.filter(|_| options.uses_vector(query));
    let dense = knn::Leg::search(index, vectors, vector, options, &scope);
    done(Step::Dense);
    let mut named = named::Named::of(index, query.question, options, &scope);
    let candidates = rank::union(index, &lexical, &dense, &named);
    let second = second.filter(|_| matches!(options.ranker, Ranker::Hybrid(_)));
    let is_head: Vec<bool> = candidates.iter().map(|found| found.is_within(SECOND_DEPTH)).collect();
    let rescored = second.map(|second| {
        let head = candidates.iter().zip(&is_head).filter(|(_, is_head)| **is_head);
        let head: Vec<Candidate> = head.map(|(found, _)| found.clone()).collect();
        let stage = &features::Stage {
            index,
            question: query.text,
            read: query.question,
            citations: query.citations,
            lexical: &lexical,
            dense: &dense,
            bm25: &options.bm25,
            explain: options.explain,
        };
        (second.name(), second.rescore(&head, stage))
    });
    let mut scored = fusion::score(candidates, &lexical, &dense, options);
    if let Some((name, rescored)) = rescored {
        rerank::apply(name, rescored, &is_head, &mut scored);
    }
    let whole = whole::Whole::raise(&mut scored, index, query, &lexical, options);
    named.raise(&mut scored);
    let ranked = rank::rank(scored, index, options);
    let hits =
        explain::hits(ranked, index, &lexical, &explain::Lifts { named: &named, whole: &whole }, options);
    done(Step::Ranking);
    hits
}

/// The candidates of a query and their features, for whoever trains or looks at a second stage.
pub fn candidates_with_features(
    index: &Index,
    vectors: &dyn VectorIndex,
    query: &Query<'_>,
    options: &Options,
) -> (Vec<Candidate>, Features) {
    let scope = filter::Scope::new(index, options);
    let lexical = bm25::Leg::ask(index, query, options, &scope).search(index, options, &scope);
    let vector = query.vector.filter(|_| options.uses_vector(query));
    let dense = knn::Leg::search(index, vectors, vector, options, &scope);
    let named = named::Named::of(index, query.question, options, &scope);
    let candidates = rank::union(index, &lexical, &dense, &named);
    let stage = &features::Stage {
        index,
        question: query.text,
        read: query.question,
        citations: query.citations,
        lexical: &lexical,
        dense: &dense,
        bm25: &options.bm25,
        explain: false,
    };
    let features = features::extract(&candidates, stage);
    (candidates, features)
}
