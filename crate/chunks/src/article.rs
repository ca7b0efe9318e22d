//! Articles: each section marked as an article, with its subsections, as one chunk.

use document::{Chunk, ChunkId, ChunkKind, Layout, SectionId, Slice as _, Tree};

use crate::budget::SentencePart;
use crate::tree::{SectionIndex, chunk};

/// The articles in reading order; also sets the article of each child. The ids of articles follow those of the parents
/// and the children.
pub(crate) fn chunks(
    layout: &Layout,
    tree: &Tree,
    parts: &[SentencePart],
    section_index: &SectionIndex,
    children: &mut [Chunk],
    n_parents: usize,
) -> Vec<Chunk> {
    let first = n_parents + children.len();
    let mut articles: Vec<Chunk> = Vec::new();
    let mut ids: Vec<Option<ChunkId>> = vec![None; tree.sections.len()];
    for (at, _) in (0u32..).zip(&tree.sections).filter(|(_, section)| section.is_article) {
        let id = SectionId(at);
        let from = parts.partition_point(|part| part.section < id);
        let to = parts.partition_point(|part| part.section <= section_index.last(id));
        let members = parts.slice(from..to);
        if members.is_empty() {
            continue;
        }
        if let Some(slot) = ids.get_mut(id.idx()) {
            *slot = Some(ChunkId::from_idx(first + articles.len()));
        }
        articles.push(chunk(layout, ChunkKind::Article, id, members));
    }
    for child in children {
        child.article = section_index
            .article(child.section)
            .and_then(|section| ids.get(section.idx()).copied().flatten());
    }
    articles
}
