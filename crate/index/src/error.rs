//! Why stored bytes, or a batch of vectors, are refused.

use std::fmt;

/// Stored bytes or vectors that cannot be used. Nothing of them is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are not of this kind of file.
    NotThisFormat {
        /// What was expected: "segment", "vectors".
        expected: &'static str,
    },
    /// Written by another version of the format.
    Version {
        /// The number in the bytes.
        found: u32,
        /// The number this build reads and writes.
        expected: u32,
    },
    /// A section's bytes are not those that were written, or say what cannot be.
    Damaged {
        /// The section: "header", "meta", "text", "words", "postings", "rows".
        section: &'static str,
    },
    /// Vectors of a document that the index does not hold.
    UnknownDocument,
    /// Vectors of another model than those that the document has.
    Model {
        /// The fingerprint of the model that made them.
        found: String,
        /// That of the model that made the document's.
        expected: String,
    },
    /// Vectors with another number of values than those that the document has.
    Dimensions {
        /// Their number.
        found: u32,
        /// That of the document's.
        expected: u32,
    },
    /// Vectors that cannot be used, or do not fit those that are there.
    VectorsDiffer {
        /// Which, for a message.
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

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// What can be done about it.
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
