//! Block-level content of a story as plain data: paragraphs with their runs and note references, and tables.

use crate::numbering::ListMarker;
use crate::numerals::NumberFormat;
use crate::styles::StyleRole;

/// Character that stands for `w:br` and `w:cr` inside a paragraph.
pub(crate) const LINE_END: char = '\n';

/// Block-level element of a story, in document order.
#[derive(Clone, Debug)]
pub(crate) enum BlockElement {
    Paragraph(Paragraph),
    Table(Table),
    /// Placeholder for a table of contents, whose entries are left out.
    TableOfContents,
}

/// Paragraph with its direct and inherited formatting, before its text is normalized.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    pub(crate) inlines: Vec<Inline>,
    pub(crate) marker: Option<ListMarker>,
    pub(crate) style_role: StyleRole,
    /// Heading level, from 1 to 9.
    pub(crate) heading: Option<u8>,
    /// Id of the paragraph style; empty if none is named.
    pub(crate) style: String,
    /// Indent of the first line in points.
    pub(crate) indent: f32,
    pub(crate) centered: bool,
    /// True if the paragraph is kept on one page with the next (`w:keepNext`).
    pub(crate) keep_next: bool,
    /// Spacing above in points, with that of an empty paragraph there.
    pub(crate) space_above: f32,
    /// Set if this paragraph and the next one are shown as one.
    pub(crate) merges_with_next: Option<MergeReason>,
    /// Format of the paragraph mark, which is the format of a paragraph without text.
    pub(crate) mark_format: CharacterFormat,
}

/// Inline content of a paragraph.
#[derive(Clone, Debug)]
pub(crate) enum Inline {
    Text(String, CharacterFormat),
    NoteReference(NoteReference),
    Change(ChangeMark),
}

/// Place of a pending tracked change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeMark {
    /// An insertion begins.
    Begin,
    /// An insertion ends.
    End,
    /// Deleted text, or a deleted or inserted paragraph mark, stood here.
    Cut,
}

/// Reason why a paragraph and the next one are shown as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeReason {
    /// The paragraph mark between them was deleted.
    DeletedMark,
    /// The mark is a style separator: a heading runs on into its text on the same line.
    StyleSeparator,
}

/// Character formatting that tells headings from text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CharacterFormat {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    /// True for capitals and for small capitals.
    pub(crate) caps: bool,
    pub(crate) underlined: bool,
    /// Type size in points.
    pub(crate) size: f32,
}

/// Reference to a footnote or endnote from the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoteReference {
    /// First reference to the note of this kind and id.
    Note { kind: NoteKind, id: i64, mark: ReferenceMark },
    /// Cross-reference (`NOTEREF`) to a note that is referenced elsewhere, with its printed mark.
    CrossReference(String),
}

/// Mark by which a note is referenced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceMark {
    /// Counted by the program: ordinal among the automatic marks of its kind, from 1.
    Automatic(u32),
    /// Typed by the author (`w:customMarkFollows`).
    Custom(String),
}

/// Kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NoteKind {
    Footnote,
    Endnote,
}

/// Numbering of the automatic marks of one kind of note.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoteNumbering {
    pub(crate) format: NumberFormat,
    /// First number.
    pub(crate) start: u32,
}

/// Table as rows of cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// Cell of a table row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) elements: Vec<BlockElement>,
    /// Grid columns that the cell spans, at least 1.
    pub(crate) span: usize,
}

impl Table {
    /// All cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flatten()
    }
}
