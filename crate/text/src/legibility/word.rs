//! Evidence of one word: its letters by trigrams, and what stands between them.

use super::MOST;
use super::alphabet::{Class, Letter};
use super::tables::{is_known_han, trigram};
use crate::chars::{is_cjk, is_invisible};
use crate::steps;

/// Least letters of a stretch whose trigrams say something: shorter ones are labels, units and symbols of formulas.
const MIN_LETTERS: u32 = 3;
/// Most capitals of a stretch that may be an acronym or a ticker.
const MAX_ACRONYM: u32 = 5;
/// Part of the evidence against an acronym that counts.
const ACRONYM_SHARE: i32 = 4;
/// Most evidence of one stretch of letters either way, in half bits.
const MOST_OF_STRETCH: i32 = 32;
/// Consecutive letters with accents from which on no language writes them: UTF-8 or Cyrillic read as Latin.
const MANY_ACCENTS: u32 = 4;
/// Evidence of such a letter, in half bits.
const ACCENTED: i32 = -5;
/// Evidence of a character without a meaning, in half bits: of private use, or the replacement character.
const MEANINGLESS: i32 = -6;
/// Evidence of a sign that stands between letters of language only now and then, in half bits.
const ODD_SIGN: i32 = -6;
/// Evidence of a capital behind a small letter, in half bits.
const INNER_CAPITAL: i32 = -4;
/// Evidence of a second change of alphabet within a word, in half bits.
const MIXED: i32 = -8;
/// Evidence of a Han character that our texts have, in half bits, and of one that they lack.
const HAN: [i32; 2] = [8, -2];
/// Evidence of a digit, in half bits: figures are honest text where letters beside them are.
const DIGIT: i32 = 1;
/// Evidence of a kana or a syllable of Hangul, in half bits.
const SYLLABLE: i32 = 4;
/// Evidence of a letter of a script without a table, in half bits.
const OTHER_LETTER: i32 = 1;
/// Different odd signs from which on a word without letters is none of punctuation.
const MANY_SIGNS: u32 = 3;

/// Evidence that a word is language, in half bits from -[`MOST`] to [`MOST`]: above 0 for it, below against, 0 where
/// it says nothing. A word is text without white space.
pub fn evidence(word: &str) -> i32 {
    let mut reader = WordReader::default();
    for c in word.chars() {
        steps::count(1);
        if !is_invisible(c) {
            reader.push(c);
        }
    }
    reader.finish().clamp(-MOST, MOST)
}

/// Reader of a word, character by character.
#[derive(Default)]
struct WordReader {
    total: i32,
    n_chars: u32,
    n_meaningless: u32,
    n_letters: u32,
    /// Odd signs between letters, outside brackets.
    n_odd: u32,
    /// Odd signs at any place, and the different ones among the first 128 characters as bits.
    n_signs: u32,
    signs: u128,
    brackets: [bool; 2],
    /// Bracket between letters: an insertion of an editor if its partner is there (`[t]he`).
    n_brackets: u32,
    n_changes: u32,
    last_alphabet: Option<Class>,
    /// Odd sign behind a letter.
    open_sign: Option<char>,
    before: Option<char>,
    stretch: Stretch,
}

/// Consecutive letters of one alphabet.
#[derive(Default)]
struct Stretch {
    alphabet: Option<Class>,
    letters: [Option<Letter>; 2],
    score: i32,
    n: u32,
    n_capitals: u32,
    n_inner_capitals: u32,
    n_accented: u32,
    /// Accented letters of stretches of [`MANY_ACCENTS`] and more.
    n_odd_accented: i32,
    /// True if all letters are those of Roman numerals.
    has_other_than_numerals: bool,
    last_is_small: bool,
    after_digit: bool,
}

impl WordReader {
    fn push(&mut self, c: char) {
        self.n_chars = self.n_chars.saturating_add(1);
        if let Some(letter) = Letter::of(c) {
            self.letter(c, letter);
        } else {
            self.close(c.is_numeric());
            self.other(c);
        }
        self.before = Some(c);
    }

    fn letter(&mut self, c: char, letter: Letter) {
        if self.stretch.alphabet.is_some_and(|alphabet| alphabet != letter.alphabet) {
            self.close(false);
        }
        if self.last_alphabet.is_some_and(|last| last != letter.alphabet) {
            self.n_changes = self.n_changes.saturating_add(1);
        }
        self.last_alphabet = Some(letter.alphabet);
        match self.open_sign.take() {
            Some('[' | ']') => self.n_brackets += 1,
            Some(_) => self.n_odd = self.n_odd.saturating_add(1),
            None => {}
        }
        if self.stretch.n == 0 {
            self.stretch.after_digit = self.before.is_some_and(char::is_numeric);
        }
        self.n_letters = self.n_letters.saturating_add(1);
        self.stretch.push(c, letter);
    }

