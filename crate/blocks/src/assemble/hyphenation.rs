//! Hyphens at the ends of lines: part of the word, or printed for the break alone.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::page::Line;

/// Words before which a hyphen stands in compounds: "third-party", "non-binding".
const COMPOUND_FIRSTS: [&str; 33] = [
    "non", "self", "third", "first", "second", "long", "short", "well", "high", "low", "cross", "half",
    "all", "ex", "quasi", "anti", "pro", "co", "multi", "one", "two", "three", "four", "five", "six", "ten",
    "full", "part", "off", "on", "arm", "year", "day",
];
/// Adverbs and prefixes that make one word with what follows them: "hereunder".
const JOINED_FIRSTS: [&str; 17] = [
    "here", "there", "where", "with", "over", "under", "not", "can", "out", "for", "any", "some", "every",
    "further", "more", "may", "through",
];

/// The words that a document writes within its lines, from which hyphens at line ends are decided.
#[derive(Default)]
pub(super) struct Vocabulary {
    words: HashSet<String>,
}

impl Vocabulary {
    /// Adds the words of a line, but for its first and last, which a hyphen may have cut.
    pub(super) fn learn(&mut self, line: &Line) {
        let n = line.words.len();
        for word in line.words.iter().take(n.saturating_sub(1)).skip(1) {
            let bare = bare(&word.text);
            // Most words of a document are known by then.
            if bare.len() > 1 && !self.words.contains(bare.as_ref()) {
                self.words.insert(bare.into_owned());
            }
        }
    }

    /// True if the hyphen between the end of a line and the beginning of the next belongs to the word.
    pub(super) fn keeps_hyphen(&self, head: &str, tail: &str) -> bool {
        let (head, tail) = (bare(head), bare(tail));
        let knows = |word: &str| self.words.contains(word);
        let (head, tail) = (head.as_ref(), tail.as_ref());
        if knows(&format!("{head}-{tail}")) {
            return true;
        }
        if knows(&format!("{head}{tail}")) {
            return false;
        }
        let first = head.rsplit('-').next().unwrap_or(head);
        // Two words that each stand alone make a compound; otherwise the hyphen only broke a word.
        let are_words = !JOINED_FIRSTS.contains(&first) && first.len() > 2 && tail.len() > 2;
        let is_compound = COMPOUND_FIRSTS.contains(&first) || are_words;
        head.contains('-') || (is_compound && knows(first) && knows(tail))
    }
}

/// A word in lower case without the punctuation around it.
fn bare(word: &str) -> Cow<'_, str> {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_lower = bare.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(bare) } else { Cow::Owned(bare.to_lowercase()) }
}
