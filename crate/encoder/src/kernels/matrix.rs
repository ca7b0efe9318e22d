//! Products of rows with a matrix of int8 weights that stays int8 in memory.
//!
//! A panel, the weights of sixteen outputs, is widened to 16 bits when its turn comes and then serves every row of the
//! chunk from the first cache; widening costs one instruction in fifty. Within a group of inputs that share a scale the
//! sum is exact; group sums are added as `f32` in order.

use super::ROWS;
use super::bytes::{ByteFactors, ByteProducts, Bytes, SIXTEEN};
use super::dispatch::{Work, dispatch};
use super::dot::{Dot, OUTPUTS};
use super::functions::gelu;
use super::rows::{EIGHT, Rows};

/// Most inputs of a group: so many products of a 16-bit and an 8-bit code fit an `i32`.
const MAX_GROUP: usize = 512;
/// Pairs of inputs that are widened at once; 12 kB of weights, with a group at least.
const PAIRS: usize = 192;
/// Rows that are quantised at once.
const CHUNK: usize = 128;

/// Function applied to each output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    /// The identity.
    None,
    /// Exact GELU.
    Gelu,
}

/// A matrix of int8 codes, packed for the inner loop.
#[derive(Debug)]
pub(crate) struct Matrix {
    n_in: usize,
    n_out: usize,
    /// Pairs of inputs of a group.
    pairs: usize,
    /// For each panel, four inputs and output of the panel: four codes.
    codes: Vec<[i8; 4 * OUTPUTS]>,
    /// For each panel and group the scales of its outputs.
    scales: Vec<[f32; OUTPUTS]>,
    /// For each panel and group the sum of the weights of each output; empty where no products of bytes are made.
    sums: Vec<[f32; OUTPUTS]>,
}

impl Matrix {
    /// Packs codes of [groups, inputs of a group, outputs] with scales of [groups, outputs]. None where a group's inputs are no
    /// multiple of eight or more than [`MAX_GROUP`], or where the lengths do not fit.
    pub(crate) fn pack(codes: &[i8], scales: &[f32], group: usize, n_out: usize) -> Option<Self> {
        let n_in = codes.len().checked_div(n_out)?;
        let n_groups = n_in.checked_div(group)?;
        let fits = group.is_multiple_of(EIGHT)
            && group <= MAX_GROUP
            && n_groups > 0
            && codes.len() == n_groups * group * n_out
            && scales.len() == n_groups * n_out;
        if !fits {
            return None;
        }
        let n_panels = n_out.div_ceil(OUTPUTS);
        let mut packed =
            Self { n_in, n_out, pairs: group / 2, codes: Vec::new(), scales: Vec::new(), sums: Vec::new() };
        packed.codes.reserve_exact(n_panels * n_in / 4);
        packed.scales.reserve_exact(n_panels * n_groups);
        for panel in 0..n_panels {
            let first = panel * OUTPUTS;
            let outputs = first..n_out.min(first + OUTPUTS);
            for four in codes.chunks_exact(4 * n_out) {
                let mut line = [0; 4 * OUTPUTS];
                for (input, codes) in four.chunks_exact(n_out).enumerate() {
                    let places = line.iter_mut().skip(input).step_by(4);
                    for (place, &code) in places.zip(codes.get(outputs.clone())?) {
                        *place = code;
                    }
                }
                packed.codes.push(line);
            }
            for scales in scales.chunks_exact(n_out) {
                let mut line = [0.0; OUTPUTS];
                for (place, &scale) in line.iter_mut().zip(scales.get(outputs.clone())?) {
                    *place = scale;
                }
                packed.scales.push(line);
            }
        }
        Some(packed)
    }

