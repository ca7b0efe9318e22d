//! Input of feature extraction: a search after retrieval, and one candidate in it.

use document::DocumentIdx;
use index::{CitationGraph, Graph, Index, Posting, PostingList, Segment};

use crate::analysis::AnalyzedQuery;
use crate::bm25::LexicalRetriever;
use crate::knn::DenseRetriever;
use crate::options::Bm25;

/// A search after retrieval: the input of a [`Reranker`](crate::Reranker).
pub struct FeatureContext<'a> {
    /// The snapshot that is searched.
    pub index: &'a Index,
    /// The text of the question.
    pub question: &'a str,
    /// The analyzed question, if there is one.
    pub analysis: Option<&'a AnalyzedQuery>,
    /// Citations between the documents of the snapshot, if known.
    pub citations: Option<&'a CitationGraph>,
    pub(crate) lexical: &'a LexicalRetriever,
    pub(crate) dense: &'a DenseRetriever<'a>,
    pub(crate) bm25: &'a Bm25,
    /// True if scores must come with reasons.
    pub explain: bool,
}

/// A candidate's unit in its document.
pub(super) struct UnitContext<'a> {
    pub segment: &'a Segment,
    pub graph: &'a Graph,
    pub document: DocumentIdx,
    pub unit: u32,
    /// By term of the question its postings in the document.
    pub postings: &'a [PostingList<'a>],
}

impl UnitContext<'_> {
    /// By term of the question its posting in the unit, and the number of its postings in the document.
    pub fn postings(&self) -> impl Iterator<Item = (Option<Posting>, usize)> {
        self.postings.iter().map(|list| (list.in_unit(self.unit), list.len()))
    }
}
