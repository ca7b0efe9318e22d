//! Open Packaging Conventions: the ZIP container, its parts and relationships, inflated under caps.
//!
//! Other formats, the older binary format and encrypted files are told apart here, because the user needs to know
//! which of them was chosen. Cost: linear in the file and in the inflated parts.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::Limits;
use crate::error::{Error, ErrorKind};
use crate::xml::{XmlReader, decode};

const ZIP: &[u8] = b"PK\x03\x04";
const EMPTY_ZIP: &[u8] = b"PK\x05\x06";
const COMPOUND: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
const RICH_TEXT: &[u8] = b"{\\rtf";
/// Size in bytes of a directory entry of a compound file; entries are aligned to it.
const COMPOUND_ENTRY: usize = 128;

/// True if the bytes begin with the magic number of a format that [`crate::read`] reads or names.
pub(crate) fn is_office(bytes: &[u8]) -> bool {
    [ZIP, EMPTY_ZIP, COMPOUND, RICH_TEXT].iter().any(|magic| bytes.starts_with(magic))
}

/// Open Word file.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    limits: Limits,
    /// Name of the main document part.
    main: String,
    /// Relationships of the main document part.
    relationships: Vec<Relationship>,
}

/// Relationship to another part.
struct Relationship {
    /// Last component of the relationship type: "styles", "footnotes".
    kind: String,
    /// Name of the part.
    target: String,
}

