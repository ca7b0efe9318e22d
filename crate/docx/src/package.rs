//! The container: what kind of file it is, and its parts, inflated under caps.
//!
//! A Word file is a ZIP archive whose parts point to each other by relationships. Archives that are something
//! else, the older binary format and files locked with a password are told apart here, because to whoever chose
//! the file the difference matters. Cost: linear in the file, and in what is inflated of it.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::Limits;
use crate::error::{Error, ErrorKind};
use crate::xml::{Xml, decode};

const ZIP: &[u8] = b"PK\x03\x04";
const EMPTY_ZIP: &[u8] = b"PK\x05\x06";
const COMPOUND: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
const RICH_TEXT: &[u8] = b"{\\rtf";
/// Size of an entry in the directory of a compound file; they stand at multiples of it.
const COMPOUND_ENTRY: usize = 128;

/// Whether the bytes begin as a file of an office program does: one that [`crate::read`] reads, or can say what
/// it is.
pub(crate) fn is_office(bytes: &[u8]) -> bool {
    [ZIP, EMPTY_ZIP, COMPOUND, RICH_TEXT].iter().any(|magic| bytes.starts_with(magic))
}

/// An open Word file.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    limits: Limits,
    /// The name of the part with the text.
    main: String,
    relationships: Vec<Relationship>,
}

struct Relationship {
    /// The last component of its type: "styles", "footnotes".
    kind: String,
    target: String,
}

impl<'a> Package<'a> {
    /// Opens a file.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, Error> {
        if bytes.len() > limits.file_bytes {
            return Err(Error::limit(format!(
                "the file has {} MiB, the limit is {} MiB",
                bytes.len() >> 20,
                limits.file_bytes >> 20
            )));
        }
        if bytes.starts_with(COMPOUND) {
            return Err(compound(bytes));
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
            return Err(package.what_else(&main));
        }
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", &main));
        package.relationships = package.relationships_of(&format!("{folder}/_rels/{file}.rels"), folder)?;
        package.main = main;
        Ok(package)
    }

    /// The part with the text.
    pub(crate) fn main(&mut self) -> Result<String, Error> {
        let name = self.main.clone();
        self.part(&name)?.ok_or_else(|| Error::damaged("its text"))
    }

    /// The part to which the text is related in this way; `None` where there is none.
    pub(crate) fn related(&mut self, kind: &str) -> Result<Option<String>, Error> {
        let target = self.relationships.iter().find(|relationship| relationship.kind == kind);
        match target.map(|relationship| relationship.target.clone()) {
            Some(target) => self.part(&target),
            None => Ok(None),
        }
    }

    /// The properties that the file has of its own.
    pub(crate) fn properties(&mut self) -> Result<Option<String>, Error> {
        self.part("docProps/core.xml")
    }

    /// A part as text; `None` where there is none of this name.
    fn part(&mut self, name: &str) -> Result<Option<String>, Error> {
        let Some(at) = self.find(name) else { return Ok(None) };
        let Limits { part_bytes, ratio, free_bytes, .. } = self.limits;
        let file = self.archive.by_index(at).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => locked(),
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
        Ok(Some(decode(&bytes)))
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.archive.index_for_name(name).or_else(|| {
            // Names are compared without regard to case, and some writers keep the separator of their system.
            (0..self.archive.len()).find(|&at| {
                let own = self.archive.name_for_index(at).and_then(Result::ok).unwrap_or_default();
                own.len() == name.len() && own.replace('\\', "/").eq_ignore_ascii_case(name)
            })
        })
    }

    fn relationships_of(&mut self, part: &str, folder: &str) -> Result<Vec<Relationship>, Error> {
        let Some(source) = self.part(part)? else { return Ok(Vec::new()) };
        let mut relationships = Vec::new();
        let mut xml = Xml::new(&source, "a list of its parts", self.limits.depth);
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

    /// What an archive is that holds no text of Word's.
    fn what_else(&mut self, main: &str) -> Error {
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

fn locked() -> Error {
    Error::new(ErrorKind::Encrypted, "the Word file is protected by a password")
}

/// What a compound file is: they hold the older formats, and the newer ones when they are locked.
fn compound(bytes: &[u8]) -> Error {
    let holds = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
        bytes.chunks(COMPOUND_ENTRY).any(|entry| entry.starts_with(&name))
    };
    if holds("EncryptedPackage") {
        return locked();
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

/// The name of the part that `target` means, seen from a folder.
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
