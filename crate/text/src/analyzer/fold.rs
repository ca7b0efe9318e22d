//! One word to its index form, before stop words and stemming.

use document::Slice as _;
use unicode_normalization::UnicodeNormalization as _;

use crate::chars::is_invisible;

/// The folded form of a word: NFKC, case folded, invisible characters gone, typographic apostrophes made
/// plain, English possessives off, the points of an abbreviation (`U.S.C`) out.
pub fn word(word: &str, term: &mut String) {
    term.clear();
    if word.is_ascii() {
        term.push_str(word);
        term.make_ascii_lowercase();
    } else {
        for c in word.nfkc() {
            push_folded(c, term);
        }
    }
    strip_possessive(term);
    if is_pointed_abbreviation(term) {
        term.retain(|c| c != '.');
    }
}

/// `LowerCaseFilter` after `EnglishPossessiveFilter`: Java lowers code point by code point, without the
/// mappings of one character to several, so only the first of those is taken.
pub fn lucene(word: &str, term: &mut String) {
    term.clear();
    let mut end = word.char_indices().rev();
    let stripped = match (end.next(), end.next()) {
        (Some((_, 's' | 'S')), Some((at, '\'' | '\u{2019}' | '\u{FF07}'))) => word.slice(..at),
        _ => word,
    };
    term.extend(stripped.chars().map(|c| c.to_lowercase().next().unwrap_or(c)));
}

fn push_folded(c: char, term: &mut String) {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' => term.push('\''),
        'ß' | 'ẞ' => term.push_str("ss"),
        'ς' => term.push('σ'),
        c if is_invisible(c) => {}
        c => term.extend(c.to_lowercase()),
    }
}

fn strip_possessive(term: &mut String) {
    if term.ends_with("'s") && term.len() > 2 {
        term.truncate(term.len() - 2);
    }
}

/// Single letters with points between: `u.s.c`, `e.g`, `i.e`.
fn is_pointed_abbreviation(term: &str) -> bool {
    term.contains('.')
        && term.split('.').all(|part| {
            let mut chars = part.chars();
            chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
        })
}
