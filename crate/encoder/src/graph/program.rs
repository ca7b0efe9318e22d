//! The recognised graph as a list of steps, for an executor that is not tract: one on the GPU.
//!
//! Where every node is one that the pass put there, a reshaping, or the lookup of words and positions, the graph is a
//! [`Program`]; where a single one is not, there is none, and the graph runs as tract runs it.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::array::{Gather, Slice};
use tract_onnx::tract_core::ops::cast::Cast;
use tract_onnx::tract_core::ops::konst::Const;
use tract_onnx::tract_core::ops::math::{Add, Mul};
use tract_onnx::tract_core::ops::source::TypedSource;
use ts_rs::TS;

use super::ops::{Attention, Linear, Normalise};
use super::recognise::is;
use crate::kernels::{Activation, Matrix};
use embed::Pooling;

/// Inputs of a group must be a multiple of this, and outputs and rows of [`LANES`]: what a kernel loads at once.
const GROUP: usize = 16;
/// Numbers of a vector register of a GPU.
const LANES: usize = 4;
/// Most numbers of a head: keys and values of thirty-two tokens fit the memory that every GPU has for a workgroup.
const HEAD: usize = 64;

/// Steps over buffers of rows, one row for each token. No text is padded: the tokens of all texts of a batch stand one
/// after the other, and only attention and pooling need to know where a text begins.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Program {
    /// Steps in their order.
    pub steps: Vec<ProgramStep>,
    /// `f32` numbers of a row, for each buffer.
    pub widths: Vec<usize>,
    /// Buffer of the token vectors, after the last step.
    pub output: usize,
    /// Way from the token vectors of a text to its vector, which has length 1.
    pub pooling: Pooling,
    /// Bytes of each constant.
    pub sizes: Vec<usize>,
    #[serde(skip)]
    #[ts(skip)]
    constants: Vec<Constant>,
}

/// A step of a [`Program`]. `input`, `out` and other buffers are indices into [`Program::widths`]; `out` is never an input
/// of the same step. Constants are indices for [`Program::constant`]; numbers are `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "op")]
pub enum ProgramStep {
    /// Looks words and positions up: `codes[id] · scales[id] + positions[place in the text]`.
    Embed {
        /// Constant of `i8`: a row for each word.
        codes: usize,
        /// Constant: a number for each word.
        scales: usize,
        /// Constant: a row for each place.
        positions: usize,
        /// Buffer that is written.
        out: usize,
    },
    /// A product with a matrix of `i8` codes, plus a bias.
    Linear {
        /// Buffer that is read.
        input: usize,
        /// Constant of `i8` of [inputs / 4, outputs, 4].
        codes: usize,
        /// Constant of [inputs / `group`, outputs]: the value of code 1.
        scales: usize,
        /// Constant, a number for each output.
        bias: usize,
        /// Inputs that share a scale, a multiple of 16.
        group: usize,
        /// True if exact GELU is applied to the sums.
        gelu: bool,
        /// Buffer that is written.
        out: usize,
    },
    /// For each head and token of a text the values of all its tokens, mixed by the softmax of the scaled scores.
    Attention {
        /// Buffer of the queries.
        query: usize,
        /// Buffer of the keys.
        key: usize,
        /// Buffer of the values.
        value: usize,
        /// Heads of a row.
        heads: usize,
        /// Factor of the scores.
        scale: f32,
        /// Buffer that is written.
        out: usize,
    },
    /// Layer norm of a row, or of the sum of two.
    Normalise {
        /// Buffer that is read.
        input: usize,
        /// Buffer that is added to it.
        residual: Option<usize>,
        /// Constant, a number for each column.
        gain: usize,
        /// Constant, a number for each column.
        bias: usize,
        /// Summand of the variance.
        epsilon: f32,
        /// Buffer that is written.
        out: usize,
    },
}

#[derive(Clone, Debug)]
enum Constant {
    /// The codes of a word table, or numbers, as tract holds them.
    Stored(Arc<Tensor>),
    Codes(Arc<Matrix>),
    Scales(Arc<Matrix>),
    Floats(Arc<[f32]>),
}

impl Constant {
    /// Bytes.
    fn size(&self) -> usize {
        let float = size_of::<f32>();
        match self {
            Self::Stored(tensor) => tensor.as_bytes().len(),
            Self::Codes(matrix) => matrix.n_in() * matrix.n_out(),
            Self::Scales(matrix) => matrix.n_in() / matrix.group() * matrix.n_out() * float,
            Self::Floats(floats) => floats.len() * float,
        }
    }
}

