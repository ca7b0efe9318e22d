//! A linear layer: the product with a matrix of int8 weights, a bias, and an activation.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::{as_op, op_as_typed_op, op_out_of_plan};

use super::floats;
use crate::kernels::{Activation, ByteProducts, Matrix};

/// Rows of any number, in all axes but the last, to rows of the matrix' outputs.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    /// The weights.
    pub(crate) matrix: Arc<Matrix>,
    /// One summand an output.
    pub(crate) bias: Arc<[f32]>,
    /// Function of each sum.
    pub(crate) activation: Activation,
    /// Where products of bytes are made, for all layers of a graph.
    pub(crate) bytes: Option<Arc<ByteUnit>>,
}

/// Products of bytes, which can be switched off for a while.
#[derive(Debug)]
pub(crate) struct ByteUnit {
    products: ByteProducts,
    /// Pieces of work under way that want none.
    n_without: AtomicUsize,
}

impl ByteUnit {
    /// A unit that is on.
    pub(crate) fn new(products: ByteProducts) -> Self {
        Self { products, n_without: AtomicUsize::new(0) }
    }

    /// Does some work without products of bytes; work of other threads meanwhile has none either.
    pub(crate) fn without<T>(&self, work: impl FnOnce() -> T) -> T {
        self.n_without.fetch_add(1, Ordering::Relaxed);
        let done = work();
        self.n_without.fetch_sub(1, Ordering::Relaxed);
        done
    }

    fn products(&self) -> Option<ByteProducts> {
        (self.n_without.load(Ordering::Relaxed) == 0).then_some(self.products)
    }
}

impl PartialEq for Linear {
    /// True if they are one layer: weights are compared by place, not by value.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.matrix, &other.matrix)
            && Arc::ptr_eq(&self.bias, &other.bias)
            && self.activation == other.activation
    }
}

impl Eq for Linear {}

impl Op for Linear {
    fn name(&self) -> StaticName {
        "Linear".into()
    }

    op_as_typed_op!();
}

impl EvalOp for Linear {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext<'_>, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let values = floats(&inputs, 0)?;
        let mut shape: TVec<usize> = inputs.iter().flat_map(|input| input.shape()).copied().collect();
        let last = shape.last_mut().context("a linear layer has an axis of inputs")?;
        ensure!(*last == self.matrix.n_in(), "{last} inputs, expected {}", self.matrix.n_in());
        *last = self.matrix.n_out();
        let mut out = Tensor::zero::<f32>(&shape)?;
        let mut places = out.try_as_plain_ram_mut()?;
        let places = places.as_slice_mut::<f32>()?;
        let products = self.bytes.as_deref().and_then(ByteUnit::products);
        let is_done = products.is_some_and(|products| {
            self.matrix.multiply_bytes(products, values, &self.bias, self.activation, places)
        });
        if !is_done {
            self.matrix.multiply(values, &self.bias, self.activation, places);
        }
        Ok(tvec![out.into_tvalue()])
    }
}

impl TypedOp for Linear {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let [input] = inputs else { bail!("a linear layer has one input") };
        let axis = input.rank().checked_sub(1).context("a linear layer has an axis of inputs")?;
        let mut shape = input.shape.clone();
        shape.set(axis, self.matrix.n_out().to_dim());
        Ok(tvec![f32::fact(shape)])
    }
}
