//! The evidence that a paragraph is a heading: its wording, type, place and neighbours, whatever format it was read
//! from.

use super::lookalikes::is_signature_line;
use super::wording::HeadingWording;
use crate::wording::{Numbering, is_lone_number, marker_kind, numbering};

/// White above a heading that stands apart, in multiples of its type size.
const APART: f32 = 1.4;
/// The same above the title of a section in one line with its number.
const SECTION_APART: f32 = 1.3;
/// Most words of the title of a section.
const MAX_SECTION_TITLE: usize = 10;
/// Longest number with a stop that may be centred alone, in characters.
const MAX_LONE_NUMBER: usize = 5;

/// A paragraph and what is known of it. A reader fills every field; what its format does not have, it fills as said
/// at the field.
#[derive(Clone, Debug)]
pub struct HeadingEvidence<'a> {
    /// The evidence in its wording.
    pub wording: HeadingWording<'a>,
    /// Kind that its style declares; `None` in running text and where the format has no styles.
    pub declared: Option<DeclaredRole>,
    /// Number of lines that it is set on, > 0; 1 if the format leaves lines to whoever shows it.
    pub n_lines: usize,
    /// Type size in points: the smallest of its lines, or that of most of its letters.
    pub size: f32,
    /// Type size of the document's running text in points, > 0.
    pub body_size: f32,
    /// Style of all of it.
    pub style: HeadingStyle,
    /// True if all its lines are centred.
    pub centered: bool,
    /// Step from the baseline above it to its own, in multiples of its type size; infinite at the top of a column.
    pub white: f32,
    /// True if it is kept on one page with what follows.
    pub keeps_with_next: bool,
    /// True if the format marks where it begins and ends; false if that was inferred from lines.
    pub is_whole: bool,
    /// True if it begins with a bullet.
    pub is_bulleted: bool,
    /// True if it is an entry of a table of contents.
    pub is_contents_entry: bool,
    /// Kind of paragraph below it.
    pub below: Below,
    /// Text of the next paragraph.
    pub next: Option<&'a str>,
    /// True if the next paragraph begins with a marker in brackets.
    pub opens_list: bool,
}

/// Style of a paragraph, as far as running text has another: bold in a document that is bold is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadingStyle {
    /// True if all of it is bold.
    pub bold: bool,
    /// True if all of it is italic.
    pub italic: bool,
    /// True if all its letters are capitals.
    pub caps: bool,
    /// True if all of it is underlined.
    pub underlined: bool,
}

/// Kind of paragraph that its style declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredRole {
    /// The title of the document.
    Title,
    /// A heading.
    Heading {
        /// True if most paragraphs of this style and level read as sentences: numbered clauses in a heading style.
        is_clause: bool,
    },
    /// Something else: a caption, a quotation, an entry of a table of contents.
    Other,
}

/// Kind of paragraph below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below {
    /// The next paragraph, which it can head.
    Text,
    /// The next paragraph, on the next page; other headings look like this one.
    TextOnNextPage,
    /// The end of the page.
    PageEnd,
    /// Nothing: the document ends.
    Nothing,
}

impl HeadingEvidence<'_> {
    /// True if it can head what follows.
    pub(super) fn opens_text(&self) -> bool {
        matches!(self.below, Below::Text | Below::TextOnNextPage)
    }

    /// True if nothing in its type or place sets it off from the text.
    pub(super) fn is_plain(&self) -> bool {
        !(self.style.bold || self.style.caps || self.style.underlined || self.centered)
    }

    /// True if there is more white above it than between lines, or it is kept with what follows.
    pub(super) fn is_apart(&self) -> bool {
        self.white > APART || self.keeps_with_next
    }

    /// True if it is a number or letter and nothing else: "I", "A.", "(3).". A page may print its own number without
    /// a stop, so "3" is one only where the format marks the paragraph.
    pub(super) fn is_lone_number(&self) -> bool {
        let text = self.wording.text;
        let is_marker = |text: &str| self.wording.n_chars <= MAX_LONE_NUMBER && marker_kind(text).is_some();
        let is_bare = self.is_whole && !text.contains(char::is_whitespace);
        is_lone_number(text)
            || text.ends_with('.') && is_marker(text)
            || is_bare && is_marker(&format!("{}.", text.trim_end_matches('.')))
    }

    /// True if it is the title of a section ("§ 3 Scope of this part."): a line by itself with its text in the next
    /// paragraph, which is not another section.
    pub(super) fn is_section_title(&self) -> bool {
        let is_above_text = self.next.is_some_and(|next| !next.starts_with('§'));
        self.wording.text.starts_with('§')
            && self.white > SECTION_APART
            && is_above_text
            && self.wording.text.split_whitespace().count() <= MAX_SECTION_TITLE
    }

    /// True if the next paragraph is where somebody signs for the name in this one.
    pub(super) fn is_above_signature(&self) -> bool {
        self.below == Below::Text
            && self.next.is_some_and(is_signature_line)
            && numbering(self.wording.text) == Numbering::None
    }
}
