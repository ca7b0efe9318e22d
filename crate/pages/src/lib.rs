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
mod meter;
mod objects;
mod optional_content;
mod options;
mod outline;
mod page_labels;
mod page_tree;
mod parts;
mod reader;
mod repair;
mod structure_tree;
mod visibility;

use std::ops::ControlFlow;

use document::{OutlineItem, Page, PageId, PdfText, Warned};

pub use error::{Error, ErrorKind};
pub use fonts::standard_widths;
pub use limits::Limits;
pub use meter::Costs;
pub use options::Options;
pub use reader::Reader;

/// Declarations of a file about itself, beside its pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Declared {
    /// Bookmarks in document order.
    pub outline: Vec<OutlineItem>,
    /// Title in the document information or metadata; `None` if absent or empty.
    pub title: Option<String>,
    /// Language, a BCP 47 tag.
    pub language: Option<String>,
}

/// Reads a whole file and keeps all of its pages.
///
/// `progress` gets the number of pages read and of all pages, before the first page and after each, and can cancel.
///
/// # Errors
/// As of [`read_pages`].
pub fn read(
    bytes: &[u8],
    options: &Options,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Warned<PdfText>, Error> {
    let mut pages = Vec::new();
    let Warned { output, diags } = read_pages(bytes, options, progress, &mut |page| pages.push(page))?;
    let Declared { outline, title, language } = output;
    Ok(Warned { output: PdfText { pages, outline, title, language }, diags })
}

/// Reads a whole file, page by page: each goes to `take` as soon as it is read, and nothing of it is kept here.
///
/// # Errors
/// If the file cannot be opened, exceeds a limit on the whole file, or `progress` cancels.
pub fn read_pages(
    bytes: &[u8],
    options: &Options,
    progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
    take: &mut dyn FnMut(Page),
) -> Result<Warned<Declared>, Error> {
    let reader = Reader::open(bytes, options)?;
    let n_pages = reader.n_pages();
    let mut diags = reader.diags().to_vec();
    let mut report = |done| match progress(done, n_pages) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::new(ErrorKind::Cancelled, "reading was cancelled")),
    };
    for idx in 0..n_pages {
        report(idx)?;
        let Warned { output, diags: found } = reader.page(PageId::from_idx(idx));
        take(output);
        diags.extend(found);
    }
    report(n_pages)?;
    diags.extend(reader.closing_diags());
    let declared = Declared { outline: reader.outline(), title: reader.title(), language: reader.language() };
    Ok(Warned { output: declared, diags })
}
