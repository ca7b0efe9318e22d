//! Lookups in the section tree that several kinds of chunk share.

use document::{Chunk, ChunkKind, Layout, SectionId, TextRange, Tree};

use crate::budget::SentencePart;

/// Article and subtree of each section.
pub(crate) struct SectionIndex {
    /// By section the article that it is or lies in.
    article: Vec<Option<SectionId>>,
    /// By section the last section of its subtree.
    last: Vec<u32>,
}

impl SectionIndex {
    pub(crate) fn new(tree: &Tree) -> Self {
        let mut article: Vec<Option<SectionId>> = Vec::with_capacity(tree.sections.len());
        for (at, section) in tree.sections.iter().enumerate() {
            let above = section.parent.and_then(|parent| article.get(parent.idx()).copied().flatten());
            article.push(above.or(section.is_article.then(|| SectionId::from_idx(at))));
        }
        let mut last: Vec<u32> = (0u32..).take(tree.sections.len()).collect();
        for (at, section) in tree.sections.iter().enumerate().rev() {
            let own = last.get(at).copied().unwrap_or(0);
            if let Some(slot) = section
                .parent
                .filter(|parent| parent.idx() < at)
                .and_then(|parent| last.get_mut(parent.idx()))
            {
                *slot = own.max(*slot);
            }
        }
        Self { article, last }
    }

    /// The article that a section is or lies in.
    pub(crate) fn article(&self, section: SectionId) -> Option<SectionId> {
        self.article.get(section.idx()).copied().flatten()
    }

    /// The last section of a section's subtree.
    pub(crate) fn last(&self, section: SectionId) -> SectionId {
        self.last.get(section.idx()).map_or(section, |&last| SectionId(last))
    }
}

/// The innermost section that contains both.
pub(crate) fn common(tree: &Tree, a: SectionId, b: SectionId) -> SectionId {
    // Parents come before their children, so the later of the two is never an ancestor of the other.
    let (mut a, mut b) = (a, b);
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        match tree.sections.get(later.idx()).and_then(|section| section.parent) {
            Some(parent) if parent < *later => *later = parent,
            _ => return SectionId(0),
        }
    }
    a
}

/// A chunk made of parts.
pub(crate) fn chunk(layout: &Layout, kind: ChunkKind, section: SectionId, parts: &[SentencePart]) -> Chunk {
    let n_tokens: usize = parts.iter().map(|part| part.n_tokens).sum();
    Chunk {
        kind,
        ranges: ranges(layout, parts),
        section,
        n_tokens: u32::try_from(n_tokens).unwrap_or(u32::MAX),
        parents: Vec::new(),
        article: None,
        notes: Vec::new(),
    }
}

/// The ranges of parts, merged where only white space separates them.
fn ranges(layout: &Layout, parts: &[SentencePart]) -> Vec<TextRange> {
    let mut ranges: Vec<TextRange> = Vec::new();
    for part in parts {
        match ranges.last_mut() {
            Some(last)
                if layout
                    .slice(TextRange { start: last.end, end: part.range.start })
                    .trim_start()
                    .is_empty() =>
            {
                last.end = part.range.end;
            }
            _ => ranges.push(part.range),
        }
    }
    ranges
}
