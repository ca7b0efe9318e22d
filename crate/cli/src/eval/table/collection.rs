//! Passages of a corpus or documents of a library that a table asks of, as libraries cut and embedded as a row says; and
//! the judged places that a passage found there stands for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ::index::{Index, Segment, VectorBatch};
use document::ChunkKind;
use engine::{Chunker, Embedder as _, GoldPlace, IngestOptions, Library, Location, TokenCount};
use evaluate::ranking::Judgments;
use retrieval::ModelScripts;
use text::AnalyzerKind;

use super::rows::Searching;
use crate::eval::questions::Question;
use crate::eval::retrieval::corpus::{Children, Corpus, without_layout};
use crate::eval::retrieval::pages::gold_place;
use crate::eval::retrieval::vectors::{TextEmbedder, batches};
use crate::failure::Failure;
use crate::store::Store;

/// Tokens of a long unit.
const LONG_TOKENS: usize = 4_096;

/// A corpus or a library.
pub(super) enum Collection {
    /// Ready-made passages.
    Corpus(Corpus),
    /// Documents as they are laid out.
    Library(Index),
}

impl Collection {
    /// Reads the passages of a file.
    pub(super) fn corpus(path: &Path) -> Result<Self, Failure> {
        Ok(Self::Corpus(Corpus::read(path)?))
    }

    /// Reads the documents of a library.
    pub(super) fn library(directory: &Path) -> Result<Self, Failure> {
        Ok(Self::Library(Store::open(directory)?.index()?))
    }

    /// True if it is a corpus.
    pub(super) fn is_corpus(&self) -> bool {
        matches!(self, Self::Corpus(_))
    }

    /// Its size in words.
    pub(super) fn size(&self) -> String {
        match self {
            Self::Corpus(corpus) => format!("{} passages", corpus.n_passages()),
            Self::Library(index) => format!("{} documents", index.n_documents()),
        }
    }

