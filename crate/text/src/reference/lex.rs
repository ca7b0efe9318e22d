//! The tokens that references are made of.
//!
//! One pass over a line: words, provision numbers ("3.2.1R", "12A", "A11.2"), bracketed parts ("(a)",
//! "(12)"), signs and punctuation. Invisible characters, which writers of rulebooks put into
//! cross-references, belong to whatever they stand in. Figures that are no provision numbers (1,000; 12 %;
//! 1st; digits without end) come out as [`TokenKind::Other`].

use document::Slice as _;

use crate::chars::{is_cjk, is_invisible};
use crate::steps;

/// Kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, with the stops of an abbreviation inside ("U.S.C"), hyphens and apostrophes.
    Word,
    /// A provision number.
    Number,
    /// A bracketed letter, numeral or number.
    Group,
    /// `§`.
    Sign,
    Comma,
    Stop,
    Dash,
    Slash,
    Open,
    Close,
    Quote,
    /// Anything else.
    Other,
}

/// A token at its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// True if white space stands before it.
    pub(super) gap: bool,
}

/// Longest provision number in bytes.
const MAX_NUMBER: usize = 40;
/// Most digits of one component.
const MAX_DIGITS: usize = 5;

/// Adds the tokens of `line`, which begins at byte `base` of the text.
pub(super) fn lex(line: &str, base: usize, tokens: &mut Vec<Token>) {
    let mut at = 0;
    let mut gap = true;
    while let Some(c) = peek(line, at) {
        steps::count(1);
        if is_invisible(c) {
            at += c.len_utf8();
            continue;
        }
        if c.is_whitespace() {
            gap = true;
            at += c.len_utf8();
            continue;
        }
        let (kind, end) = match c {
            '0'..='9' => read_number(line, at),
            '(' => match read_group(line, at) {
                Some(end) => (TokenKind::Group, end),
                None => (TokenKind::Open, at + 1),
            },
            '§' => (TokenKind::Sign, at + c.len_utf8()),
            ',' => (TokenKind::Comma, at + 1),
            '.' => (TokenKind::Stop, at + 1),
            '-' | '–' | '—' | '‑' | '‐' => (TokenKind::Dash, at + c.len_utf8()),
            '/' => (TokenKind::Slash, at + 1),
            '[' => (TokenKind::Open, at + 1),
            ')' | ']' => (TokenKind::Close, at + 1),
            '"' | '“' | '”' | '\'' | '‘' | '’' | '«' | '»' => (TokenKind::Quote, at + c.len_utf8()),
            _ if c.is_alphabetic() && !is_cjk(c) => read_word(line, at),
            _ => (TokenKind::Other, at + c.len_utf8()),
        };
        tokens.push(Token { kind, start: base + at, end: base + end, gap });
        gap = false;
        at = end;
    }
}

fn peek(line: &str, at: usize) -> Option<char> {
    line.get(at..).and_then(|rest| rest.chars().next())
}

/// The first visible character at or after `at` and where it ends.
fn visible(line: &str, at: usize) -> Option<(char, usize)> {
    let mut end = at;
    for c in line.get(at..)?.chars() {
        steps::count(1);
        end += c.len_utf8();
        if !is_invisible(c) {
            return Some((c, end));
        }
    }
    None
}

/// A number that begins with a digit at `at`.
fn read_number(line: &str, at: usize) -> (TokenKind, usize) {
    let mut end = at;
    let mut sound = true;
    let mut mixed = false;
    loop {
        // Digits.
        let mut n_digits = 0;
        while let Some((c, next)) = visible(line, end) {
            if !c.is_ascii_digit() {
                break;
            }
            n_digits += 1;
            end = next;
        }
        sound &= n_digits <= MAX_DIGITS && end - at <= MAX_NUMBER;
        // "12A", "78aa", "3.2.1R".
        let (n_letters, letters_end) = letters_at(line, end);
        let letters = line.slice(end..letters_end);
        let ordinal = matches!(letters, "st" | "nd" | "rd" | "th");
        if n_letters > 0 {
            if n_letters > 2 || ordinal {
                sound = false;
            }
            end = letters_end;
            // "10b5-1", "15c2-12": figures go on behind a single letter, once.
            if n_letters == 1 && !mixed && visible(line, end).is_some_and(|(c, _)| c.is_ascii_digit()) {
                mixed = true;
                continue;
            }
        }
        let Some(('.', dot)) = visible(line, end) else { break };
        match (visible(line, dot), visible(line, dot).and_then(|(_, next)| visible(line, next))) {
            (Some((c, _)), _) if c.is_ascii_digit() => {
                end = dot;
            }
            // "4.2.A.1", "11.A11.2": a letter with a number.
            (Some((c, letter)), Some((d, _)))
                if c.is_ascii_alphabetic()
                    && (d.is_ascii_digit()
                        || (d == '.' && peek(line, letter + 1).is_some_and(|e| e.is_ascii_digit()))) =>
            {
                end = letter;
                if d == '.' {
                    end = letter + 1;
                }
            }
            _ => break,
        }
    }
    sound &= !is_amount(line, end);
    (if sound { TokenKind::Number } else { TokenKind::Other }, end)
}