    /// Makes the matrix ready for products of bytes, if its outputs fill panels and a group what is worked on at once.
    pub(crate) fn with_sums(mut self) -> Self {
        if self.n_out.is_multiple_of(OUTPUTS) && self.group().is_multiple_of(SIXTEEN) {
            let groups = self.codes.chunks_exact(self.pairs / 2).zip(&self.scales);
            self.sums = groups
                .map(|(lines, scales)| {
                    let mut sums = [0i32; OUTPUTS];
                    for line in lines {
                        for (sum, four) in sums.iter_mut().zip(line.as_chunks::<4>().0) {
                            *sum += four.iter().map(|&code| i32::from(code)).sum::<i32>();
                        }
                    }
                    std::array::from_fn(|output| sums[output] as f32 * scales[output])
                })
                .collect();
        }
        self
    }

    /// Inputs.
    pub(crate) fn n_in(&self) -> usize {
        self.n_in
    }

    /// Outputs.
    pub(crate) fn n_out(&self) -> usize {
        self.n_out
    }

    /// Inputs that share a scale.
    pub(crate) fn group(&self) -> usize {
        self.pairs * 2
    }

    /// Codes of [inputs / 4, outputs, 4], two's complement: four inputs of an output in four bytes.
    pub(crate) fn codes_by_four_inputs(&self) -> Vec<u8> {
        let mut fours = vec![0; self.n_in * self.n_out];
        for (panel_idx, panel) in self.codes.chunks_exact(self.n_in / 4).enumerate() {
            let column = panel_idx * OUTPUTS;
            let n_codes = (self.n_out - column).min(OUTPUTS) * 4;
            for (row, line) in fours.chunks_exact_mut(self.n_out * 4).zip(panel) {
                let places = row.iter_mut().skip(column * 4).take(n_codes);
                for (place, code) in places.zip(line) {
                    *place = code.cast_unsigned();
                }
            }
        }
        fours
    }

    /// Scales of [groups, outputs].
    pub(crate) fn scales_by_group(&self) -> Vec<f32> {
        let n_groups = self.n_in / self.group();
        let mut scales = Vec::with_capacity(n_groups * self.n_out);
        for group in 0..n_groups {
            let panels = self.scales.iter().skip(group).step_by(n_groups);
            scales.extend(panels.flatten().take(self.n_out));
        }
        scales
    }

    /// Writes to `out`, rows of `n_out`, the products of the rows of `values` plus `bias` through `activation`.
    pub(crate) fn multiply(&self, values: &[f32], bias: &[f32], activation: Activation, out: &mut [f32]) {
        dispatch(Product { matrix: self, values, bias, activation, out });
    }

    /// As [`Self::multiply`] with activations of 7 bits, by `products`; false where the matrix is not ready for them.
    pub(crate) fn multiply_bytes(
        &self,
        products: ByteProducts,
        values: &[f32],
        bias: &[f32],
        activation: Activation,
        out: &mut [f32],
    ) -> bool {
        if self.sums.is_empty() {
            return false;
        }
        dispatch(ByteProduct { matrix: self, products, values, bias, activation, out });
        true
    }
}

struct ByteProduct<'a> {
    matrix: &'a Matrix,
    products: ByteProducts,
    values: &'a [f32],
    bias: &'a [f32],
    activation: Activation,
    out: &'a mut [f32],
}

impl Work for ByteProduct<'_> {
    #[inline(always)]
    fn run<D: Dot>(self) {
        let Self { matrix, products, values, bias, activation, out } = self;
        let mut bytes = Bytes::default();
        let chunks = values.chunks(CHUNK * matrix.n_in).zip(out.chunks_mut(CHUNK * matrix.n_out));
        for (values, out) in chunks {
            bytes.quantise(values, matrix.group());
            let factors = ByteFactors {
                rows: &bytes.codes,
                steps: &bytes.steps,
                lows: &bytes.lows,
                n_in: matrix.n_in,
                group: matrix.group(),
                weights: matrix.codes.as_flattened(),
                scales: matrix.scales.as_flattened(),
                sums: matrix.sums.as_flattened(),
                bias,
                n_out: matrix.n_out,
            };
            products(factors, out);
            if activation == Activation::Gelu {
                for sixteen in out.as_chunks_mut::<SIXTEEN>().0 {
                    for value in sixteen {
                        *value = gelu(*value);
                    }
                }
            }
        }
    }
}

