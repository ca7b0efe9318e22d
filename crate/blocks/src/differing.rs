//! Differing text: runs for which the file claims other letters or digits than those drawn.
//!
//! Their words have a caveat in the text; here the passages are counted and told, since a file that says one thing to
//! readers and another to machines was seldom made so by accident. Cost: linear in the runs.

use document::{Attestation, Diag, DiagCode, Page, PageId, Run, Severity, Visibility};

/// Differing passages of a document that are told one by one.
const MAX_TOLD: usize = 1_000;

/// A word of warning for a document with differing passages, given by their pages, and one for each of them.
pub(crate) fn warnings(passages: &[PageId]) -> Vec<Diag> {
    let message = match passages.len() {
        0 => return Vec::new(),
        1 => "1 passage shows other letters or digits than the file says".to_owned(),
        n => format!("{n} passages show other letters or digits than the file says"),
    };
    let diag = |message: String, hint: &str, page: Option<PageId>| Diag {
        code: DiagCode::DifferingText,
        severity: Severity::Warning,
        message,
        hint: hint.to_owned(),
        page,
    };
    let hint = "what is drawn is read, where fonts tell it; compare these passages with the page";
    let each = passages.iter().take(MAX_TOLD).map(|&page| {
        diag("a passage shows other letters or digits than the file says".to_owned(), "", Some(page))
    });
    std::iter::once(diag(message, hint, None)).chain(each).collect()
}

/// The page once for each of its differing passages: runs that follow each other.
pub(crate) fn passages_of(page: &Page) -> impl Iterator<Item = PageId> {
    let differs =
        |run: &Run| run.attestation == Attestation::Differs && run.visibility == Visibility::Visible;
    let shown = page.runs.iter().filter(|run| !run.text.trim().is_empty()).map(differs);
    let mut last = false;
    shown.filter_map(move |differs| {
        let begins = differs && !std::mem::replace(&mut last, differs);
        last = differs;
        begins.then_some(page.id)
    })
}
