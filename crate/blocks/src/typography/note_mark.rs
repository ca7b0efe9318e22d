//! Marks of notes, where they begin a note and where the text refers to it: "3", `[3]`, "(a)", "†", "①".

use std::borrow::Cow;

use crate::page::{Line, Word};
use crate::typography::script::superscript;

/// A mark at the start of a line: its text, how many words it takes, and whether it is raised.
pub(crate) struct LeadingMark {
    pub marker: String,
    pub n_words: usize,
    pub raised: bool,
    /// A full stop follows it, as in lists.
    pub dotted: bool,
}

/// The mark that a line starts with, if it does.
pub(crate) fn leading_mark(line: &Line) -> Option<LeadingMark> {
    let first = line.words.first()?;
    let second = line.words.get(1);
    let raised =
        first.raised || (first.size < 0.8 * line.size && first.baseline < line.baseline - 0.1 * line.size);
    let text = bare_mark(&first.text);
    if text == "[" || first.text.starts_with('[') {
        // "[3]" is one word.
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        return (is_mark(inner) && second.is_some()).then(|| LeadingMark {
            marker: inner.to_owned(),
            n_words: 1,
            raised,
            dotted: false,
        });
    }
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if let Some(inner) = inner {
        let is_letter =
            inner.len() == 1 && inner.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        return (is_letter && second.is_some()).then(|| LeadingMark {
            marker: text.to_string(),
            n_words: 1,
            raised,
            dotted: false,
        });
    }
    let bare = text.strip_suffix('.').filter(|_| !raised).unwrap_or(&text);
    if !is_mark(bare) || second.is_none() {
        return None;
    }
    let is_letter = bare.bytes().all(|b| b.is_ascii_alphabetic());
    let dotted = bare.len() < text.len();
    (raised || !is_letter).then(|| LeadingMark { marker: bare.to_owned(), n_words: 1, raised, dotted })
}

/// True if a text has the form of a note's mark.
fn is_mark(text: &str) -> bool {
    let is_number = !text.is_empty()
        && text.len() <= 4
        && text.bytes().all(|b| b.is_ascii_digit())
        && !text.starts_with('0');
    let is_letter = text.len() == 1 && text.bytes().all(|b| b.is_ascii_lowercase());
    is_number || is_letter || is_symbol(text) || is_circled(text)
}

pub(crate) fn is_symbol(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    text.chars().count() <= 4
        && matches!(first, '*' | '†' | '‡' | '§' | '¶' | '#' | '∗' | '‖' | '＊' | '※' | '◊')
        && chars.all(|c| c == first)
}

pub(crate) fn is_circled(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| ('①'..='⑳').contains(&c)) && chars.next().is_none()
}

/// The place of a mark in its sequence.
pub(crate) fn ordinal(marker: &str) -> Option<u32> {
    let bare = marker.trim_matches(['(', ')', '[', ']']);
    if let Ok(n) = bare.parse() {
        return Some(n);
    }
    let mut chars = bare.chars();
    match (chars.next(), chars.next()) {
        (Some(c @ 'a'..='z'), None) => Some(u32::from(c) - u32::from('a') + 1),
        (Some(c @ '①'..='⑳'), None) => Some(u32::from(c) - u32::from('①') + 1),
        _ => None,
    }
}

/// A mark's text with superscript characters as plain ones. It is asked of every word, few of which have any.
pub(crate) fn bare_mark(text: &str) -> Cow<'_, str> {
    let is_plain = text.is_ascii() || text.chars().all(|c| superscript(c).is_none());
    if is_plain {
        return Cow::Borrowed(without_slash(text));
    }
    let digits: String = text.chars().map(|c| superscript(c).unwrap_or(c)).collect();
    Cow::Owned(without_slash(&digits).to_owned())
}

/// "1" of "1/", as older agency papers print it.
fn without_slash(digits: &str) -> &str {
    match digits.strip_suffix('/') {
        Some(bare) if !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit()) => bare,
        _ => digits,
    }
}

/// The numbers that a raised or bracketed word prints: "3", "1,2", "\[4\]"; none for other words.
pub(crate) fn raised_numbers(word: &Word) -> Vec<String> {
    let text = bare_mark(&word.text);
    let is_bracketed = text.starts_with('[') && text.ends_with(']') && text.len() > 2;
    if !word.raised && !is_bracketed {
        return Vec::new();
    }
    let parts: Vec<&str> = text
        .trim_matches(['[', ']'])
        .split([',', ';', '-', '–'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let is_number = |part: &&str| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    if parts.iter().all(is_number) { parts.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// True if a raised number is an exponent of the word before it: "m²", "10⁶".
pub(crate) fn is_exponent(prev: &Word, word: &Word) -> bool {
    const UNITS: [&str; 14] =
        ["m", "km", "cm", "mm", "dm", "ft", "in", "yd", "mi", "sq", "ha", "µm", "nm", "kg/m"];
    let touches = word.rect.x0 - prev.rect.x1 < 0.2 * prev.size;
    let is_unit = UNITS.contains(&prev.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'))
        && matches!(&*bare_mark(&word.text), "2" | "3" | "-1" | "-2" | "-3");
    let is_power = (prev.text == "10" || prev.text.ends_with("×10") || prev.text.ends_with("x10"))
        && bare_mark(&word.text).bytes().all(|b| b.is_ascii_digit() || b == b'-');
    touches && (is_unit || is_power)
}
