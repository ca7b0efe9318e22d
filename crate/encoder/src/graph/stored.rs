//! Matrices as `models/export.py` stores them, int8, from the file to the operator that reads them.
//!
//! The file has matrix `m` as `m.codes`, i8 of [groups, inputs of a group, outputs], times `m.scale`, f32 of [groups, 1,
//! outputs], reshaped. tract would fold that to f32 while it types the graph and hold each step of every matrix: 177 MB
//! at the peak. Here the three become one operator without inputs, which no folding touches; what the pass does not take
//! is expanded in the end.

use std::sync::Arc;

use embed::Error;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::konst::Const;
use tract_onnx::tract_core::{as_op, not_out_of_plan, op_as_typed_op};
use tract_onnx::tract_hir::ops::expandable::inference_wrap;

use crate::adapter::{Adapter, Difference};
use crate::kernels::Matrix;

/// Ending of the name of a node that is a stored matrix; before it stands the matrix'.
const STORED: &str = ".stored";
/// Least scale, of outputs whose weights are all 0.
const LEAST_SCALE: f32 = 1e-30;

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

    /// The matrix with `factor` times a difference added, stored as `models/export.py` stores one.
    fn with(&self, difference: &Difference, factor: f32) -> TractResult<Self> {
        let (codes, scales) = (self.codes.try_as_plain_ram()?, self.scales.try_as_plain_ram()?);
        let (codes, scales) = (codes.as_slice::<i8>()?, scales.as_slice::<f32>()?);
        let mut new_codes = Vec::with_capacity(codes.len());
        let mut new_scales = Vec::with_capacity(scales.len());
        let mut values = vec![0.0f32; self.group * self.n_out];
        let groups = codes.chunks_exact(self.group * self.n_out).zip(scales.chunks_exact(self.n_out));
        for (group_idx, (codes, scales)) in groups.enumerate() {
            let mut greatest = vec![0.0f32; self.n_out];
            let rows = codes.chunks_exact(self.n_out).zip(values.chunks_exact_mut(self.n_out));
            for (input, (codes, values)) in (group_idx * self.group..).zip(rows) {
                for ((value, &code), scale) in values.iter_mut().zip(codes).zip(scales) {
                    *value = f32::from(code) * scale;
                }
                difference.add(input, factor, values);
                for (greatest, value) in greatest.iter_mut().zip(values) {
                    *greatest = greatest.max(value.abs());
                }
            }
            let scales: Vec<f32> =
                greatest.iter().map(|greatest| (greatest / 127.0).max(LEAST_SCALE)).collect();
            for row in values.chunks_exact(self.n_out) {
                let codes = row.iter().zip(&scales);
                new_codes.extend(codes.map(|(value, scale)| (value / scale).round_ties_even() as i8));
            }
            new_scales.extend(scales);
        }
        let codes = Arc::new(Tensor::from_shape(self.codes.shape(), &new_codes)?);
        let scales = Arc::new(Tensor::from_shape(self.scales.shape(), &new_scales)?);
        Ok(Self { codes, scales, ..*self })
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
        let matrix = graph.add_node(format!("{name}{STORED}"), op, tvec![fact])?;
        let inlets: Vec<InletId> =
            graph.node(target).outputs.iter().flat_map(|outlet| outlet.successors.clone()).collect();
        for inlet in inlets {
            graph.add_edge(OutletId::new(matrix, 0), inlet)?;
        }
    }
    // What the matrices replace goes now, before it is translated.
    graph.compact()
}

/// Adds differences to the stored matrices of a graph, one to each. `head` is the width of an attention head, by whose root
/// the query is divided in its weights.
///
/// # Errors
/// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) where differences and matrices do not pair.
pub(super) fn adapt(graph: &mut TypedModel, mut adapter: Adapter, head: usize) -> Result<(), Error> {
    for node in graph.nodes_mut() {
        let Some(matrix) = node.op_as::<StoredMatrix>() else { continue };
        let name = node.name.strip_suffix(STORED).unwrap_or(&node.name);
        let difference = adapter.take(name, matrix.shape())?;
        let factor = if name.ends_with(".query.weight") { 1.0 / (head as f32).sqrt() } else { 1.0 };
        let adapted = matrix.with(&difference, factor).map_err(Error::encoder)?;
        node.op = Box::new(adapted);
    }
    adapter.finish()
}

/// Width of an attention head, from the shape that the graph gives a query: of [batch, length, heads, width].
pub(super) fn head_width(graph: &InferenceModel) -> Option<usize> {
    let shape = constant(graph, "heads_shape")?;
    let width = shape.try_as_plain_ram().ok()?.as_slice::<i64>().ok()?.get(3).copied()?;
    usize::try_from(width).ok().filter(|&width| width > 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapted_matrix_is_the_sum_to_half_a_step() {
        let (n_groups, group, n_out, rank) = (2, 8, 3, 2);
        let n_in = n_groups * group;
        let codes = |n: usize, seed: usize| -> Vec<i8> {
            (0..n).map(|i| i8::try_from((i * 37 + seed) % 255).unwrap_or(-99)).collect()
        };
        let scales: Vec<f32> = (1..=n_groups * n_out).map(|i| i as f32 / 1000.0).collect();
        let stored = StoredMatrix::new(
            Arc::new(Tensor::from_shape(&[n_groups, group, n_out], &codes(n_in * n_out, 5)).unwrap()),
            Arc::new(Tensor::from_shape(&[n_groups, 1, n_out], &scales).unwrap()),
        )
        .unwrap();
        let rows = codes(rank * n_in, 11);
        let columns: Vec<f32> = (0..rank * n_out).map(|i| i as f32 / 3000.0 - 0.0007).collect();
        let difference = Difference { n_in, n_out, rows: rows.clone(), columns: columns.clone() };
        let adapted = stored.with(&difference, 0.5).unwrap();

        let of = |matrix: &StoredMatrix| -> Vec<f32> {
            matrix.expand().unwrap().try_as_plain_ram().unwrap().as_slice().unwrap().to_vec()
        };
        let (before, after) = (of(&stored), of(&adapted));
        let steps = adapted.scales.try_as_plain_ram().unwrap();
        let steps = steps.as_slice::<f32>().unwrap();
        for (idx, (before, after)) in before.iter().zip(&after).enumerate() {
            let (input, output) = (idx / n_out, idx % n_out);
            let of_rank = |r: usize| f32::from(rows[r * n_in + input]) * columns[r * n_out + output];
            let expected = before + 0.5 * (0..rank).map(of_rank).sum::<f32>();
            let step = steps[input / group * n_out + output];
            assert!((after - expected).abs() <= 0.501 * step, "{idx}: {after}, expected {expected}");
        }
        assert_ne!(before, after);
    }
}
