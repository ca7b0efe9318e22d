//! Batches of vectors, as they arrive and as they are stored.

use std::ops::Range;
use std::sync::Arc;

use super::codes::Probe;
use super::products::{MAX_DIMS, dot};
use super::rows::{VectorRow, VectorRows};
use crate::error::{Error, ErrorKind};
use crate::lexical::postings::narrow;

/// A batch: consecutive vectors of one document, rows `start..start + n` of its
/// [`embeddable`](crate::Segment::embeddable) chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorBatch {
    digest: String,
    fingerprint: String,
    start: u32,
    rows: VectorRows,
}

impl VectorBatch {
    /// A batch of vectors in order of their chunks, which are kept in twelve bits a value.
    ///
    /// # Errors
    /// If the vectors differ in dimension or have more than 65,536, a value is not finite, or a vector's length is zero or its
    /// square overflows.
    pub fn new(digest: &str, fingerprint: &str, start: u32, rows: &[Vec<f32>]) -> Result<Self, Error> {
        let n_dims = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != n_dims) {
            return Err(differ("rows of unequal length"));
        }
        if n_dims > MAX_DIMS {
            return Err(differ("rows too long"));
        }
        for row in rows {
            // A sum of squares is a number only if every value is.
            let square = dot(row, row);
            if square.is_nan() || (square.is_infinite() && row.iter().any(|value| value.is_infinite())) {
                return Err(differ("a value that is not a number"));
            }
            if !square.is_normal() {
                return Err(differ("a vector whose length is zero or beyond measure"));
            }
        }
        let rows = VectorRows::of(&rows.concat(), n_dims);
        Ok(Self::from_parts(digest.to_owned(), fingerprint.to_owned(), start, rows))
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

    pub(crate) fn from_parts(digest: String, fingerprint: String, start: u32, rows: VectorRows) -> Self {
        Self { digest, fingerprint, start, rows }
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
    pub fn n_dims(&self) -> usize {
        self.rows.n_dims()
    }

    /// Number of vectors.
    pub fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }

    /// The vectors.
    pub fn rows(&self) -> &VectorRows {
        &self.rows
    }

    /// The row after the last.
    pub(crate) fn end(&self) -> usize {
        self.start as usize + self.n_rows()
    }
}

/// Vectors that came together: consecutive rows of a document. Blocks grow, join and are copied; by the pointer to its extent
/// a graph knows a vector again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Extent(Range<usize>);

impl Extent {
    /// Its rows in the document.
    pub fn rows(&self) -> Range<usize> {
        self.0.clone()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.0.len()
    }
}

/// The vectors of a document so far, of one model. A clone copies pointers.
///
/// Vectors of neighbouring batches are contiguous, since a scan over scattered blocks of a few kilobytes takes twice the
/// time.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    /// Fingerprint of the model and dimension; `None` without vectors.
    model: Option<(Arc<str>, usize)>,
    /// Disjoint, by first row.
    extents: Vec<Arc<Extent>>,
    /// Disjoint, by first row.
    blocks: Vec<Block>,
    n_rows: usize,
}

/// The vectors of consecutive rows.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The first row.
    pub start: usize,
    /// The rows.
    pub rows: Arc<VectorRows>,
}

impl Block {
    /// The row after the last.
    pub fn end(&self) -> usize {
        self.start + self.rows.n_rows()
    }
}

/// Maximum rows of a block: nearly five megabytes of 384 numbers, which adding a batch may have to copy.
const MAX_BLOCK: usize = 8192;

impl Vectors {
    /// Adds a batch. Rows that have a vector keep it: of passages that were embedded for a question, the batch that holds
    /// them too brings the others.
    pub(crate) fn add(&mut self, batch: &VectorBatch, n_chunks: usize) -> Result<(), Error> {
        if batch.n_rows() == 0 {
            return Ok(());
        }
        if batch.end() > n_chunks {
            return Err(differ("more vectors than chunks"));
        }
        match &self.model {
            Some((fingerprint, _)) if **fingerprint != *batch.fingerprint => {
                let (found, expected) = (batch.fingerprint.clone(), fingerprint.to_string());
                return Err(Error::new(ErrorKind::Model { found, expected }));
            }
            Some((_, n_dims)) if *n_dims != batch.n_dims() => {
                let [found, expected] = [batch.n_dims(), *n_dims].map(narrow);
                return Err(Error::new(ErrorKind::Dimensions { found, expected }));
            }
            Some(_) => {}
            None => {
                self.model = Some((batch.fingerprint.as_str().into(), batch.n_dims()));
                make_room((n_chunks - batch.n_rows()).saturating_mul(VectorRows::n_bytes_of(batch.n_dims())));
            }
        }
        let start = batch.start as usize;
        let rows = start..batch.end();
        for gap in self.gaps(rows.clone()) {
            if gap == rows {
                self.insert(start, &batch.rows, n_chunks);
            } else {
                self.insert(gap.start, &batch.rows.part(gap.start - start..gap.end - start), n_chunks);
            }
        }
        Ok(())
    }

