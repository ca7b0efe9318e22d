//! Natural language inference: a premise and a hypothesis to three probabilities, by a BERT-like ONNX graph that the
//! caller brings.
//!
//! The graph reads `input_ids` and, where it has them, `attention_mask` and `token_type_ids`, each i64 of [batch, length],
//! and gives logits, f32 of [batch, 3]. Texts are encoded by WordPiece as a pair; other tokenizers, such as DeBERTa's, are
//! not read. Which logit is which is the manifest's to say, since models differ in it. One pair is one run; nothing of
//! the graph is recognised, tract runs it all.

use std::sync::Arc;

use embed::{Casing, Error, FileEntry, WordPiece};
use serde::Deserialize;
use tract_onnx::prelude::*;

/// Version of the manifest format.
const FORMAT: u32 = 1;
/// Most tokens of a pair that a manifest may declare.
const MAX_TOKENS: usize = 8192;
/// Most bytes of a file that a manifest may declare.
const MAX_BYTES: u64 = 4 << 30;
/// Inputs that are known, by their names.
const INPUTS: [&str; 3] = ["input_ids", "attention_mask", "token_type_ids"];

/// Manifest of a model of inference: `manifest.json` beside it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassifierManifest {
    /// Version of the format; 1.
    pub format: u32,
    /// Task; `nli`.
    pub task: String,
    /// The model's name.
    pub name: String,
    /// Source of the weights.
    pub source: String,
    /// Licence of the weights, an SPDX expression.
    pub licence: String,
    /// Most tokens of a pair, special tokens included.
    pub max_tokens: usize,
    /// True for an uncased vocabulary.
    pub lower_case: bool,
    /// Labels in the order of the logits: entailment, neutral and contradiction, each once.
    pub labels: Vec<String>,
    /// The graph, ONNX.
    pub model: FileEntry,
    /// The WordPiece vocabulary, one piece a line.
    pub vocabulary: FileEntry,
}

/// Probabilities of a pair, together 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Probabilities {
    /// The premise entails the hypothesis.
    pub entailment: f64,
    /// Neither.
    pub neutral: f64,
    /// The premise contradicts the hypothesis.
    pub contradiction: f64,
}

impl ClassifierManifest {
    /// Reads `manifest.json`.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) when it is not JSON of this shape, or declares
    /// something that cannot be run.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let manifest: Self = serde_json::from_slice(json)
            .map_err(|cause| Error::mismatch(format!("the manifest is not readable: {cause}")))?;
        let Self { format, task, max_tokens, model, vocabulary, .. } = &manifest;
        if (*format, task.as_str()) != (FORMAT, "nli") {
            let message = format!("manifest has format {format} and task {task}, expected {FORMAT} and nli");
            return Err(Error::mismatch(message));
        }
        if !(5..=MAX_TOKENS).contains(max_tokens) {
            return Err(Error::mismatch(format!(
                "manifest has max_tokens {max_tokens}, expected 5 to {MAX_TOKENS}"
            )));
        }
        if let Some(FileEntry { name, bytes, .. }) =
            [model, vocabulary].into_iter().find(|file| file.bytes > MAX_BYTES)
        {
            return Err(Error::mismatch(format!("{name} has {bytes} bytes, expected at most {MAX_BYTES}")));
        }
        manifest.places()?;
        Ok(manifest)
    }

    /// Places of entailment, neutral and contradiction among the logits.
    fn places(&self) -> Result<[usize; 3], Error> {
        let place = |name: &str| self.labels.iter().position(|label| label == name);
        match (place("entailment"), place("neutral"), place("contradiction")) {
            (Some(entailment), Some(neutral), Some(contradiction)) if self.labels.len() == 3 => {
                Ok([entailment, neutral, contradiction])
            }
            _ => {
                let labels = self.labels.join(", ");
                Err(Error::mismatch(format!(
                    "manifest has labels {labels}, expected entailment, neutral and contradiction in their order"
                )))
            }
        }
    }
}

/// A loaded model of inference. Shareable between threads; a call runs on the caller's.
#[derive(Debug)]
pub struct PairClassifier {
    tokenizer: WordPiece,
    plan: Arc<TypedRunnableModel>,
    /// For each input of the graph its place in [`INPUTS`].
    inputs: Vec<usize>,
    places: [usize; 3],
    max_tokens: usize,
}