struct Product<'a> {
    matrix: &'a Matrix,
    values: &'a [f32],
    bias: &'a [f32],
    activation: Activation,
    out: &'a mut [f32],
}

impl Work for Product<'_> {
    #[inline(always)]
    fn run<D: Dot>(self) {
        let Self { matrix, values, bias, activation, out } = self;
        let mut rows = Rows::default();
        let mut sums = Vec::new();
        let groups = (PAIRS / matrix.pairs).max(1);
        let mut lines = vec![[0i32; OUTPUTS]; groups * matrix.pairs];
        let chunks = values.chunks(CHUNK * matrix.n_in).zip(out.chunks_mut(CHUNK * matrix.n_out));
        for (values, out) in chunks {
            rows.quantise(values, matrix.n_in);
            let panels = matrix.codes.chunks_exact(matrix.n_in / 4);
            let panels = panels.zip(matrix.scales.chunks_exact(matrix.n_in / 2 / matrix.pairs));
            for (panel_idx, (codes, scales)) in panels.enumerate() {
                sums.clear();
                sums.resize(rows.scales.len(), [[0.0; OUTPUTS]; ROWS]);
                let mut first = 0;
                for (codes, scales) in codes.chunks(groups * matrix.pairs / 2).zip(scales.chunks(groups)) {
                    widen(codes, &mut lines);
                    let blocks = rows.pairs.chunks_exact(matrix.n_in / 2);
                    for (block, sums) in blocks.zip(&mut sums) {
                        if let Some(block) = block.get(first..first + 2 * codes.len()) {
                            D::add(block, &lines, matrix.pairs, scales, sums);
                        }
                    }
                    first += 2 * codes.len();
                }
                let column = panel_idx * OUTPUTS;
                let bias = bias.get(column..).unwrap_or_default();
                finish(&sums, &rows.scales, bias, activation, column, matrix.n_out, out);
            }
        }
    }
}

/// Codes as pairs of 16 bits, two lines for each four inputs.
#[inline(always)]
fn widen(codes: &[[i8; 4 * OUTPUTS]], lines: &mut [[i32; OUTPUTS]]) {
    for ([first, second], codes) in lines.as_chunks_mut::<2>().0.iter_mut().zip(codes) {
        for ((first, second), &four) in first.iter_mut().zip(second).zip(codes.as_chunks::<4>().0) {
            // Shifts of the four together become vector instructions, widening one after the other does not.
            let four = i32::from_le_bytes(four.map(i8::cast_unsigned));
            *first = (four << 24 >> 24) & 0xffff | four << 16 >> 24 << 16;
            *second = (four << 8 >> 24) & 0xffff | four >> 24 << 16;
        }
    }
}

