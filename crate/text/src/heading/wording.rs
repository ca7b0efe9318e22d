//! The wording of headings: the evidence in a text by itself, whatever format it was read from.
//!
//! A heading is short and no sentence; many are numbered in a way that only headings are. Cost: linear in the text.

use crate::chars::is_cjk;
use crate::wording::{Numbering, ends_sentence, is_title_case, numbering};

/// Longest heading, in characters.
pub const MAX_CHARS: usize = 240;
/// Type larger than this share of the body's is a heading's.
pub const LARGE_TYPE: f32 = 1.12;
/// Words up to which a title may end as a sentence or a lead-in does.
const MAX_BARE_WORDS: usize = 4;
/// Most words of the heading of a division ("PART 3").
const MAX_DIVISION_WORDS: usize = 25;
/// Words up to which a division's heading may end as a sentence does.
const MAX_BARE_DIVISION_WORDS: usize = 3;
/// Most words of the heading of an article.
const MAX_ARTICLE_WORDS: usize = 14;
/// Most characters of the heading of an article in Chinese or Japanese; a longer one is its text.
const MAX_CJK_ARTICLE_CHARS: usize = 24;
/// Ends of a text that goes on: a conjunction, a preposition, a separator.
const OPEN_WORDS: [&str; 4] = [" and", " or", " the", " of"];
const OPEN_SIGNS: [char; 7] = [',', ';', '；', '，', '。', '、', '—'];

/// The evidence in the wording of a text that it is a heading.
#[derive(Clone, Debug)]
pub struct HeadingWording<'a> {
    /// The text itself.
    pub text: &'a str,
    /// Its length in characters.
    pub n_chars: usize,
    /// Number of letters in it.
    pub n_letters: usize,
    /// Number of words; two CJK characters count as one.
    pub n_words: usize,
    /// True if most of its letters are CJK characters.
    pub is_cjk: bool,
    /// Its numbering.
    pub numbering: Numbering,
    /// True if it ends as a sentence does.
    pub ends_sentence: bool,
    /// True if its long words begin in capitals.
    pub is_title_case: bool,
}

impl<'a> HeadingWording<'a> {
    /// The evidence in a text.
    pub fn of(text: &'a str) -> Self {
        let n_chars = text.chars().count();
        let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let is_cjk = text.chars().filter(|&c| is_cjk(c)).count() * 2 > n_letters;
        Self {
            text,
            n_chars,
            n_letters,
            n_words: if is_cjk { n_chars / 2 } else { text.split_whitespace().count() },
            is_cjk,
            numbering: numbering(text),
            ends_sentence: ends_sentence(text),
            is_title_case: is_title_case(text),
        }
    }

    /// True if it has a number of any kind.
    pub fn is_numbered(&self) -> bool {
        self.numbering != Numbering::None
    }

    /// Its first word, where numbers stand.
    pub fn first_word(&self) -> &'a str {
        self.text.split(' ').next().unwrap_or_default()
    }

    /// True if it has fewer letters than words have: the rest of it, beside its number, is figures and signs.
    pub fn has_few_letters(&self) -> bool {
        let is_number = |word: &&str| word.starts_with(|c: char| c == '§' || c.is_ascii_digit());
        let number = Some(self.first_word()).filter(is_number);
        let n_worded = self.n_chars - number.map_or(0, |number| number.chars().count());
        self.n_letters * 2 < n_worded.min(40) || self.n_letters < 2
    }

    /// True if it has no number and begins in lower case: it goes on with a sentence.
    pub fn starts_lower(&self) -> bool {
        !self.is_numbered() && self.text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase)
    }

    /// True if it ends as only a text that goes on does: in "and", "of", a comma.
    pub fn is_open(&self) -> bool {
        OPEN_WORDS.iter().any(|end| self.text.ends_with(end)) || self.text.ends_with(OPEN_SIGNS)
    }

    /// True if it reads as running text: too long for a heading, or a sentence of some words that is not set as a
    /// title.
    pub fn reads_as_text(&self) -> bool {
        let is_closed = self.ends_sentence || self.text.ends_with([';', ':', '；', '：']);
        self.n_chars > MAX_CHARS || self.n_words > MAX_BARE_WORDS && is_closed && !self.is_title_case
    }

    /// True if it ends in four digits, as a date or a citation does.
    pub fn ends_in_year(&self) -> bool {
        let last = self.text.split(' ').next_back();
        last.is_some_and(|last| last.len() == 4 && last.bytes().all(|b| b.is_ascii_digit()))
    }

    /// True if it names a division: "PART 3", "Chapter II General provisions", "第二章 总则".
    pub fn names_division(&self) -> bool {
        self.numbering == Numbering::Division
            && self.n_words <= MAX_DIVISION_WORDS
            && (!self.ends_sentence || self.n_words <= MAX_BARE_DIVISION_WORDS || self.is_title_case)
    }

    /// True if it has the number and the length of an article's heading. `is_set_off` says that it is one although
    /// it ends as a sentence does.
    pub fn is_like_article(&self, is_set_off: bool) -> bool {
        self.numbering == Numbering::Article
            && self.n_words <= MAX_ARTICLE_WORDS
            && !self.text.ends_with(':')
            && (!self.ends_sentence || self.is_title_case || is_set_off)
    }

    /// True if it is too long for the heading of an article in Chinese or Japanese: the article's own text.
    pub fn is_cjk_provision(&self) -> bool {
        self.is_cjk && self.n_chars > MAX_CJK_ARTICLE_CHARS
    }
}
