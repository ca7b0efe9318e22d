//! Activations as 7-bit codes, for dot products of bytes: four products and their sum in one instruction, where there is
//! one. A wasm module with such an instruction (relaxed SIMD) is refused by browsers that lack it, so it is a module of
//! its own beside this one, and who loads the encoder says where it is.
//!
//! A group of inputs of a row has a lowest value and a step of its own: an outlier costs its group precision, and no other.

use super::ROWS;
use super::dispatch::{Work, dispatch};
use super::dot::{ByteGroup, Dot, OUTPUTS};
use super::functions::rounded_bits;

/// Largest code.
const LARGEST: f32 = 127.0;
/// Values that are worked on at once.
pub(super) const SIXTEEN: usize = 16;

/// Rows as codes, `value = low + code · step` for each group of inputs.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    /// Codes from 0 to 127, row by row.
    pub(super) codes: Vec<u8>,
    /// Values between two codes, for each row and group.
    pub(super) steps: Vec<f32>,
    /// Lowest values, for each row and group.
    pub(super) lows: Vec<f32>,
}

impl Bytes {
    /// Takes the codes of values in groups of `group`, a multiple of sixteen.
    #[inline(always)]
    pub(super) fn quantise(&mut self, values: &[f32], group: usize) {
        self.codes.resize(values.len(), 0);
        self.steps.clear();
        self.lows.clear();
        for (values, codes) in values.chunks_exact(group).zip(self.codes.chunks_exact_mut(group)) {
            let (values, codes) = (values.as_chunks::<SIXTEEN>().0, codes.as_chunks_mut::<SIXTEEN>().0);
            let (low, high) = ends(values);
            let step = (high - low) / LARGEST;
            let inverse = if step > 0.0 { 1.0 / step } else { 0.0 };
            for (codes, values) in codes.iter_mut().zip(values) {
                let mut numbers = [0; SIXTEEN];
                for (number, value) in numbers.iter_mut().zip(values) {
                    *number = rounded_bits((value - low) * inverse) & 0x7f;
                }
                *codes = narrowed(&numbers);
            }
            self.steps.push(step);
            self.lows.push(low);
        }
    }
}

/// Lowest and highest value.
#[inline(always)]
fn ends(values: &[[f32; SIXTEEN]]) -> (f32, f32) {
    let mut lows = [f32::MAX; SIXTEEN];
    let mut highs = [f32::MIN; SIXTEEN];
    for values in values {
        for ((low, high), &value) in lows.iter_mut().zip(&mut highs).zip(values) {
            *low = if value < *low { value } else { *low };
            *high = if value > *high { value } else { *high };
        }
    }
    let one = |lanes: [f32; SIXTEEN], of: fn(f32, f32) -> f32| {
        let four: [f32; 4] = halved(halved::<SIXTEEN, 8>(lanes, of), of);
        let [one] = halved(halved::<4, 2>(four, of), of);
        one
    };
    (one(lows, lesser), one(highs, greater))
}

#[inline(always)]
fn lesser(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// The first half of some numbers with the second, number by number: vector instructions, where a fold is none.
#[inline(always)]
fn halved<const N: usize, const HALF: usize>(numbers: [f32; N], of: fn(f32, f32) -> f32) -> [f32; HALF] {
    std::array::from_fn(|at| of(numbers[at], numbers[at + HALF]))
}

/// Numbers below 256 as bytes. In wasm the compiler stores them one by one.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn narrowed(numbers: &[u32; SIXTEEN]) -> [u8; SIXTEEN] {
    use core::arch::wasm32::{i16x8_narrow_i32x4, u8x16_extract_lane as byte, u8x16_narrow_i16x8, u32x4};

    let four = |at: usize| u32x4(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
    let (first, second) = (i16x8_narrow_i32x4(four(0), four(4)), i16x8_narrow_i32x4(four(8), four(12)));
    let all = u8x16_narrow_i16x8(first, second);
    // One store.
    [
        byte::<0>(all),
        byte::<1>(all),
        byte::<2>(all),
        byte::<3>(all),
        byte::<4>(all),
        byte::<5>(all),
        byte::<6>(all),
        byte::<7>(all),
        byte::<8>(all),
        byte::<9>(all),
        byte::<10>(all),
        byte::<11>(all),
        byte::<12>(all),
        byte::<13>(all),
        byte::<14>(all),
        byte::<15>(all),
    ]
}

#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn narrowed(numbers: &[u32; SIXTEEN]) -> [u8; SIXTEEN] {
    let mut bytes = [0; SIXTEEN];
    for (byte, &number) in bytes.iter_mut().zip(numbers) {
        *byte = number as u8;
    }
    bytes
}

/// Rows of 7-bit codes, a matrix of 8-bit codes, and a bias: what [`ByteProducts`] reads. Lengths fit each other.
#[derive(Clone, Copy, Debug)]
pub struct ByteFactors<'a> {
    /// Codes of [rows, `n_in`], 0 to 127.
    pub rows: &'a [u8],
    /// `f32` of [rows, groups]: values between two codes.
    pub steps: &'a [f32],
    /// `f32` of [rows, groups]: the value of code 0.
    pub lows: &'a [f32],
    /// Inputs, a multiple of `group`.
    pub n_in: usize,
    /// Inputs of a group, a multiple of 16.
    pub group: usize,
    /// Codes of the matrix, of [panels, `n_in` / 4, 16, 4]: outputs in panels of sixteen, four inputs of each together.
    pub weights: &'a [i8],
    /// `f32` of [panels, groups, 16]: value of code 1 of the matrix.
    pub scales: &'a [f32],
    /// `f32` of [panels, groups, 16]: sum of the values of a group.
    pub sums: &'a [f32],
    /// `f32`, one for each output.
    pub bias: &'a [f32],
    /// Outputs, a multiple of 16.
    pub n_out: usize,
}

