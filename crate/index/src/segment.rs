//! Segments: a document with its units and postings, immutable.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use document::{Chunk, ChunkId, ChunkKind, Document, Pace, Slice as _, Steps, at_once};
use text::{Analyzer, AnalyzerKind};

use crate::chunk_set::ChunkSet;
use crate::graph::Graph;
use crate::lexical::postings::{Postings, narrow};

/// A chunk as it is indexed. The caller chooses header and text; [`Segment::new`] has the usual choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit<'a> {
    /// The chunk.
    pub chunk: ChunkId,
    /// Title of the document and headings of the chunk: searched with the text, with a weight of their own.
    pub header: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A document and its lexical index.
#[derive(Clone, Debug)]
pub struct Segment {
    document: Document,
    analyzer: AnalyzerKind,
    units: Vec<ChunkId>,
    postings: Postings,
    /// Derived, not stored, as all that follows.
    unit_set: ChunkSet,
    embeddable: Vec<ChunkId>,
    embeddable_set: ChunkSet,
    text_len: u64,
    header_len: u64,
    /// Derived on first use.
    graph: OnceLock<Graph>,
    /// Derived on first use.
    children: OnceLock<Children>,
    /// Rows mostly in CJK characters, ascending. Derived on first use.
    cjk_rows: OnceLock<Vec<u32>>,
}

/// The children of articles.
#[derive(Clone, Debug, Default)]
struct Children {
    articles: ChunkSet,
    /// By article the end of its children in `rows`.
    ends: Vec<u32>,
    /// Rows of the children, article by article, ascending.
    rows: Vec<u32>,
}

/// Derived fields are not compared.
impl PartialEq for Segment {
    fn eq(&self, other: &Self) -> bool {
        self.document == other.document
            && self.analyzer == other.analyzer
            && self.units == other.units
            && self.postings == other.postings
    }
}

impl Segment {
    /// Indexes the children, articles and notes of a document. The header is the title and the headings, the text the
    /// chunk's own.
    ///
    /// The encoder's input is not stored. The caller makes it from [`Self::document`] and [`Self::embeddable`], which
    /// gives the same strings for the same document.
    pub fn new(document: Document, analyzer: AnalyzerKind) -> Self {
        // Text by text: those of all units together are as long as the document, and more.
        let texts = chunks_of(&document, is_unit).map(|(_, chunk)| {
            let mut header = document.title.clone().unwrap_or_default();
            for title in document.section_path(chunk) {
                header.push('\n');
                header.push_str(&title);
            }
            (Cow::Owned(header), document.chunk_text(chunk))
        });
        let postings = Postings::build(texts, &Analyzer::new(analyzer));
        let ids = chunks_of(&document, is_unit).map(|(id, _)| id).collect();
        Self::from_parts(document, analyzer, ids, postings)
    }

    /// Indexes the given units of a document. Of several units of one chunk the first counts.
    pub fn with_units(document: Document, units: &[Unit<'_>], analyzer: AnalyzerKind) -> Self {
        let mut units = units.to_vec();
        units.sort_by_key(|unit| unit.chunk);
        units.dedup_by_key(|unit| unit.chunk);
        let texts = units.iter().map(|unit| (unit.header, unit.text));
        let postings = Postings::build(texts, &Analyzer::new(analyzer));
        let ids = units.iter().map(|unit| unit.chunk).collect();
        Self::from_parts(document, analyzer, ids, postings)
    }

    pub(crate) fn from_parts(
        document: Document,
        analyzer: AnalyzerKind,
        units: Vec<ChunkId>,
        postings: Postings,
    ) -> Self {
        let embeddable: Vec<ChunkId> =
            chunks_of(&document, |kind| matches!(kind, ChunkKind::Child | ChunkKind::Note))
                .map(|(id, _)| id)
                .collect();
        let n_chunks = document.chunks.len();
        let unit_set = ChunkSet::new(n_chunks, units.iter().copied());
        let embeddable_set = ChunkSet::new(n_chunks, embeddable.iter().copied());
        let (mut text_len, mut header_len) = (0, 0);
        for length in postings.lengths() {
            text_len += u64::from(length.text);
            header_len += u64::from(length.header);
        }
        Self {
            document,
            analyzer,
            units,
            postings,
            unit_set,
            embeddable,
            embeddable_set,
            text_len,
            header_len,
            graph: OnceLock::new(),
            children: OnceLock::new(),
            cjk_rows: OnceLock::new(),
        }
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Gives the document another name, such as one that tells it from a document of the same file name.
    #[must_use]
    pub fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.document.name);
        self
    }

