//! Rows of vectors as they are stored, scanned and scored: each value in twelve bits, one scale per row.
//!
//! A value is `(14 · code + rest) · scale / 14`: the [`Codes`] of eight bits, which a scan reads, and for each a rest of
//! four more, read only of rows that a scan does not exclude. Three eighths of the bytes of `f32`. The error of a value is at
//! most 1/28 of `scale`, some 1/3,600 of the row's largest value; the cosine of 384 numbers changes by 2 · 10⁻⁵ (standard
//! deviation), in the fifth digit. Integers are the same natively and in wasm, so scores are too.

use std::ops::Range;

use document::Slice as _;

use super::codes::Codes;
use super::products::{MAX_DIMS, STEPS, dot_codes, narrow, packed, unpack};

/// Owned rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorRows {
    codes: Codes,
    /// As many as codes, [`packed`] row by row.
    rests: Vec<u8>,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VectorRow<'a> {
    codes: &'a [i8],
    /// [`packed`].
    rests: &'a [u8],
    /// Value of a step of the rest.
    step: f32,
}

impl VectorRow<'_> {
    /// Dimension of the vector.
    pub fn n_dims(&self) -> usize {
        self.codes.len()
    }

    /// Scalar product with a vector of the same dimension, for unit vectors the cosine; `None` with one of another.
    pub fn dot(&self, values: &[f32]) -> Option<f32> {
        (values.len() == self.n_dims()).then(|| dot_codes(values, self.codes, self.rests) * self.step)
    }

    /// The values.
    pub fn to_vec(&self) -> Vec<f32> {
        whole_numbers(self.codes, self.rests).map(|number| number * self.step).collect()
    }
}

impl VectorRows {
    /// An empty set with capacity for `n_rows`.
    pub(crate) fn with_capacity(n_dims: usize, n_rows: usize) -> Self {
        let rests = Vec::with_capacity(n_rows.saturating_mul(n_packed(n_dims)));
        Self { codes: Codes::with_capacity(n_dims, n_rows), rests }
    }

    /// Quantizes rows of `n_dims` finite numbers each, [`MAX_DIMS`] at most, none of them all zeros.
    pub(crate) fn of(values: &[f32], n_dims: usize) -> Self {
        let mut rows = Self::with_capacity(n_dims, values.len() / n_dims.max(1));
        let (mut codes, mut rests) = (vec![0; n_dims], vec![0; n_dims]);
        for row in values.chunks_exact(n_dims.max(1)) {
            let scale = Codes::scale_of(row);
            let inverse = scale.recip();
            for ((value, code), rest) in row.iter().zip(&mut codes).zip(&mut rests) {
                let scaled = value * inverse;
                *code = nearest(scaled);
                *rest = nearest((scaled - f32::from(*code)) * f32::from(STEPS));
            }
            rows.push(&codes, &rests, scale);
            rows.rests.extend(packed(&rests));
        }
        rows
    }

    /// Rows of untrusted parts. `None` if they are not as many codes and rests for each scale, or a row has no length that
    /// can be measured.
    pub(crate) fn from_parts(
        n_dims: usize,
        scales: impl ExactSizeIterator<Item = f32>,
        codes: &[i8],
        rests: &[u8],
    ) -> Option<Self> {
        let n_rows = scales.len();
        let fits = Some(codes.len()) == n_rows.checked_mul(n_dims)
            && Some(rests.len()) == n_rows.checked_mul(n_packed(n_dims));
        if !fits || n_dims > MAX_DIMS {
            return None;
        }
        let mut rows = Self::with_capacity(n_dims, n_rows);
        rows.rests.extend_from_slice(rests);
        let parts = codes.chunks_exact(n_dims.max(1)).zip(rests.chunks_exact(n_packed(n_dims).max(1)));
        let mut of_row = vec![0; n_dims];
        for ((codes, rests), scale) in parts.zip(scales) {
            unpack(rests, &mut of_row);
            let length = rows.push(codes, &of_row, scale);
            if scale <= 0.0 || !(length * length).is_normal() {
                return None;
            }
        }
        // Rows without a dimension are none.
        (rows.n_rows() == n_rows).then_some(rows)
    }

