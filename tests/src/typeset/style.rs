//! The style of a document in print: page, margins, type, headings. All lengths in points.

use super::font::{Face, Family};

/// The style of a manuscript in print. All lengths in points.
#[derive(Clone, Debug)]
pub struct Style {
    /// Width and height of the page.
    pub page: (f64, f64),
    /// Left, top, right and bottom margin of the text.
    pub margins: [f64; 4],
    /// The design of the text.
    pub family: Family,
    /// Size of the text.
    pub size: f64,
    /// From baseline to baseline.
    pub leading: f64,
    /// True for justified lines.
    pub justify: bool,
    /// Encoding of the space between words.
    pub spacing: Spacing,
    /// White between paragraphs.
    pub skip: f64,
    /// Indent of a paragraph's first line.
    pub first_indent: f64,
    /// Where the marker of an item of depth 1, 2, … stands, from the left margin; its text stands at the next.
    pub tabs: [f64; 6],
    /// Size of the title.
    pub title_size: f64,
    /// Headings of level 1, 2, ….
    pub headings: [HeadingStyle; 4],
    /// Size and leading of notes.
    pub notes: (f64, f64),
    /// Where the columns of tables begin, from the left margin.
    pub columns: &'static [f64],
    /// Running head: left and right. `{page}` stands for the page's label.
    pub head: [&'static str; 2],
    /// Running foot: left, middle and right.
    pub foot: [&'static str; 3],
    /// True if the first page has a running head.
    pub head_on_first: bool,
    /// The prefix of page numbers, in print and in the file's page labels.
    pub label_prefix: Option<&'static str>,
    /// True if the file has bookmarks for its headings.
    pub outline: bool,
}

/// The style of a heading.
#[derive(Clone, Copy, Debug)]
pub struct HeadingStyle {
    /// Its face.
    pub face: Face,
    /// Its size.
    pub size: f64,
    /// White above it.
    pub before: f64,
    /// White below it.
    pub after: f64,
    /// Where its text stands, from the left margin; its number stands at the margin. `None` sets both one
    /// after the other in the middle.
    pub hang: Option<f64>,
}

/// Encoding of the space between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// As space characters, widened by the `Tw` operator: word processors.
    Characters,
    /// As movements between the strings of `TJ`, with no space character: TeX and its kin.
    Movements,
}
