//! Layers that are BERT's, and layers that are nearly so: what the pass takes, and that it changes no result.

use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::einsum::EinSum;
use tract_onnx::tract_core::ops::math::{add, mul, sub};
use tract_onnx::tract_core::ops::nn::{
    Reduce, Reducer, RmsNorm, Softmax, SoftmaxKind, gelu_exact::gelu_exact,
};

use super::recognise::recognise;
use super::stored::{StoredMatrix, expand_rest};

const TEXTS: usize = 2;
const LENGTH: usize = 5;
const HEADS: usize = 2;
const WIDTH: usize = 8;
const HIDDEN: usize = HEADS * WIDTH;

/// The one thing in which a layer is not BERT's.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Nothing,
    /// Scores are multiplied by a number before the softmax, as most exports of BERT do.
    ScaledScores,
    /// Shares add up to 1 over queries and not over keys.
    SoftmaxOverQueries,
    /// The mean that is taken off is half of it.
    HalfMean,
    /// The matrices are f32.
    PlainWeights,
    /// Groups of four inputs share a scale, which the kernel cannot read.
    SmallGroups,
}

struct Layer {
    graph: TypedModel,
    change: Change,
    seed: u32,
}

impl Layer {
    /// Numbers from -1 to 1, others at each call.
    fn numbers(&mut self, n: usize) -> Vec<f32> {
        self.seed = self.seed.wrapping_add(1);
        let mut state = self.seed.wrapping_mul(2_654_435_761);
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    fn constant(&mut self, name: &str, shape: &[usize]) -> OutletId {
        let numbers = self.numbers(shape.iter().product());
        self.graph.add_const(name, Tensor::from_shape(shape, &numbers).unwrap()).unwrap()
    }

    fn node(&mut self, name: &str, op: impl Into<Box<dyn TypedOp>>, inputs: &[OutletId]) -> OutletId {
        self.graph.wire_node(name, op, inputs).unwrap()[0]
    }

    fn product(&mut self, name: &str, form: &str, inputs: &[OutletId]) -> OutletId {
        self.node(name, EinSum::new(form.parse().unwrap(), f32::datum_type()), inputs)
    }

    fn linear(&mut self, name: &str, input: OutletId, n_in: usize, n_out: usize) -> OutletId {
        let weights = format!("{name}.weights");
        let weights = if self.change == Change::PlainWeights {
            self.constant(&weights, &[n_in, n_out])
        } else {
            let group = if self.change == Change::SmallGroups { 4 } else { 8 };
            let codes: Vec<i8> = self.numbers(n_in * n_out).iter().map(|v| (v * 127.0) as i8).collect();
            let scales: Vec<f32> =
                self.numbers(n_in / group * n_out).iter().map(|v| 0.001 + v * v / 300.0).collect();
            let codes = Tensor::from_shape(&[n_in / group, group, n_out], &codes).unwrap();
            let scales = Tensor::from_shape(&[n_in / group, 1, n_out], &scales).unwrap();
            let stored = StoredMatrix::new(Arc::new(codes), Arc::new(scales)).unwrap();
            self.node(&weights, stored, &[])
        };
        let product = self.product(&format!("{name}.product"), "amk,kn->amn", &[input, weights]);
        let bias = self.constant(&format!("{name}.bias"), &[1, 1, n_out]);
        self.node(name, add(), &[product, bias])
    }

    fn heads(&mut self, name: &str, input: OutletId) -> OutletId {
        let linear = self.linear(name, input, HIDDEN, HIDDEN);
        let split = AxisOp::Reshape(2, tvec![HIDDEN.to_dim()], tvec![HEADS.to_dim(), WIDTH.to_dim()]);
        self.node(&format!("{name}.heads"), split, &[linear])
    }

    fn attention(&mut self, input: OutletId) -> OutletId {
        let [query, key, value] = ["query", "key", "value"].map(|name| self.heads(name, input));
        let mut scores = self.product("scores", "ambk,anbk->abmn", &[query, key]);
        if self.change == Change::ScaledScores {
            let scale =
                self.graph.add_const("scale", Tensor::from_shape(&[1, 1, 1, 1], &[0.3f32]).unwrap()).unwrap();
            scores = self.node("scaled", mul(), &[scores, scale]);
        }
        let axis = if self.change == Change::SoftmaxOverQueries { 2 } else { 3 };
        let softmax = Softmax { axes: tvec![axis], quant_output_dt: None, kind: SoftmaxKind::Softmax };
        let shares = self.node("shares", softmax, &[scores]);
        let mixed = self.product("mixed", "abmk,akbn->ambn", &[shares, value]);
        let join = AxisOp::Reshape(2, tvec![HEADS.to_dim(), WIDTH.to_dim()], tvec![HIDDEN.to_dim()]);
        self.node("joined", join, &[mixed])
    }

    fn norm(&mut self, name: &str, input: OutletId) -> OutletId {
        let sum =
            self.node(&format!("{name}.sum"), Reduce { axes: tvec![2], reducer: Reducer::Sum }, &[input]);
        let share = if self.change == Change::HalfMean { 0.5 } else { 1.0 } / HIDDEN as f32;
        let share = Tensor::from_shape(&[1, 1, 1], &[share]).unwrap();
        let share = self.graph.add_const(format!("{name}.share"), share).unwrap();
        let mean = self.node(&format!("{name}.mean"), mul(), &[sum, share]);
        let rest = self.node(&format!("{name}.rest"), sub(), &[input, mean]);
        let eps = Arc::new(tensor0(1e-5f32));
        let norm = self.node(&format!("{name}.norm"), RmsNorm { axis: 2, eps }, &[rest]);
        let gain = self.constant(&format!("{name}.gain"), &[1, 1, HIDDEN]);
        let scaled = self.node(&format!("{name}.scaled"), mul(), &[norm, gain]);
        let bias = self.constant(&format!("{name}.bias"), &[1, 1, HIDDEN]);
        self.node(name, add(), &[scaled, bias])
    }
}

/// A layer, decluttered, as the pass sees it.
fn layer(change: Change) -> TypedModel {
    let mut layer = Layer { graph: TypedModel::default(), change, seed: 0 };
    let input = layer.graph.add_source("input", f32::fact([TEXTS, LENGTH, HIDDEN])).unwrap();
    let joined = layer.attention(input);
    let attended = layer.linear("attended", joined, HIDDEN, HIDDEN);
    let sum = layer.node("attended.sum", add(), &[attended, input]);
    let norm = layer.norm("attended.norm", sum);
    let inner = layer.linear("inner", norm, HIDDEN, 3 * HIDDEN);
    let gelu = layer.node("inner.gelu", gelu_exact(), &[inner]);
    let outer = layer.linear("outer", gelu, 3 * HIDDEN, HIDDEN);
    let sum = layer.node("outer.sum", add(), &[outer, norm]);
    let output = layer.norm("outer.norm", sum);
    layer.graph.select_output_outlets(&[output]).unwrap();
    layer.graph.into_decluttered().unwrap()
}

fn count(graph: &TypedModel, name: &str) -> usize {
    graph.nodes().iter().filter(|node| node.op.name() == name).count()
}

fn result(mut graph: TypedModel) -> Vec<f32> {
    expand_rest(&mut graph).unwrap();
    assert_eq!(count(&graph, "StoredMatrix"), 0);
    let input: Vec<f32> =
        (0..TEXTS * LENGTH * HIDDEN).map(|i| ((i * 37) % 101) as f32 / 50.0 - 1.0).collect();
    let input = Tensor::from_shape(&[TEXTS, LENGTH, HIDDEN], &input).unwrap();
    let plan = graph.into_optimized().unwrap().into_runnable().unwrap();
    let output = plan.run(tvec![input.into_tvalue()]).unwrap().remove(0);
    output.try_as_plain_ram().unwrap().as_slice::<f32>().unwrap().to_vec()
}

#[test]
fn what_is_not_recognised_runs_as_tract_runs_it() {
    for (change, n_linear, n_attention, n_norms) in [
        (Change::Nothing, 6, 1, 2),
        (Change::ScaledScores, 6, 1, 2),
        (Change::SoftmaxOverQueries, 6, 0, 2),
        (Change::HalfMean, 6, 1, 0),
        (Change::PlainWeights, 0, 1, 2),
        (Change::SmallGroups, 0, 1, 2),
    ] {
        let expected = result(layer(change));
        let mut graph = layer(change);
        recognise(&mut graph, None).unwrap();
        let found = ["Linear", "Attention", "Normalise"].map(|name| count(&graph, name));
        assert_eq!(found, [n_linear, n_attention, n_norms], "{change:?}");
        assert_eq!(count(&graph, "Softmax"), 1 - n_attention, "{change:?}");
        for (idx, (found, expected)) in result(graph).iter().zip(&expected).enumerate() {
            assert!((found - expected).abs() < 1e-3, "{change:?} {idx}: {found}, expected {expected}");
        }
    }
}
