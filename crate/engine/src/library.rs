//! Library: the documents that are searched together.

use std::cell::RefCell;
use std::sync::Arc;

use document::{ChunkId, Document, DocumentIdx, OrNever as _, Steps, TextRange};
use index::vector::{Ann, QueryVector, dot};
use index::{Collection, Entry, Index, Segment, VectorBatch};
use retrieval::{LambdaMart, Lexicon};
use text::{AnalyzerKind, TokenCount};

use crate::error::{Code, Error};
use crate::graph::{self, Graph};
use crate::ingest::{self, IngestOptions, report};
use crate::progress::{OnProgress, Stage};
use crate::reply::{DocumentInfo, TextBlock, text_blocks};

/// Reads a PDF or a Word file into the bytes of a segment, to store and to pass to [`Library::add`].
///
/// # Errors
/// As [`crate::read`].
pub fn ingest(
    bytes: &[u8],
    name: &str,
    options: &IngestOptions,
    tokens: &dyn TokenCount,
    progress: OnProgress<'_>,
) -> Result<Vec<u8>, Error> {
    let document = ingest::read(bytes, name, options, tokens, progress)?;
    report(progress, Stage::Index, 0, 1)?;
    let segment = Segment::new(document, AnalyzerKind::Default).encode();
    report(progress, Stage::Index, 1, 1)?;
    Ok(segment)
}

/// Reads a stored segment step by step, to pass to [`Library::add_read`]. The errors are those of [`Library::add`].
pub fn reading(segment: Vec<u8>) -> Steps<Result<Segment, Error>> {
    Steps::new(|pace| async move {
        let segment = Segment::decode_paced(&segment, &pace).await?;
        // The page lists at once how many passages are to be embedded.
        segment.derive_cjk_rows(&pace).await;
        Ok(segment)
    })
}

/// Library in memory. It does no I/O: it returns bytes to store and is rebuilt from them.
#[derive(Clone, Default)]
pub struct Library {
    pub(crate) index: Index,
    /// Graph over the vectors, derived from the index on demand.
    pub(crate) graph: Graph,
    /// Names and definitions of the documents, derived from the index on demand.
    lexicon: RefCell<Option<Arc<Lexicon>>>,
    /// Ranker that a user has set in the place of those that ship.
    pub(crate) ranker: Option<Arc<LambdaMart>>,
}

/// Result of [`Library::preparing`].
pub struct Prepared {
    lexicon: Arc<Lexicon>,
}

impl Library {
    /// An empty library.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a segment; it replaces the document of the same bytes. Documents of one name are both kept: see
    /// [`crate::distinct_name`].
    ///
    /// # Errors
    /// [`Code::IndexVersion`] and [`Code::IndexDamaged`]; the library is unchanged.
    pub fn add(&mut self, segment: &[u8]) -> Result<DocumentInfo, Error> {
        self.insert(Segment::decode(segment)?)
    }

