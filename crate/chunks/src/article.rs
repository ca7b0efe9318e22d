//! Articles: the sections marked as such, whole, with their subsections.

use document::{Chunk, ChunkId, ChunkKind, Layout, SectionId, Tree};

use crate::budget::Piece;
use crate::tree::{Outline, chunk};

/// The articles in reading order; each child learns the article it lies in. Articles follow the parents and
/// the children, which fixes their ids.
pub(crate) fn chunks(
    layout: &Layout,
    tree: &Tree,
    pieces: &[Piece],
    outline: &Outline,
    children: &mut [Chunk],
    n_parents: usize,
) -> Vec<Chunk> {
    let first = n_parents + children.len();
    let mut articles: Vec<Chunk> = Vec::new();
    let mut ids: Vec<Option<ChunkId>> = vec![None; tree.sections.len()];
    for (at, _) in (0u32..).zip(&tree.sections).filter(|(_, section)| section.is_article) {
        let id = SectionId(at);
        let from = pieces.partition_point(|piece| piece.section < id);
        let to = pieces.partition_point(|piece| piece.section <= outline.last(id));
        let members = pieces.get(from..to).unwrap_or_default();
        if members.is_empty() {
            continue;
        }
        if let Some(slot) = ids.get_mut(id.idx()) {
            *slot = Some(ChunkId::from_idx(first + articles.len()));
        }
        articles.push(chunk(layout, ChunkKind::Article, id, members));
    }
    for child in children {
        child.article =
            outline.article(child.section).and_then(|section| ids.get(section.idx()).copied().flatten());
    }
    articles
}
