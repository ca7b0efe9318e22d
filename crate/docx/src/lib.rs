//! Word files (`.docx`, WordprocessingML) as blocks in reading order.
//!
//! [`read`] gives for a Word file what `pages` and `blocks` give for a PDF: one text, its blocks, its note marks, and
//! an outline of the headings whose style gives their level. A Word file has no pages, so words have no positions.
//! Automatic list numbers ("Article 3", "(a)") are written in front of their paragraphs, as a reader sees them.
//! Tracked changes are read as accepted: pending insertions are text, pending deletions are not. What touches one, an
//! insertion or the place of a deletion, has the caveat `tracked`. Comments, headers and footers are not read.
//!
//! Markup comes before looks: styles, numbering, notes and tables are believed first. This crate knows nothing of
//! law and builds no tree: numbers and levels are the business of `sections`.
//!
//! Hostile files are expected. Everything that can be inflated or nested has a cap in [`Limits`], no entity expands,
//! and a damaged style sheet costs only the styles. Files of other formats are refused by the name of their format.
//!
//! ```
//! let read = docx::read(b"{\\rtf1}", &docx::Limits::default());
//! assert_eq!(read.unwrap_err().kind(), docx::ErrorKind::NotDocx);
//! ```
#![deny(clippy::indexing_slicing)]

mod assemble;
mod classify;
mod content;
mod error;
mod fields;
mod flow;
mod headings;
mod limits;
mod metadata;
mod normalize;
mod numbering;
mod numerals;
mod package;
mod properties;
mod story;
mod styles;
mod symbols;
mod xml;

use std::collections::BTreeMap;

use document::{Decision, Diag, DiagCode, Layout, OutlineItem, Severity, Warned};
use text::rules::Rules;

pub use error::{Error, ErrorKind};
pub use limits::Limits;
pub use text::rules::Options;

use assemble::{Stories, assemble};
use content::NoteKind;
use numbering::ListNumbering;
use package::Package;
use story::{Notices, StoryReader};
use styles::StyleSheet;

/// Content of a Word file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordDocument {
    /// Text, blocks and note marks, without pages.
    pub layout: Layout,
    /// Headings whose style gives their level, in document order.
    pub outline: Vec<OutlineItem>,
    /// Title in the core properties.
    pub title: Option<String>,
    /// Language declared in the settings, as a BCP 47 tag.
    pub language: Option<String>,
}

/// True if the bytes begin like an Office file, which [`read`] reads or refuses by the name of its format.
pub fn is_office_file(bytes: &[u8]) -> bool {
    package::is_office(bytes)
}

/// Reads a Word file.
///
/// # Errors
/// If the bytes are of another format, are protected by a password or damaged, or exceed a limit on bytes or
/// nesting.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Warned<WordDocument>, Error> {
    read_with(bytes, limits, &Options::default())
}

/// The same with options of the layout.
///
/// # Errors
/// As of [`read`].
pub fn read_with(bytes: &[u8], limits: &Limits, options: &Options) -> Result<Warned<WordDocument>, Error> {
    read_by(bytes, limits, &Rules::new(options))
}

/// The decision about each paragraph and the rule behind it, in order.
///
/// # Errors
/// As of [`read`].
pub fn explain(bytes: &[u8], limits: &Limits, options: &Options) -> Result<Vec<Decision>, Error> {
    let rules = Rules::recorded(options);
    read_by(bytes, limits, &rules)?;
    Ok(rules.into_decisions())
}

fn read_by(bytes: &[u8], limits: &Limits, rules: &Rules) -> Result<Warned<WordDocument>, Error> {
    let mut package = Package::open(bytes, limits)?;
    let mut diags = Vec::new();
    let styles = package.related("styles")?.map(|source| StyleSheet::read(&source, limits.depth));
    let styles = or_default(styles, "styles", &mut diags)?;
    let numbering = package.related("numbering")?.map(|source| ListNumbering::read(&source, limits.depth));
    let numbering = or_default(numbering, "numbering", &mut diags)?;
    let mut reader = StoryReader::new(&styles, numbering, limits, bytes.len());
    let settings = package.related("settings")?;
    let settings = settings
        .map(|source| metadata::settings(&source, &mut reader.footnotes, &mut reader.endnotes, limits.depth));
    let language = or_default(settings, "settings", &mut diags)?;
    let body = reader.body(&package.main()?)?;
    let mut notes = BTreeMap::new();
    for (kind, relationship) in [(NoteKind::Footnote, "footnotes"), (NoteKind::Endnote, "endnotes")] {
        let read = package.related(relationship)?.map(|source| reader.notes(&source, kind));
        notes.extend(or_default(read, relationship, &mut diags)?);
    }
    let (footnotes, endnotes) = (reader.footnotes, reader.endnotes);
    diags.extend(notices(reader.notices));
    let (layout, outline) = assemble(Stories { body, notes, footnotes, endnotes }, rules);
    let title = match package.core_properties()? {
        Some(source) => metadata::title(&source, limits.depth).unwrap_or_default(),
        None => None,
    };
    Ok(Warned { output: WordDocument { layout, outline, title, language }, diags })
}

/// Content of a part that may be missing. A damaged part is left out with a diagnostic; a part over a limit is an
/// error.
fn or_default<T: Default>(
    read: Option<Result<T, Error>>,
    part: &str,
    diags: &mut Vec<Diag>,
) -> Result<T, Error> {
    match read {
        None => Ok(T::default()),
        Some(Err(error)) if error.kind() == ErrorKind::Damaged => {
            let message = format!("the {part} of the file are damaged and left out");
            diags.push(diag(DiagCode::Repaired, Severity::Warning, message));
            Ok(T::default())
        }
        Some(read) => read,
    }
}

/// Diagnostics for what the reader met.
fn notices(notices: Notices) -> Vec<Diag> {
    let Notices { tracked_changes, hidden_text, truncated } = notices;
    let mut diags = Vec::new();
    if tracked_changes {
        let message = "changes that were tracked are read as accepted; citations that touch one say so";
        diags.push(diag(DiagCode::TrackedChanges, Severity::Info, message.to_owned()));
    }
    if hidden_text {
        diags.push(diag(DiagCode::HiddenText, Severity::Info, "hidden text is left out".to_owned()));
    }
    if truncated {
        let message = "the file holds more text than is read; the rest is left out";
        diags.push(diag(DiagCode::LimitReached, Severity::Warning, message.to_owned()));
    }
    diags
}

fn diag(code: DiagCode, severity: Severity, message: String) -> Diag {
    Diag { code, severity, message, hint: String::new(), page: None }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