/// The number of letters at `at`, and their end.
fn letters_at(line: &str, at: usize) -> (usize, usize) {
    let (mut n_letters, mut end) = (0, at);
    while let Some((c, next)) = visible(line, end) {
        if !c.is_alphabetic() || is_cjk(c) {
            break;
        }
        n_letters += 1;
        end = next;
    }
    (n_letters, end)
}

/// True if what stands behind the figures that end at `at` makes them an amount or a time: "1,000", "12%", "5:30".
fn is_amount(line: &str, at: usize) -> bool {
    match visible(line, at) {
        Some((',', comma)) => line.slice(comma..).bytes().take(4).take_while(u8::is_ascii_digit).count() == 3,
        Some((':', _)) => colon_digit(line, at),
        Some((c, _)) => matches!(c, '%' | '‰' | '°' | '_'),
        None => false,
    }
}

fn colon_digit(line: &str, at: usize) -> bool {
    line.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit)
}

/// The end of "(a)", "(12)", "(iv)", "(1A)" at `at`.
fn read_group(line: &str, at: usize) -> Option<usize> {
    let mut inner = String::new();
    let mut end = at + 1;
    loop {
        let (c, next) = visible(line, end)?;
        end = next;
        match c {
            ')' => break,
            ' ' if inner.is_empty() => {}
            _ if c.is_ascii_alphanumeric() && inner.len() < 6 => inner.push(c),
            _ => return None,
        }
    }
    is_part(&inner).then_some(end)
}

/// True for the inside of a provision's bracketed part: "a", "12", "iv", "1A".
fn is_part(inner: &str) -> bool {
    let letters = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let n_digits = inner.len() - letters.len();
    if n_digits > 0 {
        return n_digits <= 3 && letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_alphabetic());
    }
    let mut bytes = letters.bytes();
    match (bytes.next(), bytes.next(), bytes.next()) {
        (Some(_), None, _) => true,
        (Some(a), Some(b), None) if a == b || (a.is_ascii_lowercase() && b.is_ascii_lowercase()) => true,
        (Some(_), Some(_), _) => crate::numerals::roman(letters).is_some(),
        _ => false,
    }
}

/// A word, or a number that a letter opens ("A11.2").
fn read_word(line: &str, at: usize) -> (TokenKind, usize) {
    let mut end = at;
    let mut n_piece = 0;
    let mut joined = false;
    while let Some((c, next)) = visible(line, end) {
        if c.is_alphabetic() && !is_cjk(c) {
            n_piece += 1;
            end = next;
            continue;
        }
        let after = visible(line, next).map(|(after, _)| after);
        let letter_after = after.is_some_and(|after| after.is_alphabetic() && !is_cjk(after));
        let joins = match c {
            // "U.S.C": single letters only, so that a missing space after a full stop joins no words.
            '.' => letter_after && n_piece <= 1,
            '-' | '\'' | '’' | '‑' | '‐' => letter_after,
            _ => false,
        };
        if !joins {
            break;
        }
        joined = true;
        n_piece = 0;
        end = next;
    }
    let digit = visible(line, end).is_some_and(|(c, _)| c.is_ascii_digit());
    if !digit || joined {
        return (TokenKind::Word, end);
    }
    let letters = line.slice(at..end);
    if letters.len() == 1 && letters.bytes().all(|b| b.is_ascii_uppercase()) {
        let (kind, end) = read_number(line, end);
        return (kind, end);
    }
    if super::words::provision(letters).is_some() || letters.len() <= 3 {
        // "App5", "s12": the number is a token of its own.
        return (TokenKind::Word, end);
    }
    // "covid19": no word of ours.
    let (_, end) = read_number(line, end);
    (TokenKind::Other, end)
}
