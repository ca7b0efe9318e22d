//! Errors of decoding stored bytes and of adding vectors.

use std::fmt;

/// Stored bytes or vectors that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
}

/// Kinds of error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are another kind of file.
    NotThisFormat {
        /// The expected kind: "segment", "vectors".
        expected: &'static str,
    },
    /// The bytes have another format version.
    Version {
        /// Version of the bytes.
        found: u32,
        /// Version of this build.
        expected: u32,
    },
    /// A section fails its checksum or is inconsistent.
    Damaged {
        /// The section: "header", "meta", "text", "words", "postings", "rows".
        section: &'static str,
    },
    /// Vectors of a document that is not in the index.
    UnknownDocument,
    /// Vectors of another model than the document's.
    Model {
        /// Fingerprint of their model.
        found: String,
        /// Fingerprint of the document's.
        expected: String,
    },
    /// Vectors of another dimension than the document's.
    Dimensions {
        /// Their dimension.
        found: u32,
        /// The document's.
        expected: u32,
    },
    /// Vectors that cannot be used or contradict the document's.
    VectorsDiffer {
        /// The contradiction, for the message.
        what: &'static str,
    },
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { kind }
    }

    pub(crate) fn damaged(section: &'static str) -> Self {
        Self::new(ErrorKind::Damaged { section })
    }

    /// Its kind.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Remedy for the user.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            ErrorKind::Version { .. } | ErrorKind::NotThisFormat { .. } | ErrorKind::Damaged { .. } => {
                "add the document again"
            }
            ErrorKind::UnknownDocument
            | ErrorKind::Model { .. }
            | ErrorKind::Dimensions { .. }
            | ErrorKind::VectorsDiffer { .. } => "embed the document again",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::NotThisFormat { expected } => {
                write!(f, "the stored bytes are not a pincite {expected}")
            }
            ErrorKind::Version { found, expected } => {
                write!(f, "the stored bytes have format {found}, this build reads format {expected}")
            }
            ErrorKind::Damaged { section } => {
                write!(f, "the stored bytes are damaged: section {section} is not what was written")
            }
            ErrorKind::UnknownDocument => write!(f, "vectors of a document that is not in the index"),
            ErrorKind::Model { found, expected } => {
                let [found, expected] = [found, expected].map(|name| name.get(..12).unwrap_or(name));
                write!(f, "vectors were made by model {found}, the document's by model {expected}")
            }
            ErrorKind::Dimensions { found, expected } => {
                write!(f, "vectors have {found} values, the document's have {expected}")
            }
            ErrorKind::VectorsDiffer { what } => write!(f, "vectors do not fit the document's: {what}"),
        }
    }
}

impl std::error::Error for Error {}
