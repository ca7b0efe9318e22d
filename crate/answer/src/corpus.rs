//! The library as the answerer sees it: documents by index, provisions by reference, definitions by term. One snapshot
//! serves a whole answer.

use std::ops::Range;

use document::{Cite, Definition, Document, DocumentIdx, SectionId};

/// Inverse document frequencies over the searched library.
pub trait TermWeights {
    /// The inverse document frequency of an analysed term, at least 0; largest for a term that never occurs.
    fn idf(&self, term: &str) -> f64;
}

/// A snapshot of the library. Unknown documents and ranges give `None` and empty lists.
pub trait Corpus: TermWeights {
    /// The document with an index.
    fn document(&self, at: DocumentIdx) -> Option<&Document>;

    /// The section that a reference printed in `from` names, in that or another document.
    fn provision(&self, from: DocumentIdx, cite: &Cite) -> Option<(DocumentIdx, SectionId)>;

    /// Uses of defined terms in a text, in its order.
    fn terms(&self, text: &str) -> Vec<TermUse>;
}

/// A use of a defined term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermUse {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// The term as defined.
    pub term: String,
    /// Its definitions, in order of documents and text.
    pub definitions: Vec<Definition>,
}
