//! Vectors as they arrive and as they are stored: batches of rows.

use std::sync::Arc;

use super::codes::Codes;
use super::dot;
use crate::{Error, ErrorKind, codec};

/// Some consecutive vectors of one document: rows `start..start + n` of its
/// [`embeddable`](crate::Segment::embeddable) chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorBatch {
    digest: String,
    fingerprint: String,
    start: u32,
    n_dims: u32,
    values: Vec<f32>,
    /// Derived, not stored.
    codes: Arc<Codes>,
}

impl VectorBatch {
    /// A batch of vectors in order of their chunks.
    ///
    /// # Errors
    /// When the vectors do not all have one number of values, a value is not finite, or a vector has no
    /// direction (its length is zero) or a length that cannot be squared.
    pub fn new(digest: &str, fingerprint: &str, start: u32, rows: &[Vec<f32>]) -> Result<Self, Error> {
        let n_dims = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != n_dims) {
            return Err(differ("rows of unequal length"));
        }
        let n_dims = u32::try_from(n_dims).map_err(|_| differ("rows too long"))?;
        Self::from_parts(digest.to_owned(), fingerprint.to_owned(), start, n_dims, rows.concat())
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
        let codes = Arc::new(Codes::of(&values, n_dims as usize));
        Ok(Self { digest, fingerprint, start, n_dims, values, codes })
    }

    /// The document's digest.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The fingerprint of the model that made them.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The first row.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Numbers in a vector.
    pub fn n_dims(&self) -> u32 {
        self.n_dims
    }

    /// How many vectors.
    pub fn n_rows(&self) -> usize {
        self.values.len().checked_div(self.n_dims as usize).unwrap_or(0)
    }

    /// All numbers, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The same in eight bits.
    pub(crate) fn codes(&self) -> &Arc<Codes> {
        &self.codes
    }

    /// A vector, counted from the batch's first.
    pub fn row(&self, row: usize) -> Option<&[f32]> {
        let n_dims = self.n_dims as usize;
        let start = row.checked_mul(n_dims)?;
        self.values.get(start..start.checked_add(n_dims)?)
    }

    /// The vectors.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact((self.n_dims as usize).max(1))
    }

    /// The stored form.
    pub fn encode(&self) -> Vec<u8> {
        codec::vectors::encode(self)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// When the bytes are not vectors, are of another format version, or are damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        codec::vectors::decode(bytes)
    }

    fn end(&self) -> usize {
        self.start as usize + self.n_rows()
    }
}

/// The vectors a document has so far: batches of one model, by their first rows, none overlapping. Cloning
/// copies pointers.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    batches: Vec<Arc<VectorBatch>>,
    n_rows: usize,
}

impl Vectors {
    /// Adds a batch; one that is there already changes nothing.
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
                return Err(Error::new(ErrorKind::Dimensions { found: batch.n_dims, expected: first.n_dims }));
            }
        }
        let at = self.batches.partition_point(|other| other.start < batch.start);
        if self
            .batches
            .get(at)
            .is_some_and(|next| next.start == batch.start && next.n_rows() == batch.n_rows())
        {
            return Ok(());
        }
        let before = at.checked_sub(1).and_then(|before| self.batches.get(before));
        if before.is_some_and(|before| before.end() > batch.start as usize)
            || self.batches.get(at).is_some_and(|next| batch.end() > next.start as usize)
        {
            return Err(differ("rows that are there already"));
        }
        self.n_rows += batch.n_rows();
        self.batches.insert(at, batch);
        Ok(())
    }

    /// The model's fingerprint, if there are any vectors.
    pub fn fingerprint(&self) -> Option<&str> {
        self.batches.first().map(|batch| batch.fingerprint())
    }

    /// Numbers in a vector, if there are any.
    pub fn n_dims(&self) -> Option<u32> {
        self.batches.first().map(|batch| batch.n_dims())
    }

    /// How many vectors there are.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The batches by their first rows.
    pub fn batches(&self) -> &[Arc<VectorBatch>] {
        &self.batches
    }

    /// The first row that has no vector, and how many after it have none before the next that has: what is
    /// to be embedded next. `None` when all of `n_chunks` are there.
    pub fn first_gap(&self, n_chunks: usize) -> Option<std::ops::Range<usize>> {
        let mut next = 0;
        for batch in &self.batches {
            if batch.start as usize > next {
                return Some(next..batch.start as usize);
            }
            next = batch.end();
        }
        (next < n_chunks).then_some(next..n_chunks)
    }

    /// A vector.
    pub fn row(&self, row: usize) -> Option<&[f32]> {
        let at = self.batches.partition_point(|batch| batch.end() <= row);
        let batch = self.batches.get(at)?;
        batch.row(row.checked_sub(batch.start as usize)?)
    }
}

fn differ(what: &'static str) -> Error {
    Error::new(ErrorKind::VectorsDiffer { what })
}
