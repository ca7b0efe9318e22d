//! The one error of this crate: why a file could not be read at all, and what the user can do.

use std::fmt;

/// Why a file gives no pages. Everything less than that is a diagnostic beside the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// Kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are no PDF.
    NotPdf,
    /// It was a PDF once, but too little of it can be read.
    Damaged,
    /// It is encrypted and the password given, or the empty one, does not open it.
    Encrypted,
    /// It can be read and has no page.
    NoPages,
    /// It is over one of the [`crate::Limits`].
    LimitExceeded,
    /// The caller asked to stop.
    Cancelled,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What the user can do about it; empty when there is nothing.
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
