//! The door: bytes to an open file, or the one clear reason why not.

use std::cell::Cell;

use document::{Diag, DiagCode, Severity};
use lopdf::{Document, Error as Lopdf, LoadOptions, xref::XrefRecovery};

use crate::objects::Objects;
use crate::tree::{self, PageNode};
use crate::{Error, ErrorKind, Options};

/// How far into the file the header may stand.
const HEADER_WITHIN: usize = 1024 * 1024;

/// The number of a catalog that we add: the largest that lopdf's scan takes, so that no file is likely to have it.
const CATALOG_ID: u32 = 999_999;

/// An open file: its objects and its pages.
pub(crate) struct Loaded {
    pub(crate) document: Document,
    pub(crate) pages: Vec<PageNode>,
    pub(crate) diags: Vec<Diag>,
}

/// Opens a file. One that reads but shows no page is read a second time by scanning for its objects.
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
    let first = open(bytes, options, false);
    let (document, pages) = match first {
        Ok(document) => {
            let pages = find_pages(&document, options);
            if pages.nodes.is_empty() {
                repair(bytes, options).unwrap_or((document, pages))
            } else {
                (document, pages)
            }
        }
        Err(error @ Error { .. }) if error.kind() == ErrorKind::Damaged => {
            repair(bytes, options).ok_or(error)?
        }
        Err(error) => return Err(error),
    };
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
    if document.xref_recovery == Some(XrefRecovery::Reconstructed) || pages.recovered {
        diags.push(Diag {
            code: DiagCode::Repaired,
            severity: Severity::Warning,
            message: "the file is damaged; its objects were found by scanning".to_owned(),
            hint: "check that no page is missing".to_owned(),
            page: None,
        });
    }
    Ok(Loaded { document, pages: pages.nodes, diags })
}

fn find_pages(document: &Document, options: &Options) -> tree::Pages {
    let inflated = Cell::new(0);
    let objects = Objects { document, limits: &options.limits, inflated: &inflated };
    tree::pages(&objects, document.catalog().ok())
}

/// Reads the file by scanning for its objects: by its own trailer and catalog where the scan finds them, else by
/// a catalog of ours that names no page, so that every page object counts.
fn repair(bytes: &[u8], options: &Options) -> Option<(Document, tree::Pages)> {
    scan(bytes, options).or_else(|| {
        // Without its trailer an encrypted file cannot be told from noise.
        let encrypted = bytes.windows(8).any(|key| key == b"/Encrypt");
        (!encrypted).then(|| scan(&with_catalog(bytes), options))?
    })
}

/// The file with a catalog and a trailer at its end, whose cross-reference offset is nonsense.
fn with_catalog(bytes: &[u8]) -> Vec<u8> {
    let tail = format!(
        "\n{CATALOG_ID} 0 obj\n<< /Type /Catalog >>\nendobj\n\
         trailer\n<< /Root {CATALOG_ID} 0 R /Size {} >>\nstartxref\n0\n%%EOF\n",
        CATALOG_ID + 1
    );
    [bytes, tail.as_bytes()].concat()
}

fn scan(bytes: &[u8], options: &Options) -> Option<(Document, tree::Pages)> {
    let document = open(bytes, options, true).ok()?;
    let pages = find_pages(&document, options);
    (!pages.nodes.is_empty()).then_some((document, pages))
}

fn open(bytes: &[u8], options: &Options, force_reconstruct: bool) -> Result<Document, Error> {
    let load = LoadOptions {
        password: options.password.clone(),
        max_decompressed_size: Some(options.limits.stream_bytes),
        force_reconstruct,
        ..LoadOptions::default()
    };
    let document =
        Document::load_mem_with_options(bytes, load.clone()).map_err(|error| door_error(&error, options))?;
    if !document.is_encrypted() {
        return Ok(document);
    }
    if only_attachments_are_encrypted(&document)
        && let Ok(plain) = Document::load_mem_with_options(&without_encrypt_key(bytes), load)
    {
        return Ok(plain);
    }
    Err(Error::new(ErrorKind::Encrypted, "the file is encrypted and needs a password"))
}

/// Whether the crypt filters leave strings and streams as they are, so that the pages can be read without the
/// password that the attachments need.
fn only_attachments_are_encrypted(document: &Document) -> bool {
    let Ok(encrypt) = document.get_encrypted() else { return false };
    let plain = |key: &[u8]| match encrypt.get(key) {
        Ok(name) => name.as_name().is_ok_and(|name| name == b"Identity"),
        // Identity is the default.
        Err(_) => true,
    };
    let version = encrypt.get(b"V").ok().and_then(crate::objects::integer);
    version.is_some_and(|version| version >= 4) && plain(b"StmF") && plain(b"StrF")
}

/// The file with every `/Encrypt` key given another name of the same length: offsets stay true.
fn without_encrypt_key(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|rest| rest.windows(8).position(|key| key == b"/Encrypt"))
    {
        from += at + 8;
        // `/EncryptMetadata` is another key.
        if bytes.get(from).is_none_or(|byte| !byte.is_ascii_alphanumeric())
            && let Some(letter) = bytes.get_mut(from - 7)
        {
            *letter = b'X';
        }
    }
    bytes
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
