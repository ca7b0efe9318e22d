//! Text to unit vectors: a WordPiece tokenizer of our own and a small BERT encoder, run on the CPU by tract.
//!
//! ```no_run
//! use embed::{Embedder as _, Manifest, Session};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let manifest = Manifest::from_json(&std::fs::read("models/build/manifest.json")?)?;
//! let model = std::fs::read("models/build/model.onnx")?;
//! let vocabulary = std::fs::read("models/build/vocab.txt")?;
//! let session = Session::load(&model, &vocabulary, &manifest)?;
//! let vectors = session.embed(&["a firm must keep records", "records of the firm"])?;
//! let cosine: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
//! assert!(cosine > 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! **Cost.** Loading takes about half a second natively and a little over one in wasm, and leaves about 60 MB;
//! `models/README.md` has the figures. One load serves every number and length of texts.
//!
//! **Long texts.** [`Embedder::embed`] cuts a text at the encoder's size (256 tokens, marks included).
//! Nothing is averaged behind the caller's back: who wants the whole of a long text embedded asks
//! [`WordPiece::parts`] for windows of that size and embeds each as a text of its own.
//!
//! **Other encoders.** Everything behind this crate sees [`Embedder`] only. A faster CPU encoder or one on the
//! GPU implements the same trait; it shares the tokenizer and reports the same fingerprint when its vectors
//! may be compared with these.
//!
//! This is the only crate that knows tract. It reads no file, fetches nothing, and has no clock.

mod error;
mod manifest;
mod pooling;
mod session;
mod tokenizer;

use std::ops::ControlFlow;

pub use error::{Error, ErrorKind};
pub use manifest::{FileEntry, Files, Manifest, Normalisation, Pooling};
pub use session::Session;
pub use tokenizer::{Casing, Piece, WordPiece};

/// Gives texts a place in space: near each other when they mean similar things.
pub trait Embedder {
    /// Length of its vectors.
    fn dimensions(&self) -> usize;

    /// Identity of its vectors: they may be compared with those of an embedder of the same fingerprint, and
    /// with no others.
    fn fingerprint(&self) -> &str;

    /// One unit vector for each text, in the order given. A text longer than the encoder's size is cut there;
    /// an empty one gets the vector of no words, the same each time. After each batch `progress` is told how
    /// many texts are done and how many there are, and may stop the work: then nothing is given.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] when `progress` breaks; [`ErrorKind::EncoderFailed`] when the encoder does.
    fn embed_with(
        &self,
        texts: &[&str],
        progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<f32>>, Error>;

    /// The same without progress.
    ///
    /// # Errors
    /// [`ErrorKind::EncoderFailed`] when the encoder fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        self.embed_with(texts, &mut |_, _| ControlFlow::Continue(()))
    }
}
