//! Diagnostics: oddities of a document that do not stop its processing, returned beside the output.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::PageId;

/// An output with its diagnostics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warned<T> {
    /// The output.
    pub output: T,
    /// The diagnostics, in the order found.
    pub diags: Vec<Diag>,
}

impl<T> Warned<T> {
    /// An output without diagnostics.
    pub fn clean(output: T) -> Self {
        Self { output, diags: Vec::new() }
    }
}

/// A diagnostic: an oddity of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diag {
    /// Its kind.
    pub code: DiagCode,
    /// Its severity.
    pub severity: Severity,
    /// Message in lower case, without a full stop and without text of the document.
    pub message: String,
    /// Remedy for the user; empty if there is none.
    pub hint: String,
    /// Its page, if it concerns one.
    pub page: Option<PageId>,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Nothing is lost.
    Info,
    /// Something may be missing or wrong.
    Warning,
}

/// Kinds of diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DiagCode {
    /// A page or the whole document is a scan: images without text.
    NoTextLayer,
    /// Character codes of a font have no Unicode value.
    UnmappedGlyph,
    /// The content of a page could not be read completely.
    DamagedPage,
    /// The file was damaged and was repaired.
    Repaired,
    /// Content was cut at a limit.
    LimitReached,
    /// A number is missing in a sequence of sections.
    NumberingGap,
    /// A footnote without a mark, or a mark without a footnote.
    OrphanNote,
    /// Invisible text was kept out of the document's text.
    HiddenText,
    /// Tracked changes were read as accepted.
    TrackedChanges,
    /// A state that cannot occur has occurred: an error of the program, not of the file.
    Inconsistent,
    /// Text lies under an opaque box, image or annotation: a failed redaction. Once for the document, with their
    /// number, and once for each passage, with its page.
    CoveredText,
    /// The file claims other letters or digits for some text than those drawn. Once for the document, with the number
    /// of passages, and once for each passage, with its page.
    DifferingText,
    /// Text forms no words, for want of a font's map: on a page, or most of the document.
    IllegibleText,
}

impl DiagCode {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoTextLayer => "no-text-layer",
            Self::UnmappedGlyph => "unmapped-glyph",
            Self::DamagedPage => "damaged-page",
            Self::Repaired => "repaired",
            Self::LimitReached => "limit-reached",
            Self::NumberingGap => "numbering-gap",
            Self::OrphanNote => "orphan-note",
            Self::HiddenText => "hidden-text",
            Self::TrackedChanges => "tracked-changes",
            Self::Inconsistent => "inconsistent",
            Self::CoveredText => "covered-text",
            Self::DifferingText => "differing-text",
            Self::IllegibleText => "illegible-text",
        }
    }
}

impl Severity {
    /// Its name in JSON and in the JavaScript API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
        }
    }
}