    /// Adds a segment under a name of the caller's.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn add_as(&mut self, segment: &[u8], name: &str) -> Result<DocumentInfo, Error> {
        self.insert(Segment::decode(segment)?.renamed(name))
    }

    /// Adds a segment that was read before, step by step, or that another library has.
    ///
    /// # Errors
    /// [`Code::Internal`] if it is not there afterwards, which does not happen.
    pub fn add_read(&mut self, segment: impl Into<Arc<Segment>>) -> Result<DocumentInfo, Error> {
        self.insert(segment)
    }

    /// The segment of a document.
    pub fn segment(&self, id: &str) -> Option<&Arc<Segment>> {
        Some(self.find(id)?.segment())
    }

    /// What is derived from the documents before a first question can be answered, step by step; `None` when it is there.
    /// Without it the first question takes as long in one call.
    pub fn preparing(&self) -> Option<Steps<Prepared>> {
        let is_derived = |(_, entry): (DocumentIdx, &Entry)| entry.segment().is_derived();
        let has_lexicon = self.lexicon.borrow().as_ref().is_some_and(|known| known.is_of(&self.index));
        if has_lexicon && self.index.iter().all(is_derived) {
            return None;
        }
        let index = self.index.clone();
        Some(Steps::new(|pace| async move {
            for (_, entry) in index.iter() {
                entry.segment().derive(&pace).await;
            }
            Prepared { lexicon: Arc::new(Lexicon::of_paced(&index, &pace).await) }
        }))
    }

    /// Takes what was prepared, unless the documents have changed since.
    pub fn take_prepared(&mut self, Prepared { lexicon }: Prepared) {
        if lexicon.is_of(&self.index) {
            *self.lexicon.borrow_mut() = Some(lexicon);
        }
    }

    fn insert(&mut self, segment: impl Into<Arc<Segment>>) -> Result<DocumentInfo, Error> {
        let segment = segment.into();
        let id = segment.document().digest.clone();
        self.index.insert(segment);
        self.graph.update(&self.index);
        self.find(&id)
            .map(DocumentInfo::of)
            .ok_or_else(|| Error::new(Code::Internal, "the added document is missing", ""))
    }

    /// Removes the document of this id; false if there is none.
    pub fn remove(&mut self, id: &str) -> bool {
        let is_gone = self.index.remove(id).is_some();
        self.graph.update(&self.index);
        is_gone
    }

    /// The documents in the order in which they were added.
    pub fn documents(&self) -> Vec<DocumentInfo> {
        self.index.iter().map(|(_, entry)| DocumentInfo::of(entry)).collect()
    }

    /// Texts to embed of passages `start..start + limit` of a document: header tags, then text. Empty past the end and
    /// for an unknown document.
    pub fn passages(&self, id: &str, start: usize, limit: usize) -> Vec<String> {
        let Some(entry) = self.find(id) else { return Vec::new() };
        let document = entry.segment().document();
        let tagged = |chunk: &ChunkId| {
            document
                .chunks
                .get(chunk.idx())
                .map(|chunk| chunks::tagged_text(document, chunk))
                .or_never("an embeddable chunk")
        };
        entry.segment().embeddable().iter().skip(start).take(limit).map(tagged).collect()
    }

    /// Adds the vectors of the passages from `start` on. Returns the bytes to store.
    ///
    /// # Errors
    /// [`Code::BadArgument`] for an unknown document; [`Code::ModelMismatch`] if the vectors do not fit those it has.
    pub fn put_vectors(
        &mut self,
        id: &str,
        start: usize,
        rows: &[Vec<f32>],
        fingerprint: &str,
    ) -> Result<Vec<u8>, Error> {
        let batch = VectorBatch::new(id, fingerprint, u32::try_from(start).unwrap_or(u32::MAX), rows)?;
        let bytes = batch.encode();
        self.index.add_vectors(&batch)?;
        self.graph.update(&self.index);
        Ok(bytes)
    }

    /// Adds stored vectors of [`Self::put_vectors`], or of several calls, one after the other.
    ///
    /// # Errors
    /// [`Code::IndexVersion`], [`Code::IndexDamaged`], and as [`Self::put_vectors`].
    pub fn add_vectors(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for batch in VectorBatch::decode_all(bytes)? {
            self.index.add_vectors(&batch)?;
        }
        self.graph.update(&self.index);
        Ok(())
    }

    /// Takes the statistics of a collection of which the library holds the documents that matter: searches then score as if it
    /// held all. `None` for those of its own documents.
    pub fn use_collection(&mut self, collection: Option<Collection>) {
        self.index.set_collection(collection.map(Arc::new));
    }

    /// Checks that the vectors of the library are of the model with this fingerprint.
    ///
    /// # Errors
    /// [`Code::ModelMismatch`], naming the document that another model embedded.
    pub fn check_model(&self, fingerprint: &str) -> Result<(), Error> {
        for (_, entry) in self.index.iter() {
            if let Some(other) = entry.vectors().fingerprint().filter(|&other| other != fingerprint) {
                let name = &entry.segment().document().name;
                let (theirs, ours) = (short(other), short(fingerprint));
                return Err(Error::new(
                    Code::ModelMismatch,
                    format!("{name} was embedded by model {theirs}, the one given is {ours}"),
                    "index the document again, or give the model that it was indexed with",
                ));
            }
        }
        Ok(())
    }

    /// Checks that a query vector can be compared with the library's.
    pub(crate) fn check_vector(&self, vector: QueryVector<'_>) -> Result<(), Error> {
        let square = dot(vector.values, vector.values);
        if !square.is_normal() {
            let what = if square.is_nan() { "has a value that is not a number" } else { "has no length" };
            return Err(Error::bad_argument(format!("the vector of the question {what}")));
        }
        let n_values = vector.values.len();
        for (_, entry) in self.index.iter() {
            let n_dims = entry.vectors().n_dims().unwrap_or(n_values);
            if n_dims != n_values {
                let name = &entry.segment().document().name;
                return Err(Error::new(
                    Code::ModelMismatch,
                    format!(
                        "the vector of the question has {n_values} values, those of {name} have {n_dims}"
                    ),
                    "embed the question with the model that the document was embedded with",
                ));
            }
        }
        Ok(())
    }

    /// Blocks `start..start + limit` of a document's text. Empty past the end and for an unknown document.
    pub fn text(&self, id: &str, start: usize, limit: usize) -> Vec<TextBlock> {
        self.document(id).map_or_else(Vec::new, |document| text_blocks(document, start, limit))
    }

    /// True if a new graph would make searches with `ann` quicker: there are enough vectors, and no graph or an
    /// outdated one.
    pub fn wants_graph(&self, ann: Ann) -> bool {
        self.graph.is_wanted(&self.index, ann)
    }

    /// Number of the library's vectors that are in the graph.
    pub fn n_linked(&self) -> usize {
        self.graph.n_linked()
    }

    /// Number of vectors in the library.
    pub fn n_vectors(&self) -> usize {
        graph::n_vectors(&self.index)
    }

    /// Input of [`crate::link_graph`]: the library's vectors as they are now, as bytes of a quarter of their size.
    /// `None` without vectors.
    pub fn graph_points(&mut self) -> Option<Vec<u8>> {
        self.graph.points(&self.index)
    }

    /// Takes the links that [`crate::link_graph`] made of the last [`Self::graph_points`].
    ///
    /// # Errors
    /// [`Code::BadArgument`] without a call of [`Self::graph_points`]; otherwise as [`crate::link_graph`].
    pub fn set_graph(&mut self, links: &[u8]) -> Result<(), Error> {
        self.graph.join(&self.index, links)
    }

    /// Builds the graph in this call.
    pub fn build_graph(&mut self) {
        self.graph.build(&self.index);
    }

    /// Names and definitions of the documents, read on first use and again after a change.
    pub(crate) fn lexicon(&self) -> Arc<Lexicon> {
        let mut lexicon = self.lexicon.borrow_mut();
        match lexicon.as_ref().filter(|lexicon| lexicon.is_of(&self.index)) {
            Some(known) => Arc::clone(known),
            None => {
                let read = Arc::new(Lexicon::of(&self.index));
                *lexicon = Some(Arc::clone(&read));
                read
            }
        }
    }

    /// A chunk as its document and its ranges of the text.
    pub(crate) fn passage(&self, document: DocumentIdx, chunk: ChunkId) -> Option<(&Document, &[TextRange])> {
        let document = self.entry(document)?.segment().document();
        Some((document, &document.chunks.get(chunk.idx())?.ranges))
    }

    fn document(&self, id: &str) -> Option<&Document> {
        Some(self.find(id)?.segment().document())
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Entry> {
        self.index.get(self.index.find(id)?)
    }

    pub(crate) fn entry(&self, document: DocumentIdx) -> Option<&Entry> {
        self.index.get(document)
    }
}

/// First 12 digits of a fingerprint.
fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}
