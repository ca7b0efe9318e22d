//! Opening of a file: bytes to objects and pages, or the reason why they cannot be read.

use document::{Diag, DiagCode, Severity, Slice as _};
use lopdf::{Document, Error as Lopdf, LoadOptions, Object, Stream, xref::XrefRecovery};

use crate::meter::Meter;
use crate::objects::{Objects, as_dict, is_plain_deflate};
use crate::page_tree::{self, PageNode};
use crate::parts::{MAX_OBJECT_STREAM, has_more_objects};
use crate::repair::{rebuild, reread_broken_objects};
use crate::{Error, ErrorKind, Options};

/// Maximum offset of the header in bytes.
const MAX_HEADER_OFFSET: usize = 1024 * 1024;

/// Maximum content streams of one page that are checked; all pages may share one long array.
const MAX_CHECKED_STREAMS: usize = 64;

/// Objects and pages of an open file.
pub(crate) struct Loaded {
    pub(crate) document: Document,
    pub(crate) pages: Vec<PageNode>,
    pub(crate) diags: Vec<Diag>,
}

/// Opens a file. If lopdf cannot open it, or finds only part of its pages, it is rebuilt by our own scan.
pub(crate) fn load(bytes: &[u8], options: &Options) -> Result<Loaded, Error> {
    let limits = &options.limits;
    if bytes.len() > limits.file_bytes {
        let message =
            format!("the file has {} bytes, more than the {} allowed", bytes.len(), limits.file_bytes);
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let head = bytes.get(..MAX_HEADER_OFFSET).unwrap_or(bytes);
    let Some(start) = head.windows(5).position(|window| window == b"%PDF-") else {
        let found = if bytes.is_empty() { "an empty file" } else { "no %PDF- header" };
        return Err(Error::new(ErrorKind::NotPdf, format!("found {found}, expected a PDF file")));
    };
    let bytes = bytes.slice(start..);
    let max_objects = limits.objects.of(bytes.len());
    let first = if has_more_objects(bytes, max_objects, limits.inflated.of(bytes.len())) {
        let message = format!("the file's structure has more than {max_objects} parts");
        Err(Error::new(ErrorKind::LimitExceeded, message))
    } else {
        open_with_lopdf(bytes, options)
    };
    let (opened, rebuilt) = match first {
        Ok(opened) if opened.is_complete(options) => (opened, false),
        first => rebuild_if_better(first, bytes, options)?,
    };
    let OpenedDocument { document, pages, reread, cut } = opened;
    if pages.too_many {
        let message = format!("the file has more than the {} pages allowed", limits.pages);
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    if pages.nodes.is_empty() {
        let message =
            format!("found no page among {} objects, expected at least one", document.objects.len());
        return Err(Error::new(ErrorKind::NoPages, message));
    }
    let mut diags = Vec::new();
    if rebuilt || reread || document.xref_recovery == Some(XrefRecovery::Reconstructed) || pages.recovered {
        diags.push(Diag {
            code: DiagCode::Repaired,
            severity: Severity::Warning,
            message: "the file is damaged and was read by other means than its own tables".to_owned(),
            hint: "check that no page is missing".to_owned(),
            page: None,
        });
    }
    if cut {
        diags.push(Diag {
            code: DiagCode::LimitReached,
            severity: Severity::Warning,
            message: "the file has more objects than can be read; the rest is left out".to_owned(),
            hint: "split the file".to_owned(),
            page: None,
        });
    }
    Ok(Loaded { document, pages: pages.nodes, diags })
}

/// File as opened by lopdf or by the scan.
struct OpenedDocument {
    document: Document,
    pages: page_tree::PageTree,
    /// True if some objects were read again.
    reread: bool,
    /// True if it has more objects than are kept.
    cut: bool,
}

impl OpenedDocument {
    fn new(mut document: Document, options: &Options) -> Self {
        page_tree::give_ids(&mut document, &options.limits);
        let meter = Meter::unlimited();
        let objects = Objects { document: &document, limits: &options.limits, meter: &meter };
        let pages = page_tree::page_tree(&objects, document.catalog().ok());
        Self { document, pages, reread: false, cut: false }
    }

    /// True if the page tree leads to pages and the content of all of them is there.
    fn is_complete(&self, options: &Options) -> bool {
        let n_pages = self.pages.nodes.len();
        !self.pages.recovered && n_pages > 0 && self.n_complete_pages(options) == n_pages
    }

    /// Number of pages without missing content.
    fn n_complete_pages(&self, options: &Options) -> usize {
        let meter = Meter::unlimited();
        let objects = Objects { document: &self.document, limits: &options.limits, meter: &meter };
        let was_encrypted = self.document.encryption_state.is_some();
        let there = |object: &Object| match objects.resolve(object) {
            Object::Null => false,
            // Data that was decrypted wrongly is no deflated data.
            Object::Stream(stream) => !was_encrypted || has_zlib_header(stream),
            _ => true,
        };
        let is_complete = |node: &&PageNode| {
            let Some(page) = self.document.objects.get(&node.id).and_then(as_dict) else { return false };
            match page.get(b"Contents").map(|contents| (contents, objects.resolve(contents))) {
                Ok((_, Object::Array(items))) => items.iter().take(MAX_CHECKED_STREAMS).all(there),
                Ok((contents, _)) => there(contents),
                Err(_) => true,
            }
        };
        self.pages.nodes.iter().filter(is_complete).count()
    }
}

/// True unless the only filter is Flate and the data has no zlib header.
fn has_zlib_header(stream: &Stream) -> bool {
    match (is_plain_deflate(stream), stream.content.as_slice()) {
        (true, [first, second, ..]) => {
            first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31)
        }
        _ => true,
    }
}

/// Rebuilt file if it has more pages than lopdf found, else the first result; true for the rebuilt one.
fn rebuild_if_better(
    first: Result<OpenedDocument, Error>,
    bytes: &[u8],
    options: &Options,
) -> Result<(OpenedDocument, bool), Error> {
    let found =
        first.as_ref().map_or((0, 0), |first| (first.n_complete_pages(options), first.pages.nodes.len()));
    let error = first.as_ref().err().cloned();
    // Two documents at once would take twice the memory: the first is read again if it was better.
    drop(first);
    let second = rebuild(bytes, options)
        .map(|(document, cut)| OpenedDocument { cut, ..OpenedDocument::new(document, options) });
    match (second, error) {
        (Ok(second), _) if (second.n_complete_pages(options), second.pages.nodes.len()) > found => {
            Ok((second, true))
        }
        (Ok(_), Some(first)) => Err(first),
        // Encrypted for both: the scan knows the reason better.
        (Err(second), Some(first)) => Err(if second.kind() == ErrorKind::Encrypted { second } else { first }),
        (Err(second), None) if second.kind() == ErrorKind::Encrypted && found.1 == 0 => Err(second),
        (second, None) => {
            drop(second);
            Ok((open_with_lopdf(bytes, options)?, false))
        }
    }
}

/// Opens a file with lopdf.
fn open_with_lopdf(bytes: &[u8], options: &Options) -> Result<OpenedDocument, Error> {
    let load = LoadOptions {
        password: options.password.clone(),
        max_decompressed_size: Some(options.limits.stream_bytes.min(MAX_OBJECT_STREAM)),
        ..LoadOptions::default()
    };
    let mut document =
        Document::load_mem_with_options(bytes, load).map_err(|error| open_error(&error, options))?;
    if document.is_encrypted() {
        return Err(Error::new(ErrorKind::Encrypted, "the file is encrypted and needs a password"));
    }
    let reread = reread_broken_objects(bytes, &mut document);
    Ok(OpenedDocument { reread, ..OpenedDocument::new(document, options) })
}

fn open_error(error: &Lopdf, options: &Options) -> Error {
    match error {
        Lopdf::InvalidPassword => Error::new(
            ErrorKind::Encrypted,
            "the password given does not open the file, nor does the empty one",
        ),
        Lopdf::Decryption(_) | Lopdf::UnsupportedSecurityHandler(_) => {
            Error::new(ErrorKind::Encrypted, format!("the file's encryption cannot be opened: {error}"))
        }
        Lopdf::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. }) => Error::new(
            ErrorKind::LimitExceeded,
            format!(
                "an object stream inflates to more than the {} bytes allowed",
                options.limits.stream_bytes.min(MAX_OBJECT_STREAM)
            ),
        ),
        _ => Error::new(ErrorKind::Damaged, format!("found no readable PDF structure: {error}")),
    }
}