/// Writes products of [rows, `n_out`]: for each row and output the bias, and for each group in order
/// `dot · scale · step + sum · low`, with `dot` the sum of the products of codes. Every implementation gives the same bits.
pub type ByteProducts = fn(ByteFactors<'_>, &mut [f32]);

/// Products by the best instructions of this machine; in wasm, those without relaxed SIMD.
pub fn byte_products(factors: ByteFactors<'_>, out: &mut [f32]) {
    dispatch(Products { factors, out });
}

struct Products<'a> {
    factors: ByteFactors<'a>,
    out: &'a mut [f32],
}

impl Work for Products<'_> {
    #[inline(always)]
    fn run<D: Dot>(self) {
        let ByteFactors { rows, steps, lows, n_in, group, weights, scales, sums, bias, n_out } = self.factors;
        let n_groups = n_in.checked_div(group).unwrap_or_default();
        let panels = weights.as_chunks::<{ 4 * OUTPUTS }>().0.chunks_exact((n_in / 4).max(1));
        let of_panels = scales.as_chunks::<OUTPUTS>().0.chunks_exact(n_groups.max(1));
        let of_panels = of_panels.zip(sums.as_chunks::<OUTPUTS>().0.chunks_exact(n_groups.max(1)));
        for (panel, (weights, (scales, sums))) in panels.zip(of_panels).enumerate() {
            let column = panel * OUTPUTS;
            let Some(bias) = bias.get(column..).and_then(|bias| bias.first_chunk()) else { return };
            for (block, out) in self.out.chunks_mut(ROWS * n_out).enumerate() {
                let n_rows = out.len() / n_out;
                // A row that is not there is the last one once more.
                let row = [0, 1, 2, 3].map(|row| block * ROWS + if row < n_rows { row } else { n_rows - 1 });
                let codes = row.map(|row| rows.get(row * n_in..(row + 1) * n_in).unwrap_or_default());
                let mut made: [[f32; OUTPUTS]; ROWS] = [*bias; ROWS];
                let groups = weights.chunks_exact((group / 4).max(1)).zip(scales).zip(sums).enumerate();
                for (at, ((lines, scales), sums)) in groups {
                    let codes = codes.map(|codes| {
                        codes.get(at * group..(at + 1) * group).unwrap_or_default().as_chunks().0
                    });
                    let of_row = |values: &[f32]| {
                        row.map(|row| values.get(row * n_groups + at).copied().unwrap_or_default())
                    };
                    let (steps, lows) = (of_row(steps), of_row(lows));
                    D::add_bytes(&ByteGroup { rows: codes, steps, lows, lines, scales, sums }, &mut made);
                }
                for (out, made) in out.chunks_exact_mut(n_out).zip(made) {
                    if let Some(place) = out.get_mut(column..).and_then(|out| out.first_chunk_mut()) {
                        *place = made;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::variants;
    use super::*;

    #[test]
    fn codes_are_within_half_a_step_of_their_values_group_by_group() {
        let values: Vec<f32> = (0..3 * 32)
            .map(|i| match i {
                40 => 300.0,
                64.. => 0.25,
                _ => ((i * 7919) % 101) as f32 / 25.0 - 2.0,
            })
            .collect();
        let mut bytes = Bytes::default();
        bytes.quantise(&values, 32);
        assert_eq!((bytes.codes.len(), bytes.steps.len(), bytes.lows.len()), (96, 3, 3));
        for (at, (&value, &code)) in values.iter().zip(&bytes.codes).enumerate() {
            let (step, low) = (bytes.steps[at / 32], bytes.lows[at / 32]);
            assert!(code <= 127 && (low + f32::from(code) * step - value).abs() <= step * 0.51, "{at}");
        }
        assert!(bytes.steps[0] < 0.04 && bytes.steps[1] > 2.0, "the outlier is of its group alone");
        assert_eq!((bytes.steps[2], bytes.lows[2]), (0.0, 0.25));
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_bits() {
        let (n_rows, n_in, group, n_out) = (6, 128, 32, 48);
        let numbers = |n: usize, seed: usize| (0..n).map(move |i| (i * 7919 + seed * 104_729) % 2003);
        let floats = |n, seed| numbers(n, seed).map(|v| v as f32 / 1000.0 - 1.0).collect::<Vec<_>>();
        let rows: Vec<u8> = numbers(n_rows * n_in, 1).map(|v| (v % 128) as u8).collect();
        let weights: Vec<i8> = numbers(n_in * n_out, 2).map(|v| (v % 256) as u8 as i8).collect();
        let (steps, lows) = (floats(n_rows * n_in / group, 3), floats(n_rows * n_in / group, 4));
        let (scales, sums) = (floats(n_out * n_in / group, 5), floats(n_out * n_in / group, 6));
        let bias = floats(n_out, 7);
        let made: Vec<Vec<u32>> = (0..variants::<Products<'_>>().len())
            .map(|idx| {
                let (rows, weights, bias) = (rows.as_slice(), weights.as_slice(), bias.as_slice());
                let (steps, lows, scales, sums) = (&steps, &lows, &scales, &sums);
                let factors =
                    ByteFactors { rows, steps, lows, n_in, group, weights, scales, sums, bias, n_out };
                let mut out = vec![f32::NAN; n_rows * n_out];
                variants()[idx](Products { factors, out: &mut out });
                out.into_iter().map(f32::to_bits).collect()
            })
            .collect();
        assert!(made.iter().all(|out| *out == made[0]));
        assert!(made[0].iter().all(|&bits| f32::from_bits(bits).is_finite()));
    }
}
