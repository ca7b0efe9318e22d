//! What answering asks of the library that was searched: documents by their place, provisions by their citation,
//! terms by their definition. One consistent snapshot for a whole answer.

use std::ops::Range;

use document::{Cite, Definition, Document, DocumentIdx, SectionId};

/// How much a term tells, over the library that was searched.
pub trait TermWeights {
    /// The inverse document frequency of an analysed term, at least 0; largest for a term that never occurs.
    fn idf(&self, term: &str) -> f64;
}

/// A snapshot of the library. Places that are not in it give `None` and empty lists.
pub trait Corpus: TermWeights {
    /// The document at a place.
    fn document(&self, at: DocumentIdx) -> Option<&Document>;

    /// The section that a citation printed in `from` names, there or in another document.
    fn provision(&self, from: DocumentIdx, cite: &Cite) -> Option<(DocumentIdx, SectionId)>;

    /// The terms in a text that documents define, in order of the text.
    fn terms(&self, text: &str) -> Vec<TermUse>;
}

/// A defined term in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermUse {
    /// Where, in bytes of the text.
    pub range: Range<usize>,
    /// The term as defined.
    pub term: String,
    /// Where it is defined, in order of documents and text.
    pub definitions: Vec<Definition>,
}
