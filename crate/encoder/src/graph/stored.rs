//! Matrices as `models/export.py` stores them, int8, from the file to the operator that reads them.
//!
//! The file has matrix `m` as `m.codes`, i8 of [groups, inputs of a group, outputs], times `m.scale`, f32 of [groups, 1,
//! outputs], reshaped. tract would fold that to f32 while it types the graph and hold each step of every matrix: 177 MB
//! at the peak. Here the three become one operator without inputs, which no folding touches; what the pass does not take
//! is expanded in the end.

use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::konst::Const;
use tract_onnx::tract_core::{as_op, not_out_of_plan, op_as_typed_op};
use tract_onnx::tract_hir::ops::expandable::inference_wrap;

use crate::kernels::Matrix;

/// A matrix of [inputs, outputs] that is stored as int8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredMatrix {
    codes: Arc<Tensor>,
    scales: Arc<Tensor>,
    n_groups: usize,
    group: usize,
    n_out: usize,
}

impl StoredMatrix {
    /// None where the shapes are not those of a stored matrix; the word table has one scale a row and is expanded row by
    /// row as rows are looked up.
    pub(super) fn new(codes: Arc<Tensor>, scales: Arc<Tensor>) -> Option<Self> {
        let &[n_groups, group, n_out] = codes.shape() else { return None };
        let fits = scales.shape() == [n_groups, 1, n_out]
            && codes.volume() > 0
            && codes.datum_type() == i8::datum_type()
            && scales.datum_type() == f32::datum_type();
        fits.then_some(Self { codes, scales, n_groups, group, n_out })
    }

    /// The matrix in the form that the kernel reads, None where it cannot.
    pub(super) fn pack(&self) -> TractResult<Option<Matrix>> {
        let (codes, scales) = (self.codes.try_as_plain_ram()?, self.scales.try_as_plain_ram()?);
        Ok(Matrix::pack(codes.as_slice::<i8>()?, scales.as_slice::<f32>()?, self.group, self.n_out))
    }

    /// The matrix as f32.
    pub(super) fn expand(&self) -> TractResult<Tensor> {
        let (codes, scales) = (self.codes.try_as_plain_ram()?, self.scales.try_as_plain_ram()?);
        let (codes, scales) = (codes.as_slice::<i8>()?, scales.as_slice::<f32>()?);
        let mut values = Vec::with_capacity(codes.len());
        for (group, scales) in
            codes.chunks_exact(self.group * self.n_out).zip(scales.chunks_exact(self.n_out))
        {
            for row in group.chunks_exact(self.n_out) {
                values.extend(row.iter().zip(scales).map(|(&code, scale)| f32::from(code) * scale));
            }
        }
        Tensor::from_shape(&[self.n_groups * self.group, self.n_out], &values)
    }

    fn shape(&self) -> [usize; 2] {
        [self.n_groups * self.group, self.n_out]
    }
}

impl Op for StoredMatrix {
    fn name(&self) -> StaticName {
        "StoredMatrix".into()
    }

    op_as_typed_op!();
}

impl EvalOp for StoredMatrix {
    not_out_of_plan!();

    fn eval(&self, _: &EvalContext<'_>, _: TVec<TValue>) -> TractResult<TVec<TValue>> {
        Ok(tvec![self.expand()?.into_tvalue()])
    }
}

impl TypedOp for StoredMatrix {
    as_op!();

    fn output_facts(&self, _: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec![f32::fact(self.shape())])
    }
}

/// Replaces codes and scales of a graph by one [`StoredMatrix`] for each matrix.
pub(super) fn keep_stored(graph: &mut InferenceModel) -> TractResult<()> {
    let names: Vec<String> = graph
        .nodes()
        .iter()
        .filter_map(|node| node.name.strip_suffix(".codes").map(str::to_string))
        .filter(|name| graph.node_by_name(name).is_ok())
        .collect();
    for name in names {
        let target = graph.node_by_name(&name)?.id;
        let (Some(codes), Some(scales)) =
            (constant(graph, &format!("{name}.codes")), constant(graph, &format!("{name}.scale")))
        else {
            continue;
        };
        let Some(matrix) = StoredMatrix::new(codes, scales) else { continue };
        let shape = matrix.shape().map(|length| length.to_dim());
        let fact = InferenceFact::dt_shape(f32::datum_type(), shape.clone());
        let op = inference_wrap(matrix, 1, move |_, solver, _, outputs| {
            let [output] = outputs else { bail!("a stored matrix has one output") };
            solver.equals(&output.datum_type, f32::datum_type())?;
            solver.equals(&output.shape, TVec::from(shape.as_slice()))
        });
        let matrix = graph.add_node(format!("{name}.stored"), op, tvec![fact])?;
        let inlets: Vec<InletId> =
            graph.node(target).outputs.iter().flat_map(|outlet| outlet.successors.clone()).collect();
        for inlet in inlets {
            graph.add_edge(OutletId::new(matrix, 0), inlet)?;
        }
    }
    // What the matrices replace goes now, before it is translated.
    graph.compact()
}

/// Replaces the stored matrices that are left by their values.
pub(super) fn expand_rest(graph: &mut TypedModel) -> TractResult<()> {
    let left: Vec<usize> =
        graph.nodes().iter().filter(|node| node.op_is::<StoredMatrix>()).map(|node| node.id).collect();
    for id in left {
        let mut patch = TypedModelPatch::default();
        let node = graph.node(id);
        let Some(matrix) = node.op_as::<StoredMatrix>() else { continue };
        let values = patch.add_const(format!("{}.values", node.name), matrix.expand()?)?;
        patch.shunt_outside(graph, id.into(), values)?;
        patch.apply(graph)?;
    }
    graph.compact()
}

/// The value of a constant of the graph.
pub(super) fn constant(graph: &InferenceModel, name: &str) -> Option<Arc<Tensor>> {
    Some(graph.node_by_name(name).ok()?.op_as::<Const>()?.val().clone())
}
