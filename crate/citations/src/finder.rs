//! Lookup of single quotations, outside an answer: passages that a model copied out before it writes.
//!
//! The rules are those of an answer's quotations: word for word, or with a small edit, in which case the source's words
//! count. Cost: linear in the sources once, then the steps of one [`SourceIndex`] for all quotations together.

use crate::normalized::Normalized;
use crate::repair::repair;
use crate::report::{SourceRange, SourceText};
use crate::source_index::SourceIndex;

/// Index of sources in which quotations are looked up.
pub struct QuotationFinder<'a> {
    index: SourceIndex<'a>,
}

impl<'a> QuotationFinder<'a> {
    /// Indexes the sources.
    pub fn new(sources: &[SourceText<'a>]) -> Self {
        Self { index: SourceIndex::new(sources) }
    }

    /// Where the quotation stands, verbatim or repaired: in the cited source if it has the words, else, verbatim only,
    /// in another. Without a citation every source is searched. Quotation marks around it are ignored.
    pub fn find(&self, quotation: &str, cited: Option<u32>) -> Option<SourceRange> {
        let wanted = Normalized::new(quotation.trim().trim_matches(['"', '“', '”', '「', '」', '«', '»']));
        let position = cited.and_then(|id| self.index.position(id));
        let cited = position.as_slice();
        let found = self.index.verbatim(&wanted, cited).or_else(|| repair(&self.index, &wanted, cited))?;
        self.index.source_range(&found)
    }
}
