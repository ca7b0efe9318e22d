//! Citations of provisions: found in text, normalised, resolved to what they name.
//!
//! [`citations`] finds "Rules 9.8.2(1) to (3) and 9.8.4", "section 15(2) of the Companies Act 2006", "17 CFR
//! 230.506(b)", "第六条第二款" and gives one [`Citation`] for each provision that is named, with its own part
//! of the list, its instrument and its path. [`Index`] holds the provisions that a document or a library has
//! and says which of them a citation names.
//!
//! A scanner by hand over the tokens of a line, with tables of words: what makes a number a citation is the
//! word before it ("Rule", "§", an acronym), what makes it one of another instrument is the phrase behind
//! ("of the …"), and a pattern that looks for both at once either misses one or backtracks. Cost: linear in
//! the text; each look ahead or back is bounded by a number of tokens. A citation never crosses a line end.

mod chinese;
mod instrument;
mod lex;
mod names;
mod resolve;
mod short;
mod western;
mod words;

use std::ops::Range;

pub use instrument::{Mention, instruments, own_name};
pub use names::normal_name;
pub use resolve::{Builder, Index, Place};
pub use short::{ShortForm, short_forms};

/// A provision named in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Where it is printed, in bytes of the text; for one of a list, its own part of the list.
    pub range: Range<usize>,
    /// The instrument as printed, without its article and marks; `None` where it is the document at hand or
    /// is not said.
    pub instrument: Option<String>,
    /// Outermost first: `["schedule 2", "paragraph 4"]`, `["rule 4.2.1", "(3)"]`, `["条 6", "款 2"]`.
    pub path: Vec<String>,
    /// What the path starts from.
    pub scope: Scope,
    /// Whether the next citation is the other end of a range ("187 to 189").
    pub through: bool,
}

/// What the path of a citation starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The instrument, or where none is named the document at hand.
    #[default]
    Document,
    /// The document at hand and no other: "this Act", "these Rules", 本法.
    Own,
    /// The provision in which it stands: "paragraph (b)", "this section", 本条.
    Here,
    /// What stands before it: "section 3 above".
    Above,
    /// What stands after it: "section 3 below".
    Below,
    /// The provision before the one in which it stands: "the preceding section", 前条.
    Previous,
    /// The provision after it: "the following section".
    Next,
    /// The provision cited last: "that section".
    That,
}

/// The citations in `text`, in its order. Their ranges do not overlap, except that the two ends of a range
/// and the parts of a list that share words ("Rules 4.1 and 4.2 of COBS") each have their own part only.
pub fn citations(text: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut tokens = Vec::new();
    let mut last = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}']) {
        let first = found.len();
        tokens.clear();
        lex::lex(line, start, &mut tokens);
        western::scan(text, &tokens, &mut last, &mut found);
        let n_western = found.len();
        if !line.is_ascii() {
            chinese::scan(line, start, &mut found);
        }
        start += line.len();
        if n_western > first && found.len() > n_western {
            // The two write different scripts; where they meet, the first in the text stays.
            let mut line_found = found.split_off(first);
            line_found.sort_by_key(|citation| citation.range.start);
            let mut end = 0;
            line_found.retain(|citation| {
                let keep = citation.range.start >= end;
                end = end.max(citation.range.end);
                keep
            });
            found.append(&mut line_found);
        }
    }
    found
}

#[cfg(test)]
mod tests;
