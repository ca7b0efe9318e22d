//! What a story is made of: paragraphs with their pieces, tables, and the marks of notes.

use crate::numbering::Marker;
use crate::numerals::Format;
use crate::styles::Meaning;
use crate::tables::Table;

/// The end of a line that somebody set within a paragraph.
pub(crate) const LINE_END: char = '\n';

/// One after the other.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Para(Para),
    Table(Table),
    /// A table of contents stood here.
    Contents,
}

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Para {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) marker: Option<Marker>,
    pub(crate) meaning: Meaning,
    /// Its level as a heading, from 1.
    pub(crate) heading: Option<u8>,
    /// The style it names.
    pub(crate) style: String,
    /// In points.
    pub(crate) indent: f32,
    pub(crate) centered: bool,
    /// It stays with the next paragraph.
    pub(crate) keep_next: bool,
    /// White stands above it.
    pub(crate) apart: bool,
    /// The next paragraph goes on in it.
    pub(crate) runs_on: Option<Joint>,
    /// The looks of an empty paragraph: those of its mark.
    pub(crate) look: Look,
}

/// A part of a paragraph.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(String, Look),
    Call(Call),
}

/// How a paragraph goes on in the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joint {
    /// What parted them was deleted.
    Deleted,
    /// A heading on the line of the text that it heads.
    Separator,
}

/// How text is set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Look {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) caps: bool,
    pub(crate) underlined: bool,
    /// In points.
    pub(crate) size: f32,
}

/// The mark of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// The mark of the footnote or endnote of this id: the n-th that is numbered, or a mark of its own.
    Note { kind: NoteKind, id: i64, mark: Mark },
    /// The mark of a note that is called elsewhere too, as printed.
    Again(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Nth(u32),
    Own(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NoteKind {
    Foot,
    End,
}

/// How the notes of a kind are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoteNumbers {
    pub(crate) format: Format,
    pub(crate) start: u32,
}
