//! Text to unit vectors: a WordPiece tokenizer of our own and a small BERT encoder, run on the CPU. tract reads its graph;
//! what is recognised in it runs by kernels of our own over int8 weights (`graph`, `kernels`), the rest by tract.
//!
//! ```no_run
//! use embed::{Embedder as _, Manifest, Session};
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
//! **Long texts.** [`Embedder::embed`] truncates a text at the encoder's limit (256 tokens, special tokens included)
//! and averages nothing. To embed a long text whole, split it with [`WordPiece::split`] and embed each window.
//!
//! **Other encoders.** The other crates see only [`Embedder`]. A faster CPU encoder implements the same trait, shares the
//! tokenizer, and reports the same fingerprint if its vectors are comparable with these. One on the GPU answers later and
//! so lives with its caller: [`Session::program`] is what it runs. Vectors share a fingerprint if ranking does not tell them
//! apart: those of a GPU, in `f32`, have a cosine of .999 and more to these, those of 7-bit activations of .99 and more
//! (`models/README.md` has what that does to ranking).
//!
//! This is the only crate that knows tract. It reads no file, fetches nothing, and has no clock.

mod error;
mod graph;
mod kernels;
mod late_interaction;
mod manifest;
mod pooling;
mod session;
mod tokenizer;

use std::ops::ControlFlow;

pub use error::{Error, ErrorKind};
pub use graph::{Program, ProgramStep};
pub use kernels::{ByteFactors, ByteProducts, byte_products};
pub use late_interaction::{TokenMatches, token_weights};
pub use manifest::{FileEntry, Files, Manifest, Normalisation, Pooling};
pub use session::Session;
pub use tokenizer::{Casing, Token, WordPiece};

/// Maps texts to unit vectors whose dot product measures similarity of meaning.
pub trait Embedder {
    /// Dimensions of the vectors.
    fn dimensions(&self) -> usize;

    /// Identity of the vectors: only vectors of equal fingerprint are comparable.
    fn fingerprint(&self) -> &str;

    /// One unit vector for each text, in the same order. A text over the encoder's limit is truncated; an empty text has
    /// a fixed vector. After each batch `progress` receives the number of texts done and the total; if it breaks, no
    /// vectors are returned.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] when `progress` breaks; [`ErrorKind::EncoderFailed`] when the encoder does.
    fn embed_with(
        &self,
        texts: &[&str],
        progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<f32>>, Error>;

    /// As [`Self::embed_with`], without progress.
    ///
    /// # Errors
    /// [`ErrorKind::EncoderFailed`] when the encoder fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        self.embed_with(texts, &mut |_, _| ControlFlow::Continue(()))
    }

    /// Compares a query with passages token by token, in their order; each passage is given in pieces, such as its
    /// sentences, and truncated at the encoder's limit. `progress` as for [`Self::embed_with`], after each passage.
    ///
    /// # Errors
    /// As [`Self::embed_with`].
    fn compare_with(
        &self,
        query: &str,
        passages: &[Vec<String>],
        progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<TokenMatches>, Error>;

    /// As [`Self::compare_with`], without progress.
    ///
    /// # Errors
    /// [`ErrorKind::EncoderFailed`] when the encoder fails.
    fn compare(&self, query: &str, passages: &[Vec<String>]) -> Result<Vec<TokenMatches>, Error> {
        self.compare_with(query, passages, &mut |_, _| ControlFlow::Continue(()))
    }
}