impl<'a> Package<'a> {
    /// Opens a file and finds its main document part.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        if bytes.len() > limits.file_bytes {
            return Err(Error::limit(format!(
                "the file has {} MiB, the limit is {} MiB",
                bytes.len() >> 20,
                limits.file_bytes >> 20
            )));
        }
        if bytes.starts_with(COMPOUND) {
            return Err(compound_file(bytes));
        }
        if bytes.starts_with(RICH_TEXT) {
            return Err(Error::new(
                ErrorKind::NotDocx,
                "this is a Rich Text file (.rtf), not a Word document (.docx)",
            ));
        }
        if !is_office(bytes) {
            return Err(Error::new(ErrorKind::NotDocx, "the file is not a Word document (.docx)"));
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| {
            Error::new(ErrorKind::Damaged, "the Word file is damaged: its container cannot be read")
        })?;
        if archive.len() > limits.entries {
            return Err(Error::limit(format!(
                "the file has {} parts, the limit is {}",
                archive.len(),
                limits.entries
            )));
        }
        let mut package = Self { archive, limits: *limits, main: String::new(), relationships: Vec::new() };
        let roots = package.relationships_of("_rels/.rels", "")?;
        let main = roots.into_iter().find(|relationship| relationship.kind == "officeDocument");
        let main = main.map_or_else(|| "word/document.xml".to_owned(), |relationship| relationship.target);
        if package.find(&main).is_none() || main.starts_with("xl/") || main.starts_with("ppt/") {
            return Err(package.other_format(&main));
        }
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", &main));
        package.relationships = package.relationships_of(&format!("{folder}/_rels/{file}.rels"), folder)?;
        package.main = main;
        Ok(package)
    }

    /// Main document part.
    pub(crate) fn main(&mut self) -> Result<String, Error> {
        let name = self.main.clone();
        self.part(&name)?.ok_or_else(|| Error::damaged("its text"))
    }

    /// Part with this relationship to the main document part; `None` if there is none.
    pub(crate) fn related(&mut self, kind: &str) -> Result<Option<String>, Error> {
        let target = self.relationships.iter().find(|relationship| relationship.kind == kind);
        match target.map(|relationship| relationship.target.clone()) {
            Some(target) => self.part(&target),
            None => Ok(None),
        }
    }

    /// Core properties part.
    pub(crate) fn core_properties(&mut self) -> Result<Option<String>, Error> {
        self.part("docProps/core.xml")
    }

    /// Text of the part of this name; `None` if there is none.
    fn part(&mut self, name: &str) -> Result<Option<String>, Error> {
        let Some(at) = self.find(name) else { return Ok(None) };
        let Limits { part_bytes, ratio, free_bytes, .. } = self.limits;
        let file = self.archive.by_index(at).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => encrypted(),
            _ => Error::damaged("a part of it"),
        })?;
        let packed = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX);
        let most = part_bytes.min(free_bytes.max(packed.saturating_mul(ratio)));
        let mut bytes = Vec::new();
        let read = file.take(most as u64 + 1).read_to_end(&mut bytes);
        if bytes.len() > most {
            return Err(Error::limit("a part of the file inflates to more than the limits allow"));
        }
        read.map_err(|_| Error::damaged("a part of it"))?;
        Ok(Some(decode(bytes)))
    }

    /// Index of the entry of this name.
    fn find(&self, name: &str) -> Option<usize> {
        self.archive.index_for_name(name).or_else(|| {
            // Part names are compared case-insensitively, and some writers use backslashes.
            (0..self.archive.len()).find(|&at| {
                let own = self.archive.name_for_index(at).and_then(Result::ok).unwrap_or_default();
                own.len() == name.len() && own.replace('\\', "/").eq_ignore_ascii_case(name)
            })
        })
    }

    /// Relationships that the part lists, with targets relative to `folder`.
    fn relationships_of(&mut self, part: &str, folder: &str) -> Result<Vec<Relationship>, Error> {
        let Some(source) = self.part(part)? else { return Ok(Vec::new()) };
        let mut relationships = Vec::new();
        let mut xml = XmlReader::new(&source, "a list of its parts", self.limits.depth);
        xml.child()?;
        while let Some(child) = xml.child()? {
            let external = child.attr("TargetMode").is_some_and(|mode| mode == "External");
            if let (Some(kind), Some(target), false) = (child.attr("Type"), child.attr("Target"), external)
                && relationships.len() < self.limits.entries
            {
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                relationships.push(Relationship { kind, target: resolve(folder, &target) });
            }
            xml.skip()?;
        }
        Ok(relationships)
    }

    /// Error that names the format of an archive without a main document part.
    fn other_format(&mut self, main: &str) -> Error {
        let mimetype = self.part("mimetype").ok().flatten().unwrap_or_default();
        let has = |package: &Self, name: &str| package.find(name).is_some();
        let what = if main.starts_with("xl/") || has(self, "xl/workbook.xml") {
            "an Excel workbook (.xlsx)"
        } else if main.starts_with("ppt/") || has(self, "ppt/presentation.xml") {
            "a PowerPoint presentation (.pptx)"
        } else if mimetype.starts_with("application/vnd.oasis.opendocument.text") {
            "an OpenDocument text (.odt)"
        } else if mimetype.starts_with("application/vnd.oasis.opendocument") {
            "an OpenDocument file"
        } else if mimetype.starts_with("application/epub") {
            "an electronic book (.epub)"
        } else if has(self, "Index/Document.iwa") {
            "a Pages document"
        } else {
            "a ZIP archive"
        };
        Error::new(ErrorKind::NotDocx, format!("this is {what}, not a Word document (.docx)"))
    }
}

fn encrypted() -> Error {
    Error::new(ErrorKind::Encrypted, "the Word file is protected by a password")
}

/// Error that names the format of a compound file: an older one, or a newer one that is encrypted.
fn compound_file(bytes: &[u8]) -> Error {
    let holds = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        bytes.chunks(COMPOUND_ENTRY).any(|entry| entry.starts_with(&name))
    };
    if holds("EncryptedPackage") {
        return encrypted();
    }
    if holds("WordDocument") {
        return Error::new(
            ErrorKind::LegacyDoc,
            "this is a Word 97–2003 file (.doc): save it as .docx or PDF",
        );
    }
    let what = if holds("Workbook") || holds("Book") {
        "an Excel 97–2003 workbook (.xls)"
    } else if holds("PowerPoint Document") {
        "a PowerPoint 97–2003 presentation (.ppt)"
    } else if holds("__properties_version1.0") {
        "an Outlook message (.msg)"
    } else {
        "an Office 97–2003 file"
    };
    Error::new(ErrorKind::NotDocx, format!("this is {what}, not a Word document (.docx)"))
}

/// Name of the part at `target`, relative to `folder`.
fn resolve(folder: &str, target: &str) -> String {
    let (from, path) = match target.strip_prefix('/') {
        Some(path) => ("", path),
        None => (folder, target),
    };
    let mut parts: Vec<&str> = from.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}
