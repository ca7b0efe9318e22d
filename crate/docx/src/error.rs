//! Error of this crate: why a file cannot be read at all, and what the user can do.

use std::fmt;

/// Error of a file without readable text. Lesser faults are diagnostics beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// Kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file is of another format, which the message names if it is known.
    NotDocx,
    /// A Word 97–2003 file.
    LegacyDoc,
    /// The text of the file cannot be read.
    Damaged,
    /// The file is protected by a password.
    Encrypted,
    /// The file exceeds one of the [`crate::Limits`].
    LimitExceeded,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn damaged(part: &str) -> Self {
        Self::new(ErrorKind::Damaged, format!("the Word file is damaged: {part} cannot be read"))
    }

    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::LimitExceeded, message)
    }

    /// Kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Advice for the user.
    pub fn hint(&self) -> &'static str {
        match self.kind {
            ErrorKind::NotDocx => "choose a PDF or a Word document (.docx)",
            ErrorKind::LegacyDoc => "save it as .docx or PDF and choose that",
            ErrorKind::Damaged => "open it in a word processor and save it again",
            ErrorKind::Encrypted => "remove the password in the word processor and save the file again",
            ErrorKind::LimitExceeded => "split the file, or raise the limit",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
