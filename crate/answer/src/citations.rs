//! Finding a quotation in the text it is said to come from.
//!
//! A quotation is *verified* when, after the folding of [`text::normalize`] (quotes, dashes, ligatures, soft hyphens,
//! white space), it stands word for word in the source. Folding keeps a map back to the source, so a verified
//! quotation is a range, and through the range quads on the page. Nothing else is ever called verified.

#![expect(missing_docs, reason = "stub")]
use document::TextRange;
use text::normalize::Case;

/// What checking a quotation against its source gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Verified,
    Repaired,
    Misattributed,
    Stitched,
    NotFound,
    Cited,
}
impl Status {
    /// The name at the JSON and JavaScript edge.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Repaired => "repaired",
            Self::Misattributed => "misattributed",
            Self::Stitched => "stitched",
            Self::NotFound => "not-found",
            Self::Cited => "cited",
        }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedKind {
    Number,
    Date,
    Amount,
    Modal,
    Negation,
}
impl UnsupportedKind {
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
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub id: u32,
    pub text: &'a str,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub source: u32,
    pub range: TextRange,
}
#[derive(Clone, Debug)]
pub struct Quotation {
    pub range: std::ops::Range<usize>,
    pub status: Status,
    pub pieces: Vec<Piece>,
    pub words: Option<String>,
}
#[derive(Clone, Debug)]
pub struct Unsupported {
    pub kind: UnsupportedKind,
    pub range: std::ops::Range<usize>,
}
#[derive(Clone, Debug)]
pub struct Checked {
    pub range: std::ops::Range<usize>,
    pub sources: Vec<u32>,
    pub unknown: Vec<u32>,
    pub quotations: Vec<Quotation>,
    pub support: Vec<Piece>,
    pub unsupported: Vec<Unsupported>,
}
// STUB until the branch `verify` is merged.
pub fn check(answer: &str, sources: &[Source<'_>]) -> Vec<Checked> {
    let ids = marks(answer);
    let known = |id: &u32| sources.iter().any(|source| source.id == *id);
    let (sources_named, unknown): (Vec<u32>, Vec<u32>) = ids.into_iter().partition(known);
    vec![Checked {
        range: 0..answer.len(),
        sources: sources_named,
        unknown,
        quotations: Vec::new(),
        support: Vec::new(),
        unsupported: Vec::new(),
    }]
}
pub(crate) fn marks(answer: &str) -> Vec<u32> {
    answer.split("[P").skip(1).filter_map(|rest| rest.split(']').next()?.parse().ok()).collect()
}
pub(crate) fn without_marks(answer: &str) -> String {
    answer.to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_found_through_quotes_dashes_ligatures_and_line_ends() {
        let source = "The ﬁrm “must notify” the Authority – in\nwriting – within 10 days.";
        let range = locate("firm \"must notify\" the Authority - in writing", source).unwrap();
        assert_eq!(&source[range.to_usize()], "ﬁrm “must notify” the Authority – in\nwriting");
    }

    #[test]
    fn what_does_not_stand_there_is_not_found() {
        let source = "The firm must notify the Authority within 10 days.";
        for quotation in [
            "",
            "   ",
            "must notify the Authority within 100 days",
            "must not",
            "firm may notify",
            "otify the",
        ] {
            assert_eq!(locate(quotation, source), None, "{quotation:?}");
        }
    }

    #[test]
    fn a_chinese_quotation_may_begin_anywhere() {
        let source = "第十九条 董事会应当对股东负责。";
        let range = locate("董事会应当对股东负责", source).unwrap();
        assert_eq!(&source[range.to_usize()], "董事会应当对股东负责");
    }
}
