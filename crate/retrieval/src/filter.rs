//! Where to look: documents, sections, kinds of chunk, editions and dates, what still is law.
//!
//! A filter says what may be a hit at all, and both legs ask it before they count their best: the legs of a narrow
//! search are as deep as those of a wide one. What depends on documents and sections is worked out once a search:
//! linear in the documents, and in their sections where the filter asks for some; then a look-up a chunk.

use document::{Chunk, ChunkId, ChunkKind, Document, DocumentIdx, SectionId};
use index::Index;

use crate::{Options, Units};

/// What a hit must lie in. Each condition that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// These documents.
    pub documents: Option<Vec<DocumentIdx>>,
    /// These sections or sections below them.
    pub sections: Option<Vec<(DocumentIdx, SectionId)>>,
    /// Chunks of these kinds.
    pub kinds: Option<Vec<ChunkKind>>,
    /// Documents that say this of their edition, or bear it in their name or title; case is no matter.
    pub edition: Option<String>,
    /// Documents whose date ([`document::Tree::date`]) is this or later: `2023-07-01`, `2023-07`, `2023`. A
    /// document without a date is none of them.
    pub from: Option<String>,
    /// The same for this or earlier.
    pub to: Option<String>,
    /// Leave out sections that say that they are repealed, superseded or kept free.
    pub in_force: bool,
}

impl Filter {
    /// Whether a document may hold hits, by what is said of it as a whole.
    fn holds_document(&self, index: DocumentIdx, document: &Document) -> bool {
        self.documents.as_ref().is_none_or(|documents| documents.contains(&index))
            && self.sections.as_ref().is_none_or(|sections| sections.iter().any(|(of, _)| *of == index))
            && self.edition.as_ref().is_none_or(|wanted| is_edition(document, wanted))
            && self.holds_date(document)
    }

    /// Dates are compared as far as both go: a document of 2023 may be from July.
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

/// The filter and the wanted units, over a snapshot.
pub struct Scope<'a> {
    index: &'a Index,
    filter: &'a Filter,
    units: Units,
    /// By document: which sections may be looked in. `None` for a document that is left out.
    documents: Vec<Option<Sections>>,
}

/// Sections of a document.
enum Sections {
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

    /// Whether any chunk of a document may be a hit.
    pub fn holds_document(&self, document: DocumentIdx) -> bool {
        self.documents.get(document.idx()).is_some_and(Option::is_some)
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
        match self.documents.get(document.idx()) {
            Some(Some(Sections::All)) => true,
            Some(Some(Sections::Some(held))) => held.get(chunk.section.idx()).copied().unwrap_or(false),
            Some(None) | None => false,
        }
    }
}

/// The sections of a document that a filter holds: from the outermost down, since parents come first.
fn sections(filter: &Filter, document: DocumentIdx, source: &Document) -> Sections {
    let tree = &source.tree;
    let by_standing = filter.in_force && !tree.withdrawn.is_empty();
    if filter.sections.is_none() && !by_standing {
        return Sections::All;
    }
    let mut named = vec![filter.sections.is_none(); tree.sections.len()];
    for (_, section) in filter.sections.iter().flatten().filter(|(of, _)| *of == document) {
        if let Some(held) = named.get_mut(section.idx()) {
            *held = true;
        }
    }
    let mut withdrawn = vec![false; tree.sections.len()];
    if by_standing {
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
    Sections::Some(named.into_iter().zip(withdrawn).map(|(named, gone)| named && !gone).collect())
}