impl Program {
    /// The program of a graph; None where a node is not known.
    pub(super) fn of(graph: &TypedModel, pooling: Pooling) -> TractResult<Option<Self>> {
        let mut maker = Maker::new(graph)?;
        for id in graph.eval_order()? {
            if !maker.take(graph.node(id)) {
                return Ok(None);
            }
        }
        let output = graph.output_outlets().ok().and_then(|outlets| outlets.first().copied());
        let Some(&Value::Rows(output)) = output.and_then(|outlet| maker.values.get(&outlet.node)) else {
            return Ok(None);
        };
        let Maker { steps, constants, widths, .. } = maker;
        let sizes = constants.iter().map(Constant::size).collect();
        Ok(Some(Self { steps, widths, output, pooling, sizes, constants }))
    }

    /// Bytes of a constant: `i8`, or `f32` in little-endian order. Empty for one that is not there.
    pub fn constant(&self, idx: usize) -> Vec<u8> {
        let bytes = |floats: &[f32]| floats.iter().flat_map(|value| value.to_le_bytes()).collect();
        match self.constants.get(idx) {
            Some(Constant::Stored(tensor)) => tensor.as_bytes().to_vec(),
            Some(Constant::Codes(matrix)) => matrix.codes_by_four_inputs(),
            Some(Constant::Scales(matrix)) => bytes(&matrix.scales_by_group()),
            Some(Constant::Floats(floats)) => bytes(floats),
            None => Vec::new(),
        }
    }
}

/// Output of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Constant,
    Ids,
    /// Codes of words, as `i8` or widened; by the node of the table.
    WordCodes(usize),
    WordScales(usize),
    /// Words, by the nodes of codes and scales.
    Words(usize, usize),
    Positions(usize),
    /// A buffer.
    Rows(usize),
}

struct Maker<'g> {
    graph: &'g TypedModel,
    values: HashMap<usize, Value>,
    /// Times that each node's value is read.
    uses: HashMap<usize, usize>,
    /// Times that each buffer is still to be read.
    readers: HashMap<usize, usize>,
    steps: Vec<ProgramStep>,
    constants: Vec<Constant>,
    widths: Vec<usize>,
    /// Buffers that nothing is read from any more.
    free: Vec<usize>,
}