    /// Identity of its texts, 64 hex digits.
    pub(super) fn identity(&self) -> String {
        let mut bytes = Vec::new();
        match self {
            Self::Corpus(corpus) => {
                for (_, text) in corpus.texts_to_embed(ModelScripts::All) {
                    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
            }
            Self::Library(index) => {
                for (_, entry) in index.iter() {
                    bytes.extend_from_slice(&entry.segment().encode());
                }
            }
        }
        engine::digest(&bytes)
    }

    /// Adds the documents of the judged places to the gold of questions.
    pub(super) fn name_documents(&self, questions: &mut [Question]) {
        let names = match self {
            Self::Corpus(corpus) => corpus.document_names(),
            Self::Library(_) => BTreeMap::new(),
        };
        for question in questions {
            let ids = question.judged.keys().map(String::as_str);
            let documents = ids.filter_map(|id| match self {
                Self::Corpus(_) => names.get(id).cloned(),
                Self::Library(_) => Some(gold_place(id).document),
            });
            question.gold.documents.extend(documents);
        }
    }

    /// The documents cut as a search says, with vectors if there is an encoder: rows by words alone share the library of those
    /// with vectors.
    pub(super) fn searched(
        &self,
        searching: Searching,
        embedder: Option<&TextEmbedder<'_>>,
        tokens: &dyn TokenCount,
    ) -> Result<Library, Failure> {
        let usual = IngestOptions::default();
        let mut sizes = usual.chunks.clone();
        if searching.chunker() == Chunker::Long {
            sizes.parent_tokens = LONG_TOKENS;
        }
        let options = IngestOptions { chunker: searching.chunker(), chunks: sizes, ..usual };
        let is_cut = options.chunker != Chunker::Layout;
        let mut library = Library::new();
        match self {
            Self::Corpus(corpus) if is_cut => {
                corpus.segments_cut(&options, tokens).try_for_each(|segment| add(&mut library, segment))?;
            }
            Self::Corpus(corpus) => {
                let mut segments = corpus.segments(AnalyzerKind::Default, Children::Same);
                segments.try_for_each(|segment| add(&mut library, segment))?;
            }
            Self::Library(index) => {
                for (_, entry) in index.iter() {
                    let segment = cut(entry.segment(), &options, searching.notes, tokens);
                    add(&mut library, segment)?;
                }
            }
        }
        let Some(embedder) = embedder else { return Ok(library) };
        match self {
            Self::Corpus(corpus) if !is_cut => embed_passages(&mut library, corpus, embedder)?,
            Self::Library(index) if !is_cut => take_vectors(&mut library, index, embedder)?,
            _ => {}
        }
        embed_missing(&mut library, &searching.name(), embedder)?;
        Ok(library)
    }

    /// The places that a passage stands for: the judged ones that it touches, else one of its own. Of a passage of a corpus
    /// that is half of it, or half of what was found.
    pub(super) fn places(&self, location: &Location, judged: &Judgments) -> Vec<String> {
        let (start, end) = (
            location.spans.iter().map(|span| span.range[0]).min().unwrap_or_default() as usize,
            location.spans.iter().map(|span| span.range[1]).max().unwrap_or_default() as usize,
        );
        let own = || format!("{}:{start}", location.document);
        let touched: Vec<String> = match self {
            Self::Corpus(corpus) => {
                let among = corpus.passages_in(&location.document_id, start..end.max(start + 1));
                if let [(id, _)] = among.as_slice() {
                    return vec![(*id).to_owned()];
                }
                let is_half = |range: &std::ops::Range<usize>| {
                    let common = range.end.min(end).saturating_sub(range.start.max(start));
                    common * 2 >= range.len().min(end - start)
                };
                let halves = among.iter().filter(|(id, range)| judged.contains_key(*id) && is_half(range));
                halves.map(|(id, _)| (*id).to_owned()).collect()
            }
            Self::Library(_) => {
                let pages: BTreeSet<u32> = location.spans.iter().filter_map(|span| span.page).collect();
                let touches = |id: &&String| {
                    let GoldPlace { document, pages: wanted, range: _ } = gold_place(id);
                    document == location.document && (wanted.is_empty() || !wanted.is_disjoint(&pages))
                };
                judged.keys().filter(touches).cloned().collect()
            }
        };
        if touched.is_empty() { vec![own()] } else { touched }
    }

    /// Name of the document of a passage.
    pub(super) fn document(&self, location: &Location) -> String {
        match self {
            Self::Corpus(corpus) => corpus.name_of(&location.document_id),
            Self::Library(_) => location.document.clone(),
        }
    }
}

fn add(library: &mut Library, segment: Segment) -> Result<(), Failure> {
    let name = segment.document().name.clone();
    library.add_as(&segment.encode(), &name)?;
    Ok(())
}

/// A document cut anew, or with its footnotes cut off from the text that calls them.
fn cut(segment: &Segment, options: &IngestOptions, notes: bool, tokens: &dyn TokenCount) -> Segment {
    if options.chunker != Chunker::Layout {
        return without_layout(segment.document(), options, tokens);
    }
    let mut document = segment.document().clone();
    if !notes {
        document.tree.notes.iter_mut().for_each(|note| note.marks.clear());
        for chunk in &mut document.chunks {
            match chunk.kind {
                ChunkKind::Note => chunk.parents.clear(),
                _ => chunk.notes.clear(),
            }
        }
    }
    Segment::new(document, segment.analyzer())
}

/// The vectors of the passages of a corpus, as `eval retrieval` makes them.
fn embed_passages(
    library: &mut Library,
    corpus: &Corpus,
    embedder: &TextEmbedder<'_>,
) -> Result<(), Failure> {
    let vectors = embedder.passages(corpus, ModelScripts::default())?;
    for (document, members) in corpus.members().enumerate() {
        for batch in batches(document, members, &vectors, embedder.session.fingerprint())? {
            library.add_vectors(&batch.encode())?;
        }
    }
    Ok(())
}

/// The vectors that the library has of the same passages.
fn take_vectors(library: &mut Library, index: &Index, embedder: &TextEmbedder<'_>) -> Result<(), Failure> {
    let fingerprint = embedder.session.fingerprint();
    for (_, entry) in index.iter() {
        let (segment, vectors) = (entry.segment(), entry.vectors());
        if vectors.fingerprint() != Some(fingerprint) {
            continue;
        }
        let rows = (0..segment.embeddable().len()).filter_map(|row| Some((row, vectors.row(row)?.to_vec())));
        let batches = VectorBatch::of_rows(&segment.document().digest, fingerprint, rows);
        for batch in batches.map_err(engine::Error::from)? {
            library.add_vectors(&batch.encode())?;
        }
    }
    Ok(())
}

/// Embeds what the model can read and has no vector yet.
fn embed_missing(library: &mut Library, name: &str, embedder: &TextEmbedder<'_>) -> Result<(), Failure> {
    let (mut places, mut texts) = (Vec::new(), Vec::new());
    for info in library.documents() {
        for [start, end] in library.passages_without_vectors(&info.id) {
            places.extend((start..end).map(|row| (info.id.clone(), row)));
            texts.extend(library.passages(&info.id, start, end - start));
        }
    }
    let vectors = embedder.rows(name, &texts)?;
    let mut of_document: BTreeMap<String, BTreeMap<usize, Vec<f32>>> = BTreeMap::new();
    for ((id, row), vector) in places.into_iter().zip(vectors) {
        of_document.entry(id).or_default().insert(row, vector);
    }
    for (id, vectors) in of_document {
        library.put_single_vectors(&id, vectors, embedder.session.fingerprint())?;
    }
    Ok(())
}
