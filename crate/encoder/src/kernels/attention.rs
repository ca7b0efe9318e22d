//! Attention of one text: for each head and row the shares of all rows, by the softmax of its scores, and the values mixed
//! by them. Four rows at a time, so that scores stay in the first cache and no matrix of them is kept.

use super::ROWS;
use super::dispatch::{Work, dispatch};
use super::dot::{Dot, transposed};
use super::functions::{at_least, exp_negative};

/// Columns that a step works on.
const LANES: usize = 8;

/// The shape of an attention: `n` heads of `width` numbers each in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heads {
    /// Heads, 1 or more.
    pub(crate) n: usize,
    /// Numbers of a head, a multiple of 8.
    pub(crate) width: usize,
    /// Bits of the `f32` that each score is multiplied by.
    pub(crate) scale_bits: u32,
}

impl Heads {
    /// True if the kernel can work on heads of this width.
    pub(crate) fn is_supported(self) -> bool {
        self.n > 0 && self.width > 0 && self.width.is_multiple_of(LANES)
    }
}

/// Writes to `out` the attention of one text; all four hold as many rows, of `n · width` numbers.
pub(crate) fn attend(query: &[f32], key: &[f32], value: &[f32], heads: Heads, out: &mut [f32]) {
    dispatch(Attention { query, key, value, heads, out });
}

struct Attention<'a> {
    query: &'a [f32],
    key: &'a [f32],
    value: &'a [f32],
    heads: Heads,
    out: &'a mut [f32],
}

