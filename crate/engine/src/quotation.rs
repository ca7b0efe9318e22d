//! A quotation, from wherever, looked up in a document of the library.

use citations::{QuotationFinder, SourceText, Status};
use document::{Document, TextRange};
use serde::Serialize;

use crate::error::{Code, Error};
use crate::library::Library;
use crate::reply::Location;

/// Length of the part of a text that a search for slightly different words reads at once, in bytes: what `citations`
/// reads of a source.
const PART: usize = 50_000;
/// Overlap of two parts, in bytes: longer than any quotation of a page.
const OVERLAP: usize = 5_000;

/// Result of looking up a quotation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LocatedQuotation {
    /// Result of the comparison: verified, or with the caveats of the text; repaired; not found.
    pub status: Status,
    /// The words of the document; empty if they were not found.
    pub quote: String,
    /// Where they stand; `None` if they were not found.
    pub location: Option<Location>,
}

impl Library {
    /// Looks up a quotation in a document: word for word, else with a small edit, in which case the document's words count.
    ///
    /// # Errors
    /// [`Code::BadArgument`] if the library has no such document.
    pub fn locate_quotation(&self, id: &str, quotation: &str) -> Result<LocatedQuotation, Error> {
        let segment = self.segment(id);
        let segment =
            segment.ok_or_else(|| Error::new(Code::BadArgument, "the library has no such document", ""))?;
        let document = segment.document();
        let text = document.layout.text.as_str();
        let word_for_word = citations::locate(quotation, text).map(|range| (Status::Verified, range));
        let found =
            word_for_word.or_else(|| repaired(quotation, text).map(|range| (Status::Repaired, range)));
        Ok(match found {
            Some((status, range)) => located(document, status, range),
            None => LocatedQuotation { status: Status::NotFound, quote: String::new(), location: None },
        })
    }
}

fn located(document: &Document, status: Status, range: TextRange) -> LocatedQuotation {
    let location = Location::of(document, document.tree.innermost(range), &[range]);
    LocatedQuotation {
        status: status.with_caveats(&location.caveats),
        quote: document.layout.slice(range).to_owned(),
        location: Some(location),
    }
}

/// Range that says the quotation but for a small edit.
fn repaired(quotation: &str, text: &str) -> Option<TextRange> {
    let mut start = 0;
    loop {
        let end = text.floor_char_boundary(start + PART);
        let part = text.get(start..end)?;
        let source = SourceText { id: 1, text: part, context: "" };
        if let Some(found) = QuotationFinder::new(&[source]).find(quotation, Some(1)) {
            let range = found.range.to_usize();
            return Some(TextRange::new(start + range.start, start + range.end));
        }
        if end == text.len() {
            return None;
        }
        start = text.floor_char_boundary(end - OVERLAP);
    }
}
