//! A model of natural language inference that is tiny and means nothing: weights drawn by a seed, written as ONNX here.
//!
//! It sums over the tokens of a pair the rows of two tables, of words and of types, and multiplies the sum by a matrix to three
//! logits; a test can do the same in a few lines. std alone, so that tests of the encoder can include this file.

/// Pieces of its vocabulary.
pub const PIECES: [&str; 16] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "firm", "must", "not", "keep", "record", "##s", "for",
    "six", "years", ".",
];
/// Width of its tables.
pub const WIDTH: usize = 8;

/// The model and its weights.
pub struct TinyNli {
    /// Rows of the words, then those of the two types, then those of the matrix to the logits.
    pub words: Vec<f32>,
    /// Rows of the two types.
    pub types: Vec<f32>,
    /// Rows of the matrix: [`WIDTH`] of three.
    pub matrix: Vec<f32>,
}

impl TinyNli {
    /// The model of a seed.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        // Knuth's linear congruential generator; the upper bits as a number in [-1, 1).
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        };
        let mut drawn = |n: usize| -> Vec<f32> { (0..n).map(|_| draw()).collect() };
        Self { words: drawn(PIECES.len() * WIDTH), types: drawn(2 * WIDTH), matrix: drawn(WIDTH * 3) }
    }

    /// Its vocabulary file.
    pub fn vocabulary() -> Vec<u8> {
        PIECES.join("\n").into_bytes()
    }

    /// Logits of ids and their types, computed without a graph.
    pub fn logits(&self, ids: &[u32], types: &[u32]) -> [f64; 3] {
        let mut logits = [0.0; 3];
        for (&id, &of) in ids.iter().zip(types) {
            for column in 0..WIDTH {
                let value =
                    self.words[id as usize * WIDTH + column] + self.types[of as usize * WIDTH + column];
                for (label, logit) in logits.iter_mut().enumerate() {
                    *logit += f64::from(value) * f64::from(self.matrix[column * 3 + label]);
                }
            }
        }
        logits
    }

    /// The graph as ONNX, opset 13.
    pub fn onnx(&self) -> Vec<u8> {
        let nodes = [
            node("Gather", &["words", "input_ids"], "of_words"),
            node("Gather", &["types", "token_type_ids"], "of_types"),
            node("Add", &["of_words", "of_types"], "both"),
            [node("Cast", &["attention_mask"], "mask"), attribute("to", 1)].concat(),
            node("Unsqueeze", &["mask", "axis_2"], "column"),
            node("Mul", &["both", "column"], "masked"),
            [node("ReduceSum", &["masked", "axis_1"], "sum"), attribute("keepdims", 0)].concat(),
            node("MatMul", &["sum", "matrix"], "logits"),
        ];
        let of_floats =
            |floats: &[f32]| floats.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<u8>>();
        let tensors = [
            tensor("words", &[PIECES.len(), WIDTH], 1, &of_floats(&self.words)),
            tensor("types", &[2, WIDTH], 1, &of_floats(&self.types)),
            tensor("matrix", &[WIDTH, 3], 1, &of_floats(&self.matrix)),
            tensor("axis_1", &[1], 7, &1_i64.to_le_bytes()),
            tensor("axis_2", &[1], 7, &2_i64.to_le_bytes()),
        ];
        let mut graph: Vec<u8> = nodes.iter().flat_map(|node| message(1, node)).collect();
        graph.extend(message(2, b"tiny"));
        graph.extend(tensors.iter().flat_map(|tensor| message(5, tensor)));
        for name in ["input_ids", "attention_mask", "token_type_ids"] {
            graph.extend(message(11, &value(name, 7, &["batch", "length"])));
        }
        graph.extend(message(12, &value("logits", 1, &["batch", "labels"])));
        let opset = number(2, 13);
        [number(1, 8), message(7, &graph), message(8, &opset)].concat()
    }
}

/// A varint field of a protocol buffer.
fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A field of bytes: a message, a text, packed numbers.
fn message(field: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Vec<u8> {
    let mut node: Vec<u8> = inputs.iter().flat_map(|input| message(1, input.as_bytes())).collect();
    node.extend(
        [message(2, output.as_bytes()), message(3, output.as_bytes()), message(4, operator.as_bytes())]
            .concat(),
    );
    node
}

/// An attribute of a node, a whole number.
fn attribute(name: &str, value: u64) -> Vec<u8> {
    message(5, &[message(1, name.as_bytes()), number(3, value), number(20, 2)].concat())
}

fn tensor(name: &str, shape: &[usize], kind: u64, data: &[u8]) -> Vec<u8> {
    let mut tensor: Vec<u8> = shape.iter().flat_map(|&n| number(1, n as u64)).collect();
    tensor.extend([number(2, kind), message(8, name.as_bytes()), message(9, data)].concat());
    tensor
}

fn value(name: &str, kind: u64, shape: &[&str]) -> Vec<u8> {
    let dimensions: Vec<u8> =
        shape.iter().flat_map(|name| message(1, &message(2, name.as_bytes()))).collect();
    let tensor = [number(1, kind), message(2, &dimensions)].concat();
    [message(1, name.as_bytes()), message(2, &message(1, &tensor))].concat()
}