    /// Adds a row without its rests; returns its norm.
    fn push(&mut self, codes: &[i8], rests: &[i8], scale: f32) -> f32 {
        let step = f64::from(scale) / f64::from(STEPS);
        let product = |a, b| f64::from(narrow(a, b));
        let (steps, of_rests) = (f64::from(STEPS), product(rests, rests));
        let square = (product(codes, codes) * steps + 2.0 * product(codes, rests)) * steps + of_rests;
        let (length, error) = ((square.sqrt() * step) as f32, (of_rests.sqrt() * step) as f32);
        self.codes.push(codes, scale, error, length);
        length
    }

    /// Adds the rows of others.
    pub(crate) fn append(&mut self, other: &Self) {
        self.codes.append(&other.codes);
        self.rests.extend_from_slice(&other.rests);
    }

    /// Some of the rows.
    pub(crate) fn part(&self, rows: Range<usize>) -> Self {
        let n_bytes = n_packed(self.n_dims());
        let bytes = rows.start.saturating_mul(n_bytes)..rows.end.saturating_mul(n_bytes);
        Self { rests: self.rests.slice(bytes).to_vec(), codes: self.codes.part(rows) }
    }

    /// Bytes of the codes and rests of a row.
    pub(crate) fn n_bytes_of(n_dims: usize) -> usize {
        n_dims + n_packed(n_dims)
    }

    /// Dimension of the vectors.
    pub fn n_dims(&self) -> usize {
        self.codes.n_dims()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.codes.n_rows()
    }

    /// The codes.
    pub(crate) fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The rests, [`packed`] row after row.
    pub(crate) fn rests(&self) -> &[u8] {
        &self.rests
    }

    /// The rows.
    pub fn iter(&self) -> impl Iterator<Item = VectorRow<'_>> {
        (0..self.n_rows()).filter_map(|row| self.row(row))
    }

    /// A row.
    pub fn row(&self, row: usize) -> Option<VectorRow<'_>> {
        let (codes, scale) = self.codes.row(row)?;
        let n_bytes = n_packed(codes.len());
        let start = row.checked_mul(n_bytes)?;
        let rests = self.rests.get(start..start.checked_add(n_bytes)?)?;
        Some(VectorRow { codes, rests, step: scale / f32::from(STEPS) })
    }
}

impl AsRef<Codes> for VectorRows {
    fn as_ref(&self) -> &Codes {
        &self.codes
    }
}

/// Bytes of the rests of a row.
fn n_packed(n_dims: usize) -> usize {
    n_dims.div_ceil(2)
}

/// The values in steps of the rest.
fn whole_numbers(codes: &[i8], rests: &[u8]) -> impl Iterator<Item = f32> {
    let mut of_row = vec![0; codes.len()];
    unpack(rests, &mut of_row);
    let rests = of_row.into_iter();
    codes.iter().zip(rests).map(|(&code, rest)| f32::from(code) * f32::from(STEPS) + f32::from(rest))
}

