//! Activations as 16-bit integers with one scale a row: to 1 in 32,767 of the row's largest, so an outlier costs its row
//! precision and no other.

use super::ROWS;
use super::dot::transposed;
use super::functions::rounded_bits;

/// Inputs of which codes are made at once.
pub(super) const EIGHT: usize = 8;
/// Largest code.
const LARGEST: f32 = 32767.0;

/// Rows as codes, four at a time: an entry of a block holds a pair of codes of each of its rows, two in an `i32`.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Blocks one after the other, each of half as many entries as a row has codes.
    pub(super) pairs: Vec<[i32; ROWS]>,
    /// For each block the value of code 1 in each row.
    pub(super) scales: Vec<[f32; ROWS]>,
}

impl Rows {
    /// Takes the codes of rows of `n_in` values, a multiple of eight. The last block is filled up with rows of zeros.
    #[inline(always)]
    pub(super) fn quantise(&mut self, values: &[f32], n_in: usize) {
        self.pairs.clear();
        self.scales.clear();
        for block in values.chunks(n_in * ROWS) {
            // A row that is not there is the first one times 0.
            let mut rows = [block.get(..n_in).unwrap_or_default(); ROWS];
            let mut largest = [0f32; ROWS];
            for ((row, largest), values) in rows.iter_mut().zip(&mut largest).zip(block.chunks_exact(n_in)) {
                (*row, *largest) = (values, largest_of(values));
            }
            let inverse = largest.map(|largest| if largest > 0.0 { LARGEST / largest } else { 0.0 });
            self.scales.push(largest.map(|largest| largest / LARGEST));
            let start = self.pairs.len();
            self.pairs.resize(start + n_in / 2, [0; ROWS]);
            let Some(pairs) = self.pairs.get_mut(start..) else { return };
            let [a, b, c, d] = rows.map(|row| row.as_chunks::<EIGHT>().0);
            let pairs = pairs.as_chunks_mut::<ROWS>().0;
            for ((((pairs, a), b), c), d) in pairs.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *pairs = codes([a, b, c, d], &inverse);
            }
        }
    }
}

/// Four pairs of codes of each row, by pair.
#[inline(always)]
fn codes(values: [&[f32; EIGHT]; ROWS], inverse: &[f32; ROWS]) -> [[i32; ROWS]; EIGHT / 2] {
    let mut by_row = [[0; EIGHT / 2]; ROWS];
    for ((codes, values), inverse) in by_row.iter_mut().zip(values).zip(inverse) {
        for (code, [low, high]) in codes.iter_mut().zip(values.as_chunks::<2>().0) {
            let (low, high) = (rounded_bits(low * inverse), rounded_bits(high * inverse));
            *code = (low & 0xffff | high << 16).cast_signed();
        }
    }
    transposed(by_row)
}

/// The largest magnitude of a row.
#[inline(always)]
fn largest_of(row: &[f32]) -> f32 {
    let mut lanes = [0f32; 16];
    let (chunks, rest) = row.as_chunks::<16>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            let magnitude = value.abs();
            *lane = if *lane < magnitude { magnitude } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(0f32, |most, value| if value.abs() > most { value.abs() } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_keeps_its_precision_beside_an_outlier_of_another() {
        let values: Vec<f32> =
            (0..5 * 16).map(|i| if i == 19 { 1000.0 } else { i as f32 / 80.0 - 0.5 }).collect();
        let mut rows = Rows::default();
        rows.quantise(&values, 16);
        assert_eq!((rows.pairs.len(), rows.scales.len()), (16, 2));
        for (idx, &value) in values.iter().enumerate() {
            let (row, column) = (idx / 16, idx % 16);
            let pair = rows.pairs[row / ROWS * 8 + column / 2][row % ROWS];
            let code = if column % 2 == 0 { pair as i16 } else { (pair >> 16) as i16 };
            let scale = rows.scales[row / ROWS][row % ROWS];
            assert!(
                (f32::from(code) * scale - value).abs() <= scale * 0.51,
                "{idx}: {code} × {scale}, {value}"
            );
        }
        // Rows that are not there are zeros.
        assert!(rows.pairs[8..].iter().all(|pair| pair[1..] == [0; 3]));
    }
}
