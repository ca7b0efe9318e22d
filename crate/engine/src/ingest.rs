//! Reads a file into a document.

use std::ops::ControlFlow;

use document::{Chunk, Decision, Diag, Document, Layout, OutlineItem};
use sha2::{Digest as _, Sha256};
use text::TokenCount;

use crate::error::{Code, Error};
use crate::progress::{OnProgress, Progress, Stage};

/// Options of reading a file.
#[derive(Clone, Debug, Default)]
pub struct IngestOptions {
    /// Password and limits of PDFs.
    pub pages: pages::Options,
    /// Rules of the layout that are left out.
    pub layout: text::rules::Options,
    /// Limits of Word files.
    pub docx: docx::Limits,
    /// Sizes of chunks, in tokens.
    pub chunks: chunks::Options,
    /// Chunker.
    pub chunker: Chunker,
}

/// Way to cut documents into chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chunker {
    /// Along their sections.
    #[default]
    Layout,
    /// Into windows of a fixed size, as a baseline.
    Window,
    /// Into long units of whole blocks with windows in them, as a baseline for readers of long contexts.
    Long,
}

/// The chunks of a document by the chunker and the sizes of the options.
pub fn split(document: &Document, options: &IngestOptions, tokens: &dyn TokenCount) -> Vec<Chunk> {
    let (layout, sizes) = (&document.layout, &options.chunks);
    match options.chunker {
        Chunker::Layout => chunks::split(layout, &document.tree, tokens, sizes),
        Chunker::Window => chunks::split_windows(layout, tokens, sizes),
        Chunker::Long => chunks::split_long_units(layout, tokens, sizes),
    }
}

impl IngestOptions {
    /// Sets the maximum size of a file of any format, in bytes.
    pub fn set_file_bytes(&mut self, n_bytes: usize) {
        self.pages.limits.file_bytes = n_bytes;
        self.docx.file_bytes = n_bytes;
    }
}

/// Reads a PDF or a Word file into a document: text and blocks, sections, chunks. The first bytes tell the format.
/// `name` is the file name.
///
/// # Errors
/// Those of `pages` and `docx` (another format, a password, a limit, no page), and [`Code::Cancelled`] if `progress`
/// breaks. A scanned file is no error: it has pages, no text and a warning.
pub fn read(
    bytes: &[u8],
    name: &str,
    options: &IngestOptions,
    tokens: &dyn TokenCount,
    progress: OnProgress<'_>,
) -> Result<Document, Error> {
    // What a search, or an earlier file whose reading failed, left behind is not said of this one.
    drop(document::never::take_diags());
    let laid_out = if docx::is_office_file(bytes) {
        read_docx(bytes, options, progress)?
    } else {
        read_pdf(bytes, options, progress)?
    };
    let LaidOut { layout, outline, declared, mut diags } = laid_out;
    let tree = sections::build(&layout, &outline);
    diags.extend(tree.diags);
    let n_pages = layout.pages.len();
    report(progress, Stage::Layout, n_pages, n_pages)?;
    let mut document = Document {
        name: name.to_owned(),
        digest: digest(bytes),
        title: sections::document_title(&layout, declared.as_deref()),
        layout,
        tree: tree.output,
        chunks: Vec::new(),
        diags,
    };
    document.chunks = split(&document, options, tokens);
    document.diags.extend(document::never::take_diags());
    report(progress, Stage::Chunks, document.chunks.len(), document.chunks.len())?;
    Ok(document)
}

/// Result of reading either format.
struct LaidOut {
    layout: Layout,
    outline: Vec<OutlineItem>,
    /// The title in the file's properties.
    declared: Option<String>,
    diags: Vec<Diag>,
}

fn read_pdf(bytes: &[u8], options: &IngestOptions, progress: OnProgress<'_>) -> Result<LaidOut, Error> {
    let mut pages = blocks::Pages::default();
    let mut reading = |done, total| progress(Progress { stage: Stage::Pages, done, total });
    let read = pages::read_pages(bytes, &options.pages, &mut reading, &mut |page| pages.push(&page))?;
    report(progress, Stage::Layout, 0, pages.len())?;
    let layout = pages.layout(&options.layout);
    let mut diags = read.diags;
    diags.extend(layout.diags);
    let pages::Declared { outline, title, language: _ } = read.output;
    Ok(LaidOut { layout: layout.output, outline, declared: title, diags })
}

/// The decisions by which a file is laid out, and the rule behind each: of a PDF about its lines and paragraphs, of a
/// Word file about the headings among its paragraphs.
///
/// # Errors
/// Those of `pages` and `docx`, and [`Code::Cancelled`] when `progress` breaks.
pub fn explain_layout(
    bytes: &[u8],
    options: &IngestOptions,
    progress: OnProgress<'_>,
) -> Result<Vec<Decision>, Error> {
    if docx::is_office_file(bytes) {
        return Ok(docx::explain(bytes, &options.docx, &options.layout)?);
    }
    let source = pages::read(bytes, &options.pages, &mut |done, total| {
        progress(Progress { stage: Stage::Pages, done, total })
    })?;
    Ok(blocks::explain(&source.output, &options.layout))
}

fn read_docx(bytes: &[u8], options: &IngestOptions, progress: OnProgress<'_>) -> Result<LaidOut, Error> {
    report(progress, Stage::Pages, 0, 0)?;
    let read = docx::read_with(bytes, &options.docx, &options.layout)?;
    report(progress, Stage::Layout, 0, 0)?;
    let docx::WordDocument { layout, outline, title, language: _ } = read.output;
    Ok(LaidOut { layout, outline, declared: title, diags: read.diags })
}

/// SHA-256 of `bytes` in 64 lower-case hex digits; identifies a file.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reports progress of a stage; an error if the caller cancels.
pub(crate) fn report(progress: OnProgress<'_>, stage: Stage, done: usize, total: usize) -> Result<(), Error> {
    match progress(Progress { stage, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::new(Code::Cancelled, "cancelled", "")),
    }
}
