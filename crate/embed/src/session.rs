//! The encoder run by tract on the CPU.
//!
//! The graph is loaded once with batch and length symbolic, so one plan serves every shape. Texts are sorted
//! by length, and a batch holds texts of one length: there is no padding, and the graph needs no attention mask,
//! whose addition cost 16 % of the time. Batches are small, so progress and cancelling come often; a CPU gains little
//! from large ones, since the tokens of one text already fill the rows of a matrix product.

use std::ops::ControlFlow;
use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::konst::Const;

use crate::pooling::pool;
use crate::{Casing, Embedder, Error, Manifest, Pooling, WordPiece};

/// Inputs of the graph.
const INPUTS: [&str; 1] = ["input_ids"];
/// Most tokens of a batch; a longer text is a batch by itself.
const BATCH_TOKENS: usize = 512;

/// A loaded encoder: tokenizer, graph, pooling. Shareable between threads; a call runs on the caller's.
#[derive(Debug)]
pub struct Session {
    tokenizer: WordPiece,
    plan: Arc<TypedRunnableModel>,
    dimensions: usize,
    max_tokens: usize,
    pooling: Pooling,
    fingerprint: String,
}

impl Session {
    /// Loads an encoder after checking that the bytes are those that the manifest declares and that the graph
    /// has the shapes it promises.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](crate::ErrorKind::ModelMismatch) when something is not as declared.
    pub fn load(model: &[u8], vocabulary: &[u8], manifest: &Manifest) -> Result<Self, Error> {
        manifest.files.model.verify(model)?;
        let tokenizer = Self::load_tokenizer(vocabulary, manifest)?;
        let plan = plan(model, manifest, tokenizer.vocabulary_size())?;
        Ok(Self {
            tokenizer,
            plan,
            dimensions: manifest.dimensions,
            max_tokens: manifest.max_tokens,
            pooling: manifest.pooling,
            fingerprint: manifest.fingerprint(),
        })
    }

    /// Loads only the tokenizer, to split texts without embedding them.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](crate::ErrorKind::ModelMismatch) when it is not as declared.
    pub fn load_tokenizer(vocabulary: &[u8], manifest: &Manifest) -> Result<WordPiece, Error> {
        manifest.files.vocabulary.verify(vocabulary)?;
        WordPiece::new(vocabulary, if manifest.lower_case { Casing::Folded } else { Casing::Kept })
    }

    /// The encoder's tokenizer.
    pub fn tokenizer(&self) -> &WordPiece {
        &self.tokenizer
    }

    /// Most tokens of a text, special tokens included; longer texts are truncated.
    pub fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// The vectors of encoded texts of one length.
    fn run(&self, batch: &[&[u32]]) -> Result<Vec<Vec<f32>>, Error> {
        let length = batch.first().map_or(0, |ids| ids.len());
        let ids: Vec<i64> = batch.iter().flat_map(|ids| ids.iter().map(|&id| i64::from(id))).collect();
        let outputs = Tensor::from_shape(&[batch.len(), length], &ids)
            .and_then(|ids| self.plan.run(tvec![ids.into_tvalue()]))
            .map_err(Error::encoder)?;
        let Some(states) = outputs.first() else { return Err(Error::encoder("no output")) };
        if states.shape() != [batch.len(), length, self.dimensions] {
            let shape = states.shape();
            let expected = [batch.len(), length, self.dimensions];
            return Err(Error::encoder(format!("output has shape {shape:?}, expected {expected:?}")));
        }
        let view = states.try_as_plain_ram().map_err(Error::encoder)?;
        let states = view.as_slice::<f32>().map_err(Error::encoder)?;
        let texts = states.chunks_exact((length * self.dimensions).max(1));
        Ok(texts.map(|rows| pool(rows, self.dimensions, self.pooling)).collect())
    }
}

impl Embedder for Session {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn embed_with(
        &self,
        texts: &[&str],
        progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<f32>>, Error> {
        let encoded: Vec<Vec<u32>> =
            texts.iter().map(|text| self.tokenizer.encode(text, self.max_tokens)).collect();
        let lengths: Vec<usize> = encoded.iter().map(Vec::len).collect();
        let mut vectors = vec![Vec::new(); texts.len()];
        let mut n_done = 0;
        for members in batches(&lengths) {
            let batch: Vec<&[u32]> =
                members.iter().filter_map(|&idx| encoded.get(idx)).map(Vec::as_slice).collect();
            let made = self.run(&batch)?;
            n_done += members.len();
            for (idx, vector) in members.into_iter().zip(made) {
                if let Some(place) = vectors.get_mut(idx) {
                    *place = vector;
                }
            }
            if progress(n_done, texts.len()).is_break() {
                return Err(Error::cancelled());
            }
        }
        Ok(vectors)
    }
}

/// Groups texts, given by their lengths, into batches of one length. Equal lengths keep their order, so the
/// grouping depends on the lengths only.
fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, usize)> = lengths.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for same in order.chunk_by(|(a, _), (b, _)| a == b) {
        let length = same.first().map_or(0, |&(length, _)| length);
        let n_texts = (BATCH_TOKENS / length.max(1)).max(1);
        batches.extend(same.chunks(n_texts).map(|batch| batch.iter().map(|&(_, idx)| idx).collect()));
    }
    batches
}

