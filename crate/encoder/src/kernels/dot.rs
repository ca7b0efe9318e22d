//! The inner loop: sums of products of 16-bit codes, four rows by sixteen outputs. In wasm it is written with the
//! vector instructions, which are safe to call there; elsewhere it is plain Rust, and `dispatch` has what x86-64 does
//! better.

use super::ROWS;

/// Outputs of a panel.
pub(super) const OUTPUTS: usize = 16;

/// Adds to each sum the products of a block of rows with a panel, a group of `scales` at a time.
pub(super) trait Dot {
    /// `lines` and `rows` hold a pair of inputs an entry, `pairs` of them a group; a group's whole sum is exact.
    fn add(
        rows: &[[i32; ROWS]],
        lines: &[[i32; OUTPUTS]],
        pairs: usize,
        scales: &[[f32; OUTPUTS]],
        sums: &mut [[f32; OUTPUTS]; ROWS],
    );

    /// Adds to each product that of one group of 7-bit codes: `dot · scale · step + sum · low`, with `dot` exact, and every
    /// sum on the way to it.
    #[inline(always)]
    fn add_bytes(group: &ByteGroup<'_>, made: &mut [[f32; OUTPUTS]; ROWS]) {
        for (row, made) in made.iter_mut().enumerate() {
            let mut dots = [0; OUTPUTS];
            for (codes, line) in group.rows[row].iter().zip(group.lines) {
                for (dot, weights) in dots.iter_mut().zip(line.as_chunks::<4>().0) {
                    for (&code, &weight) in codes.iter().zip(weights) {
                        *dot += i32::from(code) * i32::from(weight);
                    }
                }
            }
            let (step, low) = (group.steps[row], group.lows[row]);
            for (((made, &dot), scale), sum) in made.iter_mut().zip(&dots).zip(group.scales).zip(group.sums) {
                *made += dot as f32 * scale * step + sum * low;
            }
        }
    }
}

/// Four rows of 7-bit codes and a panel of weights, of one group of inputs; four inputs an entry.
pub(super) struct ByteGroup<'a> {
    /// Codes of each row.
    pub(super) rows: [&'a [[u8; 4]]; ROWS],
    /// Values between two codes, of each row.
    pub(super) steps: [f32; ROWS],
    /// Lowest values, of each row.
    pub(super) lows: [f32; ROWS],
    /// Codes of each output; an even number of entries.
    pub(super) lines: &'a [[i8; 4 * OUTPUTS]],
    /// Scales of the outputs.
    pub(super) scales: &'a [f32; OUTPUTS],
    /// Sums of the weights of the outputs.
    pub(super) sums: &'a [f32; OUTPUTS],
}

/// Four lanes at a time.
pub(super) struct Portable;

impl Dot for Portable {
    #[inline(always)]
    fn add(
        rows: &[[i32; ROWS]],
        lines: &[[i32; OUTPUTS]],
        pairs: usize,
        scales: &[[f32; OUTPUTS]],
        sums: &mut [[f32; OUTPUTS]; ROWS],
    ) {
        let groups = rows.chunks_exact(pairs).zip(lines.chunks_exact(pairs));
        for ((rows, lines), scale) in groups.zip(scales) {
            half::<0>(rows, lines, scale, sums);
            half::<8>(rows, lines, scale, sums);
        }
    }
}

/// One group, for eight outputs from `FIRST` on: as many sums as stay in the registers.
#[inline(always)]
fn half<const FIRST: usize>(
    rows: &[[i32; ROWS]],
    lines: &[[i32; OUTPUTS]],
    scale: &[f32; OUTPUTS],
    sums: &mut [[f32; OUTPUTS]; ROWS],
) {
    let mut totals = [[lanes::splat(0); 2]; ROWS];
    for (line, row) in lines.iter().zip(rows) {
        let weights = [lanes::load::<FIRST>(line), lanes::load_next::<FIRST>(line)];
        for (totals, &row) in totals.iter_mut().zip(row) {
            let row = lanes::splat(row);
            for step in 0..2 {
                totals[step] = lanes::add_products(totals[step], row, weights[step]);
            }
        }
    }
    for (sums, totals) in sums.iter_mut().zip(totals) {
        for (step, totals) in totals.into_iter().enumerate() {
            for (lane, total) in lanes::to_array(totals).into_iter().enumerate() {
                let output = FIRST + 4 * step + lane;
                sums[output] += total as f32 * scale[output];
            }
        }
    }
}

