//! Operators of ours, each over one kernel: what the pass puts into tract's graph.

mod attention;
mod layer_norm;
mod linear;

pub(super) use attention::Attention;
pub(super) use layer_norm::Normalise;
pub(crate) use linear::ByteUnit;
pub(super) use linear::Linear;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;

/// The numbers of an input, whichever it is.
fn floats(inputs: &[TValue], idx: usize) -> TractResult<&[f32]> {
    let input = inputs.get(idx).context("an input is missing")?;
    input.try_as_plain_ram()?.as_slice::<f32>()
}
