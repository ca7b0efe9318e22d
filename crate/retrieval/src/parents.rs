//! Parents of hits: the chunks that a model reads.

use document::{Chunk, ChunkId, ChunkKind, Hit};
use index::{Index, Segment};

/// The parents of a hit in reading order: those of a child or note; for an article those of its children, or if it has
/// none, those that overlap it; a parent is its own.
pub fn parents_of(index: &Index, hit: &Hit) -> Vec<ChunkId> {
    let Some(entry) = index.get(hit.document) else { return Vec::new() };
    let segment = entry.segment();
    let Some(chunk) = segment.chunk(hit.chunk) else { return Vec::new() };
    let mut parents = match chunk.kind {
        ChunkKind::Parent => vec![hit.chunk],
        ChunkKind::Child | ChunkKind::Note => chunk.parents.clone(),
        ChunkKind::Article => parents_of_article(segment, hit.chunk, chunk),
    };
    parents.sort_unstable();
    parents.dedup();
    parents
}

fn parents_of_article(segment: &Segment, id: ChunkId, article: &Chunk) -> Vec<ChunkId> {
    let chunks = &segment.document().chunks;
    let children = chunks.iter().filter(|chunk| chunk.article == Some(id));
    let parents: Vec<ChunkId> = children.flat_map(|child| child.parents.iter().copied()).collect();
    if !parents.is_empty() {
        return parents;
    }
    let shares_text = |parent: &Chunk| {
        parent.ranges.iter().any(|range| article.ranges.iter().any(|other| range.intersect(*other).is_some()))
    };
    chunks
        .iter()
        .enumerate()
        .filter(|(_, chunk)| chunk.kind == ChunkKind::Parent && shares_text(chunk))
        .map(|(idx, _)| ChunkId::from_idx(idx))
        .collect()
}
