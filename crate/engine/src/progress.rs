//! Progress of a long use case, and cancelling it.

use std::ops::ControlFlow;

use serde::Serialize;
use ts_rs::TS;

/// Stage of reading a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Pages read from the PDF.
    Pages,
    /// Blocks and sections.
    Layout,
    /// Chunks.
    Chunks,
    /// Postings.
    Index,
    /// Passages embedded.
    Embed,
}

impl Stage {
    /// Name in JSON and JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Layout => "layout",
            Self::Chunks => "chunks",
            Self::Index => "index",
            Self::Embed => "embed",
        }
    }
}

/// Progress of a stage: `done` of `total` steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// Callback, called once per page and per batch; `Break` cancels.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;
