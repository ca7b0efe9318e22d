//! Chinese, Japanese and Korean text as characters and bigrams.
//!
//! No dictionary: `Intl.Segmenter` cuts Chinese differently in Chrome and Firefox, and dictionaries weigh
//! megabytes. Characters find everything, bigrams give back most of the precision of words.

use unicode_normalization::UnicodeNormalization as _;

use super::token::Token;

/// Emits characters and bigrams, and remembers the last character so that bigrams run over word boundaries
/// that UAX #29 puts between any two ideographs.
#[derive(Default)]
pub struct Bigrams {
    last: Option<Last>,
    term: String,
}

struct Last {
    term: String,
    start: usize,
    end: usize,
    position: u32,
}

impl Bigrams {
    /// The tokens of a word that begins at byte `start`; returns the next free position.
    pub fn emit(&mut self, start: usize, word: &str, mut position: u32, f: &mut dyn FnMut(Token<'_>)) -> u32 {
        for (offset, c) in word.char_indices() {
            if !c.is_alphanumeric() {
                continue;
            }
            let (start, end) = (start + offset, start + offset + c.len_utf8());
            let mut folded = String::with_capacity(c.len_utf8());
            folded.extend(c.nfkc());
            f(Token { term: &folded, range: start..end, position });
            if let Some(last) = self.last.as_ref().filter(|last| last.end == start) {
                self.term.clear();
                self.term.push_str(&last.term);
                self.term.push_str(&folded);
                f(Token { term: &self.term, range: last.start..end, position: last.position });
            }
            self.last = Some(Last { term: folded, start, end, position });
            position += 1;
        }
        position
    }
}
