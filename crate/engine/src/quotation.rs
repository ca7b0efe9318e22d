//! A quotation, from wherever, looked up in a document of the library.

use citations::{QuotationFinder, SourceText, Status};
use document::{Document, TextRange};
use serde::Serialize;

use crate::error::Error;
use crate::library::Library;
use crate::reply::Location;

/// Length of the parts that a text is searched in, in bytes: the most that `citations` reads of a source.
const PART: usize = 50_000;
/// Overlap of two parts, in bytes: longer than any quotation of a page.
const OVERLAP: usize = 5_000;
/// Number of parts that are searched together: the most that `citations` reads.
const TOGETHER: usize = 200;

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
    /// Looks up a quotation in a document, by the rules of an answer's quotations: word for word, else with a small edit, in
    /// which case the document's words count. Linear in the document.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] if the library has no such document.
    pub fn locate_quotation(&self, id: &str, quotation: &str) -> Result<LocatedQuotation, Error> {
        let segment = self.segment(id);
        let segment = segment.ok_or_else(|| Error::bad_argument("the library has no such document"))?;
        let document = segment.document();
        Ok(match find(quotation, &document.layout.text) {
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

/// Range that says the quotation word for word, else but for a small edit.
fn find(quotation: &str, text: &str) -> Option<(Status, TextRange)> {
    let parts = parts(text);
    let mut repaired = None;
    for together in parts.chunks(TOGETHER) {
        let sources: Vec<SourceText<'_>> =
            (0..).zip(together).map(|(id, &(_, text))| SourceText { id, text, context: "" }).collect();
        let finder = QuotationFinder::new(&sources);
        let range = |found: citations::SourceRange| {
            let (start, _) = together.get(found.source as usize)?;
            let range = found.range.to_usize();
            Some(TextRange::new(start + range.start, start + range.end))
        };
        if let Some(range) = finder.verbatim(quotation).and_then(range) {
            return Some((Status::Verified, range));
        }
        repaired = repaired.or_else(|| finder.find(quotation, None).and_then(range));
    }
    Some((Status::Repaired, repaired?))
}

/// Overlapping parts of a text, each with its start.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut start = 0;
    loop {
        let end = text.floor_char_boundary(start + PART);
        parts.push((start, text.get(start..end).unwrap_or_default()));
        if end == text.len() {
            return parts;
        }
        start = text.floor_char_boundary(end - OVERLAP);
    }
}
