//! Activations as 7-bit codes, for dot products of bytes: four products and their sum in one instruction, where there is
//! one. A wasm module with such an instruction (relaxed SIMD) is refused by browsers that lack it, so it is a module of
//! its own beside this one, and who loads the encoder says where it is.
//!
//! A group of inputs of a row has a lowest value and a step of its own: an outlier costs its group precision, and no other.

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
                *codes = narrowed(values.map(|value| rounded_bits((value - low) * inverse) & 0x7f));
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
fn narrowed(numbers: [u32; SIXTEEN]) -> [u8; SIXTEEN] {
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
fn narrowed(numbers: [u32; SIXTEEN]) -> [u8; SIXTEEN] {
    numbers.map(|number| number as u8)
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
    /// `f32` of [`n_out`].
    pub bias: &'a [f32],
    /// Outputs, a multiple of 16.
    pub n_out: usize,
}

/// Writes products of [rows, `n_out`]: for each row and output the bias, and for each group in order
/// `dot · scale · step + sum · low`, with `dot` the sum of the products of codes. Every implementation gives the same bits.
pub type ByteProducts = fn(ByteFactors<'_>, &mut [f32]);

#[cfg(test)]
mod tests {
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
}
