//! Location of a passage: its document, page, section and quads.

use document::{BlockId, Caveat, Document, Layout, LegalStatus, Quad, SectionId, Span, TextRange};
use serde::Serialize;
use ts_rs::TS;

/// Location of a passage in a document.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// File name of the document.
    pub document: String,
    /// SHA-256 of the file.
    pub document_id: String,
    /// Number of the physical page on which the passage begins, from 1; `null` in a document without pages.
    pub page: Option<u32>,
    /// Printed label of that page, if the file has one.
    pub page_label: Option<String>,
    /// Headings above the passage, outermost first.
    pub section_path: Vec<String>,
    /// Legal status of the section, if it is not in force.
    pub legal_status: Option<LegalStatus>,
    /// Quads on `page`.
    pub quads: Vec<Quad>,
    /// Quads on every page that the passage touches.
    pub spans: Vec<PageSpan>,
    /// Ranges of blocks in a document without pages; empty in a document with pages.
    pub places: Vec<BlockRange>,
    /// Why the words of the passage may not be what a reader of the page sees, mildest first.
    pub caveats: Vec<Caveat>,
}

/// Part of a passage on one page.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PageSpan {
    /// Page number, from 1; `null` in a document without pages.
    pub page: Option<u32>,
    /// Start and end in the document's text, in bytes.
    pub range: [u32; 2],
    /// One quad per line, in PDF user space: x and y of top left, top right, bottom left, bottom right.
    pub quads: Vec<Quad>,
}

/// Part of a passage in one block of a document without pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BlockRange {
    /// Position of the block in the document's text.
    pub block: u32,
    /// First UTF-16 code unit in the block.
    pub start: u32,
    /// One past the last UTF-16 code unit.
    pub end: u32,
}

impl Location {
    /// Location of some ranges of a document's text.
    pub(crate) fn of(document: &Document, section: SectionId, ranges: &[TextRange]) -> Self {
        let spans = page_spans(&document.layout, ranges);
        let page = spans.first().and_then(|span| span.page);
        let info = page.and_then(|page| document.layout.pages.get(page as usize - 1));
        Self {
            document: document.name.clone(),
            document_id: document.digest.clone(),
            page,
            page_label: info.and_then(|info| info.label.clone()),
            section_path: document.tree.path_titles(section),
            legal_status: document.tree.legal_status(section),
            quads: spans
                .iter()
                .filter(|span| span.page == page)
                .flat_map(|span| span.quads.clone())
                .collect(),
            spans,
            places: block_ranges(&document.layout, ranges),
            caveats: document.layout.caveats.of(ranges),
        }
    }
}

impl From<Span> for PageSpan {
    fn from(Span { page, range, quads }: Span) -> Self {
        Self { page: page.map(|page| page.0 + 1), range: [range.start, range.end], quads }
    }
}

/// Spans of some ranges, one per page and run of ranges on it.
fn page_spans(layout: &Layout, ranges: &[TextRange]) -> Vec<PageSpan> {
    let mut spans: Vec<PageSpan> = Vec::new();
    for span in ranges.iter().flat_map(|&range| layout.spans(range)).map(PageSpan::from) {
        match spans.last_mut() {
            Some(last) if last.page == span.page => {
                last.range[1] = span.range[1];
                last.quads.extend(span.quads);
            }
            _ => spans.push(span),
        }
    }
    spans
}

/// Ranges of blocks that some ranges of the text cover; none in a document with pages.
fn block_ranges(layout: &Layout, ranges: &[TextRange]) -> Vec<BlockRange> {
    if !layout.pages.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for range in ranges {
        let first = layout.blocks.partition_point(|block| block.range.end <= range.start);
        for (at, block) in layout.blocks.iter().enumerate().skip(first) {
            let Some(part) = block.range.intersect(*range) else { break };
            let before = TextRange { start: block.range.start, end: part.start };
            let start = code_units(layout.slice(before));
            let end = start + code_units(layout.slice(part));
            found.push(BlockRange { block: BlockId::from_idx(at).0, start, end });
        }
    }
    found
}

/// Length of a text in UTF-16 code units, as viewers count.
pub(super) fn code_units(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}
