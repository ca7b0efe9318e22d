//! A Word file of given markup: the package around it, and nothing that the markup does not need.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// Relationships of these parts in a folder.
fn relations(parts: &[&str], folder: &str) -> String {
    let mut all = format!("<Relationships xmlns=\"{PACKAGE}\">");
    for name in parts {
        let kind = if *name == "document" { "officeDocument" } else { name };
        let _ = write!(
            all,
            "<Relationship Id=\"{name}\" Type=\"{OFFICE}/{kind}\" Target=\"{folder}{name}.xml\"/>"
        );
    }
    all + "</Relationships>"
}

/// A file with this body, and other parts by name.
pub(crate) fn file(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let others: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &str| {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        let added =
            archive.start_file(name, options).is_ok() && archive.write_all(content.as_bytes()).is_ok();
        debug_assert!(added, "memory takes all bytes");
    };
    add("_rels/.rels", &relations(&["document"], "word/"));
    add("word/_rels/document.xml.rels", &relations(&others, ""));
    for (name, content) in parts {
        add(&format!("word/{name}.xml"), &format!("<w:{name} xmlns:w=\"{WORD}\">{content}</w:{name}>"));
    }
    let document = format!("<w:document xmlns:w=\"{WORD}\"><w:body>{body}</w:body></w:document>");
    add("word/document.xml", &document);
    archive.finish().map(Cursor::into_inner).unwrap_or_default()
}
