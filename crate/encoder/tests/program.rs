//! The program of the model, run by plain loops: what an executor that is not tract has to compute.

#![expect(clippy::expect_used, reason = "what fails in a helper fails its test")]

mod built;

use embed::{Embedder as _, Pooling};
use encoder::{Program, ProgramStep, Session};

/// Executes a program over the tokens of one text, in the way its documentation says.
struct Plain<'p> {
    program: &'p Program,
    buffers: Vec<Vec<f32>>,
    n_rows: usize,
}

impl Plain<'_> {
    fn floats(&self, constant: usize) -> Vec<f32> {
        let bytes = self.program.constant(constant);
        bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    fn codes(&self, constant: usize) -> Vec<f32> {
        self.program.constant(constant).iter().map(|byte| f32::from(byte.cast_signed())).collect()
    }

    /// Fills buffer `out` with a number for each row and column.
    fn fill(&mut self, out: usize, number: impl Fn(&Self, usize, usize) -> f32) {
        let width = self.program.widths[out];
        let places = (0..self.n_rows).flat_map(|row| (0..width).map(move |column| (row, column)));
        self.buffers[out] = places.map(|(row, column)| number(self, row, column)).collect();
    }

    fn row(&self, buffer: usize, row: usize) -> &[f32] {
        let width = self.program.widths[buffer];
        &self.buffers[buffer][row * width..][..width]
    }

    fn step(&mut self, step: ProgramStep, ids: &[u32]) {
        match step {
            ProgramStep::Embed { codes, scales, positions, out } => {
                let (codes, scales, positions) =
                    (self.codes(codes), self.floats(scales), self.floats(positions));
                let width = self.program.widths[out];
                self.fill(out, |_, row, column| {
                    let word = ids[row] as usize;
                    codes[word * width + column] * scales[word] + positions[row * width + column]
                });
            }
            ProgramStep::Linear { input, codes, scales, bias, group, gelu, out } => {
                let (codes, scales, bias) = (self.codes(codes), self.floats(scales), self.floats(bias));
                let n_out = self.program.widths[out];
                self.fill(out, |this, row, output| {
                    let products = this.row(input, row).iter().enumerate().map(|(at, value)| {
                        let code = codes[(at / 4 * n_out + output) * 4 + at % 4];
                        value * code * scales[at / group * n_out + output]
                    });
                    let sum = f64::from(products.sum::<f32>() + bias[output]);
                    let sum = if gelu { sum * (1.0 + libm::erf(sum * 0.5f64.sqrt())) / 2.0 } else { sum };
                    sum as f32
                });
            }
            ProgramStep::Attention { query, key, value, heads, scale, out } => {
                let width = self.program.widths[out] / heads;
                self.fill(out, |this, row, column| {
                    let head = column / width * width..(column / width + 1) * width;
                    let query = &this.row(query, row)[head.clone()];
                    let shares = (0..this.n_rows).map(|other| {
                        let key = &this.row(key, other)[head.clone()];
                        libm::expf(query.iter().zip(key).map(|(a, b)| a * b).sum::<f32>() * scale)
                    });
                    let shares: Vec<f32> = shares.collect();
                    let mixed =
                        shares.iter().enumerate().map(|(at, share)| share * this.row(value, at)[column]);
                    mixed.sum::<f32>() / shares.iter().sum::<f32>()
                });
            }
            ProgramStep::Normalise { input, residual, gain, bias, epsilon, out } => {
                let (gain, bias) = (self.floats(gain), self.floats(bias));
                self.fill(out, |this, row, column| {
                    let mut values = this.row(input, row).to_vec();
                    if let Some(residual) = residual {
                        values
                            .iter_mut()
                            .zip(this.row(residual, row))
                            .for_each(|(value, more)| *value += more);
                    }
                    let mean = values.iter().sum::<f32>() / values.len() as f32;
                    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>();
                    let deviation = (variance / values.len() as f32 + epsilon).sqrt();
                    (values[column] - mean) / deviation * gain[column] + bias[column]
                });
            }
        }
    }
}

#[test]
fn the_program_of_the_model_gives_its_vectors() {
    let Some(built) = built::files("the_program_of_the_model_gives_its_vectors") else { return };
    let session = Session::load(built.model, &built.vocabulary, &built.manifest).unwrap();
    let program = session.program().unwrap();
    let of = |op: fn(&ProgramStep) -> bool| program.steps.iter().filter(|&step| op(step)).count();
    assert_eq!(of(|step| matches!(step, ProgramStep::Linear { .. })), 36);
    assert_eq!(of(|step| matches!(step, ProgramStep::Attention { .. })), 6);
    assert_eq!(program.widths.iter().filter(|&&width| width == 1536).count(), 1, "buffers are used again");
    for (constant, &size) in program.sizes.iter().enumerate() {
        assert_eq!(program.constant(constant).len(), size, "constant {constant}");
    }
    assert!(program.constant(program.sizes.len()).is_empty());

    let text = "A firm must keep a record of each complaint.";
    let ids = session.tokenizer().encode(text, session.max_tokens());
    let buffers = vec![Vec::new(); program.widths.len()];
    let mut plain = Plain { program, buffers, n_rows: ids.len() };
    for &step in &program.steps {
        plain.step(step, &ids);
    }
    assert_eq!(program.pooling, Pooling::Mean);
    let sum = |column: usize| (0..ids.len()).map(|row| plain.row(program.output, row)[column]).sum::<f32>();
    let sums: Vec<f32> = (0..session.dimensions()).map(sum).collect();
    let length = sums.iter().map(|sum| sum * sum).sum::<f32>().sqrt();
    let vector = &session.embed(&[text]).unwrap()[0];
    let cosine: f32 = sums.iter().zip(vector).map(|(sum, value)| sum / length * value).sum();
    assert!(cosine > 0.9999, "{cosine}");
}
