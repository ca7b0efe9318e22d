//! What `blocks` and `docx` give: a document's one text, its blocks, and where every word stands.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{PageId, PageInfo, PlacedWord, Pt, Quad, Rect, Span, TextMap, TextRange};

/// A document laid out: the canonical text and everything that is said about ranges of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// The pages, by [`PageId`]; empty where the source has none.
    pub pages: Vec<PageInfo>,
    /// The text of the blocks in reading order, separated by one `\n`; inside a block lines are joined by a
    /// space (or nothing, after a removed hyphen and between CJK characters). Table rows are separated by `\n`, cells by
    /// `\t`. Furniture and note marks are not in it. NFC; ligatures expanded, soft hyphens gone, one space
    /// between words.
    pub text: String,
    /// Where each word of the text stands.
    pub words: TextMap,
    /// The blocks in reading order; their ranges follow each other and do not overlap.
    pub blocks: Vec<Block>,
    /// Note marks in order of the text ([`NoteMark::at`] not decreasing).
    pub marks: Vec<NoteMark>,
    /// Running headers, footers, page numbers and the like: kept for display, not searched.
    pub furniture: Vec<Furniture>,
}

impl Layout {
    /// The text of a range; empty if the range is not one of this text.
    pub fn slice(&self, range: TextRange) -> &str {
        self.text.get(range.to_usize()).unwrap_or_default()
    }

    /// Where a range stands: one span for each page it touches, quads one a line. Where the source has no
    /// pages, one span without quads.
    pub fn spans(&self, range: TextRange) -> Vec<Span> {
        if self.pages.is_empty() {
            return vec![Span { page: None, range, quads: Vec::new() }];
        }
        let mut spans: Vec<Span> = Vec::new();
        for (page, part, rect) in self.words.boxes(range, &self.text) {
            let quad: Quad = match self.pages.get(page.idx()) {
                Some(info) => info.geometry.quad(&rect),
                None => continue,
            };
            match spans.last_mut() {
                Some(span) if span.page == Some(page) => {
                    span.range.end = part.end;
                    span.quads.push(quad);
                }
                _ => spans.push(Span { page: Some(page), range: part, quads: vec![quad] }),
            }
        }
        spans
    }

    /// The parts of a block, one for each page it touches, with the box of its words there. A block without
    /// placed words has none.
    pub fn parts(&self, block: &Block) -> Vec<(PageId, TextRange, Rect)> {
        let mut parts: Vec<(PageId, TextRange, Rect)> = Vec::new();
        for &PlacedWord { range, page, rect } in self.words.words_in(block.range) {
            match parts.last_mut() {
                Some((last_page, covered, bounds)) if *last_page == page => {
                    covered.end = range.end;
                    *bounds = bounds.union(&rect);
                }
                _ => parts.push((page, range, rect)),
            }
        }
        parts
    }
}

/// A paragraph-sized piece of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// What it is besides, when its kind does not say it.
    pub role: Role,
    /// Its text. Not empty.
    pub range: TextRange,
    /// Its looks.
    pub style: BlockStyle,
    /// The mark in front of a footnote ("3", "*") or a list item ("(a)", "•"). A footnote's mark is not part
    /// of its range; a list item's is.
    pub marker: Option<String>,
}

/// Kinds of block. (Running headers and the like are [`Furniture`] and not in the text.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// Introduces what follows it.
    Heading,
    /// Running text.
    Paragraph,
    /// One item of a list.
    #[serde(rename = "list")]
    ListItem,
    /// A footnote, or its part on a following page already rejoined.
    Footnote,
    /// Rows and cells.
    Table,
}

/// What a block is besides its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "BlockRole")]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Body,
    /// The caption of a table or figure.
    Caption,
    /// A quotation set off from the text.
    #[serde(rename = "quote")]
    BlockQuote,
    /// The title of the document.
    Title,
}

/// The looks of a block: those of most of its characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockStyle {
    /// Font size.
    pub size: Pt,
    /// Left edge of its first line as shown.
    pub indent: Pt,
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// Set in capitals or small capitals.
    pub caps: bool,
    /// Centred between the margins of its column.
    pub centered: bool,
}

/// The mark of a footnote in running text. The mark itself is not in the text: it stands at a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteMark {
    /// The byte of the text before which it stood (the end of the word that it follows).
    pub at: u32,
    /// Its text: "3", "*", "a".
    pub marker: String,
    /// The page on which it stands, where the source has pages.
    pub page: Option<PageId>,
    /// Where it stands there.
    pub rect: Rect,
}

/// Something printed on a page that is not part of the document's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Furniture {
    /// What it is.
    pub kind: FurnitureKind,
    /// Its text, one line.
    pub text: String,
    /// The page.
    pub page: PageId,
    /// Where it stands.
    pub rect: Rect,
}

/// Kinds of furniture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FurnitureKind {
    /// A running header, or a page number at the top.
    Header,
    /// A running footer, or a page number at the bottom.
    Footer,
    /// Line numbers, stamps, watermarks.
    Other,
    /// Text that nobody can see: drawn without ink, in the colour of its background, or off the page.
    Hidden,
}
