//! Notes of a quoted text: a sentence is quoted with the notes that it calls.

use document::{BlockId, BlockKind, Document, NoteId, TextRange};

/// Longest note that is quoted whole, in bytes.
pub(crate) const MAX_NOTE_BYTES: usize = 700;

/// The notes called in a range of the body.
pub(crate) fn notes_called(source: &Document, range: TextRange) -> Vec<NoteId> {
    let marks = &source.layout.marks;
    let first = marks.partition_point(|mark| mark.at <= range.start);
    let end = marks.partition_point(|mark| mark.at <= range.end);
    if first >= end || is_note(source, range) {
        return Vec::new();
    }
    let is_within = |mark: &u32| (first..end).contains(&(*mark as usize));
    let notes = (0u32..).map(NoteId).zip(&source.tree.notes);
    notes.filter(|(_, note)| note.marks.iter().any(is_within)).map(|(id, _)| id).collect()
}

/// Ranges of a note's text.
pub(crate) fn note_ranges(source: &Document, id: NoteId) -> Vec<TextRange> {
    let Some(note) = source.tree.note(id) else { return Vec::new() };
    let blocks = note.blocks.iter().filter_map(|block| source.layout.blocks.get(block.idx()));
    blocks.map(|block| block.range).collect()
}

/// The note in whose text a range begins, if its footnote is tied to one.
pub(crate) fn note_at(source: &Document, range: TextRange) -> Option<NoteId> {
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    source.layout.blocks.get(at).filter(|block| block.kind == BlockKind::Footnote)?;
    let id = BlockId::from_idx(at);
    let notes = (0u32..).map(NoteId).zip(&source.tree.notes);
    notes.into_iter().find(|(_, note)| note.blocks.contains(&id)).map(|(id, _)| id)
}

/// True if a range begins in a note.
pub(crate) fn is_note(source: &Document, range: TextRange) -> bool {
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    source.layout.blocks.get(at).is_some_and(|block| block.kind == BlockKind::Footnote)
}
