//! Error of the engine: a code for programs, a message and a hint for people. Errors of the stages are its source;
//! their kinds are mapped to codes here.

use std::fmt;

use serde::Serialize;
use ts_rs::TS;

/// Kind of error. The names are API: a change of one is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "ErrorCode")]
#[non_exhaustive]
pub enum Code {
    /// Neither a PDF nor a Word document.
    FormatUnknown,
    /// A Word 97–2003 file.
    DocLegacy,
    /// A PDF too damaged to read.
    PdfInvalid,
    /// A password is needed, or the one given is wrong.
    PdfEncrypted,
    /// A PDF without a page.
    PdfEmpty,
    /// A Word document too damaged to read.
    DocxInvalid,
    /// A Word document that is protected by a password.
    DocxEncrypted,
    /// A limit on size, pages or depth.
    LimitExceeded,
    /// No model where one is needed.
    ModelMissing,
    /// Bytes that are not the model they are said to be, or vectors of another model.
    ModelMismatch,
    /// Stored bytes of a format version that this build does not read.
    IndexVersion,
    /// Stored bytes that are not what was written.
    IndexDamaged,
    /// A profile that cannot be used.
    ProfileInvalid,
    /// The caller cancelled.
    Cancelled,
    /// An argument that makes no sense.
    BadArgument,
    /// A bug.
    Internal,
}

impl Code {
    /// Every code, in the order of the enum.
    pub const ALL: [Self; 16] = [
        Self::FormatUnknown,
        Self::DocLegacy,
        Self::PdfInvalid,
        Self::PdfEncrypted,
        Self::PdfEmpty,
        Self::DocxInvalid,
        Self::DocxEncrypted,
        Self::LimitExceeded,
        Self::ModelMissing,
        Self::ModelMismatch,
        Self::IndexVersion,
        Self::IndexDamaged,
        Self::ProfileInvalid,
        Self::Cancelled,
        Self::BadArgument,
        Self::Internal,
    ];

    /// The code's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::FormatUnknown => "format-unknown",
            Self::DocLegacy => "doc-legacy",
            Self::PdfInvalid => "pdf-invalid",
            Self::PdfEncrypted => "pdf-encrypted",
            Self::PdfEmpty => "pdf-empty",
            Self::DocxInvalid => "docx-invalid",
            Self::DocxEncrypted => "docx-encrypted",
            Self::LimitExceeded => "limit-exceeded",
            Self::ModelMissing => "model-missing",
            Self::ModelMismatch => "model-mismatch",
            Self::IndexVersion => "index-version",
            Self::IndexDamaged => "index-damaged",
            Self::ProfileInvalid => "profile-invalid",
            Self::Cancelled => "cancelled",
            Self::BadArgument => "bad-argument",
            Self::Internal => "internal",
        }
    }
}

/// Error of a use case: [`Self::code`] for a program, [`fmt::Display`] and [`Self::hint`] for a person.
#[derive(Debug)]
pub struct Error {
    code: Code,
    message: String,
    hint: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// A wrong argument; `message` says what was found and what was expected.
    pub fn bad_argument(message: impl Into<String>) -> Self {
        Self::new(Code::BadArgument, message, "")
    }

    /// A file over the size limit; both in bytes.
    pub fn too_large(found: usize, limit: usize) -> Self {
        let message = format!("the file has {} MiB, the limit is {} MiB", found >> 20, limit >> 20);
        Self::new(Code::LimitExceeded, message, "split the file, or raise the limit")
    }

    pub(crate) fn new(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), source: None }
    }

    pub(crate) fn because(
        code: Code,
        hint: impl Into<String>,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        Self { code, message: source.to_string(), hint: hint.into(), source: Some(Box::new(source)) }
    }

    /// Code, for a program.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Advice for a person; may be empty.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<pages::Error> for Error {
    fn from(error: pages::Error) -> Self {
        let code = match error.kind() {
            // The other formats were tried first.
            pages::ErrorKind::NotPdf => {
                let message = "the file is neither a PDF nor a Word document (.docx)";
                return Self::new(Code::FormatUnknown, message, "choose a PDF or a Word document (.docx)");
            }
            pages::ErrorKind::Damaged => Code::PdfInvalid,
            pages::ErrorKind::Encrypted => Code::PdfEncrypted,
            pages::ErrorKind::NoPages => Code::PdfEmpty,
            pages::ErrorKind::LimitExceeded => Code::LimitExceeded,
            pages::ErrorKind::Cancelled => Code::Cancelled,
            _ => Code::Internal,
        };
        Self::because(code, error.hint(), error)
    }
}

impl From<docx::Error> for Error {
    fn from(error: docx::Error) -> Self {
        let code = match error.kind() {
            docx::ErrorKind::NotDocx => Code::FormatUnknown,
            docx::ErrorKind::LegacyDoc => Code::DocLegacy,
            docx::ErrorKind::Damaged => Code::DocxInvalid,
            docx::ErrorKind::Encrypted => Code::DocxEncrypted,
            docx::ErrorKind::LimitExceeded => Code::LimitExceeded,
            _ => Code::Internal,
        };
        Self::because(code, error.hint(), error)
    }
}

impl From<index::Error> for Error {
    fn from(error: index::Error) -> Self {
        let code = match error.kind() {
            index::ErrorKind::Version { .. } => Code::IndexVersion,
            index::ErrorKind::NotThisFormat { .. } | index::ErrorKind::Damaged { .. } => Code::IndexDamaged,
            index::ErrorKind::UnknownDocument => Code::BadArgument,
            index::ErrorKind::Model { .. }
            | index::ErrorKind::Dimensions { .. }
            | index::ErrorKind::VectorsDiffer { .. } => Code::ModelMismatch,
            _ => Code::Internal,
        };
        Self::because(code, error.hint(), error)
    }
}

impl From<embed::Error> for Error {
    fn from(error: embed::Error) -> Self {
        let code = match error.kind() {
            embed::ErrorKind::ManifestInvalid | embed::ErrorKind::ModelMismatch => Code::ModelMismatch,
            embed::ErrorKind::Cancelled => Code::Cancelled,
            _ => Code::Internal,
        };
        Self::because(code, error.hint(), error)
    }
}
