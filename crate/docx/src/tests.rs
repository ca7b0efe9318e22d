//! Whole files, built in code and read.

mod changes;
mod hostile;
mod numbers;
mod structure;
mod words;

use std::io::{Cursor, Write as _};

use document::{BlockKind, Warned};
use zip::write::SimpleFileOptions;

use super::*;

const NAMESPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
    xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
    xmlns:v=\"urn:schemas-microsoft-com:vml\"";

/// File under construction: its parts by relationship.
#[derive(Default)]
pub(super) struct File {
    body: String,
    parts: Vec<(&'static str, String)>,
}

pub(super) fn file(body: impl Into<String>) -> File {
    File { body: body.into(), parts: Vec::new() }
}

impl File {
    /// Adds a part with this name and root content.
    pub(super) fn with(mut self, name: &'static str, content: &str) -> Self {
        self.parts.push((name, content.to_owned()));
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut entries = vec![
            ("_rels/.rels".to_owned(), relationships(&[("officeDocument", "word/document.xml")])),
            (
                "word/document.xml".to_owned(),
                format!("<w:document {NAMESPACES}><w:body>{}</w:body></w:document>", self.body),
            ),
        ];
        let targets: Vec<(&str, String)> =
            self.parts.iter().map(|(name, _)| (*name, format!("{name}.xml"))).collect();
        let targets: Vec<(&str, &str)> =
            targets.iter().map(|(name, target)| (*name, target.as_str())).collect();
        entries.push(("word/_rels/document.xml.rels".to_owned(), relationships(&targets)));
        for (name, content) in &self.parts {
            entries
                .push((format!("word/{name}.xml"), format!("<w:{name} {NAMESPACES}>{content}</w:{name}>")));
        }
        let entries: Vec<(&str, &[u8])> =
            entries.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        archive(&entries)
    }

    pub(super) fn read(&self) -> WordDocument {
        self.warned().output
    }

    pub(super) fn warned(&self) -> Warned<WordDocument> {
        read(&self.bytes(), &Limits::default()).unwrap()
    }
}

fn relationships(targets: &[(&str, &str)]) -> String {
    let list: String = targets
        .iter()
        .enumerate()
        .map(|(at, (kind, target))| {
            format!(
                "<Relationship Id=\"r{at}\" Target=\"{target}\" \
                 Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}\"/>"
            )
        })
        .collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{list}</Relationships>"
    )
}

pub(super) fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A plain paragraph.
pub(super) fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A paragraph with properties.
pub(super) fn pp(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub(super) fn styled(style: &str, text: &str) -> String {
    pp(&format!("<w:pStyle w:val=\"{style}\"/>"), text)
}

/// Kind and text of each block.
pub(super) fn blocks(contents: &WordDocument) -> Vec<(BlockKind, &str)> {
    contents.layout.blocks.iter().map(|block| (block.kind, contents.layout.slice(block.range))).collect()
}

pub(super) fn texts(contents: &WordDocument) -> Vec<&str> {
    contents.layout.blocks.iter().map(|block| contents.layout.slice(block.range)).collect()
}
