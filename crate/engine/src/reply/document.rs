//! Description of a document in a library.

use document::{DiagCode, Severity};
use index::Entry;
use retrieval::ModelScripts;
use serde::Serialize;
use ts_rs::TS;

/// Description of a document in a library.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentInfo {
    /// SHA-256 of the file.
    pub id: String,
    /// File name.
    pub name: String,
    /// Title, if the document has one.
    pub title: Option<String>,
    /// Date that the document gives itself: `2023-07-01`, `2023-07` or `2023`.
    pub date: Option<String>,
    /// Edition that the document gives itself, as printed.
    pub edition: Option<String>,
    /// Number of pages; 0 for a document without pages.
    pub n_pages: usize,
    /// Number of passages: children and notes.
    pub n_passages: usize,
    /// Number of passages that get a vector: those that the embedding model can read.
    pub n_to_embed: usize,
    /// Number of passages that have a vector.
    pub n_embedded: usize,
    /// Diagnostics of reading the file.
    pub diags: Vec<Diag>,
}

/// Diagnostic of reading a file, or of answering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Diag {
    /// Code.
    pub code: DiagCode,
    /// Severity.
    pub severity: Severity,
    /// Message, without text of the document.
    pub message: String,
    /// Advice for the user; may be empty.
    pub hint: String,
    /// Page number, from 1, if it concerns one page.
    pub page: Option<u32>,
}

impl DocumentInfo {
    /// Describes an entry of an index.
    pub(crate) fn of(entry: &Entry) -> Self {
        let document = entry.segment().document();
        let n_passages = entry.segment().embeddable().len();
        let edition = document.tree.editions.iter().min_by_key(|edition| edition.kind);
        Self {
            id: document.digest.clone(),
            name: document.name.clone(),
            title: document.title.clone(),
            date: document.tree.date().map(str::to_owned),
            edition: edition.map(|edition| edition.text.clone()),
            n_pages: document.layout.pages.len(),
            n_passages,
            n_to_embed: n_passages - ModelScripts::default().unreadable_rows(entry.segment()).len(),
            n_embedded: entry.vectors().n_rows(),
            diags: document.diags.iter().cloned().map(Diag::from).collect(),
        }
    }
}

impl From<document::Diag> for Diag {
    fn from(diag: document::Diag) -> Self {
        let document::Diag { code, severity, message, hint, page } = diag;
        Self { code, severity, message, hint, page: page.map(|page| page.0 + 1) }
    }
}
