//! A query of a search.

use index::CitationGraph;
use index::vector::QueryVector;

use crate::analysis::AnalyzedQuery;

/// A query: a question and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query<'a> {
    /// Text of the question.
    pub text: &'a str,
    /// Its embedding, if there is a model.
    pub vector: Option<QueryVector<'a>>,
    /// Its analysis over this snapshot, if there is one.
    pub analysis: Option<&'a AnalyzedQuery>,
    /// CitationGraph between the documents of this snapshot ([`crate::Lexicon::citations`]), if known.
    pub citations: Option<&'a CitationGraph>,
}
