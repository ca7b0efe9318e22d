//! A sample document: its manuscript and style, and the files and the truth that are made of them.

use anyhow::{Context, Result};
use serde::Serialize;

use crate::truth::{SampleTruth, truth};
use crate::typeset::{Style, parse, set};
use crate::wordfile::{self, Manner, Scheme};

/// A sample as it is written.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Name without ending: "rulebook".
    pub id: &'static str,
    /// Title in the file's document information.
    pub title: &'static str,
    /// One sentence for the page's empty state.
    pub description: &'static str,
    /// Questions that its text answers, offered to a visitor.
    pub questions: &'static [&'static str],
    /// Passages whose boxes the tests compare.
    pub quotations: &'static [&'static str],
    /// Its text, in the markup of [`crate::typeset`].
    pub manuscript: &'static str,
    /// Its style in print.
    pub style: Style,
    /// Numbering of its headings in a word processor.
    pub scheme: Scheme,
}

/// A sample as a file, and the truth about it.
#[derive(Clone, Debug)]
pub struct Made {
    /// Name without ending.
    pub id: &'static str,
    /// The file.
    pub pdf: Vec<u8>,
    /// Its ground truth.
    pub truth: SampleTruth,
}

/// A sample's entry in the page's empty state.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// The file's name.
    pub file: String,
    /// Its title.
    pub title: &'static str,
    /// One sentence.
    pub description: &'static str,
    /// Questions to offer.
    pub questions: &'static [&'static str],
}

impl Sample {
    /// The file's name.
    pub fn file(&self) -> String {
        format!("{}.pdf", self.id)
    }

    /// Sets it.
    pub fn make(&self) -> Result<Made> {
        let manuscript = parse(self.manuscript).context(self.id)?;
        let printed = set(&manuscript, &self.style, self.title).context(self.id)?;
        let mut truth = truth(&printed, &manuscript, &self.style, self.quotations).context(self.id)?;
        truth.file = self.file();
        truth.title = self.title.to_owned();
        Ok(Made { id: self.id, pdf: printed.pdf, truth })
    }

    /// Sets it over and over, for at least `n_pages` pages: a long document, to measure with.
    pub fn make_long(&self, n_pages: usize) -> Result<Vec<u8>> {
        let once = set(&parse(self.manuscript)?, &self.style, self.title)?.pages.len().max(1);
        let manuscript = vec![self.manuscript; n_pages.div_ceil(once)].join("\n\n");
        Ok(set(&parse(&manuscript)?, &self.style, self.title)?.pdf)
    }

    /// Writes it as a Word file.
    pub fn word(&self, manner: Manner) -> Result<Vec<u8>> {
        let manuscript = parse(self.manuscript).context(self.id)?;
        wordfile::write(&manuscript, &self.style, self.scheme, manner, self.title)
    }

    /// Its entry in the page's empty state.
    pub fn listed(&self) -> Listed {
        let Self { title, description, questions, .. } = *self;
        Listed { file: self.file(), title, description, questions }
    }
}