    /// A character that is no letter of an alphabet with a table.
    fn other(&mut self, c: char) {
        self.open_sign = None;
        if is_meaningless(c) {
            self.n_meaningless = self.n_meaningless.saturating_add(1);
        } else if is_cjk(c) {
            let is_han = matches!(u32::from(c), 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..);
            let [known, unknown] = HAN;
            let weight = if is_han && !is_known_han(c) { unknown } else { known };
            self.total = self.total.saturating_add(if is_han { weight } else { SYLLABLE });
        } else if c.is_ascii_digit() {
            self.total = self.total.saturating_add(DIGIT);
        } else if c.is_alphabetic() {
            self.total = self.total.saturating_add(OTHER_LETTER);
        } else if is_odd_sign(c) {
            self.n_signs = self.n_signs.saturating_add(1);
            self.signs |= 1_u128.checked_shl(u32::from(c)).unwrap_or(0);
            match c {
                '[' => self.brackets = [true, self.brackets[1]],
                ']' => self.brackets = [self.brackets[0], true],
                _ => {}
            }
            if self.before.is_some_and(|before| Letter::of(before).is_some()) {
                self.open_sign = Some(c);
            }
        }
    }

    /// Ends the stretch of letters.
    fn close(&mut self, before_digit: bool) {
        let stretch = std::mem::take(&mut self.stretch);
        if !(before_digit || stretch.after_digit) {
            self.total = self.total.saturating_add(stretch.finish());
        }
    }

    fn finish(mut self) -> i32 {
        self.close(false);
        let times = |n: u32, weight: i32| i32::try_from(n).unwrap_or(i32::MAX).saturating_mul(weight);
        if self.n_chars > 1 {
            self.total = self.total.saturating_add(times(self.n_meaningless, MEANINGLESS));
        }
        let is_edited = self.brackets == [true, true];
        let n_odd = self.n_odd.saturating_add(if is_edited { 0 } else { self.n_brackets });
        self.total = self.total.saturating_add(times(n_odd, ODD_SIGN));
        self.total = self.total.saturating_add(times(self.n_changes.saturating_sub(1), MIXED));
        if self.n_letters == 0 && self.signs.count_ones() >= MANY_SIGNS {
            self.total = self.total.saturating_sub(times(self.n_signs, 1));
        }
        self.total
    }
}

impl Stretch {
    fn push(&mut self, c: char, letter: Letter) {
        let [a, b] = self.letters;
        let weight = trigram(letter.alphabet, a, b, Some(letter));
        // An alphabet in its order is a sample of type, or a row of labels.
        let is_next = b.is_some_and(|b| b.index + 1 == letter.index);
        self.score = self.score.saturating_add(if is_next { weight.max(0) } else { weight });
        self.letters = [b, Some(letter)];
        self.alphabet = Some(letter.alphabet);
        self.n = self.n.saturating_add(1);
        let is_capital = c.is_uppercase();
        self.n_capitals += u32::from(is_capital);
        self.n_inner_capitals += u32::from(is_capital && self.last_is_small);
        self.last_is_small = c.is_lowercase();
        self.has_other_than_numerals |=
            !matches!(c.to_ascii_lowercase(), 'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm');
        if letter.alphabet == Class::Latin && !c.is_ascii() {
            self.n_accented += 1;
            if self.n_accented >= MANY_ACCENTS {
                let added = if self.n_accented == MANY_ACCENTS { MANY_ACCENTS } else { 1 };
                self.n_odd_accented = self.n_odd_accented.saturating_add_unsigned(added);
            }
        } else {
            self.n_accented = 0;
        }
    }

    /// Evidence of the stretch.
    fn finish(self) -> i32 {
        let Some(alphabet) = self.alphabet.filter(|_| self.n >= MIN_LETTERS) else { return 0 };
        if self.n_odd_accented > 0 {
            return self.n_odd_accented.saturating_mul(ACCENTED).max(-MOST_OF_STRETCH);
        }
        let [a, b] = self.letters;
        let score = self.score.saturating_add(trigram(alphabet, a, b, None));
        let is_acronym = self.n_capitals == self.n && self.n <= MAX_ACRONYM;
        let score = match score {
            0.. => score,
            _ if !self.has_other_than_numerals => 0,
            _ if is_acronym => score / ACRONYM_SHARE,
            _ => score,
        };
        let n_inner = i32::try_from(self.n_inner_capitals).unwrap_or(i32::MAX);
        score.saturating_add(n_inner.saturating_mul(INNER_CAPITAL)).clamp(-MOST_OF_STRETCH, MOST_OF_STRETCH)
    }
}

/// True for characters that no map of a font should give: of private use, the replacement character, noncharacters.
fn is_meaningless(c: char) -> bool {
    matches!(u32::from(c), 0xFFFD | 0xE000..=0xF8FF | 0xF_0000.. | 0xFDD0..=0xFDEF | 0xFFFE | 0xFFFF)
        || c.is_control()
}

/// True for signs that seldom stand within words: brackets but round ones, signs of computing, currencies.
fn is_odd_sign(c: char) -> bool {
    matches!(c, '!' | '"' | '#' | '$' | '%' | '*' | '+' | ';' | ':' | '<' | '=' | '>' | '?' | '@' | '[' | '\\'
        | ']' | '^' | '_' | '`' | '{' | '|' | '}' | '~' | '\u{80}'..='\u{A0}' | '¡'..='¿' | '×' | '÷')
        && !matches!(c, '·' | '\u{AD}' | 'ª' | 'º')
}