pub(super) use lanes::transposed;

#[cfg(target_arch = "wasm32")]
mod lanes {
    use core::arch::wasm32::{
        i32x4, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_shuffle, i32x4_splat, v128,
    };

    use super::OUTPUTS;

    #[inline(always)]
    pub(super) fn splat(value: i32) -> v128 {
        i32x4_splat(value)
    }

    /// Entries `FIRST` to `FIRST + 4`; it compiles to one load.
    #[inline(always)]
    pub(super) fn load<const FIRST: usize>(line: &[i32; OUTPUTS]) -> v128 {
        i32x4(line[FIRST], line[FIRST + 1], line[FIRST + 2], line[FIRST + 3])
    }

    #[inline(always)]
    pub(super) fn load_next<const FIRST: usize>(line: &[i32; OUTPUTS]) -> v128 {
        i32x4(line[FIRST + 4], line[FIRST + 5], line[FIRST + 6], line[FIRST + 7])
    }

    #[inline(always)]
    pub(super) fn add_products(total: v128, a: v128, b: v128) -> v128 {
        i32x4_add(total, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    pub(super) fn to_array(values: v128) -> [i32; 4] {
        [
            i32x4_extract_lane::<0>(values),
            i32x4_extract_lane::<1>(values),
            i32x4_extract_lane::<2>(values),
            i32x4_extract_lane::<3>(values),
        ]
    }

    /// Rows as columns, in eight shuffles; the compiler finds fifty.
    #[inline(always)]
    pub(in super::super) fn transposed(rows: [[i32; 4]; 4]) -> [[i32; 4]; 4] {
        let [a, b, c, d] = rows.map(|[e, f, g, h]| i32x4(e, f, g, h));
        let (ab, cd) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d));
        let (ab_high, cd_high) = (i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d));
        [
            to_array(i32x4_shuffle::<0, 1, 4, 5>(ab, cd)),
            to_array(i32x4_shuffle::<2, 3, 6, 7>(ab, cd)),
            to_array(i32x4_shuffle::<0, 1, 4, 5>(ab_high, cd_high)),
            to_array(i32x4_shuffle::<2, 3, 6, 7>(ab_high, cd_high)),
        ]
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod lanes {
    use super::OUTPUTS;

    #[inline(always)]
    pub(super) fn splat(value: i32) -> [i32; 4] {
        [value; 4]
    }

    #[inline(always)]
    pub(super) fn load<const FIRST: usize>(line: &[i32; OUTPUTS]) -> [i32; 4] {
        [line[FIRST], line[FIRST + 1], line[FIRST + 2], line[FIRST + 3]]
    }

    #[inline(always)]
    pub(super) fn load_next<const FIRST: usize>(line: &[i32; OUTPUTS]) -> [i32; 4] {
        [line[FIRST + 4], line[FIRST + 5], line[FIRST + 6], line[FIRST + 7]]
    }

    #[inline(always)]
    pub(super) fn add_products(mut total: [i32; 4], a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        for ((total, a), b) in total.iter_mut().zip(a).zip(b) {
            *total += i32::from(a as i16) * i32::from(b as i16) + (a >> 16) * (b >> 16);
        }
        total
    }

    #[inline(always)]
    pub(super) fn to_array(values: [i32; 4]) -> [i32; 4] {
        values
    }

    /// Rows as columns. No closure: it would be a function of its own, compiled for fewer instructions.
    #[inline(always)]
    pub(in super::super) fn transposed(rows: [[i32; 4]; 4]) -> [[i32; 4]; 4] {
        let [a, b, c, d] = rows;
        [
            [a[0], b[0], c[0], d[0]],
            [a[1], b[1], c[1], d[1]],
            [a[2], b[2], c[2], d[2]],
            [a[3], b[3], c[3], d[3]],
        ]
    }
}