    /// A chunk of the document.
    pub fn chunk(&self, id: ChunkId) -> Option<&Chunk> {
        self.document.chunks.get(id.idx())
    }

    /// Its analyzer; queries must use the same.
    pub fn analyzer(&self) -> AnalyzerKind {
        self.analyzer
    }

    /// The indexed chunks, ascending; a unit is a position in this list.
    pub fn units(&self) -> &[ChunkId] {
        &self.units
    }

    /// The unit of a chunk.
    pub fn unit_of(&self, chunk: ChunkId) -> Option<u32> {
        self.unit_set.position(chunk).and_then(|unit| u32::try_from(unit).ok())
    }

    /// The postings of the units.
    pub fn postings(&self) -> &Postings {
        &self.postings
    }

    /// Relations between its units.
    pub fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::new(&self.document, &self.units))
    }

    /// Derives, step by step, what the first search would derive otherwise.
    pub async fn derive(&self, pace: &Pace) {
        if self.graph.get().is_none() {
            let graph = Graph::new_paced(&self.document, &self.units, pace).await;
            self.graph.get_or_init(|| graph);
        }
    }

    /// True after [`Self::derive`] or a first search.
    pub fn is_derived(&self) -> bool {
        self.graph.get().is_some()
    }

    /// Frees a segment step by step, unless others have it: the lists of a long document take as long as reading it.
    pub fn freeing(segment: Arc<Self>) -> Steps<()> {
        Steps::new(|pace| async move {
            let Some(Self { document, .. }) = Arc::into_inner(segment) else { return };
            let Document { layout, tree, chunks, .. } = document;
            free(layout.blocks, &pace).await;
            free(layout.marks, &pace).await;
            free(layout.furniture, &pace).await;
            free(tree.sections, &pace).await;
            free(tree.notes, &pace).await;
            free(tree.references, &pace).await;
            free(tree.terms, &pace).await;
            free(tree.entities, &pace).await;
            free(chunks, &pace).await;
        })
    }

    /// The chunks that have vectors, ascending: children and notes. Articles are found through their children. Row `i` of
    /// the document's vectors belongs to `embeddable()[i]`.
    pub fn embeddable(&self) -> &[ChunkId] {
        &self.embeddable
    }

    /// Rows (positions in [`Self::embeddable`]) whose own text, without headings, is mostly in CJK characters; ascending.
    pub fn cjk_rows(&self) -> &[u32] {
        self.cjk_rows
            .get_or_init(|| at_once(async |pace| cjk_rows(&self.document, &self.embeddable, pace).await))
    }

    /// Derives [`Self::cjk_rows`] step by step.
    pub async fn derive_cjk_rows(&self, pace: &Pace) {
        if self.cjk_rows.get().is_none() {
            let rows = cjk_rows(&self.document, &self.embeddable, pace).await;
            self.cjk_rows.get_or_init(|| rows);
        }
    }

    /// The row of a child's or note's vector, its position in [`Self::embeddable`].
    pub fn row_of(&self, chunk: ChunkId) -> Option<usize> {
        self.embeddable_set.position(chunk)
    }

    /// The rows of an article's children, ascending.
    pub fn rows_of_article(&self, article: ChunkId) -> impl Iterator<Item = usize> {
        let children = self.children.get_or_init(|| Children::new(self));
        children.of(article).iter().map(|&row| row as usize)
    }

    /// The rows of a chunk's vectors: of a child or note its own, of an article those of its children.
    pub fn rows_of(&self, chunk: ChunkId) -> impl Iterator<Item = usize> {
        let own = self.row_of(chunk);
        let of_children = own.is_none().then(|| self.rows_of_article(chunk));
        own.into_iter().chain(of_children.into_iter().flatten())
    }

    /// Number of terms in the texts of all units.
    pub fn text_len(&self) -> u64 {
        self.text_len
    }

    /// Number of terms in the headers of all units.
    pub fn header_len(&self) -> u64 {
        self.header_len
    }
}

