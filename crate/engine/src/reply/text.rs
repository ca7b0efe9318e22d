//! Document as text, block by block: shown where there are no pages.

use std::collections::BTreeMap;

use document::{Block, BlockId, BlockKind, Document, Role, TextRange};
use serde::Serialize;
use ts_rs::TS;

use super::location::code_units;

/// Block of a document's text.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextBlock {
    /// Kind of block.
    pub kind: BlockKind,
    /// Role of the block, if it is more than body text.
    pub role: Option<Role>,
    /// Level of a heading, from 1 for the outermost.
    pub level: Option<u8>,
    /// Mark of a footnote.
    pub marker: Option<String>,
    /// Text; rows of a table end in `\n`, cells in `\t`.
    pub text: String,
    /// Marks of notes in the text.
    pub marks: Vec<TextMark>,
}

/// Mark of a note in a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TextMark {
    /// UTF-16 code unit of the block before which the mark stands.
    pub at: u32,
    /// The mark as printed.
    pub marker: String,
    /// Position of the note's first block, if the note was found.
    pub note: Option<u32>,
}

/// Blocks `start..start + limit` of a document; empty past the end.
pub(crate) fn text_blocks(document: &Document, start: usize, limit: usize) -> Vec<TextBlock> {
    let notes = notes_by_mark(document);
    let blocks = document.layout.blocks.iter().skip(start).take(limit);
    blocks.map(|block| text_block(document, block, &notes)).collect()
}

fn text_block(document: &Document, block: &Block, notes: &BTreeMap<u32, BlockId>) -> TextBlock {
    let layout = &document.layout;
    let range = block.range;
    let first = layout.marks.partition_point(|mark| mark.at < range.start);
    let marks = (0u32..).zip(&layout.marks).skip(first).take_while(|(_, mark)| mark.at <= range.end);
    TextBlock {
        kind: block.kind,
        role: Some(block.role).filter(|role| *role != Role::Body),
        level: if block.kind == BlockKind::Heading { heading_level(document, range) } else { None },
        marker: block.marker.clone().filter(|_| block.kind == BlockKind::Footnote),
        text: layout.slice(range).to_owned(),
        marks: marks
            .map(|(idx, mark)| TextMark {
                at: code_units(layout.slice(TextRange { start: range.start, end: mark.at })),
                marker: mark.marker.clone(),
                note: notes.get(&idx).map(|block| block.0),
            })
            .collect(),
    }
}

/// Level of the section whose heading lies in a range.
fn heading_level(document: &Document, range: TextRange) -> Option<u8> {
    let sections = &document.tree.sections;
    let at =
        sections.partition_point(|section| section.heading.is_none_or(|heading| heading.end <= range.start));
    let section = sections.get(at)?;
    section.heading?.intersect(range).map(|_| section.level)
}

/// First block of the note that each mark calls.
fn notes_by_mark(document: &Document) -> BTreeMap<u32, BlockId> {
    let notes = document.tree.notes.iter().filter_map(|note| Some((note.blocks.first()?, &note.marks)));
    notes.flat_map(|(&block, marks)| marks.iter().map(move |&mark| (mark, block))).collect()
}
