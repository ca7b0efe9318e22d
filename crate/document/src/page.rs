//! What `pages` gives: a PDF as pages of positioned text runs, with what the file itself says of its structure.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{PageGeometry, PageId, Pt, Rect};

/// A PDF file as read: its pages in physical order and what the file says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The pages, `pages[i].id == PageId(i)`.
    pub pages: Vec<Page>,
    /// Bookmarks in document order.
    pub outline: Vec<OutlineItem>,
    /// The title of the document information or metadata, when it is there and not empty.
    pub title: Option<String>,
    /// The document's declared language, a BCP 47 tag.
    pub language: Option<String>,
}

/// One page: its text runs in content-stream order, and the ruled lines that layout reads as separators.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Which page.
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
    /// What the structure tree says of the page's marked content, by [`Run::mcid`]; empty where the file is
    /// not tagged.
    pub tags: BTreeMap<u32, Tag>,
}

/// A piece of marked content in the structure tree of a tagged file (ISO 32000-2, 14.7 and 14.8). Tags are
/// the word of whoever made the file: evidence, not truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// What it belongs to.
    pub kind: TagKind,
    /// Which structure element of that kind, numbered in the order of the structure tree over the whole file:
    /// pieces of one paragraph share it.
    pub element: u32,
}

/// Standard structure types after the file's role map: the innermost one that layout has a use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TagKind {
    /// `H` (0), `H1` to `H6` and beyond; `Title` is 0.
    Heading(u8),
    /// `P` and whatever else holds running text.
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

/// Characters that one text-showing operator draws with one font at one size, without a gap that a reader
/// would see as a word space (a wider adjustment inside a `TJ` starts a new run, or appears as a `' '`).
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Unicode text as decoded, not normalised: ligatures, soft hyphens and odd spaces stay; in the order in which
    /// it stands from left to right, whatever its script. Never empty.
    pub text: String,
    /// Where each character of `text` begins, and at last where the run ends: distances in points along the
    /// baseline from the run's start, not decreasing; `text.chars().count() + 1` of them.
    pub edges: Vec<f32>,
    /// The upright box around the run as shown: advance widths along, font ascent to descent across.
    pub rect: Rect,
    /// For horizontal text the y of the baseline as shown; for vertical text the x of its axis.
    pub baseline: f32,
    /// Writing direction as shown, in degrees clockwise from left-to-right, 0 <= angle < 360. 0 for ordinary
    /// text, 90 for text that runs down.
    pub angle: f32,
    /// The font size as shown: the text matrix and the user space applied.
    pub size: Pt,
    /// How far the text is raised above its line by the `Ts` operator, in points; most files raise by moving
    /// the text position instead, and have 0 here.
    pub rise: Pt,
    /// The font's looks.
    pub font: FontStyle,
    /// Whether a reader can see it.
    pub visibility: Visibility,
    /// The marked-content id that encloses the run, for the structure tree.
    pub mcid: Option<u32>,
    /// Whether the file marks it as an artifact: not part of the document but of its pages.
    pub artifact: bool,
}

/// What a font looks like, as far as layout cares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FontStyle {
    /// The `BaseFont` name without its subset tag; empty when the file gives none.
    pub name: std::sync::Arc<str>,
    /// Bold by descriptor flags, weight or name.
    pub bold: bool,
    /// Italic or oblique by descriptor flags, angle or name.
    pub italic: bool,
    /// All glyphs of one width.
    pub monospace: bool,
    /// Small capitals by descriptor flags or name.
    pub small_caps: bool,
}

/// Whether a run can be seen on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Drawn, on the page, in a colour that is not the background's.
    #[default]
    Visible,
    /// Text render mode 3: drawn by no ink, as OCR layers are.
    Invisible,
    /// Drawn in the colour of what lies beneath it, as white on white.
    Background,
    /// Wholly outside the visible region of the page.
    OffPage,
}

/// A straight horizontal or vertical line or thin box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Its box as shown. Horizontal when wider than high.
    pub rect: Rect,
}

/// One bookmark of the file's outline.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineItem {
    /// Its title.
    pub title: String,
    /// Depth, 1 for the outermost.
    pub level: u8,
    /// The page it points to, where that can be resolved.
    pub page: Option<PageId>,
    /// The y as shown that it points to, where it says so.
    pub y: Option<f32>,
}

/// What is kept of a page once its text is laid out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageInfo {
    /// The printed label, where known.
    pub label: Option<String>,
    /// Size and rotation.
    pub geometry: PageGeometry,
}
