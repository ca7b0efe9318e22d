//! Filtering by document, section, kind of chunk, edition, date and legal status.
//!
//! Both retrievers filter before they count their best, so the lists of a narrow search are as deep as those of a wide
//! one. Documents and sections are filtered once per search, in time linear in the documents and, if the filter needs
//! them, in their sections; a chunk is then one look-up.

use document::{Chunk, ChunkId, ChunkKind, Document, DocumentIdx, SectionId};
use index::Index;

use crate::options::{Filter, Options, SearchUnits};

impl Filter {
    /// True if a document passes the conditions on whole documents.
    fn holds_document(&self, index: DocumentIdx, document: &Document) -> bool {
        self.documents.as_ref().is_none_or(|documents| documents.contains(&index))
            && self.sections.as_ref().is_none_or(|sections| sections.iter().any(|(of, _)| *of == index))
            && self.edition.as_ref().is_none_or(|wanted| is_edition(document, wanted))
            && self.holds_date(document)
    }

    /// True if the document's date is in range. Dates are compared to the precision of both: 2023 may be July 2023.
    fn holds_date(&self, document: &Document) -> bool {
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        let Some(date) = document.tree.date() else { return false };
        let ends_by = |end: &str, date: &str| date <= end || date.starts_with(end);
        self.from.as_ref().is_none_or(|from| ends_by(date, from))
            && self.to.as_ref().is_none_or(|to| ends_by(to, date))
    }
}

fn is_edition(document: &Document, wanted: &str) -> bool {
    let wanted = wanted.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&wanted);
    has(&document.name)
        || document.title.as_deref().is_some_and(has)
        || document.tree.editions.iter().any(|edition| has(&edition.text))
}

/// The filter and the kinds of unit, over a snapshot.
pub struct Scope<'a> {
    index: &'a Index,
    filter: &'a Filter,
    units: SearchUnits,
    /// By document the sections that pass; `None` for a document that does not.
    documents: Vec<Option<AllowedSections>>,
}

/// Sections of a document that pass a filter.
enum AllowedSections {
    All,
    /// By section.
    Some(Vec<bool>),
}

impl<'a> Scope<'a> {
    pub fn new(index: &'a Index, options: &'a Options) -> Self {
        let filter = &options.filter;
        let documents = index
            .iter()
            .map(|(document, entry)| {
                let source = entry.segment().document();
                filter.holds_document(document, source).then(|| sections(filter, document, source))
            })
            .collect();
        Self { index, filter, units: options.units, documents }
    }

    /// True if a chunk of the document may be a hit.
    pub fn holds_document(&self, document: DocumentIdx) -> bool {
        self.documents.get(document.idx()).is_some_and(Option::is_some)
    }

    /// True if every unit of the document may be a hit.
    pub fn holds_all_of(&self, document: DocumentIdx) -> bool {
        let sections = self.documents.get(document.idx());
        self.units == SearchUnits::Both
            && self.filter.kinds.is_none()
            && matches!(sections, Some(Some(AllowedSections::All)))
    }

    /// True if the chunk may be a hit.
    pub fn holds(&self, document: DocumentIdx, chunk: ChunkId) -> bool {
        let Some(found) = self.chunk(document, chunk) else { return false };
        let unit = match found.kind {
            ChunkKind::Child => self.units != SearchUnits::Article || found.article.is_none(),
            ChunkKind::Article => self.units != SearchUnits::Child,
            ChunkKind::Note => true,
            ChunkKind::Parent => false,
        };
        unit && self.filter.kinds.as_ref().is_none_or(|kinds| kinds.contains(&found.kind))
            && self.in_place(document, found)
    }

    /// The article that a child's vector also ranks: its own, if articles are searched.
    pub fn article_of(&self, document: DocumentIdx, chunk: ChunkId) -> Option<ChunkId> {
        let article = self.chunk(document, chunk)?.article?;
        self.holds(document, article).then_some(article)
    }

    fn chunk(&self, document: DocumentIdx, chunk: ChunkId) -> Option<&'a Chunk> {
        self.index.get(document)?.segment().chunk(chunk)
    }

    fn in_place(&self, document: DocumentIdx, chunk: &Chunk) -> bool {
        match self.documents.get(document.idx()) {
            Some(Some(AllowedSections::All)) => true,
            Some(Some(AllowedSections::Some(held))) => {
                held.get(chunk.section.idx()).copied().unwrap_or(false)
            }
            Some(None) | None => false,
        }
    }
}

/// The sections of a document that pass a filter, computed from the root down.
fn sections(filter: &Filter, document: DocumentIdx, source: &Document) -> AllowedSections {
    let tree = &source.tree;
    let by_status = filter.in_force && !tree.withdrawn.is_empty();
    if filter.sections.is_none() && !by_status {
        return AllowedSections::All;
    }
    let mut named = vec![filter.sections.is_none(); tree.sections.len()];
    for (_, section) in filter.sections.iter().flatten().filter(|(of, _)| *of == document) {
        if let Some(held) = named.get_mut(section.idx()) {
            *held = true;
        }
    }
    let mut withdrawn = vec![false; tree.sections.len()];
    if by_status {
        for gone in &tree.withdrawn {
            if let Some(gone) = withdrawn.get_mut(gone.section.idx()) {
                *gone = true;
            }
        }
    }
    for (at, section) in tree.sections.iter().enumerate() {
        let Some(parent) = section.parent.map(SectionId::idx).filter(|parent| *parent < at) else { continue };
        let above = |list: &[bool]| list.get(parent).copied().unwrap_or(false);
        let (is_named, is_gone) = (above(&named), above(&withdrawn));
        for (list, inherited) in [(&mut named, is_named), (&mut withdrawn, is_gone)] {
            if let Some(own) = list.get_mut(at) {
                *own |= inherited;
            }
        }
    }
    AllowedSections::Some(named.into_iter().zip(withdrawn).map(|(named, gone)| named && !gone).collect())
}
