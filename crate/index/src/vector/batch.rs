//! Batches of vectors, as they arrive and as they are stored.

use std::ops::Range;
use std::sync::Arc;

use document::Slice as _;

use super::codes::Codes;
use super::products::dot;
use crate::error::{Error, ErrorKind};

/// A batch: consecutive vectors of one document, rows `start..start + n` of its
/// [`embeddable`](crate::Segment::embeddable) chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorBatch {
    digest: String,
    fingerprint: String,
    start: u32,
    n_dims: u32,
    values: Vec<f32>,
}

impl VectorBatch {
    /// A batch of vectors in order of their chunks.
    ///
    /// # Errors
    /// If the vectors differ in dimension, a value is not finite, or a vector's length is zero or its square overflows.
    pub fn new(digest: &str, fingerprint: &str, start: u32, rows: &[Vec<f32>]) -> Result<Self, Error> {
        let n_dims = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != n_dims) {
            return Err(differ("rows of unequal length"));
        }
        let n_dims = u32::try_from(n_dims).map_err(|_| differ("rows too long"))?;
        Self::from_parts(digest.to_owned(), fingerprint.to_owned(), start, n_dims, rows.concat())
    }

    /// Batches of single rows of a document, ascending: one for each run of consecutive rows.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_rows(
        digest: &str,
        fingerprint: &str,
        rows: impl IntoIterator<Item = (usize, Vec<f32>)>,
    ) -> Result<Vec<Self>, Error> {
        let mut runs: Vec<(usize, Vec<Vec<f32>>)> = Vec::new();
        for (row, values) in rows {
            match runs.last_mut() {
                Some((start, run)) if *start + run.len() == row => run.push(values),
                _ => runs.push((row, vec![values])),
            }
        }
        let start = |row: usize| u32::try_from(row).unwrap_or(u32::MAX);
        runs.into_iter().map(|(row, run)| Self::new(digest, fingerprint, start(row), &run)).collect()
    }

    pub(crate) fn from_parts(
        digest: String,
        fingerprint: String,
        start: u32,
        n_dims: u32,
        values: Vec<f32>,
    ) -> Result<Self, Error> {
        let whole = match n_dims as usize {
            0 => values.is_empty(),
            n_dims => values.len().is_multiple_of(n_dims),
        };
        if !whole {
            return Err(differ("rows of unequal length"));
        }
        for row in values.chunks_exact((n_dims as usize).max(1)) {
            // A sum of squares is a number only if every value is.
            let square = dot(row, row);
            if square.is_nan() || (square.is_infinite() && row.iter().any(|value| value.is_infinite())) {
                return Err(differ("a value that is not a number"));
            }
            if !square.is_normal() {
                return Err(differ("a vector whose length is zero or beyond measure"));
            }
        }
        Ok(Self { digest, fingerprint, start, n_dims, values })
    }

    /// The document's digest.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Fingerprint of their model.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The first row.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Dimension of the vectors.
    pub fn n_dims(&self) -> u32 {
        self.n_dims
    }

    /// Number of vectors.
    pub fn n_rows(&self) -> usize {
        self.values.len().checked_div(self.n_dims as usize).unwrap_or(0)
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// A vector by its row in the batch.
    pub fn row(&self, row: usize) -> Option<&[f32]> {
        let n_dims = self.n_dims as usize;
        let start = row.checked_mul(n_dims)?;
        self.values.get(start..start.checked_add(n_dims)?)
    }

    /// The vectors.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact((self.n_dims as usize).max(1))
    }

    /// The row after the last.
    pub(crate) fn end(&self) -> usize {
        self.start as usize + self.n_rows()
    }

    /// The batch of some of its rows, counted in the document.
    fn part(&self, rows: Range<usize>) -> Self {
        let n_dims = self.n_dims as usize;
        let at = |row: usize| row.saturating_sub(self.start as usize).saturating_mul(n_dims);
        Self {
            digest: self.digest.clone(),
            fingerprint: self.fingerprint.clone(),
            start: u32::try_from(rows.start).unwrap_or(u32::MAX),
            n_dims: self.n_dims,
            values: self.values.slice(at(rows.start)..at(rows.end)).to_vec(),
        }
    }
}

/// The vectors of a document so far: disjoint batches of one model, by first row. A clone copies pointers.
///
/// The codes of neighbouring batches are contiguous, since a scan over scattered blocks of a few kilobytes takes twice
/// the time.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    batches: Vec<Arc<VectorBatch>>,
    /// Derived, not stored: disjoint, by first row.
    blocks: Vec<CodeBlock>,
    n_rows: usize,
}

/// The codes of consecutive rows.
#[derive(Clone, Debug)]
pub(crate) struct CodeBlock {
    /// The first row.
    pub start: usize,
    /// The rows.
    pub codes: Arc<Codes>,
}

impl CodeBlock {
    /// The row after the last.
    pub fn end(&self) -> usize {
        self.start + self.codes.n_rows()
    }
}

/// Maximum rows of a block: three megabytes of 384 numbers, which adding a batch may have to copy.
const MAX_BLOCK: usize = 8192;

