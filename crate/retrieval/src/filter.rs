//! Where to look: documents, sections, kinds of chunk.

use document::{Chunk, ChunkId, ChunkKind, DocumentIdx, SectionId};
use index::Index;

use crate::{Options, Units};

/// What a hit must lie in. Each list that is given must hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// These documents.
    pub documents: Option<Vec<DocumentIdx>>,
    /// These sections or sections below them.
    pub sections: Option<Vec<(DocumentIdx, SectionId)>>,
    /// Chunks of these kinds.
    pub kinds: Option<Vec<ChunkKind>>,
}

/// The filter and the wanted units, over a snapshot.
pub struct Scope<'a> {
    index: &'a Index,
    filter: &'a Filter,
    units: Units,
}

impl<'a> Scope<'a> {
    pub fn new(index: &'a Index, options: &'a Options) -> Self {
        Self { index, filter: &options.filter, units: options.units }
    }

    /// Whether any chunk of a document may be a hit.
    pub fn holds_document(&self, document: DocumentIdx) -> bool {
        self.filter.documents.as_ref().is_none_or(|documents| documents.contains(&document))
    }

    /// Whether a chunk may be a hit.
    pub fn holds(&self, document: DocumentIdx, chunk: ChunkId) -> bool {
        let Some(found) = self.chunk(document, chunk) else { return false };
        let unit = match found.kind {
            ChunkKind::Child => self.units != Units::Article || found.article.is_none(),
            ChunkKind::Article => self.units != Units::Child,
            ChunkKind::Note => true,
            ChunkKind::Parent => false,
        };
        unit && self.filter.kinds.as_ref().is_none_or(|kinds| kinds.contains(&found.kind))
            && self.in_place(document, found)
    }

    /// The article in whose name a child's vector may speak: its own, where articles are looked for.
    pub fn article_of(&self, document: DocumentIdx, chunk: ChunkId) -> Option<ChunkId> {
        let article = self.chunk(document, chunk)?.article?;
        self.holds(document, article).then_some(article)
    }

    fn chunk(&self, document: DocumentIdx, chunk: ChunkId) -> Option<&'a Chunk> {
        self.index.get(document)?.segment().chunk(chunk)
    }

    fn in_place(&self, document: DocumentIdx, chunk: &Chunk) -> bool {
        if !self.holds_document(document) {
            return false;
        }
        let Some(wanted) = &self.filter.sections else { return true };
        let Some(entry) = self.index.get(document) else { return false };
        let sections = &entry.segment().document().tree.sections;
        let mut at = Some(chunk.section);
        // Parents come before their children, so the walk ends; the count guards against trees that break this.
        for _ in 0..=sections.len() {
            let Some(section) = at else { return false };
            if wanted.contains(&(document, section)) {
                return true;
            }
            at = sections.get(section.idx()).and_then(|node| node.parent);
        }
        false
    }
}