impl Work for Attention<'_> {
    #[inline(always)]
    fn run<D: Dot>(self) {
        let Self { query, key, value, heads: Heads { n, width, scale_bits }, out } = self;
        let row = n * width;
        let length = key.len() / row.max(1);
        let n_steps = length.div_ceil(LANES);
        let scale = f32::from_bits(scale_bits);
        // Keys by steps of eight rows, and in a step by column: what one score after the other needs.
        let mut keys = vec![[0f32; LANES]; n_steps * width];
        let mut values = vec![[0f32; LANES]; length * width / LANES];
        let mut queries = vec![[0f32; ROWS]; width];
        let mut scores = vec![[[0f32; LANES]; ROWS]; n_steps];
        let mut shares = vec![[0f32; ROWS]; n_steps * LANES];
        for head in 0..n {
            let columns = head * width..(head + 1) * width;
            gather_keys(key, row, columns.clone(), &mut keys);
            gather_values(value, row, columns.clone(), &mut values);
            for (query, out) in query.chunks(ROWS * row).zip(out.chunks_mut(ROWS * row)) {
                for (row_idx, query) in query.chunks_exact(row).enumerate() {
                    for (place, &value) in
                        queries.iter_mut().zip(query.get(columns.clone()).unwrap_or_default())
                    {
                        if let Some(place) = place.get_mut(row_idx) {
                            *place = value * scale;
                        }
                    }
                }
                for (scores, keys) in scores.iter_mut().zip(keys.chunks_exact(width)) {
                    *scores = products(&queries, keys);
                }
                let sums = softmax(&mut scores, length);
                for (scores, shares) in scores.iter().zip(shares.as_chunks_mut::<LANES>().0) {
                    *shares = by_key(scores);
                }
                for (step, places) in columns.clone().step_by(LANES).enumerate() {
                    let mixed =
                        mix(&shares, values.get(step * length..(step + 1) * length).unwrap_or_default());
                    for ((out, mixed), sum) in out.chunks_exact_mut(row).zip(&mixed).zip(sums) {
                        for (place, value) in out.iter_mut().skip(places).zip(mixed) {
                            *place = value / sum;
                        }
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn gather_keys(key: &[f32], row: usize, columns: std::ops::Range<usize>, keys: &mut [[f32; LANES]]) {
    let width = columns.len();
    for (keys, rows) in keys.chunks_exact_mut(width).zip(key.chunks(LANES * row)) {
        for (lane, row) in rows.chunks_exact(row).enumerate() {
            for (place, &value) in keys.iter_mut().zip(row.get(columns.clone()).unwrap_or_default()) {
                if let Some(place) = place.get_mut(lane) {
                    *place = value;
                }
            }
        }
    }
}

/// Values by steps of eight columns, and in a step by row.
#[inline(always)]
fn gather_values(value: &[f32], row: usize, columns: std::ops::Range<usize>, values: &mut [[f32; LANES]]) {
    let length = value.len() / row.max(1);
    for (values, first) in values.chunks_exact_mut(length.max(1)).zip(columns.step_by(LANES)) {
        for (place, row) in values.iter_mut().zip(value.chunks_exact(row)) {
            if let Some(found) = row.get(first..).and_then(|row| row.first_chunk()) {
                *place = *found;
            }
        }
    }
}

/// Scores of four queries with eight keys.
#[inline(always)]
fn products(queries: &[[f32; ROWS]], keys: &[[f32; LANES]]) -> [[f32; LANES]; ROWS] {
    let mut scores = [[0f32; LANES]; ROWS];
    for (query, key) in queries.iter().zip(keys) {
        for row in 0..ROWS {
            for lane in 0..LANES {
                scores[row][lane] += query[row] * key[lane];
            }
        }
    }
    scores
}

/// Turns the scores of four rows into exponentials over the largest, and gives their sums.
#[inline(always)]
fn softmax(scores: &mut [[[f32; LANES]; ROWS]], length: usize) -> [f32; ROWS] {
    let n_last = length % LANES;
    if let Some(last) = scores.last_mut().filter(|_| n_last > 0) {
        for row in last {
            for score in row.iter_mut().skip(n_last) {
                *score = f32::MIN;
            }
        }
    }
    let mut most = [[f32::MIN; LANES]; ROWS];
    for step in &*scores {
        for (most, scores) in most.iter_mut().zip(step) {
            for (most, &score) in most.iter_mut().zip(scores) {
                *most = if *most < score { score } else { *most };
            }
        }
    }
    let most = most.map(|lanes| lanes.iter().fold(f32::MIN, |a, &b| if b > a { b } else { a }));
    let mut sums = [[0f32; LANES]; ROWS];
    for step in scores {
        // All rows of a step, so that a processor has several exponentials under way; and each loop by itself, or the clamp
        // is done number by number.
        for (scores, most) in step.iter_mut().zip(most) {
            for score in scores {
                *score = at_least(*score - most);
            }
        }
        for score in step.as_flattened_mut() {
            *score = exp_negative(*score);
        }
        for (sums, scores) in sums.iter_mut().zip(&*step) {
            for (sum, score) in sums.iter_mut().zip(scores) {
                *sum += score;
            }
        }
    }
    sums.map(|lanes| lanes.iter().sum())
}

/// Shares of four rows in eight keys, key by key: once for all columns that are mixed by them.
#[inline(always)]
fn by_key(rows: &[[f32; LANES]; ROWS]) -> [[f32; ROWS]; LANES] {
    let mut keys = [[0f32; ROWS]; LANES];
    for (half, keys) in keys.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let mut bits = [[0; 4]; ROWS];
        for (bits, row) in bits.iter_mut().zip(rows) {
            for (bits, share) in bits.iter_mut().zip(row.iter().skip(4 * half)) {
                *bits = share.to_bits().cast_signed();
            }
        }
        for (key, bits) in keys.iter_mut().zip(transposed(bits)) {
            for (share, bits) in key.iter_mut().zip(bits) {
                *share = f32::from_bits(bits.cast_unsigned());
            }
        }
    }
    keys
}

/// The values of eight columns, each times the share of its row, for four rows.
#[inline(always)]
fn mix(shares: &[[f32; ROWS]], values: &[[f32; LANES]]) -> [[f32; LANES]; ROWS] {
    let mut sums = [[0f32; LANES]; ROWS];
    for (shares, value) in shares.iter().zip(values) {
        for row in 0..ROWS {
            for lane in 0..LANES {
                sums[row][lane] += shares[row] * value[lane];
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::variants;
    use super::*;

    #[test]
    fn attention_is_that_of_its_definition() {
        for (length, n, width) in [(1, 1, 8), (3, 2, 8), (8, 3, 16), (21, 2, 32)] {
            let row = n * width;
            let numbers = |seed: usize| -> Vec<f32> {
                (0..length * row).map(|i| ((i * 7919 + seed * 104_729) % 2003) as f32 / 500.0 - 2.0).collect()
            };
            let (query, key, value) = (numbers(1), numbers(2), numbers(3));
            let mut found = vec![f32::NAN; length * row];
            attend(&query, &key, &value, Heads { n, width, scale_bits: 0.25f32.to_bits() }, &mut found);
            for (idx, &found) in found.iter().enumerate() {
                let (at, head) = (idx / row, idx % row / width);
                let column = |row_idx: usize| row_idx * row + head * width;
                let scores: Vec<f64> = (0..length)
                    .map(|other| {
                        let products = (0..width).map(|i| query[column(at) + i] * key[column(other) + i]);
                        products.map(f64::from).sum::<f64>() * 0.25
                    })
                    .collect();
                let most = scores.iter().copied().fold(f64::MIN, f64::max);
                let shares: Vec<f64> = scores.iter().map(|score| libm::exp(score - most)).collect();
                let mixed: f64 =
                    (0..length).map(|other| shares[other] * f64::from(value[other * row + idx % row])).sum();
                let expected = mixed / shares.iter().sum::<f64>();
                assert!((f64::from(found) - expected).abs() < 1e-5, "{length} {idx}: {found} {expected}");
            }
        }
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_bits() {
        let numbers: Vec<f32> = (0..3 * 19 * 16).map(|i| ((i * 7919) % 2003) as f32 / 500.0 - 2.0).collect();
        let [query, key, value] = [0, 1, 2].map(|idx| &numbers[idx * 19 * 16..][..19 * 16]);
        let heads = Heads { n: 2, width: 8, scale_bits: 0.7f32.to_bits() };
        let made: Vec<Vec<u32>> = (0..variants::<Attention<'_>>().len())
            .map(|idx| {
                let mut out = vec![0.0; 19 * 16];
                variants()[idx](Attention { query, key, value, heads, out: &mut out });
                out.into_iter().map(f32::to_bits).collect()
            })
            .collect();
        assert!(made.iter().all(|out| *out == made[0]));
    }
}