/// Scales the sums of a panel, adds the bias, applies the activation, and writes them from `column` on.
#[inline(always)]
fn finish(
    sums: &[[[f32; OUTPUTS]; ROWS]],
    scales: &[[f32; ROWS]],
    bias: &[f32],
    activation: Activation,
    column: usize,
    n_out: usize,
    out: &mut [f32],
) {
    let mut added = [0.0; OUTPUTS];
    for (place, &bias) in added.iter_mut().zip(bias) {
        *place = bias;
    }
    let rows = sums.as_flattened().iter().zip(scales.as_flattened());
    for ((sums, &scale), out) in rows.zip(out.chunks_exact_mut(n_out)) {
        let mut values = *sums;
        for (value, bias) in values.iter_mut().zip(added) {
            *value = *value * scale + bias;
        }
        if activation == Activation::Gelu {
            for value in &mut values {
                *value = gelu(*value);
            }
        }
        let Some(out) = out.get_mut(column..) else { return };
        match out.first_chunk_mut() {
            Some(place) => *place = values,
            None => out.copy_from_slice(values.get(..out.len()).unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::byte_products;
    use super::super::dispatch::variants;
    use super::*;

    /// Numbers without a pattern that a wrong order would hide.
    fn numbers(n: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn a_product_is_that_of_the_expanded_weights() {
        for (n_rows, group, n_groups, n_out) in
            [(1, 64, 6, 384), (5, 64, 24, 40), (131, 8, 1, 1), (4, 512, 1, 16), (9, 24, 70, 33)]
        {
            let n_in = group * n_groups;
            let codes: Vec<i8> = numbers(n_in * n_out, 7).iter().map(|v| (v * 127.0) as i8).collect();
            let scales: Vec<f32> = numbers(n_groups * n_out, 3).iter().map(|v| 0.01 + v * v).collect();
            let (values, bias) = (numbers(n_rows * n_in, 11), numbers(n_out, 5));
            let matrix = Matrix::pack(&codes, &scales, group, n_out).unwrap();
            assert_eq!((matrix.n_in(), matrix.n_out()), (n_in, n_out));
            let mut found = vec![f32::NAN; n_rows * n_out];
            matrix.multiply(&values, &bias, Activation::None, &mut found);
            for (idx, &found) in found.iter().enumerate() {
                let (row, output) = (idx / n_out, idx % n_out);
                let (mut sum, mut size) = (f64::from(bias[output]), 1.0);
                for input in 0..n_in {
                    let weight = f64::from(codes[input * n_out + output])
                        * f64::from(scales[input / group * n_out + output]);
                    let product = f64::from(values[row * n_in + input]) * weight;
                    sum += product;
                    size += product.abs();
                }
                assert!(
                    (f64::from(found) - sum).abs() < 3e-5 * size,
                    "{row}, {output}: {found} {sum} {size}"
                );
            }
        }
    }

    #[test]
    fn a_packed_matrix_gives_its_codes_and_scales_back() {
        for (group, n_groups, n_out) in [(16, 3, 20), (64, 2, 48), (8, 1, 1)] {
            let n_in = group * n_groups;
            let codes: Vec<i8> = numbers(n_in * n_out, 7).iter().map(|v| (v * 127.0) as i8).collect();
            let scales = numbers(n_groups * n_out, 3);
            let matrix = Matrix::pack(&codes, &scales, group, n_out).unwrap();
            assert_eq!((matrix.group(), matrix.scales_by_group()), (group, scales));
            for (at, code) in matrix.codes_by_four_inputs().into_iter().enumerate() {
                let (four, output, input) = (at / 4 / n_out, at / 4 % n_out, at % 4);
                assert_eq!(code.cast_signed(), codes[(4 * four + input) * n_out + output], "{at}");
            }
        }
    }

    /// Products of bytes by plain loops.
    fn plain(factors: ByteFactors<'_>, out: &mut [f32]) {
        let ByteFactors { rows, steps, lows, n_in, group, weights, scales, sums, bias, n_out } = factors;
        let n_groups = n_in / group;
        for (idx, place) in out.iter_mut().enumerate() {
            let (row, output) = (idx / n_out, idx % n_out);
            let (panel, lane) = (output / OUTPUTS, output % OUTPUTS);
            *place = bias[output];
            for at in 0..n_groups {
                let dot: i32 = (at * group..(at + 1) * group)
                    .map(|input| {
                        let four = panel * n_in / 4 + input / 4;
                        let weight = weights[(four * OUTPUTS + lane) * 4 + input % 4];
                        i32::from(rows[row * n_in + input]) * i32::from(weight)
                    })
                    .sum();
                let of_panel = (panel * n_groups + at) * OUTPUTS + lane;
                let of_row = row * n_groups + at;
                *place += dot as f32 * scales[of_panel] * steps[of_row] + sums[of_panel] * lows[of_row];
            }
        }
    }

    #[test]
    fn a_product_of_bytes_is_near_that_of_the_expanded_weights() {
        for (n_rows, group, n_groups, n_out) in [(1, 64, 6, 48), (5, 16, 3, 16), (131, 64, 2, 32)] {
            let n_in = group * n_groups;
            let codes: Vec<i8> = numbers(n_in * n_out, 7).iter().map(|v| (v * 127.0) as i8).collect();
            let scales: Vec<f32> = numbers(n_groups * n_out, 3).iter().map(|v| 0.01 + v * v).collect();
            let (values, bias) = (numbers(n_rows * n_in, 11), numbers(n_out, 5));
            let matrix = Matrix::pack(&codes, &scales, group, n_out).unwrap().with_sums();
            let (mut exact, mut found) = (vec![0.0; n_rows * n_out], vec![0.0; n_rows * n_out]);
            matrix.multiply(&values, &bias, Activation::Gelu, &mut exact);
            assert!(matrix.multiply_bytes(plain, &values, &bias, Activation::Gelu, &mut found));
            let mut same = vec![f32::NAN; n_rows * n_out];
            assert!(matrix.multiply_bytes(byte_products, &values, &bias, Activation::Gelu, &mut same));
            assert_eq!(found, same, "whoever makes them");
            let error: f32 = exact.iter().zip(&found).map(|(a, b)| (a - b).powi(2)).sum();
            let size: f32 = exact.iter().map(|a| a * a).sum();
            assert!(error < 1e-4 * size, "{error} of {size}");
        }
    }

    #[test]
    fn a_matrix_whose_outputs_fill_no_panels_makes_no_products_of_bytes() {
        let matrix = Matrix::pack(&[1; 16 * 20], &[1.0; 20], 16, 20).unwrap().with_sums();
        let mut out = [0.0; 20];
        assert!(!matrix.multiply_bytes(plain, &[1.0; 16], &[0.0; 20], Activation::None, &mut out));
    }

    #[test]
    fn a_row_has_the_same_product_alone_as_among_others() {
        let codes: Vec<i8> = numbers(128 * 20, 1).iter().map(|v| (v * 127.0) as i8).collect();
        let matrix = Matrix::pack(&codes, &numbers(40, 2), 64, 20).unwrap();
        let (values, bias) = (numbers(200 * 128, 9), numbers(20, 4));
        let mut together = vec![0.0; 200 * 20];
        matrix.multiply(&values, &bias, Activation::Gelu, &mut together);
        for (row, expected) in values.chunks(128).zip(together.chunks(20)) {
            let mut alone = vec![0.0; 20];
            matrix.multiply(row, &bias, Activation::Gelu, &mut alone);
            assert_eq!(alone, expected);
        }
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_bits() {
        let codes: Vec<i8> = numbers(192 * 40, 1).iter().map(|v| (v * 127.0) as i8).collect();
        let matrix = Matrix::pack(&codes, &numbers(3 * 40, 2), 64, 40).unwrap();
        let (values, bias) = (numbers(7 * 192, 9), numbers(40, 4));
        let made: Vec<Vec<u32>> = (0..variants::<Product<'_>>().len())
            .map(|idx| {
                let mut out = vec![0.0; 7 * 40];
                let activation = Activation::Gelu;
                variants()[idx](Product {
                    matrix: &matrix,
                    values: &values,
                    bias: &bias,
                    activation,
                    out: &mut out,
                });
                out.into_iter().map(f32::to_bits).collect()
            })
            .collect();
        assert!(made.iter().all(|out| *out == made[0]));
    }

    #[test]
    fn what_cannot_be_summed_exactly_is_not_packed() {
        assert!(Matrix::pack(&[0; 520 * 2], &[0.0; 2], 520, 2).is_none());
        assert!(Matrix::pack(&[0; 12], &[0.0; 3], 4, 3).is_none());
        assert!(Matrix::pack(&[0; 32], &[0.0; 3], 8, 2).is_none());
        assert!(Matrix::pack(&[], &[], 64, 0).is_none());
    }
}