impl Vectors {
    /// Adds a batch. Rows that have a vector keep it: of passages that were embedded for a question, the batch that holds
    /// them too brings the others.
    pub(crate) fn add(&mut self, batch: Arc<VectorBatch>, n_chunks: usize) -> Result<(), Error> {
        if batch.n_rows() == 0 {
            return Ok(());
        }
        if batch.end() > n_chunks {
            return Err(differ("more vectors than chunks"));
        }
        if let Some(first) = self.batches.first() {
            if first.fingerprint != batch.fingerprint {
                let (found, expected) = (batch.fingerprint.clone(), first.fingerprint.clone());
                return Err(Error::new(ErrorKind::Model { found, expected }));
            }
            if first.n_dims != batch.n_dims {
                return Err(Error::new(ErrorKind::Dimensions {
                    found: batch.n_dims,
                    expected: first.n_dims,
                }));
            }
        }
        let rows = batch.start as usize..batch.end();
        let gaps = self.gaps(rows.clone());
        if gaps.first() == Some(&rows) {
            self.insert(batch, n_chunks);
        } else {
            gaps.into_iter().for_each(|gap| self.insert(Arc::new(batch.part(gap)), n_chunks));
        }
        Ok(())
    }

    /// Inserts a batch of rows without vectors.
    fn insert(&mut self, batch: Arc<VectorBatch>, n_chunks: usize) {
        let at = self.batches.partition_point(|other| other.start < batch.start);
        self.n_rows += batch.n_rows();
        if self.batches.is_empty() {
            make_room((n_chunks - batch.n_rows()).saturating_mul(batch.n_dims as usize));
        }
        self.add_codes(&batch, n_chunks);
        self.batches.insert(at, batch);
    }

    /// Adds the codes of a batch, merged with the neighbouring blocks.
    fn add_codes(&mut self, batch: &VectorBatch, n_chunks: usize) {
        let (start, end, n_dims) = (batch.start as usize, batch.end(), batch.n_dims as usize);
        let at = self.blocks.partition_point(|block| block.start < start);
        let before = at.checked_sub(1).and_then(|before| self.blocks.get_mut(before));
        let grown = match before.filter(|block| block.end() == start && block.codes.n_rows() < MAX_BLOCK) {
            Some(block) => {
                // Copies the block if a snapshot shares it.
                Arc::make_mut(&mut block.codes).extend(&batch.values);
                at - 1
            }
            None => {
                let mut codes = Codes::with_capacity(n_dims, (n_chunks - start).min(MAX_BLOCK));
                codes.extend(&batch.values);
                self.blocks.insert(at, CodeBlock { start, codes: Arc::new(codes) });
                at
            }
        };
        let is_joined = |next: &&CodeBlock| next.start == end && next.codes.n_rows() < MAX_BLOCK;
        if let Some(next) = self.blocks.get(grown + 1).filter(is_joined).map(|next| Arc::clone(&next.codes))
            && let Some(block) = self.blocks.get_mut(grown)
            && block.codes.n_rows() < MAX_BLOCK
        {
            Arc::make_mut(&mut block.codes).append(&next);
            self.blocks.remove(grown + 1);
        }
    }

    /// The codes by first row.
    pub(crate) fn blocks(&self) -> &[CodeBlock] {
        &self.blocks
    }

    /// Batch of a row, and the row within it.
    pub(crate) fn locate(&self, row: usize) -> Option<(usize, usize)> {
        let at = self.batches.partition_point(|batch| batch.end() <= row);
        let within = row.checked_sub(self.batches.get(at)?.start as usize)?;
        Some((at, within))
    }

    /// Fingerprint of the model, if there are vectors.
    pub fn fingerprint(&self) -> Option<&str> {
        self.batches.first().map(|batch| batch.fingerprint())
    }

    /// Dimension, if there are vectors.
    pub fn n_dims(&self) -> Option<u32> {
        self.batches.first().map(|batch| batch.n_dims())
    }

    /// Number of vectors.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The batches by first row.
    pub fn batches(&self) -> &[Arc<VectorBatch>] {
        &self.batches
    }

    /// Runs of rows without vectors among `rows`, ascending.
    pub fn gaps(&self, rows: Range<usize>) -> Vec<Range<usize>> {
        let mut gaps = Vec::new();
        let mut next = rows.start;
        let from = self.batches.partition_point(|batch| batch.end() <= rows.start);
        for batch in self.batches.iter().skip(from).take_while(|batch| (batch.start as usize) < rows.end) {
            if batch.start as usize > next {
                gaps.push(next..batch.start as usize);
            }
            next = batch.end();
        }
        if next < rows.end {
            gaps.push(next..rows.end);
        }
        gaps
    }

    /// A vector.
    pub fn row(&self, row: usize) -> Option<&[f32]> {
        let (at, within) = self.locate(row)?;
        self.batches.get(at)?.row(within)
    }
}

/// Allocates and frees the memory of a document's remaining vectors. Wasm memory grows only by the requested size, and
/// growing is slow: batch by batch, adding 50,000 vectors takes 22 to 29 µs each, this way 8 to 10 (Node 20).
fn make_room(n_values: usize) {
    if cfg!(target_arch = "wasm32") {
        let mut room = Vec::<f32>::new();
        // On failure the batches that still fit are added.
        let _ = room.try_reserve_exact(n_values);
        drop(std::hint::black_box(room));
    }
}

fn differ(what: &'static str) -> Error {
    Error::new(ErrorKind::VectorsDiffer { what })
}
