//! From the bytes of a model to a graph that runs: the steps, one call each.

use std::io::Read;
use std::sync::Arc;

use embed::{Error, Manifest};
use tract_onnx::prelude::*;

use super::ops::ByteUnit;
use super::program::Program;
use super::{recognise::recognise, stored};

/// Inputs of the graph.
const INPUTS: [&str; 1] = ["input_ids"];

/// The graph of `model`, ready to run, with symbolic batch and length, and as a program where it is one; the two share
/// their constants. The bytes are let go as soon as they are parsed, since the memory of a wasm instance never shrinks
/// again.
pub(crate) fn plan(
    model: Vec<u8>,
    manifest: &Manifest,
    n_pieces: usize,
    bytes: Option<&Arc<ByteUnit>>,
) -> Result<(Arc<TypedRunnableModel>, Option<Program>), Error> {
    let mut graph = read(model).map_err(unreadable)?;
    check_inputs(&graph, manifest, n_pieces)?;
    let (batch, length) = (graph.symbols.sym("batch"), graph.symbols.sym("length"));
    for input in 0..INPUTS.len() {
        let shape = [batch.to_dim(), length.to_dim()];
        let fact = InferenceFact::dt_shape(i64::datum_type(), shape);
        graph.set_input_fact(input, fact).map_err(unreadable)?;
    }
    stored::keep_stored(&mut graph).map_err(unreadable)?;
    let mut graph = graph.into_typed().map_err(unreadable)?;
    let output = graph.output_fact(0).map_err(unreadable)?;
    let dimensions = manifest.dimensions;
    if output.datum_type != f32::datum_type()
        || *output.shape != [batch.to_dim(), length.to_dim(), dimensions.to_dim()]
    {
        return Err(Error::mismatch(format!(
            "the model gives {output:?}, expected f32 of batch, length, {dimensions}"
        )));
    }
    graph.declutter().map_err(unreadable)?;
    recognise(&mut graph, bytes).map_err(unreadable)?;
    let program = Program::of(&graph, manifest.pooling).map_err(unreadable)?;
    stored::expand_rest(&mut graph).map_err(unreadable)?;
    let plan = graph.into_optimized().and_then(TypedModel::into_runnable).map_err(unreadable)?;
    Ok((plan, program))
}

fn unreadable(cause: TractError) -> Error {
    Error::mismatch(format!("the model cannot be loaded: {cause:#}"))
}

fn read(model: Vec<u8>) -> TractResult<InferenceModel> {
    tract_onnx::onnx().model_for_read(&mut Handed(model))
}

/// Bytes that are handed over whole to who reads them to the end, without a copy.
struct Handed(Vec<u8>);

impl Read for Handed {
    fn read(&mut self, places: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.as_slice().read(places)?;
        self.0.drain(..n);
        Ok(n)
    }

    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<usize> {
        let n = self.0.len();
        if bytes.is_empty() {
            *bytes = std::mem::take(&mut self.0);
        } else {
            bytes.append(&mut self.0);
        }
        Ok(n)
    }
}

/// Checks the inputs, and that every piece and position has its row: an index past a table fails in the middle of a batch.
fn check_inputs(graph: &InferenceModel, manifest: &Manifest, n_pieces: usize) -> Result<(), Error> {
    let inputs = graph.input_outlets().map_err(unreadable)?;
    let names: Vec<&str> = inputs.iter().map(|outlet| graph.node(outlet.node).name.as_str()).collect();
    if names != INPUTS {
        return Err(Error::mismatch(format!("the model has inputs {names:?}, expected {INPUTS:?}")));
    }
    for (what, names, least) in [
        ("positions", &["positions.table"][..], manifest.max_tokens),
        ("words", &["words.codes", "words.table"], n_pieces),
    ] {
        let table = names.iter().find_map(|name| stored::constant(graph, name));
        let found = table.and_then(|table| table.shape().first().copied()).unwrap_or_default();
        if found < least {
            return Err(Error::mismatch(format!("the model has {found} {what}, expected {least} or more")));
        }
    }
    Ok(())
}
