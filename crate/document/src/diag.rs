//! What went wrong without stopping: diagnostics travel beside the output.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::PageId;

/// An output and what was noticed while making it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warned<T> {
    /// The output.
    pub output: T,
    /// What was noticed, in the order in which it was found.
    pub diags: Vec<Diag>,
}

impl<T> Warned<T> {
    /// An output about which there is nothing to say.
    pub fn clean(output: T) -> Self {
        Self { output, diags: Vec::new() }
    }
}

/// Something odd about a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diag {
    /// What kind of thing.
    pub code: DiagCode,
    /// How bad.
    pub severity: Severity,
    /// What was found: lower case, no full stop, no text of the document.
    pub message: String,
    /// What the user can do about it; empty when there is nothing.
    pub hint: String,
    /// Where, if on one page.
    pub page: Option<PageId>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// For the curious.
    Info,
    /// Something may be missing or wrong.
    Warning,
}

/// Kinds of diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DiagCode {
    /// A page, or the whole document, has images but no text: it is a scan.
    NoTextLayer,
    /// Codes of a font have no Unicode value.
    UnmappedGlyph,
    /// A page's content could not be read to its end.
    DamagedPage,
    /// The file was damaged and has been repaired.
    Repaired,
    /// A limit cut something short.
    LimitReached,
    /// A section number is missing in a sequence.
    NumberingGap,
    /// A footnote that no mark calls, or a mark without a note.
    OrphanNote,
    /// Text that nobody can see on the page was kept apart.
    HiddenText,
    /// Changes that were tracked in the file are read as accepted.
    TrackedChanges,
    /// A state that cannot occur has occurred: an error of the program, not of the file.
    Inconsistent,
}

impl DiagCode {
    /// The code's name at the edge.
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
        }
    }
}

impl Severity {
    /// The severity's name at the edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
        }
    }
}
