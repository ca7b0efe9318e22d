//! Scalar quantization: vectors in a quarter of their size, each value in eight bits, one scale per row.
//!
//! A row `v` is stored as integers `q` with `v ≈ scale · q`, and with its residual norm `‖v − scale · q‖`. By Cauchy and
//! Schwarz that norm bounds the error of a score by codes. So a scan by codes excludes rows that cannot be among the
//! nearest, the others are scored by all their bits ([`super::rows`]), and the result equals that of a scan by all bits.
//!
//! Sums are of integers, so they are the same natively and in wasm in any order. The query has sixteen bits, since SIMD
//! adds products of eight and sixteen bits in pairs, and its rounding error is then negligible.

use std::ops::Range;

use document::Slice as _;

use super::products::{self, MAX_DIMS, dot};

/// Largest code.
const TOP: f32 = 127.0;
/// Places at which a scan reads side by side. A processor fetches ahead of each, within a page of memory: of codes that no
/// cache holds, eight places give up to a half more a second than one (100,000 rows in Chromium, 6.5 ms instead of 10).
const N_STREAMS: usize = 8;

/// Quantized rows, codes in −127..=127.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Codes {
    n_dims: usize,
    codes: Vec<i8>,
    /// By row its scale and residual norm.
    rows: Vec<Row>,
    /// Upper bound of the norms of all rows and their codes.
    longest: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Row {
    scale: f32,
    error: f32,
}

impl Codes {
    /// An empty set with capacity for `n_rows`.
    pub fn with_capacity(n_dims: usize, n_rows: usize) -> Self {
        let codes = Vec::with_capacity(n_rows.saturating_mul(n_dims));
        Self { n_dims, codes, rows: Vec::with_capacity(n_rows), longest: 0.0 }
    }

    /// The scale of a row that is to have codes, at least one value not 0.
    pub fn scale_of(row: &[f32]) -> f32 {
        largest(row) / TOP
    }

    /// Adds a row with its residual norm and its norm.
    pub fn push(&mut self, codes: &[i8], scale: f32, error: f32, length: f32) {
        self.codes.extend_from_slice(codes);
        self.rows.push(Row { scale, error });
        self.longest = self.longest.max(length + error);
    }

    /// Some of the rows.
    pub fn part(&self, rows: Range<usize>) -> Self {
        let values = rows.start.saturating_mul(self.n_dims)..rows.end.saturating_mul(self.n_dims);
        let (codes, rows) = (self.codes.slice(values).to_vec(), self.rows.slice(rows).to_vec());
        Self { codes, rows, ..*self }
    }

    /// Adds the rows of others.
    pub fn append(&mut self, other: &Self) {
        self.codes.extend_from_slice(&other.codes);
        self.rows.extend_from_slice(&other.rows);
        self.longest = self.longest.max(other.longest);
    }

