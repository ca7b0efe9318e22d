//! Texts to unit vectors by a small BERT encoder, run on the CPU. tract reads its graph; what is recognised in it runs by
//! kernels of our own over int8 weights (`graph`, `kernels`), the rest by tract.
//!
//! ```no_run
//! use embed::{Embedder as _, Manifest};
//! use encoder::Session;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let manifest = Manifest::from_json(&std::fs::read("models/build/manifest.json")?)?;
//! let model = std::fs::read("models/build/model.onnx")?;
//! let vocabulary = std::fs::read("models/build/vocab.txt")?;
//! let session = Session::load(model, &vocabulary, &manifest)?;
//! let vectors = session.embed(&["a firm must keep records", "records of the firm"])?;
//! let cosine: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
//! assert!(cosine > 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! **Cost.** Loading takes about a sixth of a second natively and under one in wasm, which then has 53 MB;
//! `models/README.md` has the figures. One load serves every number and length of texts.
//!
//! **Other encoders.** The other crates see only [`embed::Embedder`]. A faster CPU encoder implements the same trait, shares
//! the tokenizer, and reports the same fingerprint if its vectors are comparable with these. One on the GPU answers later and
//! so lives with its caller: [`Session::program`] is what it runs. Vectors share a fingerprint if ranking does not tell them
//! apart: those of a GPU, in `f32`, have a cosine of .999 and more to these, those of 7-bit activations of .99 and more
//! (`models/README.md` has what that does to ranking).
//!
//! **Pairs.** [`PairClassifier`] runs another kind of model, which the caller brings: natural language inference, two texts to
//! three probabilities. It is for measuring answers; nothing that answers uses it.
//!
//! This is the only crate that knows tract. It reads no file, fetches nothing, and has no clock.

mod adapter;
mod classifier;
mod graph;
mod kernels;
mod pooling;
mod session;

pub use classifier::{ClassifierManifest, PairClassifier, Probabilities};
pub use graph::{Program, ProgramStep};
pub use kernels::{ByteFactors, ByteProducts, byte_products};
pub use session::{LoadOptions, Session};
