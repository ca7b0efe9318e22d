//! The nouns of the crate: the texts that may be cited, and the report on each sentence of an answer.
//!
//! Plain data, no algorithm but the summary of a sentence's quotations.

use serde::Serialize;
use std::ops::Range;
use ts_rs::TS;

use document::{Caveat, TextRange};

/// Status of a quotation, best first. The contract of this crate says what each one promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "CitationStatus")]
pub enum Status {
    /// The words stand word for word in a source that the sentence cites.
    Verified,
    /// As verified, in text that was recognised in the image of a scan.
    Ocr,
    /// As verified, in text that touches a pending insertion or deletion of a Word file.
    Tracked,
    /// As verified, in text for which the file claims other letters or digits than those drawn.
    Differs,
    /// The sentence cites an existing source and quotes nothing: the source exists, the words are the model's.
    Cited,
    /// The words stand in a cited source but for a small edit. [`Quotation::source_words`] has the source's wording.
    Repaired,
    /// The words stand word for word in a source that the sentence does not cite.
    Misattributed,
    /// The words stand in the sources in several parts.
    Stitched,
    /// The words stand in no source.
    NotFound,
}

impl Status {
    /// Name in JSON and JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Ocr => "ocr",
            Self::Tracked => "tracked",
            Self::Differs => "differs",
            Self::Cited => "cited",
            Self::Repaired => "repaired",
            Self::Misattributed => "misattributed",
            Self::Stitched => "stitched",
            Self::NotFound => "not-found",
        }
    }

    /// Status of a citation whose range has these caveats. Only [`Status::Verified`] promises what a page shows: it
    /// gives way to the worst of them. Other statuses stay, and the caveats stand beside them.
    #[must_use]
    pub fn with_caveats(self, caveats: &[Caveat]) -> Self {
        match (self, caveats.iter().max()) {
            (Self::Verified, Some(Caveat::Ocr)) => Self::Ocr,
            (Self::Verified, Some(Caveat::Tracked)) => Self::Tracked,
            (Self::Verified, Some(Caveat::Differs)) => Self::Differs,
            _ => self,
        }
    }
}

/// Text that an answer may cite as `[P{id}]`.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'a> {
    /// Number in the citation mark.
    pub id: u32,
    /// Words as they stand in the document. The first 50,000 bytes of the first 200 sources are searched.
    pub text: &'a str,
    /// Document name, section path and label. They support figures, never quotations.
    pub context: &'a str,
}

/// Range of a source's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceRange {
    /// [`SourceText::id`].
    pub source: u32,
    /// Bytes of [`SourceText::text`], never empty.
    pub range: TextRange,
}

/// Quotation in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// Quoted words in bytes of the answer, without quotation marks. Dots and commas at either end that the source
    /// lacks are left out.
    pub range: Range<usize>,
    /// Result of the lookup.
    pub status: Status,
    /// Where the words stand: several ranges if stitched, none if not found, else one.
    pub found: Vec<SourceRange>,
    /// Wording of the source, if the quotation was repaired.
    pub source_words: Option<String>,
    /// True if it is shorter than three words: a term that is mentioned, not a claim.
    pub is_term: bool,
}

/// Kind of an unsupported statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum UnsupportedKind {
    /// Number or label of a provision.
    Number,
    /// Date.
    Date,
    /// Amount of money or percentage.
    Amount,
    /// Obligation, permission, prohibition or advice.
    Modal,
    /// Negation that the sources lack, or a missing one that they have.
    Negation,
}

impl UnsupportedKind {
    /// Name in JSON and JavaScript.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Amount => "amount",
            Self::Modal => "modal",
            Self::Negation => "negation",
        }
    }
}

/// Words of an answer that the cited sources do not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedSpan {
    /// Bytes of the answer.
    pub range: Range<usize>,
    /// Kind of the statement.
    pub kind: UnsupportedKind,
}

/// Report on a sentence or list item of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedSentence {
    /// Bytes of the answer, citation marks included.
    pub range: Range<usize>,
    /// Cited sources that exist, in the order of the marks, without repetition.
    pub sources: Vec<u32>,
    /// Cited numbers that no source has, at most 8.
    pub unknown: Vec<u32>,
    /// Quotations in the order of the answer.
    pub quotations: Vec<Quotation>,
    /// The most similar sentence of each cited source. Empty if the sentence quotes more than terms.
    pub support: Vec<SourceRange>,
    /// Statements that no cited source supports. Empty if the sentence cites no existing source.
    pub unsupported: Vec<UnsupportedSpan>,
}

impl CheckedSentence {
    /// Worst status of the quotations, terms left out; without quotations [`Status::Cited`] if an existing source is
    /// cited, else `None`.
    pub fn status(&self) -> Option<Status> {
        let claims = self.quotations.iter().filter(|quotation| !quotation.is_term);
        let cited = (!self.sources.is_empty()).then_some(Status::Cited);
        claims.map(|quotation| quotation.status).max().or(cited)
    }
}
