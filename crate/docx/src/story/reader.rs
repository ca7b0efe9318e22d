//! State that is carried through the stories of a file: styles, counters, open fields, limits.

use crate::Limits;
use crate::content::NoteNumbering;
use crate::fields::FieldStack;
use crate::numbering::ListNumbering;
use crate::numerals::NumberFormat;
use crate::styles::StyleSheet;

/// Reader of the stories of one file, which are read one after the other.
///
/// Its methods stand beside the elements that they read: `block.rs`, `paragraph.rs`, `inline.rs`, `tables.rs`.
pub(crate) struct StoryReader<'a> {
    pub(crate) styles: &'a StyleSheet,
    pub(crate) numbering: ListNumbering,
    pub(crate) footnotes: NoteNumbering,
    pub(crate) endnotes: NoteNumbering,
    pub(crate) notices: Notices,
    /// Maximum nesting of elements.
    pub(super) max_depth: usize,
    pub(super) fields: FieldStack,
    /// Automatic footnote marks so far.
    pub(super) n_footnotes: u32,
    /// Automatic endnote marks so far.
    pub(super) n_endnotes: u32,
    /// Paragraphs and cells so far.
    n_paragraphs: usize,
    max_paragraphs: usize,
    /// Bytes of text so far.
    pub(super) n_bytes: usize,
    pub(super) max_bytes: usize,
    /// True if the last block was an empty paragraph.
    pub(super) after_empty: bool,
    /// Insertions of whole blocks or table rows around the current position.
    pub(super) n_insertions: usize,
    /// True if blocks or table rows before the current position were deleted.
    pub(super) is_cut: bool,
}

/// Facts about the file that the user is told.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notices {
    /// The file has tracked changes.
    pub(crate) tracked_changes: bool,
    /// Hidden text was left out.
    pub(crate) hidden_text: bool,
    /// A limit was reached and the rest of the text left out.
    pub(crate) truncated: bool,
}

impl<'a> StoryReader<'a> {
    /// Reader of a file of this size.
    pub(crate) fn new(
        styles: &'a StyleSheet,
        numbering: ListNumbering,
        limits: &Limits,
        file_bytes: usize,
    ) -> Self {
        Self {
            styles,
            numbering,
            footnotes: NoteNumbering { format: NumberFormat::Decimal, start: 1 },
            endnotes: NoteNumbering { format: NumberFormat::LowerRoman, start: 1 },
            notices: Notices::default(),
            max_depth: limits.depth,
            fields: FieldStack::default(),
            n_footnotes: 0,
            n_endnotes: 0,
            n_paragraphs: 0,
            max_paragraphs: limits.paragraphs.of(file_bytes),
            n_bytes: 0,
            max_bytes: limits.text_bytes.of(file_bytes),
            after_empty: false,
            n_insertions: 0,
            is_cut: false,
        }
    }

    /// Counts a paragraph or a cell; false if there are more than are read.
    pub(super) fn count_paragraph(&mut self) -> bool {
        self.n_paragraphs += 1;
        let fits = self.n_paragraphs <= self.max_paragraphs;
        self.notices.truncated |= !fits;
        fits
    }
}
