//! An embedding model as the other crates see it: texts in, unit vectors out ([`Embedder`]), the manifest that says which model
//! made them, BERT's WordPiece tokenizer, and late interaction, which compares two texts token by token. What runs the model
//! is `encoder`, the only crate that knows tract; nothing here does, so whoever only searches does not carry it.
//!
//! **Long texts.** [`Embedder::embed`] truncates a text at the encoder's limit (256 tokens, special tokens included)
//! and averages nothing. To embed a long text whole, split it with [`WordPiece::split`] and embed each window.

mod error;
mod late_interaction;
mod manifest;
mod tokenizer;

use std::ops::ControlFlow;

pub use error::{Error, ErrorKind};
pub use late_interaction::{TokenMatches, mean_match, normalize_rows, placed};
pub use manifest::{FileEntry, Files, Manifest, Normalisation, Pooling};
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
    /// sentences, and truncated at the encoder's limit. Empty where the encoder has no adapter for it. `progress` as for
    /// [`Self::embed_with`], after each passage.
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