impl PairClassifier {
    /// Loads a model after checking that the bytes are those that the manifest declares.
    ///
    /// # Errors
    /// [`ErrorKind::ModelMismatch`](embed::ErrorKind::ModelMismatch) when they are not, or when the graph has other inputs
    /// or outputs.
    pub fn load(model: &[u8], vocabulary: &[u8], manifest: &ClassifierManifest) -> Result<Self, Error> {
        manifest.model.verify(model)?;
        manifest.vocabulary.verify(vocabulary)?;
        let casing = if manifest.lower_case { Casing::Folded } else { Casing::Kept };
        let tokenizer = WordPiece::new(vocabulary, casing)?;
        let (plan, inputs) = plan(model)?;
        Ok(Self { tokenizer, plan, inputs, places: manifest.places()?, max_tokens: manifest.max_tokens })
    }

    /// Probabilities that the premise entails or contradicts the hypothesis.
    ///
    /// # Errors
    /// [`ErrorKind::EncoderFailed`](embed::ErrorKind::EncoderFailed) when the graph fails or gives no finite logits.
    pub fn classify(&self, premise: &str, hypothesis: &str) -> Result<Probabilities, Error> {
        let (ids, n_first) = self.tokenizer.encode_pair(premise, hypothesis, self.max_tokens);
        let rows: [Vec<i64>; 3] = [
            ids.iter().map(|&id| i64::from(id)).collect(),
            vec![1; ids.len()],
            (0..ids.len()).map(|at| i64::from(at >= n_first)).collect(),
        ];
        let tensor = |place: &usize| {
            let row = rows.get(*place).map(Vec::as_slice).unwrap_or_default();
            Tensor::from_shape(&[1, row.len()], row).map(IntoTValue::into_tvalue)
        };
        let inputs: TVec<TValue> =
            self.inputs.iter().map(tensor).collect::<TractResult<_>>().map_err(Error::encoder)?;
        let outputs = self.plan.run(inputs).map_err(Error::encoder)?;
        let Some(logits) = outputs.first() else { return Err(Error::encoder("no output")) };
        let view = logits.try_as_plain_ram().map_err(Error::encoder)?;
        let logits = view.as_slice::<f32>().map_err(Error::encoder)?;
        let [entailment, neutral, contradiction] = softmax(logits, self.places)?;
        Ok(Probabilities { entailment, neutral, contradiction })
    }
}

/// The graph, ready to run, with symbolic length, and which of [`INPUTS`] each of its inputs is.
fn plan(mut model: &[u8]) -> Result<(Arc<TypedRunnableModel>, Vec<usize>), Error> {
    let unreadable = |cause: TractError| Error::mismatch(format!("the model cannot be loaded: {cause:#}"));
    let mut graph = tract_onnx::onnx().model_for_read(&mut model).map_err(unreadable)?;
    let outlets = graph.input_outlets().map_err(unreadable)?;
    let names: Vec<String> = outlets.iter().map(|outlet| graph.node(outlet.node).name.clone()).collect();
    let place = |name: &String| INPUTS.iter().position(|known| known == name);
    let inputs: Vec<usize> = names.iter().filter_map(place).collect();
    if inputs.len() < names.len() || !inputs.contains(&0) {
        let names = names.join(", ");
        return Err(Error::mismatch(format!(
            "the model has inputs {names}, expected input_ids and of {INPUTS:?}"
        )));
    }
    let length = graph.symbols.sym("length");
    for input in 0..inputs.len() {
        let fact = InferenceFact::dt_shape(i64::datum_type(), [1.to_dim(), length.to_dim()]);
        graph.set_input_fact(input, fact).map_err(unreadable)?;
    }
    let graph = graph.into_optimized().map_err(unreadable)?;
    let output = graph.output_fact(0).map_err(unreadable)?;
    if output.datum_type != f32::datum_type() || *output.shape != [1.to_dim(), 3.to_dim()] {
        return Err(Error::mismatch(format!("the model gives {output:?}, expected f32 of 1, 3")));
    }
    Ok((graph.into_runnable().map_err(unreadable)?, inputs))
}

/// Probabilities of the logits at these places.
fn softmax(logits: &[f32], places: [usize; 3]) -> Result<[f64; 3], Error> {
    let of = |place: usize| logits.get(place).copied().map_or(f64::NAN, f64::from);
    let logits = places.map(of);
    if logits.iter().any(|logit| !logit.is_finite()) {
        return Err(Error::encoder("a logit is no finite number"));
    }
    let most = logits.iter().copied().fold(f64::MIN, f64::max);
    let powers = logits.map(|logit| libm::exp(logit - most));
    let sum: f64 = powers.iter().sum();
    Ok(powers.map(|power| power / sum))
}
