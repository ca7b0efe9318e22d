//! A document as text, block by block: what a viewer shows where there are no pages, and where in it something
//! stands. Offsets are UTF-16 code units of a block's text, because that is what viewers count in.

use std::collections::BTreeMap;

use document::{BlockId, BlockKind, Document, Role, TextRange};

use crate::library::Library;

/// A range of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The block.
    pub block: BlockId,
    /// First UTF-16 code unit in its text.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// A block as a viewer shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBlock {
    /// What it is.
    pub kind: BlockKind,
    /// What it is besides.
    pub role: Role,
    /// Of a heading: its level, 1 for the outermost.
    pub level: Option<u8>,
    /// Of a footnote: its mark.
    pub marker: Option<String>,
    /// Its text; rows of a table end in `\n`, cells in `\t`.
    pub text: String,
    /// The marks of notes in it.
    pub marks: Vec<TextMark>,
}

/// The mark of a note in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMark {
    /// The UTF-16 code unit before which it stands.
    pub at: u32,
    /// The mark.
    pub marker: String,
    /// The first block of the note, where it was found.
    pub note: Option<BlockId>,
}

impl Library {
    /// Blocks `start..start + limit` of a document. Empty past the end and for a document that is not here.
    pub fn text(&self, id: &str, start: usize, limit: usize) -> Vec<TextBlock> {
        let Some(entry) = self.find(id) else { return Vec::new() };
        let document = entry.segment().document();
        let blocks = document.layout.blocks.iter().skip(start).take(limit);
        let notes = notes_by_mark(document);
        blocks.map(|block| text_block(document, block, &notes)).collect()
    }
}

fn text_block(document: &Document, block: &document::Block, notes: &BTreeMap<u32, BlockId>) -> TextBlock {
    let (layout, tree) = (&document.layout, &document.tree);
    let range = block.range;
    let level = || {
        let at = tree
            .sections
            .partition_point(|section| section.heading.is_none_or(|heading| heading.end <= range.start));
        let section = tree.sections.get(at)?;
        section.heading?.intersect(range).map(|_| section.level)
    };
    let first = layout.marks.partition_point(|mark| mark.at < range.start);
    let marks = (0u32..).zip(&layout.marks).skip(first).take_while(|(_, mark)| mark.at <= range.end);
    TextBlock {
        kind: block.kind,
        role: block.role,
        level: if block.kind == BlockKind::Heading { level() } else { None },
        marker: block.marker.clone().filter(|_| block.kind == BlockKind::Footnote),
        text: layout.slice(range).to_owned(),
        marks: marks
            .map(|(idx, mark)| TextMark {
                at: units(layout.slice(TextRange { start: range.start, end: mark.at })),
                marker: mark.marker.clone(),
                note: notes.get(&idx).copied(),
            })
            .collect(),
    }
}

/// For each mark that calls a note, the first block of the note.
fn notes_by_mark(document: &Document) -> BTreeMap<u32, BlockId> {
    let notes = document.tree.notes.iter().filter_map(|note| Some((note.blocks.first()?, &note.marks)));
    notes.flat_map(|(&block, marks)| marks.iter().map(move |&mark| (mark, block))).collect()
}

/// Where ranges of a document without pages stand in its blocks.
pub(crate) fn places(document: &Document, ranges: &[TextRange]) -> Vec<TextPlace> {
    let layout = &document.layout;
    if !layout.pages.is_empty() {
        return Vec::new();
    }
    let mut places = Vec::new();
    for range in ranges {
        let first = layout.blocks.partition_point(|block| block.range.end <= range.start);
        for (at, block) in layout.blocks.iter().enumerate().skip(first) {
            let Some(part) = block.range.intersect(*range) else { break };
            let before = TextRange { start: block.range.start, end: part.start };
            let start = units(layout.slice(before));
            let end = start + units(layout.slice(part));
            places.push(TextPlace { block: BlockId::from_idx(at), start, end });
        }
    }
    places
}

fn units(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}
