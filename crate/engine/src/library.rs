//! The documents that are searched together: added, removed, embedded batch by batch.

use std::cell::RefCell;
use std::sync::Arc;

use document::{ChunkId, DocumentIdx};
use index::vector::{QueryVector, dot};
use index::{Entry, Index, Segment, VectorBatch};
use retrieval::{Glossary, Lexicon};
use text::{AnalyzerKind, TokenCount};

use crate::ann::Graph;
use crate::error::{Code, Error};
use crate::ingest::{self, IngestOptions, report};
use crate::progress::{OnProgress, Stage};
use crate::reply::DocumentInfo;

/// Reads a PDF or a Word file into the bytes of a segment: what is stored, and what [`Library::add`] takes.
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

/// A library in memory. It does no I/O: what it gives to store is bytes, and it is rebuilt from them.
#[derive(Clone, Default)]
pub struct Library {
    pub(crate) index: Index,
    /// Derived from the index, when it is asked for.
    pub(crate) graph: Graph,
    /// What the documents name and define; derived from the index, on demand.
    lexicon: RefCell<Option<Arc<Lexicon>>>,
    pub(crate) glossary: Arc<Glossary>,
}

impl Library {
    /// An empty library.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a segment; a document of the same name or the same bytes is replaced.
    ///
    /// # Errors
    /// [`Code::IndexVersion`] and [`Code::IndexDamaged`]; the library is as it was.
    pub fn add(&mut self, segment: &[u8]) -> Result<DocumentInfo, Error> {
        let segment = Arc::new(Segment::decode(segment)?);
        let id = segment.document().digest.clone();
        self.index.insert(segment);
        self.changed();
        self.find(&id)
            .map(info)
            .ok_or_else(|| Error::new(Code::Internal, "a document added is not there", ""))
    }

    /// Removes the document of this id; whether there was one.
    pub fn remove(&mut self, id: &str) -> bool {
        let is_gone = self.index.remove(id).is_some();
        self.changed();
        is_gone
    }

    /// The documents in the order in which they were added.
    pub fn documents(&self) -> Vec<DocumentInfo> {
        self.index.iter().map(|(_, entry)| info(entry)).collect()
    }

    /// The texts to embed of passages `start..start + limit` of a document: header tags, then text. Empty past
    /// the end and for a document that is not here.
    pub fn passages(&self, id: &str, start: usize, limit: usize) -> Vec<String> {
        let Some(entry) = self.find(id) else { return Vec::new() };
        let document = entry.segment().document();
        let tagged = |chunk: &ChunkId| {
            document
                .chunks
                .get(chunk.idx())
                .map(|chunk| chunks::tagged_text(document, chunk))
                .unwrap_or_default()
        };
        entry.segment().embeddable().iter().skip(start).take(limit).map(tagged).collect()
    }

    /// Adds the vectors of passages from `start` on. Gives the bytes to store.
    ///
    /// # Errors
    /// When the document is not here, or the vectors do not fit those it has.
    pub fn put_vectors(
        &mut self,
        id: &str,
        start: usize,
        rows: &[Vec<f32>],
        fingerprint: &str,
    ) -> Result<Vec<u8>, Error> {
        let batch = VectorBatch::new(id, fingerprint, u32::try_from(start).unwrap_or(u32::MAX), rows)?;
        let bytes = batch.encode();
        self.index.add_vectors(Arc::new(batch))?;
        self.changed();
        Ok(bytes)
    }

    /// Adds vectors that [`Self::put_vectors`] gave to store.
    ///
    /// # Errors
    /// [`Code::IndexVersion`], [`Code::IndexDamaged`], and as [`Self::put_vectors`].
    pub fn add_vectors(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.index.add_vectors(Arc::new(VectorBatch::decode(bytes)?))?;
        self.changed();
        Ok(())
    }

    /// Whether vectors that are here can be compared with those of the model of this fingerprint.
    ///
    /// # Errors
    /// [`Code::ModelMismatch`], with the document that was embedded by another model.
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

    /// Whether a question's vector can be compared with those that are here.
    pub(crate) fn check_vector(&self, vector: QueryVector<'_>) -> Result<(), Error> {
        let square = dot(vector.values, vector.values);
        if !square.is_normal() {
            let what = if square.is_nan() { "has a value that is not a number" } else { "has no length" };
            return Err(Error::bad_argument(format!("the vector of the question {what}")));
        }
        let n_values = vector.values.len();
        for (_, entry) in self.index.iter() {
            let n_dims = entry.vectors().n_dims().map_or(n_values, |n_dims| n_dims as usize);
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

    /// Other words for what questions say, in place of those given before.
    pub fn set_glossary(&mut self, glossary: Glossary) {
        self.glossary = Arc::new(glossary);
    }

    /// Adds to the other words for what questions say.
    pub(crate) fn extend_glossary<'a, E: IntoIterator<Item = &'a str>>(
        &mut self,
        entries: impl IntoIterator<Item = (&'a str, E)>,
    ) {
        Arc::make_mut(&mut self.glossary).extend(entries);
    }

    /// What the documents name and define, read when it is first asked for and again when the library has
    /// changed.
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

    pub(crate) fn find(&self, id: &str) -> Option<&Entry> {
        self.index.get(self.index.find(id)?)
    }

    pub(crate) fn entry(&self, document: DocumentIdx) -> Option<&Entry> {
        self.index.get(document)
    }
}

/// Enough of a fingerprint to tell models apart.
fn short(fingerprint: &str) -> &str {
    fingerprint.get(..12).unwrap_or(fingerprint)
}

fn info(entry: &Entry) -> DocumentInfo {
    let document = entry.segment().document();
    DocumentInfo {
        id: document.digest.clone(),
        name: document.name.clone(),
        title: document.title.clone(),
        date: document.tree.date().map(str::to_owned),
        edition: document
            .tree
            .editions
            .iter()
            .min_by_key(|edition| edition.kind)
            .map(|said| said.text.clone()),
        n_pages: document.layout.pages.len(),
        n_passages: entry.segment().embeddable().len(),
        n_embedded: entry.vectors().n_rows(),
        diags: document.diags.clone(),
    }
}