impl<'g> Maker<'g> {
    fn new(graph: &'g TypedModel) -> TractResult<Self> {
        let mut uses = HashMap::new();
        for input in graph.nodes().iter().flat_map(|node| &node.inputs).chain(graph.output_outlets()?) {
            *uses.entry(input.node).or_default() += 1;
        }
        let (values, readers) = (HashMap::new(), HashMap::new());
        let (steps, constants, widths, free) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { graph, values, uses, readers, steps, constants, widths, free })
    }

    /// Adds what a node does; false where it is not known.
    fn take(&mut self, node: &TypedNode) -> bool {
        let Some(value) = self.value_of(node) else { return false };
        self.values.insert(node.id, value);
        if let Value::Rows(buffer) = value {
            *self.readers.entry(buffer).or_default() += self.uses.get(&node.id).copied().unwrap_or_default();
        }
        for input in &node.inputs {
            let Some(&Value::Rows(buffer)) = self.values.get(&input.node) else { continue };
            let readers = self.readers.entry(buffer).or_default();
            *readers = readers.saturating_sub(1);
            if *readers == 0 {
                self.free.push(buffer);
            }
        }
        true
    }

    fn value_of(&mut self, node: &TypedNode) -> Option<Value> {
        let inputs: Vec<Value> =
            node.inputs.iter().map(|input| self.values.get(&input.node).copied()).collect::<Option<_>>()?;
        let input_node = |idx: usize| node.inputs.get(idx).map(|outlet| outlet.node);
        match inputs.as_slice() {
            [] if node.op_is::<Const>() => Some(Value::Constant),
            [] if node.op_is::<TypedSource>() => Some(Value::Ids),
            [Value::Constant, Value::Ids]
                if node.op_as::<Gather>().is_some_and(|gather| gather.axis == 0) =>
            {
                let table = self.tensor(input_node(0)?)?;
                match table.datum_type() {
                    DatumType::I8 => Some(Value::WordCodes(input_node(0)?)),
                    DatumType::F32 if table.shape().last() == Some(&1) => {
                        Some(Value::WordScales(input_node(0)?))
                    }
                    _ => None,
                }
            }
            [value @ Value::WordCodes(_)] if node.op_is::<Cast>() => Some(*value),
            [Value::WordCodes(codes), Value::WordScales(scales)]
            | [Value::WordScales(scales), Value::WordCodes(codes)]
                if is::<Mul>(node) =>
            {
                Some(Value::Words(*codes, *scales))
            }
            [Value::Constant] if self.is_first_rows(node) => Some(Value::Positions(input_node(0)?)),
            [Value::Words(codes, scales), Value::Positions(positions)]
            | [Value::Positions(positions), Value::Words(codes, scales)]
                if is::<Add>(node) =>
            {
                self.embed([*codes, *scales, *positions])
            }
            [value @ Value::Rows(_)] if matches!(node.op_as::<AxisOp>(), Some(AxisOp::Reshape(2, ..))) => {
                Some(*value)
            }
            [Value::Rows(input)] if node.op_is::<Linear>() => self.linear(*input, node.op_as()?),
            [Value::Rows(query), Value::Rows(key), Value::Rows(value)] => {
                self.attention([*query, *key, *value], node.op_as()?)
            }
            [Value::Rows(input)] => self.normalise(*input, None, node.op_as()?),
            [Value::Rows(input), Value::Rows(residual)] => {
                self.normalise(*input, Some(*residual), node.op_as()?)
            }
            _ => None,
        }
    }

    /// True if a node takes the first rows of a table, as many as a text has tokens.
    fn is_first_rows(&self, node: &TypedNode) -> bool {
        let length = self.graph.symbols.sym("length").to_dim();
        node.op_as::<Slice>()
            .is_some_and(|slice| slice.axis == 1 && slice.start == 0.to_dim() && slice.end == length)
    }

    fn tensor(&self, node: usize) -> Option<Arc<Tensor>> {
        self.graph.nodes().get(node)?.op_as::<Const>().map(|constant| constant.val().clone())
    }

    fn embed(&mut self, nodes: [usize; 3]) -> Option<Value> {
        let [codes, scales, positions] = <[Arc<Tensor>; 3]>::try_from(
            nodes.map(|node| self.tensor(node)).into_iter().collect::<Option<Vec<_>>>()?,
        )
        .ok()?;
        let width = *codes.shape().last()?;
        let fits = positions.datum_type() == f32::datum_type()
            && positions.shape().last() == Some(&width)
            && scales.volume() * width == codes.volume()
            && width.is_multiple_of(LANES);
        if !fits {
            return None;
        }
        let [codes, scales, positions] =
            [codes, scales, positions].map(|tensor| self.constant(Constant::Stored(tensor)));
        let out = self.buffer(width);
        self.steps.push(ProgramStep::Embed { codes, scales, positions, out });
        Some(Value::Rows(out))
    }

    fn linear(&mut self, input: usize, op: &Linear) -> Option<Value> {
        let Linear { matrix, bias, activation, bytes: _ } = op;
        let group = matrix.group();
        let fits = group.is_multiple_of(GROUP) && matrix.n_out().is_multiple_of(LANES);
        if !fits || self.widths.get(input) != Some(&matrix.n_in()) {
            return None;
        }
        let codes = self.constant(Constant::Codes(matrix.clone()));
        let scales = self.constant(Constant::Scales(matrix.clone()));
        let bias = self.constant(Constant::Floats(bias.clone()));
        let gelu = *activation == Activation::Gelu;
        let out = self.buffer(matrix.n_out());
        self.steps.push(ProgramStep::Linear { input, codes, scales, bias, group, gelu, out });
        Some(Value::Rows(out))
    }

    fn attention(&mut self, [query, key, value]: [usize; 3], op: &Attention) -> Option<Value> {
        let Attention(heads) = *op;
        let width = heads.n * heads.width;
        let fits = heads.width.is_multiple_of(LANES) && heads.width <= HEAD;
        if !fits || [query, key, value].iter().any(|&buffer| self.widths.get(buffer) != Some(&width)) {
            return None;
        }
        let out = self.buffer(width);
        let scale = f32::from_bits(heads.scale_bits);
        self.steps.push(ProgramStep::Attention { query, key, value, heads: heads.n, scale, out });
        Some(Value::Rows(out))
    }

    fn normalise(&mut self, input: usize, residual: Option<usize>, op: &Normalise) -> Option<Value> {
        let Normalise(norm) = op;
        let width = norm.gain.len();
        let inputs = [Some(input), residual].into_iter().flatten();
        if !width.is_multiple_of(LANES) || inputs.into_iter().any(|idx| self.widths.get(idx) != Some(&width))
        {
            return None;
        }
        let gain = self.constant(Constant::Floats(norm.gain.as_slice().into()));
        let bias = self.constant(Constant::Floats(norm.bias.as_slice().into()));
        let out = self.buffer(width);
        self.steps.push(ProgramStep::Normalise { input, residual, gain, bias, epsilon: norm.epsilon, out });
        Some(Value::Rows(out))
    }

    fn constant(&mut self, constant: Constant) -> usize {
        self.constants.push(constant);
        self.constants.len() - 1
    }

    /// A buffer of this width that is not in use; a new one where there is none.
    fn buffer(&mut self, width: usize) -> usize {
        if let Some(at) = self.free.iter().position(|&buffer| self.widths.get(buffer) == Some(&width)) {
            return self.free.swap_remove(at);
        }
        self.widths.push(width);
        self.widths.len() - 1
    }
}
