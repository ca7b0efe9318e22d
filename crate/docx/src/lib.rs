//! Word files to blocks in reading order.
//!
//! [`read`] takes the bytes of a `.docx` and gives what `pages` and `blocks` give of a PDF: the document's one
//! text, its blocks, the marks of its notes, and an outline of the headings that have their level from their
//! style. There are no pages, so no word has a place. Numbers that the program counts ("Article 3", "(a)") are
//! put in front of their paragraphs, as a reader sees them; changes that were tracked count as accepted.
//!
//! What the file says is believed before what it looks like: styles, numbering, notes, tables. It knows nothing
//! of law, and makes no tree: numbers and levels are the business of `sections`.
//!
//! Hostile files are expected: whatever can be inflated or nested has a cap in [`Limits`], no entity expands,
//! and a damaged style sheet only costs the styles. Files of other kinds are refused with the name of their
//! kind.
//!
//! ```
//! let read = docx::read(b"{\\rtf1}", &docx::Limits::default());
//! assert_eq!(read.unwrap_err().kind(), docx::ErrorKind::NotDocx);
//! ```
#![deny(clippy::indexing_slicing)]

mod assemble;
mod classify;
mod error;
mod fields;
mod items;
mod limits;
mod numbering;
mod numerals;
mod package;
mod paragraph;
mod properties;
mod story;
mod styles;
mod symbols;
mod tables;
mod xml;

use std::collections::BTreeMap;

use document::{Diag, DiagCode, Layout, OutlineItem, Severity, Warned};

pub use error::{Error, ErrorKind};
pub use limits::Limits;

use assemble::Stories;
use items::{Item, NoteKind, NoteNumbers};
use numbering::Numbering;
use package::Package;
use story::{Reader, note_numbers};
use styles::Styles;
use xml::Xml;

/// Most characters that are kept of a title.
const MAX_TITLE: usize = 1_000;

/// What a Word file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Text, blocks and marks; no pages.
    pub layout: Layout,
    /// The headings that have their level from their style, in order.
    pub outline: Vec<OutlineItem>,
    /// The title in the file's properties.
    pub title: Option<String>,
    /// The language that the file declares.
    pub language: Option<String>,
}

/// Whether the bytes begin as a file of an office program does: one that [`read`] reads, or names when it
/// refuses it.
pub fn is_office_file(bytes: &[u8]) -> bool {
    package::is_office(bytes)
}

/// Reads a Word file.
///
/// # Errors
/// When the bytes are something else, when they are locked with a password or damaged, and over a limit on bytes
/// or nesting.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Warned<Contents>, Error> {
    let mut package = Package::open(bytes, limits)?;
    let mut diags = Vec::new();
    let styles = package.related("styles")?.map(|source| Styles::read(&source, limits.depth));
    let styles = lenient(styles, "styles", &mut diags)?;
    let numbering = package.related("numbering")?.map(|source| Numbering::read(&source, limits.depth));
    let numbering = lenient(numbering, "numbering", &mut diags)?;
    let mut reader = Reader::new(&styles, numbering, limits);
    let settings = package.related("settings")?.map(|source| settings(&source, &mut reader, limits));
    let language = lenient(settings, "settings", &mut diags)?;
    let mut body = Vec::new();
    let main = package.main()?;
    let mut xml = Xml::new(&main, "its text", limits.depth);
    // The document, its body, and what stands beside it.
    xml.child()?;
    while let Some(child) = xml.child()? {
        match child.word() {
            "body" => reader.blocks(&mut xml, &mut body)?,
            _ => xml.skip()?,
        }
    }
    drop(main);
    let mut notes = BTreeMap::new();
    for (kind, relation, element) in
        [(NoteKind::Foot, "footnotes", "footnote"), (NoteKind::End, "endnotes", "endnote")]
    {
        let read =
            package.related(relation)?.map(|source| read_notes(&source, kind, element, &mut reader, limits));
        notes.extend(lenient(read, relation, &mut diags)?);
    }
    let (foot, end): (NoteNumbers, NoteNumbers) = (reader.foot, reader.end);
    diags.extend(noticed(&reader));
    let (layout, outline) = assemble::document(Stories { body, notes, foot, end });
    let title = match package.properties()? {
        Some(source) => title(&source, limits).unwrap_or_default(),
        None => None,
    };
    Ok(Warned { output: Contents { layout, outline, title, language }, diags })
}