impl Children {
    fn new(segment: &Segment) -> Self {
        let article_of = |chunk: &ChunkId| segment.chunk(*chunk)?.article;
        let rows = (0_u32..).zip(&segment.embeddable);
        let mut children: Vec<(ChunkId, u32)> =
            rows.filter_map(|(row, chunk)| Some((article_of(chunk)?, row))).collect();
        children.sort_unstable();
        let of_articles = || children.chunk_by(|a, b| a.0 == b.0);
        let articles = of_articles().filter_map(|children| Some(children.first()?.0));
        let ends = of_articles().scan(0, |end, children| {
            *end += narrow(children.len());
            Some(*end)
        });
        Self {
            articles: ChunkSet::new(segment.document.chunks.len(), articles),
            ends: ends.collect(),
            rows: children.iter().map(|&(_, row)| row).collect(),
        }
    }

    /// The rows of an article's children.
    fn of(&self, article: ChunkId) -> &[u32] {
        let Some(at) = self.articles.position(article) else { return &[] };
        let end_of = |at: usize| self.ends.get(at).map_or(0, |&end| end as usize);
        self.rows.slice(at.checked_sub(1).map_or(0, end_of)..end_of(at))
    }
}

async fn free<T>(mut items: Vec<T>, pace: &Pace) {
    const ITEMS: usize = 1024;
    /// Freeing an item, in stored bytes decoded in the same time.
    const COST: usize = 50;
    while !items.is_empty() {
        items.truncate(items.len().saturating_sub(ITEMS));
        pace.spend(ITEMS * COST).await;
    }
}

/// Rows whose text is mostly in CJK characters.
async fn cjk_rows(document: &Document, embeddable: &[ChunkId], pace: &Pace) -> Vec<u32> {
    let mut rows = Vec::new();
    if !text::may_have_cjk(&document.layout.text) {
        return rows;
    }
    for (row, chunk) in (0..).zip(embeddable) {
        let Some(chunk) = document.chunks.get(chunk.idx()) else { continue };
        let text = document.chunk_text(chunk);
        if text::is_mostly_cjk(&text) {
            rows.push(row);
        }
        pace.spend(text.len()).await;
    }
    rows
}

fn is_unit(kind: ChunkKind) -> bool {
    match kind {
        ChunkKind::Child | ChunkKind::Article | ChunkKind::Note => true,
        ChunkKind::Parent => false,
    }
}

fn chunks_of(
    document: &Document,
    keep: impl Fn(ChunkKind) -> bool,
) -> impl Iterator<Item = (ChunkId, &Chunk)> {
    document
        .chunks
        .iter()
        .enumerate()
        .filter(move |(_, chunk)| keep(chunk.kind))
        .map(|(idx, chunk)| (ChunkId::from_idx(idx), chunk))
}

#[cfg(test)]
mod tests {
    use document::{Step, TextRange};

    use super::*;

    #[test]
    fn a_segment_is_freed_unless_others_have_it() {
        let chunk = Chunk {
            kind: ChunkKind::Child,
            ranges: vec![TextRange::new(0, 7)],
            section: document::SectionId(0),
            n_tokens: 1,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        };
        let mut document = Document { chunks: vec![chunk; 100_000], ..Document::default() };
        document.layout.text = "records".to_owned();
        let segment = Arc::new(Segment::new(document, AnalyzerKind::Default));
        let n_steps = |segment: Arc<Segment>| {
            let mut steps = Segment::freeing(segment);
            for n in 1.. {
                match steps.step() {
                    Step::Done(()) => return n,
                    Step::More(rest) => steps = rest,
                }
            }
            0
        };
        let other = Arc::clone(&segment);
        assert_eq!(n_steps(segment), 1);
        assert_eq!(other.units().len(), 100_000, "who has it still has it");
        let weak = Arc::downgrade(&other);
        assert_eq!(n_steps(other), 3, "5 MB's worth of chunks in steps of 2 MiB");
        assert!(weak.upgrade().is_none());
    }
}
