//! The pass over tract's decluttered graph: finds linear layers, attention and layer norms by what they compute, and puts
//! the operators of [`super::ops`] in their place.
//!
//! Each finder starts at the operator that nothing else has (a product with a stored matrix, a softmax, a root mean
//! square) and follows the edges. It asks for everything that its replacement takes for granted; where something is
//! different, the nodes stay.

use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::binary::TypedBinOp;
use tract_onnx::tract_core::ops::einsum::EinSum;
use tract_onnx::tract_core::ops::element_wise::ElementWiseOp;
use tract_onnx::tract_core::ops::math::{Add, Mul, Sub};
use tract_onnx::tract_core::ops::nn::{GeluExact, Reduce, Reducer, RmsNorm, Softmax, SoftmaxKind};

use super::ops::{Attention, ByteUnit, Linear, Normalise};
use super::stored::StoredMatrix;
use crate::kernels::{Activation, Heads, LayerNorm};

/// Gives a patch where a node is the one that its operator is known by.
type Finder<'f> = &'f dyn Fn(&TypedModel, &TypedNode) -> TractResult<Option<TypedModelPatch>>;

/// Replaces what is recognised. Linear layers make products of bytes where there is a unit for them.
pub(super) fn recognise(graph: &mut TypedModel, bytes: Option<&Arc<ByteUnit>>) -> TractResult<()> {
    let find_linear = |graph: &TypedModel, node: &TypedNode| linear(graph, node, bytes);
    let finders: [Finder<'_>; 3] = [&find_linear, &attention, &layer_norm];
    for find in finders {
        for id in graph.eval_order()? {
            if let Some(patch) = find(graph, graph.node(id))? {
                patch.apply(graph)?;
            }
        }
        graph.compact()?;
    }
    Ok(())
}

/// A product with a stored matrix, with the bias and the GELU behind it.
fn linear(
    graph: &TypedModel,
    node: &TypedNode,
    bytes: Option<&Arc<ByteUnit>>,
) -> TractResult<Option<TypedModelPatch>> {
    rule_if_some!(product = node.op_as::<EinSum>());
    let &[input, weights] = node.inputs.as_slice() else { return Ok(None) };
    let weights = graph.node(weights.node);
    // tract moves the joining of heads from the input to the matrix; it is moved back.
    let joined = weights.op_as::<AxisOp>();
    let weights = if joined.is_some() { graph.node(first_input(weights)?.node) } else { weights };
    rule_if_some!(stored = weights.op_as::<StoredMatrix>());
    let joining = match (joined, form(product).as_str()) {
        (None, "ab,bc->ac" | "abc,cd->abd") => None,
        (Some(AxisOp::Reshape(0, whole, heads)), "abcd,cde->abe") => {
            Some(AxisOp::Reshape(2, heads.clone(), whole.clone()))
        }
        _ => return Ok(None),
    };
    rule_if!(product.q_params.is_none() && is_f32(graph, input)?);
    rule_if_some!(matrix = stored.pack()?);

    let mut last = node;
    let mut bias = None;
    if let Some(sum) = graph.single_succ(node.id)?.filter(|next| is::<Add>(next)) {
        bias = constant_operand(graph, sum, node)?.and_then(|bias| row(&bias, matrix.n_out()));
        if bias.is_some() {
            last = sum;
        }
    }
    let mut activation = Activation::None;
    if let Some(next) = graph.single_succ(last.id)?
        && next.op_as::<ElementWiseOp>().is_some_and(|op| op.0.is::<GeluExact>())
    {
        (last, activation) = (next, Activation::Gelu);
    }
    let bias = bias.unwrap_or_else(|| vec![0.0; matrix.n_out()]);
    let matrix = Arc::new(if bytes.is_some() { matrix.with_sums() } else { matrix });
    let op = Linear { matrix, bias: bias.into(), activation, bytes: bytes.cloned() };
    replace_after(graph, last, joining, op, &[input]).map(Some)
}

/// Scores of queries with keys, perhaps scaled, their softmax, and the values mixed by it.
fn attention(graph: &TypedModel, node: &TypedNode) -> TractResult<Option<TypedModelPatch>> {
    rule_if_some!(softmax = node.op_as::<Softmax>());
    rule_if!(softmax.kind == SoftmaxKind::Softmax && softmax.axes.as_slice() == [3]);
    let mut scores = graph.node(first_input(node)?.node);
    let mut scale = 1.0;
    if is::<Mul>(scores)
        && let Some(product) =
            scores.inputs.iter().map(|input| graph.node(input.node)).find(|n| n.op_is::<EinSum>())
        && let Some(factor) = constant_operand(graph, scores, product)?.and_then(|factor| row(&factor, 1))
    {
        (scores, scale) = (product, factor.first().copied().unwrap_or(1.0));
    }
    rule_if_some!(product = scores.op_as::<EinSum>());
    rule_if!(product.q_params.is_none() && form(product) == "abcd,aecd->acbe");
    rule_if_some!(mixed = graph.single_succ(node.id)?);
    rule_if_some!(mixing = mixed.op_as::<EinSum>());
    rule_if!(mixing.q_params.is_none() && form(mixing) == "abcd,adbe->acbe");
    let (&[query, key], &[shares, value]) = (scores.inputs.as_slice(), mixed.inputs.as_slice()) else {
        return Ok(None);
    };
    let shape = &graph.outlet_fact(query)?.shape;
    let same = |other| -> TractResult<bool> {
        Ok(graph.outlet_fact(other)?.shape == *shape && is_f32(graph, other)?)
    };
    rule_if!(shares.node == node.id && same(query)? && same(key)? && same(value)?);
    rule_if!(shape.rank() == 4);
    let (Ok(n), Ok(width)) = (shape[2].to_usize(), shape[3].to_usize()) else { return Ok(None) };
    let heads = Heads { n, width, scale_bits: scale.to_bits() };
    rule_if!(heads.is_supported());
    replace(graph, mixed, Attention(heads), &[query, key, value]).map(Some)
}

/// Mean, difference, root mean square, gain and bias over the last axis, with the sum of two inputs before them.
fn layer_norm(graph: &TypedModel, node: &TypedNode) -> TractResult<Option<TypedModelPatch>> {
    rule_if_some!(norm = node.op_as::<RmsNorm>());
    let difference = graph.node(first_input(node)?.node);
    rule_if!(is::<Sub>(difference));
    let &[input, mean] = difference.inputs.as_slice() else { return Ok(None) };
    let fact = graph.outlet_fact(input)?;
    rule_if!(is_f32(graph, input)? && norm.axis + 1 == fact.rank());
    let Ok(n) = fact.shape[norm.axis].to_usize() else { return Ok(None) };
    let mean = graph.node(mean.node);
    rule_if!(is::<Mul>(mean));
    rule_if_some!(sum = mean.inputs.iter().map(|input| graph.node(input.node)).find(|n| n.op_is::<Reduce>()));
    rule_if_some!(reduce = sum.op_as::<Reduce>());
    rule_if!(
        reduce.reducer == Reducer::Sum && reduce.axes.as_slice() == [norm.axis] && sum.inputs[..] == [input]
    );
    rule_if_some!(share = constant_operand(graph, mean, sum)?.and_then(|share| row(&share, 1)));
    rule_if!(share.first() == Some(&(1.0 / n as f32)));

    rule_if_some!(scaled = graph.single_succ(node.id)?.filter(|next| is::<Mul>(next)));
    rule_if_some!(gain = constant_operand(graph, scaled, node)?.and_then(|gain| row(&gain, n)));
    rule_if_some!(last = graph.single_succ(scaled.id)?.filter(|next| is::<Add>(next)));
    rule_if_some!(bias = constant_operand(graph, last, scaled)?.and_then(|bias| row(&bias, n)));
    let epsilon = norm.eps.cast_to_scalar::<f32>()?;
    let op = Normalise(Arc::new(LayerNorm { gain, bias, epsilon }));

    let before = graph.node(input.node);
    if is::<Add>(before)
        && let &[left, right] = before.inputs.as_slice()
        && graph.outlet_fact(left)?.shape == fact.shape
        && graph.outlet_fact(right)?.shape == fact.shape
    {
        return replace(graph, last, op, &[left, right]).map(Some);
    }
    replace(graph, last, op, &[input]).map(Some)
}

/// A patch that computes the output of `last` by `op`.
fn replace(
    graph: &TypedModel,
    last: &TypedNode,
    op: impl Into<Box<dyn TypedOp>>,
    inputs: &[OutletId],
) -> TractResult<TypedModelPatch> {
    replace_after(graph, last, None, op, inputs)
}

/// As [`replace`], with the inputs through `first` where there is one.
fn replace_after(
    graph: &TypedModel,
    last: &TypedNode,
    first: Option<AxisOp>,
    op: impl Into<Box<dyn TypedOp>>,
    inputs: &[OutletId],
) -> TractResult<TypedModelPatch> {
    let mut patch = TypedModelPatch::default();
    let mut inputs = patch.taps(graph, inputs)?;
    if let Some(first) = first {
        inputs = patch.wire_node(format!("{}.joined", last.name), first, &inputs)?;
    }
    let made = patch.wire_node(format!("{}.fused", last.name), op, &inputs)?;
    patch.shunt_outside(graph, last.id.into(), *made.first().context("an operator has an output")?)?;
    Ok(patch)
}

fn first_input(node: &TypedNode) -> TractResult<OutletId> {
    node.inputs.first().copied().context("an operator has an input")
}

fn is_f32(graph: &TypedModel, outlet: OutletId) -> TractResult<bool> {
    Ok(graph.outlet_fact(outlet)?.datum_type == f32::datum_type())
}

/// True if a node is the binary operation `B`.
pub(super) fn is<B: tract_onnx::tract_core::ops::binary::BinMiniOp>(node: &TypedNode) -> bool {
    node.op_as::<TypedBinOp>().is_some_and(|op| op.0.is::<B>())
}

/// The constant that a binary operation takes beside the output of `other`.
fn constant_operand(
    graph: &TypedModel,
    node: &TypedNode,
    other: &TypedNode,
) -> TractResult<Option<Arc<Tensor>>> {
    let &[left, right] = node.inputs.as_slice() else { return Ok(None) };
    let operand = if left.node == other.id { right } else { left };
    Ok(graph.outlet_fact(operand)?.konst.clone())
}

/// The numbers of a constant that has all its `n` along the last axis.
fn row(constant: &Tensor, n: usize) -> Option<Vec<f32>> {
    let is_row = constant.volume() == n && (n == 1 || constant.shape().last() == Some(&n));
    let values = constant.as_plain_ram()?;
    is_row.then_some(values.as_slice::<f32>().ok()?.to_vec())
}

/// Formula of a product, as in `ab,bc->ac`, with its axes lettered in the order of their first mention.
fn form(product: &EinSum) -> String {
    let mut seen = Vec::new();
    let letters = product.axes.to_string();
    letters
        .chars()
        .map(|letter| {
            if !letter.is_alphabetic() {
                return letter;
            }
            let place = seen.iter().position(|&known| known == letter).unwrap_or_else(|| {
                seen.push(letter);
                seen.len() - 1
            });
            ('a'..='z').nth(place).unwrap_or('?')
        })
        .collect()
}
