//! Errors of loading and running a model.

use std::fmt;

/// Kinds of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The manifest is malformed or describes a model that this code cannot run.
    ManifestInvalid,
    /// The model or the vocabulary differs from what the manifest declares.
    ModelMismatch,
    /// The caller asked to stop.
    Cancelled,
    /// The encoder failed on a valid input: a bug here.
    EncoderFailed,
}

/// An error of loading or running a model; the message says what was found and what was expected.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn manifest(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::ManifestInvalid, message: message.into() }
    }

    /// The model or the vocabulary differs from what the manifest declares.
    pub fn mismatch(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::ModelMismatch, message: message.into() }
    }

    /// The caller asked to stop.
    pub fn cancelled() -> Self {
        Self { kind: ErrorKind::Cancelled, message: "embedding was cancelled".into() }
    }

    /// The encoder failed on a valid input.
    pub fn encoder(cause: impl fmt::Display) -> Self {
        Self { kind: ErrorKind::EncoderFailed, message: format!("the encoder failed: {cause}") }
    }

    /// Kinds of error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Hint: the mend that the user can make.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            ErrorKind::ManifestInvalid | ErrorKind::ModelMismatch => {
                "build the model again with models/export.py, or clear the stored model and reload"
            }
            ErrorKind::Cancelled => "",
            ErrorKind::EncoderFailed => "reload; if it happens again, report it with the build id",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