    /// Inserts rows that have no vectors, merged with the neighbouring blocks.
    fn insert(&mut self, start: usize, rows: &VectorRows, n_chunks: usize) {
        let end = start + rows.n_rows();
        let at = self.extents.partition_point(|extent| extent.0.start < start);
        self.extents.insert(at, Arc::new(Extent(start..end)));
        self.n_rows += rows.n_rows();
        let at = self.blocks.partition_point(|block| block.start < start);
        let before = at.checked_sub(1).and_then(|before| self.blocks.get_mut(before));
        let grown = match before.filter(|block| block.end() == start && block.rows.n_rows() < MAX_BLOCK) {
            Some(block) => {
                // Copies the block if a snapshot shares it.
                Arc::make_mut(&mut block.rows).append(rows);
                at - 1
            }
            None => {
                let mut own = VectorRows::with_capacity(rows.n_dims(), (n_chunks - start).min(MAX_BLOCK));
                own.append(rows);
                self.blocks.insert(at, Block { start, rows: Arc::new(own) });
                at
            }
        };
        let is_joined = |next: &&Block| next.start == end && next.rows.n_rows() < MAX_BLOCK;
        if let Some(next) = self.blocks.get(grown + 1).filter(is_joined).map(|next| Arc::clone(&next.rows))
            && let Some(block) = self.blocks.get_mut(grown)
            && block.rows.n_rows() < MAX_BLOCK
        {
            Arc::make_mut(&mut block.rows).append(&next);
            self.blocks.remove(grown + 1);
        }
    }

    /// The vectors by first row.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The extents by first row.
    pub(crate) fn extents(&self) -> &[Arc<Extent>] {
        &self.extents
    }

    /// Position of the extent of a row.
    pub(crate) fn extent_of(&self, row: usize) -> Option<usize> {
        let at = self.extents.partition_point(|extent| extent.0.end <= row);
        self.extents.get(at).is_some_and(|extent| extent.0.contains(&row)).then_some(at)
    }

    /// Fingerprint of the model, if there are vectors.
    pub fn fingerprint(&self) -> Option<&str> {
        self.model.as_ref().map(|(fingerprint, _)| &**fingerprint)
    }

    /// Dimension, if there are vectors.
    pub fn n_dims(&self) -> Option<usize> {
        self.model.as_ref().map(|(_, n_dims)| *n_dims)
    }

    /// Number of vectors.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Runs of rows without vectors among `rows`, ascending.
    pub fn gaps(&self, rows: Range<usize>) -> Vec<Range<usize>> {
        let mut gaps = Vec::new();
        let mut next = rows.start;
        let from = self.extents.partition_point(|extent| extent.0.end <= rows.start);
        for extent in self.extents.iter().skip(from).take_while(|extent| extent.0.start < rows.end) {
            if extent.0.start > next {
                gaps.push(next..extent.0.start);
            }
            next = extent.0.end;
        }
        if next < rows.end {
            gaps.push(next..rows.end);
        }
        gaps
    }

    /// A vector.
    pub fn row(&self, row: usize) -> Option<VectorRow<'_>> {
        let (rows, row) = self.rows_with(row)?;
        rows.row(row)
    }

    /// The score of a vector by eight bits a value, as in the first pass of a scan, and the bound of its error; `None` for a
    /// query of another dimension. It reads two thirds of the bytes that [`VectorRow::dot`] does, in a third of the time.
    pub fn bounded_score(&self, row: usize, probe: &Probe) -> Option<(f32, f32)> {
        let (rows, row) = self.rows_with(row)?;
        (rows.n_dims() == probe.n_dims()).then(|| rows.codes().bounded_score(row, probe))?
    }

    /// The rows of a block, and the place of a row among them.
    fn rows_with(&self, row: usize) -> Option<(&VectorRows, usize)> {
        let at = self.blocks.partition_point(|block| block.end() <= row);
        let block = self.blocks.get(at)?;
        Some((&block.rows, row.checked_sub(block.start)?))
    }
}

/// Allocates and frees the memory of a document's remaining vectors. Wasm memory grows only by the requested size, and
/// growing is slow: batch by batch, adding 50,000 vectors takes two to three times as long (Node 20).
fn make_room(n_bytes: usize) {
    if cfg!(target_arch = "wasm32") {
        let mut room = Vec::<u8>::new();
        // On failure the batches that still fit are added.
        let _ = room.try_reserve_exact(n_bytes);
        drop(std::hint::black_box(room));
    }
}

fn differ(what: &'static str) -> Error {
    Error::new(ErrorKind::VectorsDiffer { what })
}
