//! Error of this crate: why a file cannot be read at all, and what the user can do.

use std::fmt;

/// Error of a file without readable pages. Lesser faults are diagnostics beside the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// Kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are not a PDF file.
    NotPdf,
    /// Too little of the file can be read.
    Damaged,
    /// The file is encrypted, and neither the given nor the empty password opens it.
    Encrypted,
    /// The file has no page.
    NoPages,
    /// The file exceeds one of the [`crate::Limits`].
    LimitExceeded,
    /// The caller cancelled.
    Cancelled,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Advice for the user; empty if there is none.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            ErrorKind::NotPdf => "choose a PDF file",
            ErrorKind::Damaged => {
                "fetch the file again, or print it to a new PDF with a viewer that opens it"
            }
            ErrorKind::Encrypted => "give the password that opens the file",
            ErrorKind::NoPages => "fetch the file again: its pages may have been cut off",
            ErrorKind::LimitExceeded => "split the file, or raise the limit",
            ErrorKind::Cancelled => "",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