    /// Dimension of the rows.
    pub fn n_dims(&self) -> usize {
        self.n_dims
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The codes and the scale of a row.
    pub fn row(&self, row: usize) -> Option<(&[i8], f32)> {
        let start = row.checked_mul(self.n_dims)?;
        let codes = self.codes.get(start..start.checked_add(self.n_dims)?)?;
        Some((codes, self.rows.get(row)?.scale))
    }

    /// Rows decoded in another worker, without residual norms: enough to build a graph. `None` if the codes are not rows
    /// of `n_dims` for each scale, there are more than [`MAX_DIMS`], or a scale is not finite.
    pub fn from_parts(n_dims: usize, codes: Vec<i8>, scales: Vec<f32>) -> Option<Self> {
        let is_sound = n_dims <= MAX_DIMS
            && scales.len().checked_mul(n_dims) == Some(codes.len())
            && scales.iter().all(|s| s.is_finite());
        let rows = scales.into_iter().map(|scale| Row { scale, error: f32::INFINITY }).collect();
        is_sound.then_some(Self { n_dims, codes, rows, longest: f32::INFINITY })
    }

    /// All codes, row after row.
    pub fn codes(&self) -> &[i8] {
        &self.codes
    }

    /// The scale of each row.
    pub fn scales(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().map(|row| row.scale)
    }

    /// The score of a row by its codes.
    pub fn score(&self, row: usize, probe: &Probe) -> Option<f32> {
        let (codes, scale) = self.row(row)?;
        Some(products::wide(&probe.codes, codes) as f32 * (scale * probe.scale))
    }

    /// The score of a row by its codes, and the bound of its error.
    pub fn bounded_score(&self, row: usize, probe: &Probe) -> Option<(f32, f32)> {
        Some((self.score(row, probe)?, self.doubt(*self.rows.get(row)?, probe)))
    }

    /// Bound of the error of a row's score by its codes.
    fn doubt(&self, row: Row, probe: &Probe) -> f32 {
        probe.length * row.error + probe.doubt * self.longest
    }

    /// Score by codes of each of some rows, and the bound of its error.
    pub fn scan<'a>(&'a self, rows: Range<usize>, probe: &'a Probe) -> impl Iterator<Item = (f32, f32)> + 'a {
        let products = self.products(rows.clone(), probe);
        let scored = products.into_iter().zip(self.rows.slice(rows));
        scored.map(|(product, row)| (product as f32 * (row.scale * probe.scale), self.doubt(*row, probe)))
    }

    /// Scalar product of the codes of each of some rows with those of the query.
    fn products(&self, rows: Range<usize>, probe: &Probe) -> Vec<i32> {
        let n_dims = self.n_dims.max(1);
        let codes = self.codes.slice(rows.start.saturating_mul(n_dims)..rows.end.saturating_mul(n_dims));
        let mut products = vec![0; rows.len()];
        let n_rows = products.len().div_ceil(N_STREAMS).max(1);
        let parts = products.chunks_mut(n_rows).map(<[i32]>::iter_mut);
        let codes = codes.chunks(n_rows * n_dims).map(|codes| codes.chunks_exact(n_dims));
        let mut streams: Vec<_> = parts.zip(codes).collect();
        for _ in 0..n_rows {
            for (products, codes) in &mut streams {
                if let Some((product, codes)) = products.next().zip(codes.next()) {
                    *product = products::wide(&probe.codes, codes);
                }
            }
        }
        products
    }
}

/// A quantized query, with codes of sixteen bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    codes: Vec<i16>,
    scale: f32,
    /// Norm of the query.
    length: f32,
    /// Bound of the error by rounding the query and adding in `f32`, per unit of a row's norm.
    doubt: f32,
}

impl Probe {
    /// Dimension of the query.
    pub fn n_dims(&self) -> usize {
        self.codes.len()
    }

    /// Quantizes finite values.
    pub fn new(values: &[f32]) -> Self {
        // A sum of `n` products with codes up to 127 must fit 31 bits.
        let n_dims = i32::try_from(values.len().max(1)).unwrap_or(i32::MAX);
        let top = (i32::MAX / 128 / n_dims).clamp(1, i32::from(i16::MAX)) as f32;
        let largest = largest(values);
        let scale = largest / top;
        let inverse = if largest > 0.0 { top / largest } else { 0.0 };
        let codes: Vec<i16> = values.iter().map(|value| (value * inverse).round_ties_even() as i16).collect();
        let left_over: Vec<f32> =
            values.iter().zip(&codes).map(|(value, &code)| value - scale * f32::from(code)).collect();
        let length = dot(values, values).sqrt();
        // Sixteen sums are added up in `dot_codes`, each of n/16 products: no more than n/16 + 5 roundings in a row,
        // and a few of the codes' own. Doubled, for the roundings of this bound.
        let n_roundings = values.len() as f32 / 16.0 + 16.0;
        let doubt = dot(&left_over, &left_over).sqrt() + 2.0 * n_roundings * f32::EPSILON * length;
        Self { codes, scale, length, doubt }
    }
}

/// Cosine distance of two rows by their codes, for graphs.
pub fn distance(a: (&[i8], f32), b: (&[i8], f32)) -> f32 {
    1.0 - products::narrow(a.0, b.0) as f32 * (a.1 * b.1)
}

fn largest(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |largest, value| largest.max(value.abs()))
}

impl AsRef<Self> for Codes {
    fn as_ref(&self) -> &Self {
        self
    }
}
