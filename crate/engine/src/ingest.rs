//! A file into a document, and a document into a segment of the index.

use std::ops::ControlFlow;

use document::{Document, Role, Source};
use sha2::{Digest as _, Sha256};
use text::TokenCount;

use crate::error::{Code, Error};
use crate::progress::{OnProgress, Progress, Stage};

/// How a file is read.
#[derive(Clone, Debug, Default)]
pub struct IngestOptions {
    /// Password and limits.
    pub pages: pages::Options,
    /// Sizes of chunks, in tokens.
    pub chunks: chunks::Options,
}

/// Reads a PDF into a document: pages, blocks, sections, chunks. `name` is how the user knows the file.
///
/// # Errors
/// What `pages` refuses (not a PDF, a password, a limit, no page), and [`Code::Cancelled`] when `progress`
/// breaks. A scanned file is no error: it has pages, no text, and a warning.
pub fn read(
    bytes: &[u8],
    name: &str,
    options: &IngestOptions,
    tokens: &dyn TokenCount,
    progress: OnProgress<'_>,
) -> Result<Document, Error> {
    let source = pages::read(bytes, &options.pages, &mut |done, total| {
        progress(Progress { stage: Stage::Pages, done, total })
    })?;
    let mut diags = source.diags;
    let n_pages = source.output.pages.len();
    report(progress, Stage::Layout, 0, n_pages)?;
    let layout = blocks::layout(&source.output);
    diags.extend(layout.diags);
    let tree = sections::build(&layout.output, &source.output.outline);
    diags.extend(tree.diags);
    report(progress, Stage::Layout, n_pages, n_pages)?;
    let mut document = Document {
        name: name.to_owned(),
        digest: digest(bytes),
        title: title(&source.output, &layout.output),
        layout: layout.output,
        tree: tree.output,
        chunks: Vec::new(),
        diags,
    };
    document.chunks = chunks::split(&document.layout, &document.tree, tokens, &options.chunks);
    report(progress, Stage::Chunks, document.chunks.len(), document.chunks.len())?;
    Ok(document)
}

/// SHA-256 of `bytes` in 64 lower-case hex digits: the identity of a file.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Tells how far a stage is; an error when the caller cancels.
pub(crate) fn report(progress: OnProgress<'_>, stage: Stage, done: usize, total: usize) -> Result<(), Error> {
    match progress(Progress { stage, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::new(Code::Cancelled, "cancelled", "")),
    }
}

/// The title on the first page, else the file's own if it reads like one.
fn title(source: &Source, layout: &document::Layout) -> Option<String> {
    let printed =
        layout.blocks.iter().find(|block| block.role == Role::Title).map(|block| layout.slice(block.range));
    // Writers put the name of the source file there: "Microsoft Word - draft3.doc", "untitled".
    let names_a_file = |title: &str| {
        let lower = title.to_lowercase();
        lower.starts_with("microsoft word")
            || lower.starts_with("untitled")
            || [".doc", ".docx", ".pdf", ".tex", ".dvi", ".qxd", ".indd", ".xml"]
                .iter()
                .any(|end| lower.ends_with(end))
    };
    let declared = source.title.as_deref().filter(|title| title.contains(' ') && !names_a_file(title));
    printed.or(declared).map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "))
}
