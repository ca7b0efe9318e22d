//! Parents: consecutive units merged up to the limit. A parent begins with the last unit of the previous one if that
//! is short.

use std::ops::Range;

use document::{Chunk, ChunkKind, Layout, NoteId, SectionId, Slice as _, Tree};

use crate::budget::SentencePart;
use crate::tree::{chunk, common};
use crate::unit::Unit;

/// The units of each parent.
pub(crate) fn group(units: &[Unit], limit: usize) -> Vec<Range<usize>> {
    let mut parents = Vec::new();
    let mut start = 0;
    while start < units.len() {
        let (mut end, mut total) = (start, 0);
        while let Some(unit) = units.get(end).filter(|_| total < limit) {
            total += unit.n_tokens;
            end += 1;
        }
        parents.push(start..end);
        if end >= units.len() {
            break;
        }
        // The next parent begins with this unit again and holds at least one more.
        let last = end - 1;
        let overlaps = units.get(last).is_some_and(|unit| !unit.is_cut && unit.n_tokens < limit);
        start = if overlaps && last > start { last } else { end };
    }
    parents
}

/// The parents as chunks, with the notes called in them.
pub(crate) fn chunks(
    layout: &Layout,
    tree: &Tree,
    parts: &[SentencePart],
    units: &[Unit],
    parents: &[Range<usize>],
) -> Vec<Chunk> {
    let calls = calls(layout, tree);
    parents
        .iter()
        .map(|parent| {
            let members = units.slice(parent.clone());
            let start = members.first().map_or(0, |unit| unit.parts.start);
            let end = members.last().map_or(0, |unit| unit.parts.end);
            let section = members.iter().map(|unit| unit.section).reduce(|a, b| common(tree, a, b));
            let mut chunk =
                chunk(layout, ChunkKind::Parent, section.unwrap_or(SectionId(0)), parts.slice(start..end));
            chunk.notes = called(&calls, &chunk);
            chunk
        })
        .collect()
}

/// Position in the text and note of each note mark, in order of the text.
fn calls(layout: &Layout, tree: &Tree) -> Vec<(u32, NoteId)> {
    let mut calls: Vec<(u32, NoteId)> = Vec::new();
    for (id, note) in (0u32..).zip(&tree.notes) {
        let marks = note.marks.iter().filter_map(|&mark| layout.marks.get(mark as usize));
        calls.extend(marks.map(|mark| (mark.at, NoteId(id))));
    }
    calls.sort_unstable();
    calls
}

/// The notes whose marks are in a chunk. A mark at the end of a range is in it.
fn called(calls: &[(u32, NoteId)], chunk: &Chunk) -> Vec<NoteId> {
    let mut notes: Vec<NoteId> = Vec::new();
    for range in &chunk.ranges {
        let from = calls.partition_point(|&(at, _)| at <= range.start);
        let to = calls.partition_point(|&(at, _)| at <= range.end);
        notes.extend(calls.slice(from..to).iter().map(|&(_, note)| note));
    }
    notes.sort_unstable();
    notes.dedup();
    notes
}