/// The integer nearest to a value in −127..=127. Adding 1.5 · 2²³ shifts the fraction out and leaves the integer in the
/// lowest bits; three instructions with the same result on every processor.
fn nearest(value: f32) -> i8 {
    const SHIFT: f32 = 12_582_912.0;
    ((value + SHIFT).to_bits() & 0xFF) as u8 as i8
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test that panics has failed")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vector::codes::Probe;
    use crate::vector::products::dot;

    fn exact(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
    }

    /// A row whose length can be measured.
    fn row() -> impl Strategy<Value = Vec<f32>> {
        prop::collection::vec(-2.0_f32..2.0, 1..70).prop_filter("a length", |row| exact(row, row) > 1e-6)
    }

    proptest! {
        #[test]
        fn codes_are_the_nearest_whole_numbers_and_rests_the_nearest_fourteenths_of_what_is_left(row in row()) {
            let rows = VectorRows::of(&row, row.len());
            let scale = row.iter().map(|value| value.abs()).fold(0.0_f32, f32::max) / 127.0;
            let (codes, kept) = rows.codes().row(0).unwrap();
            prop_assert_eq!(kept, scale);
            let mut rests = vec![0; row.len()];
            unpack(rows.rests(), &mut rests);
            for ((value, &code), rest) in row.iter().zip(codes).zip(rests) {
                let scaled = value * scale.recip();
                prop_assert_eq!(f32::from(code), scaled.round_ties_even());
                prop_assert_eq!(f32::from(rest), ((scaled - f32::from(code)) * 14.0).round_ties_even());
            }
            for (value, stored) in row.iter().zip(rows.row(0).unwrap().to_vec()) {
                prop_assert!((value - stored).abs() <= scale / 28.0 * 1.01, "{} {}", value, stored);
            }
            prop_assert_eq!(rows.row(1), None);
        }

        #[test]
        fn no_score_lies_further_from_that_of_the_scan_than_is_said(
            query in prop::collection::vec(-1.0_f32..1.0, 33),
            values in prop::collection::vec(-1.0_f32..1.0, 33 * 4),
            size in prop::sample::select(vec![1e-6_f32, 1.0, 1e6]),
        ) {
            let values: Vec<f32> = values.iter().map(|value| value * size).collect();
            let rows = VectorRows::of(&values, query.len());
            let scanned: Vec<(f32, f32)> = rows.codes().scan(0..rows.n_rows(), &Probe::new(&query)).collect();
            prop_assert_eq!(scanned.len(), 4);
            for (at, (score, doubt)) in scanned.into_iter().enumerate() {
                let row = rows.row(at).unwrap();
                let stored = row.to_vec();
                prop_assert!((exact(&stored, &query) - f64::from(score)).abs() <= f64::from(doubt));
                prop_assert!((row.dot(&query).unwrap() - score).abs() <= doubt);
                // The bound is of use: a hundredth of what the lengths would allow.
                let most = (exact(&stored, &stored) * exact(&query, &query)).sqrt();
                prop_assert!(f64::from(doubt) <= 0.02 * most + 1e-12);
                prop_assert!((row.dot(&query).unwrap() - dot(&stored, &query)).abs() <= 1e-5 * most as f32);
            }
        }

        #[test]
        fn rows_that_were_taken_apart_are_the_same(first in row(), others in 0_usize..4) {
            let values = first.repeat(others + 1);
            let rows = VectorRows::of(&values, first.len());
            let scales: Vec<f32> = rows.codes().scales().collect();
            let again =
                VectorRows::from_parts(first.len(), scales.into_iter(), rows.codes().codes(), rows.rests());
            prop_assert_eq!(again.as_ref(), Some(&rows));
            let mut halves = rows.part(0..others);
            halves.append(&rows.part(others..others + 1));
            prop_assert_eq!(halves, rows);
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let ones = vec![1.0_f32; MAX_DIMS];
        let rows = VectorRows::of(&ones, ones.len());
        let (score, doubt) = rows.codes().scan(0..rows.n_rows(), &Probe::new(&ones)).next().unwrap();
        assert!((score - MAX_DIMS as f32).abs() <= doubt, "{score} ± {doubt}");
        let all = rows.row(0).unwrap().dot(&ones).unwrap();
        assert!((all - MAX_DIMS as f32).abs() < 1e-4 * MAX_DIMS as f32, "{all}");
        assert_eq!(rows.row(0).unwrap().dot(&ones[1..]), None, "another dimension");
    }

    #[test]
    fn parts_that_are_no_rows_are_refused() {
        let of = |n_dims: usize, scales: &[f32], codes: &[i8], rests: &[u8]| {
            VectorRows::from_parts(n_dims, scales.iter().copied(), codes, rests).is_some()
        };
        assert!(of(2, &[0.5], &[1, -128], &[0x80]) && of(2, &[], &[], &[]) && of(0, &[], &[], &[]));
        assert!(of(3, &[0.5], &[1, 2, 3], &[0, 0]));
        assert!(!of(2, &[0.5], &[1, 2, 3], &[0]) && !of(2, &[0.5], &[1, 2], &[0, 0]));
        assert!(!of(0, &[0.5], &[], &[]), "a row of no dimension");
        assert!(!of(2, &[0.5], &[0, 0], &[0]), "no length");
        for scale in [0.0, -0.5, f32::NAN, f32::INFINITY, 1e30, 1e-30] {
            assert!(!of(2, &[scale], &[1, 2], &[0]), "{scale}");
        }
        let long = vec![1; MAX_DIMS + 1];
        let rests = vec![0; long.len().div_ceil(2)];
        assert!(
            !of(long.len(), &[1.0], &long, &rests),
            "more dimensions than sums of products have room for"
        );
    }
}
