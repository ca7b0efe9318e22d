//! Layer norm: a row less its mean, over its standard deviation, times a gain, plus a bias.

use super::dispatch::{Work, dispatch};
use super::dot::Dot;

/// Lanes in which a row is summed; the order of its sums is the same on every machine.
const LANES: usize = 16;

/// The numbers of a layer norm, of one length.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerNorm {
    /// Factors.
    pub(crate) gain: Vec<f32>,
    /// Summands.
    pub(crate) bias: Vec<f32>,
    /// Added to the variance.
    pub(crate) epsilon: f32,
}

/// Normalises every row of `values` in place, after adding `residual` where it has numbers.
pub(crate) fn normalise(values: &mut [f32], residual: &[f32], norm: &LayerNorm) {
    dispatch(Norm { values, residual, norm });
}

struct Norm<'a> {
    values: &'a mut [f32],
    residual: &'a [f32],
    norm: &'a LayerNorm,
}

impl Work for Norm<'_> {
    #[inline(always)]
    fn run<D: Dot>(self) {
        let LayerNorm { gain, bias, epsilon } = self.norm;
        let n = gain.len().max(1);
        for (value, residual) in self.values.iter_mut().zip(self.residual) {
            *value += residual;
        }
        for row in self.values.chunks_exact_mut(n) {
            let mean = sum(row, |value| value) / n as f32;
            for value in &mut *row {
                *value -= mean;
            }
            let variance = sum(row, |value| value * value) / n as f32;
            let factor = 1.0 / (variance + epsilon).sqrt();
            for ((value, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
                *value = *value * factor * gain + bias;
            }
        }
    }
}

#[inline(always)]
fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0f32; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane += of(value);
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|&value| of(value)).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::super::dispatch::variants;
    use super::*;

    #[test]
    fn a_row_gets_mean_and_deviation_of_gain_and_bias() {
        let n = 37;
        let norm = LayerNorm { gain: vec![2.0; n], bias: vec![3.0; n], epsilon: 1e-12 };
        let mut values: Vec<f32> = (0..2 * n).map(|i| (i * i % 101) as f32).collect();
        let residual: Vec<f32> = (0..2 * n).map(|i| (i % 7) as f32).collect();
        let first = values[0] + residual[0];
        let before: Vec<f32> = values.iter().zip(&residual).map(|(a, b)| a + b).collect();
        normalise(&mut values, &residual, &norm);
        for (row, before) in values.chunks(n).zip(before.chunks(n)) {
            let mean = row.iter().sum::<f32>() / n as f32;
            let deviation = (row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / n as f32).sqrt();
            assert!((mean - 3.0).abs() < 1e-4 && (deviation - 2.0).abs() < 1e-4, "{mean} {deviation}");
            // The order of values is kept.
            assert_eq!(row[0] < row[1], before[0] < before[1]);
        }
        let mut plain = [first, 1.0];
        normalise(&mut plain, &[], &LayerNorm { gain: vec![1.0; 2], bias: vec![0.0; 2], epsilon: 1e-12 });
        assert!((plain[0] + plain[1]).abs() < 1e-6);
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_bits() {
        let norm = LayerNorm { gain: vec![1.7; 37], bias: vec![0.3; 37], epsilon: 1e-12 };
        let numbers: Vec<f32> = (0..2 * 111).map(|i| ((i * 7919) % 2003) as f32 / 500.0 - 2.0).collect();
        let made: Vec<Vec<u32>> = (0..variants::<Norm<'_>>().len())
            .map(|idx| {
                let mut values = numbers[..111].to_vec();
                variants()[idx](Norm { values: &mut values, residual: &numbers[111..], norm: &norm });
                values.into_iter().map(f32::to_bits).collect()
            })
            .collect();
        assert!(made.iter().all(|values| *values == made[0]));
    }
}
