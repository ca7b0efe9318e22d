//! Layout of a document: its canonical text, its blocks, and the position of every word. Made by `blocks` and `docx`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Caveats, PageId, PageInfo, PlacedWord, Pt, Quad, Rect, Slice as _, Span, TextMap, TextRange};

/// Layout of a document: its canonical text, and the structure of it as ranges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The pages, by [`PageId`]; empty for a source without pages.
    pub pages: Vec<PageInfo>,
    /// The text of the blocks in reading order, separated by one `\n`. Lines of a block are joined by a space, or by
    /// nothing after a removed hyphen and between CJK characters. Table rows are separated by `\n`, cells by `\t`. It has
    /// no furniture and no note marks. NFC, without ligatures and soft hyphens, one space between words.
    pub text: String,
    /// Position of each word of the text.
    pub words: TextMap,
    /// The blocks in reading order; their ranges follow each other and do not overlap.
    pub blocks: Vec<Block>,
    /// Note marks in order of the text ([`NoteMark::at`] not decreasing).
    pub marks: Vec<NoteMark>,
    /// Running headers, footers, page numbers and the like, for display; not searched.
    pub furniture: Vec<Furniture>,
    /// Ranges of the text whose words may not be what a reader sees.
    pub caveats: Caveats,
}

impl Layout {
    /// The text of a range, which lies between characters of this text.
    pub fn slice(&self, range: TextRange) -> &str {
        self.text.slice(range.to_usize())
    }

    /// The spans of a range: one per page, with one quad per line. Without pages, one span without quads.
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

    /// The parts of a block by page, with the bounding box of its words there. Empty if no word has a position.
    pub fn parts(&self, block: &Block) -> Vec<(PageId, TextRange, Rect)> {
        let mut parts: Vec<(PageId, TextRange, Rect)> = Vec::new();
        for PlacedWord { range, page, rect } in self.words.words_in(block.range) {
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

/// A paragraph, heading, list item, footnote or table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its kind.
    pub kind: BlockKind,
    /// Its role besides its kind.
    pub role: Role,
    /// Range of its text, not empty.
    pub range: TextRange,
    /// Its style.
    pub style: BlockStyle,
    /// Marker of a footnote ("3", "*") or a list item ("(a)", "•"). A list item's marker is part of its range, a
    /// footnote's is not.
    pub marker: Option<String>,
}

/// Kinds of block. Running headers and the like are none: they are furniture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// Heading of the text that follows.
    Heading,
    /// Running text.
    Paragraph,
    /// One item of a list.
    #[serde(rename = "list")]
    ListItem,
    /// A footnote, joined with its continuation on the next page.
    Footnote,
    /// A table with rows and cells.
    Table,
}

/// Role of a block besides its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "BlockRole")]
pub enum Role {
    /// Body text.
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

/// Style of a block: that of most of its characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockStyle {
    /// Font size.
    pub size: Pt,
    /// Left edge of its first line as shown.
    pub indent: Pt,
    /// True if bold.
    pub bold: bool,
    /// True if italic.
    pub italic: bool,
    /// True if in capitals or small capitals.
    pub caps: bool,
    /// True if centred in its column.
    pub centered: bool,
}

/// Mark of a footnote in running text. The mark is not part of the text; it has a position in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteMark {
    /// Byte offset of the mark: the end of the word that it follows.
    pub at: u32,
    /// Its printed text: "3", "*", "a".
    pub marker: String,
    /// Its page, if the source has pages.
    pub page: Option<PageId>,
    /// Its box on the page.
    pub rect: Rect,
}

/// Content of a page that is not part of the document's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Furniture {
    /// Its kind.
    pub kind: FurnitureKind,
    /// Its text, one line.
    pub text: String,
    /// Its page.
    pub page: PageId,
    /// Its box on the page.
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
    /// Invisible text: without ink, in the colour of its background, off the page, or under an opaque box.
    Hidden,
    /// Text whose characters form no words: of a font without a usable map, or of a broken content stream.
    Illegible,
}
