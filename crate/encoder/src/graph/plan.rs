//! From the bytes of a model to a graph that runs: the steps, one call each.

use std::io::Read;
use std::sync::Arc;

use embed::{Error, Manifest};
use tract_onnx::prelude::*;

use super::ops::ByteUnit;
use super::program::Program;
use super::{recognise::recognise, stored};
use crate::adapter::Adapter;

/// Inputs of the graph.
const INPUTS: [&str; 1] = ["input_ids"];

/// A graph that is ready to run, with symbolic batch and length.
pub(crate) type Plan = Arc<TypedRunnableModel>;

/// Graphs that are made of a model.
pub(crate) struct Plans {
    /// The model as it is.
    pub(crate) plain: Plan,
    /// The model with the adapter, where one was given; or why it cannot be had.
    pub(crate) adapted: Option<Result<Plan, Error>>,
    /// The model as it is as a program, where it is one. Programs and plans share the constants that are the same.
    pub(crate) program: Option<Program>,
}

/// The graph of `model`, ready to run. The bytes are let go as soon as they are parsed, since the memory of a wasm instance
/// never shrinks again.
pub(crate) fn plans(
    model: Vec<u8>,
    manifest: &Manifest,
    n_pieces: usize,
    bytes: Option<&Arc<ByteUnit>>,
    adapter: Option<Result<Adapter, Error>>,
) -> Result<Plans, Error> {
    let graph = read(model).map_err(unreadable)?;
    check_inputs(&graph, manifest, n_pieces)?;
    let head = stored::head_width(&graph);
    let graph = typed(graph, manifest.dimensions)?;
    // Before anything is recognised, when matrices are nodes; what is not adapted is shared.
    let adapted = adapter.map(|adapter| (adapter, graph.clone()));
    let (plain, program) = finish(graph, bytes, |graph| Program::of(graph, manifest.pooling))?;
    let adapted = adapted.map(|(adapter, mut graph)| {
        let head = head.ok_or_else(|| Error::mismatch("the model does not say how wide its heads are"))?;
        stored::adapt(&mut graph, adapter?, head)?;
        Ok(finish(graph, bytes, |_| Ok(()))?.0)
    });
    Ok(Plans { plain, adapted, program })
}

/// The graph with its types, batch and length symbolic, decluttered.
fn typed(mut graph: InferenceModel, dimensions: usize) -> Result<TypedModel, Error> {
    let (batch, length) = (graph.symbols.sym("batch"), graph.symbols.sym("length"));
    for input in 0..INPUTS.len() {
        let shape = [batch.to_dim(), length.to_dim()];
        let fact = InferenceFact::dt_shape(i64::datum_type(), shape);
        graph.set_input_fact(input, fact).map_err(unreadable)?;
    }
    stored::keep_stored(&mut graph).map_err(unreadable)?;
    let mut graph = graph.into_typed().map_err(unreadable)?;
    let output = graph.output_fact(0).map_err(unreadable)?;
    if output.datum_type != f32::datum_type()
        || *output.shape != [batch.to_dim(), length.to_dim(), dimensions.to_dim()]
    {
        return Err(Error::mismatch(format!(
            "the model gives {output:?}, expected f32 of batch, length, {dimensions}"
        )));
    }
    graph.declutter().map_err(unreadable)?;
    Ok(graph)
}

/// Recognises what it can of the graph, looks at it, and makes it ready to run.
fn finish<T>(
    mut graph: TypedModel,
    bytes: Option<&Arc<ByteUnit>>,
    look: impl FnOnce(&TypedModel) -> TractResult<T>,
) -> Result<(Plan, T), Error> {
    recognise(&mut graph, bytes).map_err(unreadable)?;
    let seen = look(&graph).map_err(unreadable)?;
    stored::expand_rest(&mut graph).map_err(unreadable)?;
    let plan = graph.into_optimized().and_then(TypedModel::into_runnable).map_err(unreadable)?;
    Ok((plan, seen))
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
