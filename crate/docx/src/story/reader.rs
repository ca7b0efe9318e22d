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
    pub(super) limits: Limits,
    pub(super) fields: FieldStack,
    /// Automatic footnote marks so far.
    pub(super) n_footnotes: u32,
    /// Automatic endnote marks so far.
    pub(super) n_endnotes: u32,
    pub(super) n_paragraphs: usize,
    /// Bytes of text so far.
    pub(super) n_bytes: usize,
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
    pub(crate) fn new(styles: &'a StyleSheet, numbering: ListNumbering, limits: &Limits) -> Self {
        Self {
            styles,
            numbering,
            footnotes: NoteNumbering { format: NumberFormat::Decimal, start: 1 },
            endnotes: NoteNumbering { format: NumberFormat::LowerRoman, start: 1 },
            notices: Notices::default(),
            limits: *limits,
            fields: FieldStack::default(),
            n_footnotes: 0,
            n_endnotes: 0,
            n_paragraphs: 0,
            n_bytes: 0,
            after_empty: false,
            n_insertions: 0,
            is_cut: false,
        }
    }
}
