//! Finding what an answer cites in the text it is said to come from, and saying what was found.
//!
//! [`locate`] finds one quotation in one source. [`check`] takes a whole answer of a model: it cuts it into
//! sentences, reads their marks and quotations, and gives each quotation a [`Status`]; it also says which figures,
//! modals and denials of a sentence its sources do not have. A quotation is *verified* when, after folding
//! (quotation marks, dashes, ligatures, hyphens at line ends, white space, the case of the first letter), it stands
//! word for word and in whole words in a source that its sentence names. Nothing else is ever called verified: what
//! is near is repaired, with the source's words; what has gaps is stitched, whatever dots it has, since a gap may hold
//! a "not". Pieces are ranges of the sources, and through them quads on pages.
//!
//! Cost: linear in answer and sources but for the comparisons, which share one budget of steps.

mod checker;
mod figures;
mod finder;
mod key;
mod marks;
mod modals;
mod quotes;
mod repair;
mod shelf;
mod stitch;
mod support;
#[cfg(test)]
mod tests;
mod units;
mod words;

use std::ops::Range;

use document::TextRange;
use text::normalize::Case;

use self::checker::Checker;

/// What checking a quotation against its source gave, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It stands word for word in a source that is named with it.
    Verified,
    /// A passage that exists is named without a quotation: the passage is there, the words are the model's.
    Cited,
    /// It stands in a source that is named with it but for a small edit; the source's words are given.
    Repaired,
    /// It stands word for word in another source than named.
    Misattributed,
    /// Its pieces stand word for word, with gaps or in several places.
    Stitched,
    /// It does not stand in any source.
    NotFound,
}

impl Status {
    /// The name at the JSON and JavaScript edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Cited => "cited",
            Self::Repaired => "repaired",
            Self::Misattributed => "misattributed",
            Self::Stitched => "stitched",
            Self::NotFound => "not-found",
        }
    }
}

/// What `[P{id}]` names.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The number in the mark.
    pub id: u32,
    /// The words as they stand in the document. At most 50,000 bytes are searched, of at most 200 sources.
    pub text: &'a str,
    /// What else is known of the passage: document, section path, label. It supports figures, never quotations.
    pub context: &'a str,
}

/// A piece of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// [`Source::id`].
    pub source: u32,
    /// Bytes of [`Source::text`].
    pub range: TextRange,
}

/// A quotation of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// Its words in the answer, in bytes: without the marks around it, and without dots and commas at its ends that
    /// are not the source's.
    pub range: Range<usize>,
    /// What was found.
    pub status: Status,
    /// Where: one piece, or several when it is stitched; none when it is not found.
    pub pieces: Vec<Piece>,
    /// What the source says, where it was repaired.
    pub words: Option<String>,
    /// Whether it is a word or two: a term that is spoken of, no claim of its own.
    pub is_term: bool,
}

/// What a sentence says and its sources do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnsupportedKind {
    /// A number or the label of a provision.
    Number,
    /// A date.
    Date,
    /// Money or a share.
    Amount,
    /// A duty, a permission, a prohibition or advice.
    Modal,
    /// A denial that the source lacks, or the lack of one that the source has.
    Negation,
}

impl UnsupportedKind {
    /// The name at the JSON and JavaScript edge.
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

/// Words of an answer that its sources do not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Where, in bytes of the answer.
    pub range: Range<usize>,
    /// What they are.
    pub kind: UnsupportedKind,
}

/// A sentence or a bullet of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its bytes in the answer, marks included.
    pub range: Range<usize>,
    /// The sources it names that exist, in the order of its marks.
    pub sources: Vec<u32>,
    /// The numbers it names that no source has, the first few.
    pub unknown: Vec<u32>,
    /// Its quotations.
    pub quotations: Vec<Quotation>,
    /// Where it names sources and quotes no more than terms: the sentence of each that carries most of it.
    pub support: Vec<Piece>,
    /// What its sources do not have. Always empty without sources.
    pub unsupported: Vec<Unsupported>,
}

impl Checked {
    /// The worst status of its quotations (terms apart, unless they are all it has and one is not found), else
    /// [`Status::Cited`] when it names a source, else `None`.
    pub fn status(&self) -> Option<Status> {
        let claims = self.quotations.iter().filter(|quotation| !quotation.is_term);
        let cited = (!self.sources.is_empty()).then_some(Status::Cited);
        claims.map(|quotation| quotation.status).max().or(cited)
    }
}

pub use finder::Finder;
pub use marks::{named, without};

/// Longest answer that is checked, in bytes.
const MAX_ANSWER_BYTES: usize = 200_000;

/// Checks an answer against the sources it was given. What stands past 200,000 bytes of the answer is left out.
pub fn check(answer: &str, sources: &[Source<'_>]) -> Vec<Checked> {
    let answer = shelf::head(answer, MAX_ANSWER_BYTES);
    let marks = marks::marks(answer);
    let quotes = quotes::quotes(answer);
    let mut checker = Checker::new(answer, &marks, sources);
    units::units(answer, &marks, &quotes).into_iter().map(|unit| checker.unit(unit, &quotes)).collect()
}

/// The range of `source` in which `quotation` stands, the first if there are several; `None` when it does not
/// stand there, or is empty. The range is one of `source`: add its offset for a range of the document's text.
/// A quotation that begins or ends within a word of the source is not found.
pub fn locate(quotation: &str, source: &str) -> Option<TextRange> {
    let needle = text::normalize::fold(quotation, Case::Keep);
    let wanted = needle.text().trim();
    if wanted.is_empty() {
        return None;
    }
    let hay = text::normalize::fold(source, Case::Keep);
    let whole_words = |start: usize, end: usize| {
        let inside = |at: usize| {
            let before = hay.text().get(..at).and_then(|head| head.chars().next_back());
            let after = hay.text().get(at..).and_then(|tail| tail.chars().next());
            matches!((before, after), (Some(a), Some(b)) if in_word(a) && in_word(b))
        };
        !inside(start) && !inside(end)
    };
    hay.text().match_indices(wanted).find(|(start, found)| whole_words(*start, start + found.len())).map(
        |(start, found)| {
            let source_range = hay.source(start..start + found.len());
            TextRange::new(source_range.start, source_range.end)
        },
    )
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() && !text::is_cjk(c)
}