/// The runnable graph, with symbolic batch and length.
fn plan(model: &[u8], manifest: &Manifest, n_pieces: usize) -> Result<Arc<TypedRunnableModel>, Error> {
    let dimensions = manifest.dimensions;
    let unreadable = |cause| Error::mismatch(format!("the model cannot be loaded: {cause:#}"));
    let mut graph = tract_onnx::onnx().model_for_read(&mut &model[..]).map_err(unreadable)?;
    let inputs = graph.input_outlets().map_err(unreadable)?;
    let names: Vec<&str> = inputs.iter().map(|outlet| graph.node(outlet.node).name.as_str()).collect();
    if names != INPUTS {
        return Err(Error::mismatch(format!("the model has inputs {names:?}, expected {INPUTS:?}")));
    }
    // An index past a table fails in the middle of a batch: better now.
    for (what, names, least) in [
        ("positions", &["positions.table"][..], manifest.max_tokens),
        ("words", &["words.codes", "words.table"], n_pieces),
    ] {
        let table = names.iter().find_map(|name| constant(&graph, name));
        let found = table.and_then(|table| table.shape().first().copied()).unwrap_or_default();
        if found < least {
            return Err(Error::mismatch(format!("the model has {found} {what}, expected {least} or more")));
        }
    }
    let (batch, length) = (graph.symbols.sym("batch"), graph.symbols.sym("length"));
    for input in 0..INPUTS.len() {
        let shape = [batch.to_dim(), length.to_dim()];
        let fact = InferenceFact::dt_shape(i64::datum_type(), shape);
        graph.set_input_fact(input, fact).map_err(unreadable)?;
    }
    expand_weights(&mut graph).map_err(unreadable)?;
    let graph = graph.into_typed().map_err(unreadable)?;
    let output = graph.output_fact(0).map_err(unreadable)?;
    if output.datum_type != f32::datum_type()
        || *output.shape != [batch.to_dim(), length.to_dim(), dimensions.to_dim()]
    {
        return Err(Error::mismatch(format!(
            "the model gives {output:?}, expected f32 of batch, length, {dimensions}"
        )));
    }
    graph.into_optimized().and_then(TypedModel::into_runnable).map_err(unreadable)
}

/// Replaces the stored codes and scales by the matrices. `models/export.py` stores matrix `m` as `m.codes`, i8 of
/// [blocks, inputs of a block, outputs], and `m.scale`, f32 of [blocks, 1, outputs], and `m` is their product
/// reshaped. tract would compute the same, but holds each of the three steps of every matrix until it has
/// translated the whole graph: 177 MB at the peak instead of 95, and the memory of a wasm instance never
/// shrinks again.
fn expand_weights(graph: &mut InferenceModel) -> TractResult<()> {
    let names: Vec<String> = graph
        .nodes()
        .iter()
        .filter_map(|node| node.name.strip_suffix(".codes").map(str::to_string))
        .filter(|name| graph.node_by_name(name).is_ok())
        .collect();
    for name in names {
        let target = graph.node_by_name(&name)?.id;
        let (Some(codes), Some(scale)) =
            (constant(graph, &format!("{name}.codes")), constant(graph, &format!("{name}.scale")))
        else {
            continue;
        };
        // The word table has one scale a row and is expanded row by row as rows are looked up.
        let &[n_blocks, n_in, n_out] = codes.shape() else { continue };
        if scale.shape() != [n_blocks, 1, n_out] || codes.volume() == 0 {
            continue;
        }
        let (codes, scale) = (codes.try_as_plain_ram()?, scale.try_as_plain_ram()?);
        let (codes, scale) = (codes.as_slice::<i8>()?, scale.as_slice::<f32>()?);
        let mut values = Vec::with_capacity(codes.len());
        for (block, scale) in codes.chunks_exact(n_in * n_out).zip(scale.chunks_exact(n_out)) {
            for row in block.chunks_exact(n_out) {
                values.extend(row.iter().zip(scale).map(|(&code, scale)| f32::from(code) * scale));
            }
        }
        let matrix = Tensor::from_shape(&[n_blocks * n_in, n_out], &values)?;
        let matrix = graph.add_const(format!("{name}.values"), matrix)?;
        for inlet in
            graph.node(target).outputs.iter().flat_map(|outlet| outlet.successors.clone()).collect::<Vec<_>>()
        {
            graph.add_edge(matrix, inlet)?;
        }
    }
    // What the matrices replace goes now, before it is translated.
    graph.compact()
}

/// The value of a constant of the graph.
fn constant(graph: &InferenceModel, name: &str) -> Option<Arc<Tensor>> {
    Some(graph.node_by_name(name).ok()?.op_as::<Const>()?.val().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_of_one_length_within_their_budget_and_hold_each_text_once() {
        let lengths: Vec<usize> = (0..700).map(|i| 2 + (i * i) % 255).chain([600, 600]).collect();
        let batches = batches(&lengths);
        for batch in &batches {
            let n_tokens: usize = batch.iter().map(|&idx| lengths[idx]).sum();
            assert!(n_tokens <= BATCH_TOKENS || batch.len() == 1, "{n_tokens} tokens in one batch");
            assert!(batch.iter().all(|&idx| lengths[idx] == lengths[batch[0]]));
        }
        let mut seen: Vec<usize> = batches.concat();
        seen.sort_unstable();
        assert_eq!(seen, (0..lengths.len()).collect::<Vec<_>>());
        assert!(super::batches(&[]).is_empty());
    }
}
