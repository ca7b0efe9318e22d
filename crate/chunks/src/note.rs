//! Note chunks: the footnotes of a page, cut to the encoder's input size and linked to every parent on the page. In a
//! document without pages, the notes called by the same parents are grouped.

use std::collections::BTreeMap;

use document::{
    Chunk, ChunkId, ChunkKind, Layout, Note, NoteId, OrNever as _, PageId, SectionId, TextRange, Tree,
};
use text::TokenCount;

use crate::budget::{SentencePart, TokenLimits, sentences};
use crate::header;
use crate::options::Options;
use crate::tree::{chunk, common};

/// The note chunks in reading order. `parents` are the parent chunks, by id.
pub(crate) fn chunks(
    layout: &Layout,
    tree: &Tree,
    tokens: &dyn TokenCount,
    options: &Options,
    parents: &[Chunk],
) -> Vec<Chunk> {
    let callers = callers(parents, tree.notes.len());
    let mut of_place: BTreeMap<(Option<PageId>, &[ChunkId]), Vec<NoteId>> = BTreeMap::new();
    for (id, note) in (0u32..).map(NoteId).zip(&tree.notes) {
        let place = match note.page {
            Some(page) => (Some(page), [].as_slice()),
            None => (None, callers.get(id.idx()).map(Vec::as_slice).or_never("the callers of a note")),
        };
        of_place.entry(place).or_default().push(id);
    }
    let touching = touching(layout, parents, of_place.keys().filter_map(|(page, _)| *page));
    let mut chunks = Vec::new();
    for ((page, _), ids) in &of_place {
        let mut parts: Vec<(NoteId, SentencePart)> = Vec::new();
        let section = section(layout, tree, ids);
        let tagged = header::tagged(&header::path(tree, section, &[]));
        let room = options.child_tokens.saturating_sub(tokens.count(&tagged)).max(options.child_tokens / 2);
        for &id in ids {
            let Some(note) = tree.note(id) else { continue };
            for block in note.blocks.iter().filter_map(|block| layout.blocks.get(block.idx())) {
                let limits = TokenLimits { first: room, rest: room };
                sentences(
                    layout.slice(block.range),
                    block.range.start as usize,
                    limits,
                    tokens,
                    &mut |range, n_tokens| {
                        parts.push((
                            id,
                            SentencePart { range, n_tokens, section, is_heading: false, starts_block: false },
                        ));
                    },
                );
            }
        }
        let on_page = page.and_then(|page| touching.get(&page)).map(Vec::as_slice).unwrap_or_default();
        for group in fill(&parts, room) {
            chunks.push(note_chunk(layout, section, group, on_page, &callers));
        }
    }
    chunks
}

fn note_chunk(
    layout: &Layout,
    section: SectionId,
    group: &[(NoteId, SentencePart)],
    on_page: &[ChunkId],
    callers: &[Vec<ChunkId>],
) -> Chunk {
    let parts: Vec<SentencePart> = group.iter().map(|(_, part)| *part).collect();
    let mut chunk = chunk(layout, ChunkKind::Note, section, &parts);
    chunk.notes = group.iter().map(|(id, _)| *id).collect();
    chunk.notes.dedup();
    chunk.parents = on_page.to_vec();
    for id in &chunk.notes {
        chunk.parents.extend(callers.get(id.idx()).into_iter().flatten());
    }
    chunk.parents.sort_unstable();
    chunk.parents.dedup();
    chunk
}

/// Parts in groups within the limit. A note that does not fit into the open group begins the next.
fn fill(parts: &[(NoteId, SentencePart)], room: usize) -> Vec<&[(NoteId, SentencePart)]> {
    let mut groups = Vec::new();
    let (mut start, mut total) = (0, 0);
    let mut at = 0;
    for note in parts.chunk_by(|a, b| a.0 == b.0) {
        let size: usize = note.iter().map(|(_, part)| part.n_tokens).sum();
        if total > 0 && total + size > room {
            groups.extend(parts.get(start..at));
            (start, total) = (at, 0);
        }
        for (_, part) in note {
            if total > 0 && total + part.n_tokens > room {
                groups.extend(parts.get(start..at));
                (start, total) = (at, 0);
            }
            total += part.n_tokens;
            at += 1;
        }
    }
    if start < parts.len() {
        groups.extend(parts.get(start..));
    }
    groups
}

/// The innermost section with all marks of the notes; with the notes themselves if none has a mark.
fn section(layout: &Layout, tree: &Tree, ids: &[NoteId]) -> SectionId {
    let place = |note: &Note| -> Option<SectionId> {
        let marks = note.marks.iter().filter_map(|&mark| layout.marks.get(mark as usize));
        marks.map(|mark| tree.innermost_at(mark.at.saturating_sub(1))).reduce(|a, b| common(tree, a, b))
    };
    let own = |note: &Note| {
        let block = note.blocks.first().and_then(|block| layout.blocks.get(block.idx()))?;
        Some(tree.innermost_at(block.range.start))
    };
    let notes = || ids.iter().filter_map(|&id| tree.note(id));
    let called = notes().filter_map(place).reduce(|a, b| common(tree, a, b));
    called.or_else(|| notes().filter_map(own).reduce(|a, b| common(tree, a, b))).unwrap_or(SectionId(0))
}

/// By page with notes, the parents with text on it.
fn touching(
    layout: &Layout,
    parents: &[Chunk],
    noted: impl Iterator<Item = PageId>,
) -> BTreeMap<PageId, Vec<ChunkId>> {
    let mut of_page: BTreeMap<PageId, Vec<ChunkId>> = noted.map(|page| (page, Vec::new())).collect();
    let first_page = |range: &TextRange| layout.words.words_in(*range).next().map(|word| word.page);
    let last_page = |range: &TextRange| layout.words.words_in(*range).last().map(|word| word.page);
    for (at, parent) in parents.iter().enumerate() {
        let first = parent.ranges.first().and_then(first_page);
        let last = parent.ranges.last().and_then(last_page);
        if let (Some(first), Some(last)) = (first, last) {
            for (_, on_page) in of_page.range_mut(first.min(last)..=last.max(first)) {
                on_page.push(ChunkId::from_idx(at));
            }
        }
    }
    of_page
}

/// By note, the parents with its marks.
fn callers(parents: &[Chunk], n_notes: usize) -> Vec<Vec<ChunkId>> {
    let mut callers = vec![Vec::new(); n_notes];
    for (at, parent) in parents.iter().enumerate() {
        for note in &parent.notes {
            if let Some(slot) = callers.get_mut(note.idx()) {
                slot.push(ChunkId::from_idx(at));
            }
        }
    }
    callers
}
