//! Hybrid retrieval: a query and an index to ranked, explained hits.
//!
//! ```text
//! terms  → BM25 over the postings ─┐
//!                                  ├→ union → fused score → reranked → articles absorb their children → hits
//! vector → nearest vectors ────────┘
//! ```
//!
//! Two retrievers search every document of a snapshot: [`Bm25`] its children, articles and notes, the vectors its
//! children and notes. Each lists its best [`Options::depth`]. [`Fusion`] makes one score of the two. Equal scores are
//! ordered by document and chunk, so the same snapshot and query always give the same list.
//!
//! **Documents without vectors** are ranked by lexical evidence alone: where a chunk has no vector, its cosine is
//! estimated from its lexical score and the scores of the candidates that have both (`estimate.rs`), so that embedding it
//! changes its rank as little as possible. [`passages_by_words`] lists those whose vectors a query needs first;
//! [`ModelScripts::missing_rows`] says which of a document are still to come: those that the model cannot read get none.
//!
//! No model here: the caller embeds the question, and only vectors of the same model are compared with it.

mod analysis;
mod bm25;
mod boost;
mod candidate;
mod estimate;
mod explain;
mod features;
mod filter;
mod forest;
mod fusion;
mod glossary_use;
mod knn;
mod linear;
mod multi_query;
mod options;
mod parents;
mod proximity;
mod query;
mod rank;
mod rerank;
mod search;

#[cfg(test)]
mod tests;

pub use analysis::{
    AnalyzedQuery, Concept, Expansion, ExpansionSource, Glossary, Lexicon, NamedDocument, NamedEntity,
    NamedProvision, NamedSection, NamedTerm, Thesaurus,
};
pub use bm25::{idf, saturation};
pub use candidate::Candidate;
pub use features::{Feature, FeatureContext, FeatureGroup, FeatureMatrix, features};
pub use forest::{Forest, ForestError};
pub use glossary_use::{GlossaryUse, glossary_uses, with_glossary_words};
pub use linear::LinearRanker;
pub use multi_query::fuse_queries;
pub use options::{
    Blend, Bm25, DEPTH, Filter, Fusion, LengthNorm, ModelScripts, Norm, Options, Ranker, Rrf, SearchUnits,
};
pub use parents::parents_of;
pub use query::Query;
pub use rerank::{LambdaMart, Reranker, Rescored};
pub use search::{
    RERANK_DEPTH, SearchStep, candidates_with_features, has_matching_units, passages_by_words, search,
    search_with, search_with_progress,
};
