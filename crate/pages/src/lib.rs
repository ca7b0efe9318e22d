//! PDF bytes to pages of positioned text runs.
//!
//! Scope: objects by lopdf; content streams, fonts and encodings by our own interpreter. The result says which
//! characters stand where, in which font, and which lines are ruled. This crate knows nothing of words, columns,
//! headings or law, keeps no images and renders nothing.
//!
//! Hostile files are expected: everything that a file can inflate or nest has a cap in [`Limits`], and odd pages give
//! diagnostics beside their runs. Only a file without any readable page is an [`Error`].
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! let bytes = b"not a PDF";
//! let read = pages::read(bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()));
//! assert_eq!(read.unwrap_err().kind(), pages::ErrorKind::NotPdf);
//! ```
#![deny(clippy::indexing_slicing)]

mod claims;
mod error;
mod fonts;
mod interpret;
mod lexer;
mod limits;
mod load;
mod metadata;
mod objects;
mod optional_content;
mod options;
mod outline;
mod page_labels;
mod page_tree;
mod reader;
mod repair;
mod structure_tree;
mod visibility;

use std::ops::ControlFlow;

use document::{Diag, DiagCode, PageId, PdfText, Severity, Warned};

pub use error::{Error, ErrorKind};
pub use fonts::standard_widths;
pub use limits::Limits;
pub use options::Options;
pub use reader::Reader;

use interpret::TextBudget;

/// Reads a whole file, page by page.
///
/// `progress` gets the number of pages read and of all pages, before the first page and after each, and can cancel.
///
/// # Errors
/// If the file cannot be opened, exceeds a limit on the whole file, or `progress` cancels.
pub fn read(
    bytes: &[u8],
    options: &Options,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Warned<PdfText>, Error> {
    let reader = Reader::open(bytes, options)?;
    let mut diags = reader.diags().to_vec();
    let mut pages = Vec::with_capacity(reader.n_pages());
    let mut budget = TextBudget::of_file(&options.limits);
    for idx in 0..reader.n_pages() {
        if progress(idx, reader.n_pages()).is_break() {
            return Err(Error::new(ErrorKind::Cancelled, "reading was cancelled"));
        }
        let (Warned { output, diags: found }, left) = reader.read_page(PageId::from_idx(idx), budget);
        budget = left;
        pages.push(output);
        diags.extend(found);
    }
    if progress(pages.len(), pages.len()).is_break() {
        return Err(Error::new(ErrorKind::Cancelled, "reading was cancelled"));
    }
    if !pages.iter().flat_map(|page| &page.runs).any(|run| run.visibility.is_legible()) {
        diags.push(Diag {
            code: DiagCode::NoTextLayer,
            severity: Severity::Warning,
            message: format!("none of the {} pages has text", pages.len()),
            hint: "the file is a scan or holds only drawings: run text recognition on it first".to_owned(),
            page: None,
        });
    }
    let text =
        PdfText { pages, outline: reader.outline(), title: reader.title(), language: reader.language() };
    Ok(Warned { output: text, diags })
}
