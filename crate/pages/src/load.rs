//! The door: bytes to an open file, or the one clear reason why not.

use std::cell::Cell;

use document::{Diag, DiagCode, Severity};
use lopdf::{Document, Error as Lopdf, LoadOptions, Object, Stream, xref::XrefRecovery};

use crate::objects::{Objects, as_dict, is_plain_deflate};
use crate::rescue::{mend, rescue};
use crate::tree::{self, PageNode};
use crate::{Error, ErrorKind, Options};

/// How far into the file the header may stand.
const HEADER_WITHIN: usize = 1024 * 1024;

/// Content streams of one page that are looked at before it is drawn; all pages may share one long array.
const MAX_LOOKED_AT: usize = 64;

/// An open file: its objects and its pages.
pub(crate) struct Loaded {
    pub(crate) document: Document,
    pub(crate) pages: Vec<PageNode>,
    pub(crate) diags: Vec<Diag>,
}

/// Opens a file. One that lopdf cannot open, or in which it finds less than all, is read a second time by a scan
/// of our own for its objects.
pub(crate) fn load(bytes: &[u8], options: &Options) -> Result<Loaded, Error> {
    let limits = &options.limits;
    if bytes.len() > limits.file_bytes {
        let message =
            format!("the file has {} bytes, more than the {} allowed", bytes.len(), limits.file_bytes);
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let head = bytes.get(..HEADER_WITHIN.min(bytes.len())).unwrap_or_default();
    let Some(start) = head.windows(5).position(|window| window == b"%PDF-") else {
        let found = if bytes.is_empty() { "an empty file" } else { "no %PDF- header" };
        return Err(Error::new(ErrorKind::NotPdf, format!("found {found}, expected a PDF file")));
    };
    let bytes = bytes.get(start..).unwrap_or_default();
    let (opened, rescued) = match open(bytes, options) {
        Ok(opened) if opened.is_whole(options) => (opened, false),
        Err(error) if error.kind() == ErrorKind::LimitExceeded => return Err(error),
        first => better(first, bytes, options)?,
    };
    let Opened { document, pages, mended } = opened;
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
    if rescued || mended || document.xref_recovery == Some(XrefRecovery::Reconstructed) || pages.recovered {
        diags.push(Diag {
            code: DiagCode::Repaired,
            severity: Severity::Warning,
            message: "the file is damaged and was read by other means than its own tables".to_owned(),
            hint: "check that no page is missing".to_owned(),
            page: None,
        });
    }
    Ok(Loaded { document, pages: pages.nodes, diags })
}

/// A file as one way of reading it shows it.
struct Opened {
    document: Document,
    pages: tree::Pages,
    /// Some of its objects had to be read again.
    mended: bool,
}

impl Opened {
    fn new(document: Document, options: &Options) -> Self {
        let inflated = Cell::new(0);
        let objects = Objects { document: &document, limits: &options.limits, inflated: &inflated };
        let pages = tree::pages(&objects, document.catalog().ok());
        Self { document, pages, mended: false }
    }

    /// Whether nothing says that there would be more to find: the tree led to pages, and what they draw is
    /// there.
    fn is_whole(&self, options: &Options) -> bool {
        let n_pages = self.pages.nodes.len();
        !self.pages.recovered && n_pages > 0 && self.n_drawn(options) == n_pages
    }

    /// Pages none of whose content is missing.
    fn n_drawn(&self, options: &Options) -> usize {
        let inflated = Cell::new(0);
        let objects = Objects { document: &self.document, limits: &options.limits, inflated: &inflated };
        let was_locked = self.document.encryption_state.is_some();
        let there = |object: &Object| match objects.resolve(object) {
            Object::Null => false,
            // Data that was decrypted in a wrong way is no longer deflated data.
            Object::Stream(stream) => !was_locked || has_zlib_header(stream),
            _ => true,
        };
        let is_drawn = |node: &&PageNode| {
            let Some(page) = self.document.objects.get(&node.id).and_then(as_dict) else { return false };
            match page.get(b"Contents").map(|contents| (contents, objects.resolve(contents))) {
                Ok((_, Object::Array(items))) => items.iter().take(MAX_LOOKED_AT).all(there),
                Ok((contents, _)) => there(contents),
                Err(_) => true,
            }
        };
        self.pages.nodes.iter().filter(is_drawn).count()
    }
}

/// Whether the data begins as its filter says, where that is Flate alone.
fn has_zlib_header(stream: &Stream) -> bool {
    match (is_plain_deflate(stream), stream.content.as_slice()) {
        (true, [first, second, ..]) => {
            first & 0x0F == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31)
        }
        _ => true,
    }
}

/// What our own scan finds, where that is more than lopdf found; and whether it is.
fn better(first: Result<Opened, Error>, bytes: &[u8], options: &Options) -> Result<(Opened, bool), Error> {
    let found = first.as_ref().map_or((0, 0), |first| (first.n_drawn(options), first.pages.nodes.len()));
    let error = first.as_ref().err().cloned();
    // Two documents at once would be twice the memory: the first one is read again if it was the better one.
    drop(first);
    let second = rescue(bytes, options).map(|document| Opened::new(document, options));
    match (second, error) {
        (Ok(second), _) if (second.n_drawn(options), second.pages.nodes.len()) > found => Ok((second, true)),
        (Ok(_), Some(first)) => Err(first),
        // Locked by both accounts: the scan knows more about why.
        (Err(second), Some(first)) => Err(if second.kind() == ErrorKind::Encrypted { second } else { first }),
        (Err(second), None) if second.kind() == ErrorKind::Encrypted && found.1 == 0 => Err(second),
        (second, None) => {
            drop(second);
            Ok((open(bytes, options)?, false))
        }
    }
}

fn open(bytes: &[u8], options: &Options) -> Result<Opened, Error> {
    let load = LoadOptions {
        password: options.password.clone(),
        max_decompressed_size: Some(options.limits.stream_bytes),
        ..LoadOptions::default()
    };
    let mut document =
        Document::load_mem_with_options(bytes, load).map_err(|error| door_error(&error, options))?;
    if document.is_encrypted() {
        return Err(Error::new(ErrorKind::Encrypted, "the file is encrypted and needs a password"));
    }
    let mended = mend(bytes, &mut document);
    Ok(Opened { mended, ..Opened::new(document, options) })
}

fn door_error(error: &Lopdf, options: &Options) -> Error {
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
            format!("a stream inflates to more than the {} bytes allowed", options.limits.stream_bytes),
        ),
        _ => Error::new(ErrorKind::Damaged, format!("found no readable PDF structure: {error}")),
    }
}
