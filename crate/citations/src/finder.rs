//! Lookup of single quotations, outside an answer: passages that a model copied out before it writes.
//!
//! The rules are those of an answer's quotations: word for word, or with a small edit, in which case the source's words
//! count. Cost: linear in the sources once, then the steps of one [`SourceIndex`] for all quotations together.

use crate::normalized::Normalized;
use crate::repair::repair;
use crate::report::{SourceRange, SourceText};
use crate::source_index::{Match, SourceIndex};

/// Index of sources in which quotations are looked up.
pub struct QuotationFinder<'a> {
    index: SourceIndex<'a>,
}

impl<'a> QuotationFinder<'a> {
    /// Indexes the sources.
    pub fn new(sources: &[SourceText<'a>]) -> Self {
        Self { index: SourceIndex::new(sources) }
    }

    /// Where the quotation stands word for word, in any source. Quotation marks around it that the source lacks are ignored.
    pub fn verbatim(&self, quotation: &str) -> Option<SourceRange> {
        let found = self.verbatim_match(quotation, &[])?;
        self.index.source_range(&found)
    }

    /// Where the quotation stands, verbatim or repaired: in the cited source if it has the words, else, verbatim only,
    /// in another. Without a citation every source is searched. Quotation marks around it that the source lacks are
    /// ignored.
    pub fn find(&self, quotation: &str, cited: Option<u32>) -> Option<SourceRange> {
        let position = cited.and_then(|id| self.index.position(id));
        let cited = position.as_slice();
        let verbatim = self.verbatim_match(quotation, cited);
        let found = verbatim.or_else(|| repair(&self.index, &bare(quotation), cited))?;
        self.index.source_range(&found)
    }

    fn verbatim_match(&self, quotation: &str, cited: &[usize]) -> Option<Match> {
        let as_it_is = self.index.verbatim(&Normalized::new(quotation.trim()), cited);
        as_it_is.or_else(|| self.index.verbatim(&bare(quotation), cited))
    }
}

/// A quotation without the quotation marks around it.
fn bare(quotation: &str) -> Normalized {
    Normalized::new(quotation.trim().trim_matches(['"', '“', '”', '「', '」', '«', '»']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENDER: &str = "The lender shall give written notice to the borrower before it ends the facility.";
    const AGENT: &str = "The agent keeps the register of all lenders at its office in the city.";

    /// Number of the source and the words there.
    fn found(quotation: &str, cited: Option<u32>) -> Option<(u32, &'static str)> {
        let sources = [(3, LENDER), (7, AGENT)].map(|(id, text)| SourceText { id, text, context: "" });
        let found = QuotationFinder::new(&sources).find(quotation, cited)?;
        let text = if found.source == 3 { LENDER } else { AGENT };
        Some((found.source, &text[found.range.to_usize()]))
    }

    #[test]
    fn a_copied_passage_is_found_where_it_is_cited_or_else_word_for_word() {
        let notice = Some((3, "shall give written notice to the borrower"));
        assert_eq!(found("shall give written notice to the borrower", Some(3)), notice);
        assert_eq!(found(" “shall give written notice to the borrower” ", None), notice);
        assert_eq!(found("shall give written notice to the borrower", Some(7)), notice);
        assert_eq!(found("shall give written notice to the borrower", Some(9)), notice);
        assert_eq!(found("shall give the borrower notice", Some(3)), None);
        assert_eq!(found("", Some(3)), None);
    }

    #[test]
    fn quotation_marks_at_the_edges_stay_where_the_source_has_them() {
        let text = "“Business Day” means a day on which banks in the city are open.";
        let finder = QuotationFinder::new(&[SourceText { id: 1, text, context: "" }]);
        let words =
            |quotation: &str| finder.find(quotation, Some(1)).map(|found| &text[found.range.to_usize()]);
        let definition = "\"Business Day\" means a day on which banks";
        assert_eq!(words(definition), Some("“Business Day” means a day on which banks"));
        assert_eq!(words("“means a day on which banks”"), Some("means a day on which banks"));
    }

    #[test]
    fn a_small_edit_is_repaired_in_the_cited_source_only() {
        let copied = "The lender shall give a written notice to the borrower before it ends the facility";
        let printed = "The lender shall give written notice to the borrower before it ends the facility";
        assert_eq!(found(copied, Some(3)), Some((3, printed)));
        assert_eq!(found(copied, None), Some((3, printed)));
        assert_eq!(found(copied, Some(7)), None);
    }
}
