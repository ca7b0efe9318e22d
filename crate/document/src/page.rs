//! Positioned text of a PDF before layout: pages of text runs, and the structure that the file declares itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{PageGeometry, PageId, Pt, Rect};

/// Positioned text of a PDF file before layout: its pages in physical order and its own metadata. Made by `pages`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PdfText {
    /// The pages, `pages[i].id == PageId(i)`.
    pub pages: Vec<Page>,
    /// Bookmarks in document order.
    pub outline: Vec<OutlineItem>,
    /// The title in the document information or metadata; `None` if absent or empty.
    pub title: Option<String>,
    /// The document's declared language, a BCP 47 tag.
    pub language: Option<String>,
}

/// One page: its text runs in content-stream order, and the ruled lines that layout reads as separators.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its id.
    pub id: PageId,
    /// The printed label of the file's `PageLabels` ("xii", "A-3"), where it has them.
    pub label: Option<String>,
    /// Size and rotation.
    pub geometry: PageGeometry,
    /// Text in the order in which the file draws it, on the page or off it.
    pub runs: Vec<Run>,
    /// Horizontal and vertical ruled lines: stroked segments, and filled boxes thinner than 3 points.
    pub rules: Vec<Rule>,
    /// Share of the page's area that images cover, 0 to 1: a page with an image and no runs is a scan.
    pub image_cover: f32,
    /// Structure elements of the page's marked content, by [`Run::mcid`]; empty in a file that is not tagged.
    pub tags: BTreeMap<u32, Tag>,
}

/// Structure element of a marked-content sequence in a tagged file (ISO 32000-2, 14.7 and 14.8). Producers tag
/// badly, so a tag is evidence, not truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Its structure type.
    pub kind: TagKind,
    /// Number of the structure element of that type, in the order of the structure tree over the whole file. All
    /// sequences of one paragraph share it.
    pub element: u32,
}

/// Standard structure types that layout uses, after the file's role map; of nested ones the innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagKind {
    /// `H` (0), `H1` to `H6` and beyond; `Title` is 0.
    Heading(u8),
    /// `P` and other types of running text.
    Paragraph,
    /// `LI` with its `Lbl` and `LBody`.
    ListItem,
    /// `TD` or `TH`; [`Tag::element`] is that of the cell.
    Cell,
    /// `Note` or `FENote`.
    Note,
    /// `Reference` around a note's mark.
    NoteMark,
    /// `Caption`.
    Caption,
    /// `BlockQuote`.
    BlockQuote,
    /// `TOCI`.
    ContentsItem,
}

/// Characters drawn by one text-showing operator, in one font and size, without a visible word space between
/// them. A wide adjustment inside a `TJ` starts a new run or appears as a `' '`.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Unicode text as decoded, not normalised: ligatures, soft hyphens and odd spaces stay. In visual order from left
    /// to right, whatever its script. Never empty.
    pub text: String,
    /// Start of each character of `text`, then the end of the run: distances in points along the baseline from the
    /// run's start, not decreasing; `text.chars().count() + 1` values.
    pub edges: Vec<f32>,
    /// Bounding box as shown: advance widths along the baseline, font ascent to descent across.
    pub rect: Rect,
    /// The y of the baseline as shown; for vertical text the x of its axis.
    pub baseline: f32,
    /// Writing direction as shown, in degrees clockwise from left-to-right, 0 <= angle < 360; 90 runs down.
    pub angle: f32,
    /// Font size as shown, after the text matrix and the transform of user space.
    pub size: Pt,
    /// Text rise of the `Ts` operator, in points. 0 in most files, which move the text position instead.
    pub rise: Pt,
    /// Style of the font.
    pub font: FontStyle,
    /// Visibility on the page.
    pub visibility: Visibility,
    /// Who vouches for `text`: the file alone, or the font that draws it.
    pub attestation: Attestation,
    /// Id of the enclosing marked-content sequence (MCID).
    pub mcid: Option<u32>,
    /// True if the file marks it as an artifact (ISO 32000-2, 14.8.2.2): part of the page, not of the document.
    pub artifact: bool,
}

/// Style of a font, as far as layout uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FontStyle {
    /// The `BaseFont` name without its subset tag; empty when the file gives none.
    pub name: std::sync::Arc<str>,
    /// Number of the font in its file: several fonts may have one name. 0 for text that the reader sets itself.
    pub number: u32,
    /// True if bold by descriptor flags, weight or name.
    pub bold: bool,
    /// True if italic or oblique by descriptor flags, angle or name.
    pub italic: bool,
    /// True if all glyphs have one width.
    pub monospace: bool,
    /// True if small capitals by descriptor flags or name.
    pub small_caps: bool,
}

/// Visibility of a run on its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Drawn on the page in a colour other than the background's.
    #[default]
    Visible,
    /// Drawn without ink, or below the image of a scan: the text layer that recognition makes of an image.
    Invisible,
    /// Drawn in the colour of its background, such as white on white.
    Background,
    /// Outside the CropBox, or clipped away.
    OffPage,
    /// Drawn, and then painted over by an opaque box, image, pattern or annotation: a failed redaction.
    Covered,
    /// Never seen: without ink away from any image, in a layer that is off, or too small for any reader.
    Unpainted,
}

impl Visibility {
    /// True if a reader sees the text, on the page or in the image that it is the text of.
    pub fn is_legible(self) -> bool {
        matches!(self, Self::Visible | Self::Invisible)
    }
}

/// Who vouches for the text of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Attestation {
    /// The file says so; the font says nothing by itself, or draws nothing.
    #[default]
    Claimed,
    /// The font says so by itself, by its glyph names, its encoding or its character map.
    Drawn,
    /// The file claims other letters or digits than those drawn. The text has the drawn ones where they are known.
    Differs,
}

/// A ruled line: a straight horizontal or vertical line, or a thin box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Its box as shown. Horizontal if wider than high.
    pub rect: Rect,
}

/// A bookmark of the file's outline.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineItem {
    /// Its title.
    pub title: String,
    /// Depth, 1 for the outermost.
    pub level: u8,
    /// The page of its destination, if that can be resolved.
    pub page: Option<PageId>,
    /// The y of its destination as shown, if given.
    pub y: Option<f32>,
}

/// Properties of a page that are kept after layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageInfo {
    /// The printed label, if known.
    pub label: Option<String>,
    /// Size and rotation.
    pub geometry: PageGeometry,
}
