//! Attention of several heads over the rows of each text.

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::{as_op, op_as_typed_op, op_out_of_plan};

use super::floats;
use crate::kernels::{Heads, attend};

/// Queries, keys and values of [texts, rows, heads, width] to mixed values of the same shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attention(pub(crate) Heads);

impl Op for Attention {
    fn name(&self) -> StaticName {
        "Attention".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Attention {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext<'_>, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let Self(heads) = *self;
        let [query, key, value] = [floats(&inputs, 0)?, floats(&inputs, 1)?, floats(&inputs, 2)?];
        let shape = inputs.first().map(|query| query.shape()).unwrap_or_default();
        let &[_, length, n, width] = shape else { bail!("attention over {shape:?}, expected four axes") };
        ensure!((n, width) == (heads.n, heads.width), "{n} heads of {width}");
        ensure!(query.len() == key.len() && key.len() == value.len(), "inputs of attention differ in length");
        let mut out = Tensor::zero::<f32>(shape)?;
        let mut places = out.try_as_plain_ram_mut()?;
        let text = (length * n * width).max(1);
        let texts = query.chunks_exact(text).zip(key.chunks_exact(text)).zip(value.chunks_exact(text));
        for (((query, key), value), out) in texts.zip(places.as_slice_mut::<f32>()?.chunks_exact_mut(text)) {
            attend(query, key, value, heads, out);
        }
        Ok(tvec![out.into_tvalue()])
    }
}

impl TypedOp for Attention {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let [query, _, _] = inputs else { bail!("attention has three inputs") };
        Ok(tvec![f32::fact(query.shape.clone())])
    }
}
