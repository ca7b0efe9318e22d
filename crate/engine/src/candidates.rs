//! Vectors on demand: the passages that a question needs embedded, before all others are.
//!
//! A search by vectors needs those of its candidates. The words of a question find most of what its vector finds:
//! embedding the best [`CANDIDATES`] by words first gives an answer in seconds where embedding a document takes a minute.
//! The vectors are kept like any others, so no passage is embedded twice.

use std::collections::BTreeMap;

use document::DocumentIdx;
use index::VectorBatch;
use retrieval::{AnalyzedQuery, ModelScripts, Options, Query};

use crate::error::Error;
use crate::library::Library;
use crate::search::SearchOptions;

/// Number of passages, best first by words, whose vectors a question needs. 200 and 400 find no more than these, with 50
/// it is a point of recall at 10 less: `tests/retrieval/figures.md`, rows "embedded".
pub const CANDIDATES: usize = 100;

/// Passage to embed for a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedPassage {
    /// Id of its document.
    pub document: String,
    /// Its number among the document's passages, from 0.
    pub row: usize,
    /// Text to embed: header tags, then text.
    pub text: String,
}

/// Vectors of consecutive passages, as bytes to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredVectors {
    /// The first passage.
    pub start: usize,
    /// Number of passages.
    pub count: usize,
    /// For [`Library::add_vectors`].
    pub bytes: Vec<u8>,
}

/// Document and row of a passage.
pub(crate) type Row = (DocumentIdx, usize);

impl Library {
    /// Rows of the best passages for a query by words, best first: those whose vectors are still to come. Empty for a
    /// query that is not compared with vectors.
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] for a filter that makes no sense.
    pub(crate) fn rows_without_vectors(
        &self,
        query: &str,
        options: &SearchOptions,
    ) -> Result<Vec<Row>, Error> {
        let filter = self.filter(&options.filter)?;
        let words = Options { units: options.units, filter, ..Options::default() };
        if !words.uses_vector(query) {
            return Ok(Vec::new());
        }
        let lexicon = self.lexicon();
        let analysis = AnalyzedQuery::read(query, &lexicon, &options.glossary);
        let citations = Some(lexicon.citations());
        let query = Query { text: query, vector: None, analysis: Some(&analysis), citations };
        let mut rows = retrieval::passages_by_words(&self.index, &query, &words, CANDIDATES);
        rows.retain(|&row| !self.has_vector(row) && self.is_readable(row, words.model_scripts));
        Ok(rows)
    }

    pub(crate) fn has_vector(&self, (document, row): Row) -> bool {
        self.entry(document).is_some_and(|entry| entry.vectors().row(row).is_some())
    }

    /// True if the model can read a passage.
    fn is_readable(&self, (document, row): Row, scripts: ModelScripts) -> bool {
        let rows = self.entry(document).map(|entry| scripts.unreadable_rows(entry.segment()));
        rows.is_some_and(|rows| rows.binary_search_by_key(&row, |&other| other as usize).is_err())
    }

    /// A passage to embed.
    pub(crate) fn wanted(&self, (document, row): Row) -> Option<WantedPassage> {
        let id = self.entry(document)?.segment().document().digest.clone();
        let text = self.passages(&id, row, 1).pop()?;
        Some(WantedPassage { document: id, row, text })
    }

    /// Texts to embed of single passages of a document, in the order of `rows`; empty past its end and for an unknown
    /// document.
    pub fn passages_at(&self, id: &str, rows: &[usize]) -> Vec<String> {
        rows.iter().map(|&row| self.passages(id, row, 1).pop().unwrap_or_default()).collect()
    }

    /// Runs of passages of a document whose vectors are still to come, as first and last + 1, ascending. A passage mostly
    /// in a script that the embedding model cannot read gets no vector.
    pub fn passages_without_vectors(&self, id: &str) -> Vec<[usize; 2]> {
        let Some(entry) = self.find(id) else { return Vec::new() };
        let missing = ModelScripts::default().missing_rows(entry);
        missing.into_iter().map(|run| [run.start, run.end]).collect()
    }

    /// Adds vectors of single passages, by passage. Returns the bytes to store: of each run of consecutive ones, without
    /// those that had vectors.
    ///
    /// # Errors
    /// As [`Self::put_vectors`].
    pub fn put_single_vectors(
        &mut self,
        id: &str,
        vectors: BTreeMap<usize, Vec<f32>>,
        fingerprint: &str,
    ) -> Result<Vec<StoredVectors>, Error> {
        let document = self.index.find(id);
        let is_new = |row: usize| !document.is_some_and(|document| self.has_vector((document, row)));
        let vectors = vectors.into_iter().filter(|&(row, _)| is_new(row));
        let batches = VectorBatch::of_rows(id, fingerprint, vectors)?;
        let mut stored = Vec::with_capacity(batches.len());
        for batch in batches {
            let (start, count) = (batch.start() as usize, batch.n_rows());
            stored.push(StoredVectors { start, count, bytes: batch.encode() });
            self.index.add_vectors(&batch)?;
        }
        self.graph.update(&self.index);
        Ok(stored)
    }
}
