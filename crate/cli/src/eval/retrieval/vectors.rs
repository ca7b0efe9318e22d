//! Vectors of a corpus and its questions, kept in a file between runs.
//!
//! The file is a sequence of batches (`length u64`, then the bytes of [`VectorBatch::encode`]), appended one by one, so
//! an interrupted run resumes. A batch is used if it has the digest of the texts and the fingerprint of the model;
//! damaged, truncated or foreign batches are computed again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use ::index::{Index, VectorBatch};
use encoder::Session;
use engine::Embedder as _;
use retrieval::ModelScripts;

use super::corpus::{Corpus, digest_of};
use crate::embedding;
use crate::failure::Failure;

/// Texts that each thread embeds between two lines of progress.
const BATCH: usize = 256;

/// Vectors of passages by their places in the file; those that the model cannot read have none.
pub(crate) type PassageVectors = BTreeMap<usize, Vec<f32>>;

/// Embedding model of an evaluation.
pub(crate) struct TextEmbedder<'a> {
    pub(crate) session: &'a Session,
    pub(crate) n_threads: NonZeroUsize,
    /// File that keeps the vectors.
    pub(crate) kept: Option<&'a Path>,
}

impl TextEmbedder<'_> {
    /// Embeds the passages that a model of these scripts can read.
    pub(crate) fn passages(&self, corpus: &Corpus, scripts: ModelScripts) -> Result<PassageVectors, Failure> {
        let (places, texts): (Vec<usize>, Vec<String>) = corpus.texts_to_embed(scripts).into_iter().unzip();
        Ok(places.into_iter().zip(self.rows("passages", &texts)?).collect())
    }

    /// Embeds texts; `name` labels the progress lines.
    pub(crate) fn rows(&self, name: &str, texts: &[String]) -> Result<Vec<Vec<f32>>, Failure> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        Kept::open(self.kept)?.rows_of(name, texts, self)
    }
}

/// Adds the vectors of a document's passages; `members` are their places in the file.
pub(crate) fn add(
    index: &mut Index,
    document: usize,
    members: &[usize],
    passages: &PassageVectors,
    fingerprint: &str,
) -> Result<(), Failure> {
    for batch in batches(document, members, passages, fingerprint)? {
        index.add_vectors(&batch).map_err(engine::Error::from)?;
    }
    Ok(())
}

/// The vectors of a document's passages.
pub(crate) fn batches(
    document: usize,
    members: &[usize],
    passages: &PassageVectors,
    fingerprint: &str,
) -> Result<Vec<VectorBatch>, Failure> {
    let rows =
        members.iter().enumerate().filter_map(|(row, place)| Some((row, passages.get(place)?.clone())));
    Ok(VectorBatch::of_rows(&digest_of(document), fingerprint, rows).map_err(engine::Error::from)?)
}

/// The file of vectors, if one is kept.
struct Kept {
    batches: Vec<VectorBatch>,
    file: Option<(std::path::PathBuf, File)>,
}

impl Kept {
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self { batches: Vec::new(), file: None }) };
        let io = |error: std::io::Error| Failure::io(path, &error);
        let mut batches = Vec::new();
        let mut n_whole = 0_u64;
        if path.exists() {
            let bytes = fs::read(path).map_err(io)?;
            let mut rest = bytes.as_slice();
            while let Some((length, tail)) = rest.split_first_chunk::<8>() {
                let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
                let Some((body, tail)) = tail.split_at_checked(length) else { break };
                let Ok(batch) = VectorBatch::decode(body) else { break };
                batches.push(batch);
                rest = tail;
                n_whole = (bytes.len() - rest.len()) as u64;
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(io)?;
        file.set_len(n_whole).map_err(io)?;
        Ok(Self { batches, file: Some((path.to_owned(), file)) })
    }

    /// Embeds texts, taking vectors from the file where it has them.
    fn rows_of(
        &mut self,
        name: &str,
        texts: &[String],
        &TextEmbedder { session, n_threads, kept: _ }: &TextEmbedder<'_>,
    ) -> Result<Vec<Vec<f32>>, Failure> {
        let digest = digest(texts);
        let mut rows: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for batch in &self.batches {
            if batch.digest() == digest
                && batch.fingerprint() == session.fingerprint()
                && batch.start() as usize == rows.len()
            {
                rows.extend(batch.rows().iter().map(|row| row.to_vec()));
            }
        }
        let n_kept = rows.len();
        if n_kept > 0 {
            note!("{name}: {n_kept} of {} vectors read", texts.len());
        }
        let started = clock();
        while let Some(batch) = texts.get(rows.len()..).filter(|rest| !rest.is_empty()) {
            let batch = batch.iter().take(BATCH * n_threads.get()).cloned().collect();
            let new = embedding::embed(session, batch, n_threads, &|_| {})?;
            self.append(&digest, session.fingerprint(), rows.len(), &new)?;
            rows.extend(new);
            let n_new = rows.len() - n_kept;
            let rate = n_new as f64 / started().as_secs_f64().max(1e-3);
            let left = (texts.len() - rows.len().min(texts.len())) as f64 / rate;
            note!("{name}: {} of {} embedded, {rate:.1} a second, {left:.0} s left", rows.len(), texts.len());
        }
        Ok(rows)
    }

    fn append(
        &mut self,
        digest: &str,
        fingerprint: &str,
        start: usize,
        rows: &[Vec<f32>],
    ) -> Result<(), Failure> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let bytes = VectorBatch::new(digest, fingerprint, start, rows).map_err(engine::Error::from)?.encode();
        let length = (bytes.len() as u64).to_le_bytes();
        let written =
            file.write_all(&length).and_then(|()| file.write_all(&bytes)).and_then(|()| file.flush());
        written.map_err(|error| Failure::io(path, &error))
    }
}

/// Identity of a list of texts.
fn digest(texts: &[String]) -> String {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    engine::digest(&bytes)
}

/// A stopwatch. The command line may read the clock; the stages may not.
#[expect(clippy::disallowed_methods, reason = "progress of a long command, not a stage")]
pub(crate) fn clock() -> impl Fn() -> Duration {
    let started = std::time::Instant::now();
    move || started.elapsed()
}