/// A part that the text can do without: what is damaged is left out, what is over a limit is an error.
fn lenient<T: Default>(
    read: Option<Result<T, Error>>,
    what: &str,
    diags: &mut Vec<Diag>,
) -> Result<T, Error> {
    match read {
        None => Ok(T::default()),
        Some(Err(error)) if error.kind() == ErrorKind::Damaged => {
            diags.push(diag(
                DiagCode::Repaired,
                Severity::Warning,
                format!("the {what} of the file are damaged and left out"),
            ));
            Ok(T::default())
        }
        Some(read) => read,
    }
}

fn read_notes(
    source: &str,
    kind: NoteKind,
    element: &str,
    reader: &mut Reader<'_>,
    limits: &Limits,
) -> Result<BTreeMap<(NoteKind, i64), Vec<Item>>, Error> {
    let mut notes = BTreeMap::new();
    let mut xml = Xml::new(source, "its notes", limits.depth);
    xml.child()?;
    while let Some(child) = xml.child()? {
        // The lines that part notes from the text are notes of a type of their own.
        let is_note = child.word() == element && child.attr("type").is_none_or(|of| of == "normal");
        match child.number("id").filter(|_| is_note) {
            Some(id) => {
                let mut items = Vec::new();
                reader.blocks(&mut xml, &mut items)?;
                notes.insert((kind, id), items);
            }
            None => xml.skip()?,
        }
    }
    Ok(notes)
}

/// How notes are numbered, and the language.
fn settings(source: &str, reader: &mut Reader<'_>, limits: &Limits) -> Result<Option<String>, Error> {
    let mut language = None;
    let mut xml = Xml::new(source, "its settings", limits.depth);
    xml.child()?;
    while let Some(child) = xml.child()? {
        match child.word() {
            "footnotePr" => note_numbers(&mut xml, &mut reader.foot)?,
            "endnotePr" => note_numbers(&mut xml, &mut reader.end)?,
            "themeFontLang" => {
                language =
                    child.val().or_else(|| child.attr("eastAsia")).filter(|language| !language.is_empty());
                xml.skip()?;
            }
            _ => xml.skip()?,
        }
    }
    Ok(language)
}

fn title(source: &str, limits: &Limits) -> Result<Option<String>, Error> {
    let mut xml = Xml::new(source, "its properties", limits.depth);
    xml.child()?;
    while let Some(child) = xml.child()? {
        if child.name() == "title" {
            let title = xml.text()?.split_whitespace().collect::<Vec<_>>().join(" ");
            return Ok((!title.is_empty()).then(|| title.chars().take(MAX_TITLE).collect()));
        }
        xml.skip()?;
    }
    Ok(None)
}

fn noticed(reader: &Reader<'_>) -> Vec<Diag> {
    let seen = reader.seen;
    let all = [
        (
            seen.tracked,
            DiagCode::TrackedChanges,
            Severity::Info,
            "changes that were tracked are read as accepted",
        ),
        (seen.hidden, DiagCode::HiddenText, Severity::Info, "hidden text is left out"),
        (
            seen.cut,
            DiagCode::LimitReached,
            Severity::Warning,
            "the file holds more text than is read; the rest is left out",
        ),
    ];
    all.into_iter()
        .filter(|(is_so, ..)| *is_so)
        .map(|(_, code, severity, message)| diag(code, severity, message.to_owned()))
        .collect()
}

fn diag(code: DiagCode, severity: Severity, message: String) -> Diag {
    Diag { code, severity, message, hint: String::new(), page: None }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
