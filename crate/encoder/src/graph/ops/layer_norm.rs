//! Layer norm over the last axis, of one input or of the sum of two.

use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::{as_op, op_as_typed_op, op_out_of_plan};

use crate::kernels::{LayerNorm, normalise};

/// Rows, and where there is a second input rows that are added to them first, normalised.
#[derive(Clone, Debug)]
pub(crate) struct Normalise(pub(crate) Arc<LayerNorm>);

impl PartialEq for Normalise {
    /// True if they are one layer: numbers are compared by place, not by value.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Normalise {}

impl Op for Normalise {
    fn name(&self) -> StaticName {
        "Normalise".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Normalise {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext<'_>, mut inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let residual = (inputs.len() > 1).then(|| inputs.pop()).flatten();
        let input = inputs.pop().context("layer norm has an input")?;
        ensure!(input.shape().last() == Some(&self.0.gain.len()), "layer norm of another length");
        let mut out = input.into_tensor();
        let residual = match &residual {
            Some(residual) => residual.try_as_plain_ram()?.as_slice::<f32>()?,
            None => &[],
        };
        normalise(out.try_as_plain_ram_mut()?.as_slice_mut::<f32>()?, residual, &self.0);
        Ok(tvec![out.into_tvalue()])
    }
}

impl TypedOp for Normalise {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let [input, ..] = inputs else { bail!("layer norm has an input") };
        Ok(tvec![f32::fact(input.shape.clone())])
    }
}
