//! Segments: the pieces of a line that may be cells, parted by white that a word space never has.
//!
//! Figures tell more than white does: a currency sign belongs to the figure behind it however far away it is
//! set, a closing parenthesis or per cent sign to the one before it, and two figures that stand half their size
//! apart are two cells. Leaders (rows of dots) are white. Cost: linear in the words.

use std::ops::Range;

use crate::page::{Line, Word};

/// White this wide, in multiples of the type size, parts cells.
const MIN_GAP: f32 = 0.8;
/// The same between two figures.
const MIN_FIGURE_GAP: f32 = 0.5;
/// Largest distance between a currency sign and its figure, in points.
const MAX_CURRENCY_GAP: f32 = 14.0;

/// A piece of a line.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Positions of its words in the line.
    pub words: Range<usize>,
    /// Left edge of its words.
    pub x0: f32,
    /// Right edge of its words, leaders left out.
    pub x1: f32,
    /// It is an amount, a date or a dash that stands for none.
    pub is_figure: bool,
}

/// The segments of a line from the left.
pub(crate) fn segments(line: &Line) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let words = &line.words;
    let mut start = 0;
    for i in 1..=words.len() {
        let is_end = match (words.get(i - 1), words.get(i)) {
            (Some(a), Some(b)) => is_parted(a, b, line.size, is_figure_at(words, start, i)),
            _ => true,
        };
        if is_end {
            segments.extend(segment(words, start..i));
            start = i;
        }
    }
    segments
}

fn segment(words: &[Word], range: Range<usize>) -> Option<Segment> {
    let own = words.get(range.clone())?;
    let x0 = own.first()?.rect.x0;
    let text_end = own.iter().rev().find(|word| !is_leader(word)).or(own.last())?;
    let is_figure = own.iter().filter(|word| !is_leader(word)).all(|word| is_figure(&word.text));
    Some(Segment { words: range, x0, x1: text_end.rect.x1, is_figure })
}

/// True if the words from `start` to before `end` are figures and nothing else.
fn is_figure_at(words: &[Word], start: usize, end: usize) -> bool {
    words.get(start..end).is_some_and(|own| own.iter().all(|word| is_figure(&word.text)))
}

fn is_parted(a: &Word, b: &Word, em: f32, after_figure: bool) -> bool {
    let gap = (b.rect.x0 - a.rect.x1) / em.max(0.1);
    if is_leader(a) && !is_leader(b) {
        return gap > 0.1 || is_figure(&b.text);
    }
    if is_leader(b) && !is_leader(a) {
        return false;
    }
    if is_currency(&a.text) {
        return gap > MAX_CURRENCY_GAP || !is_figure(&b.text) && gap > MIN_GAP;
    }
    if is_closing(&b.text) {
        return gap > 1.5;
    }
    if after_figure && is_currency(&b.text) {
        return gap > 0.2;
    }
    let figures = after_figure && is_figure(&b.text);
    gap >= if figures { MIN_FIGURE_GAP } else { MIN_GAP }
}

/// True if a word is a row of dots or underscores that leads the eye, or a piece of one.
pub(crate) fn is_leader(word: &Word) -> bool {
    let text = word.text.as_str();
    !text.is_empty()
        && text.chars().all(|c| matches!(c, '.' | '…' | '·' | '_'))
        && (text.chars().count() >= 2 || text == "." && word.spaced || text == "…" || text == "·")
}

/// Signs of currencies.
const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '￥'];

fn is_currency(text: &str) -> bool {
    let bare = text.trim_start_matches('(');
    (bare.ends_with(CURRENCIES) || matches!(bare, "USD" | "EUR" | "GBP" | "RMB")) && bare.chars().count() <= 4
}

fn is_closing(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| matches!(c, '%' | ')' | '％' | '）'))
        && text.chars().count() <= 2
}

/// True if a word begins with a letter and has neither a digit nor a sign of a currency, as most words: it is no figure. Words in
/// place of a figure and codes of currencies are shorter.
fn is_plain_word(text: &str) -> bool {
    text.len() > 3
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.bytes().any(|byte| byte.is_ascii_digit())
        && !text.ends_with(CURRENCIES)
}

/// Words that stand in place of a figure.
const NIL: [&str; 15] =
    ["-", "–", "—", "--", "---", "N/A", "n/a", "nil", "Nil", "*", "✓", "✗", "x", "X", "●"];
/// Signs that are no figure alone; others decode from the ticks and boxes of symbol fonts.
const PUNCTUATION: &str = ".,;:!?&/'\"“”‘’([";
/// Signs that stand among the digits of a figure.
const FIGURE_SIGNS: &str = "$€£¥%(),.-–+/*†‡[]−~<>=";

/// True if a word is a figure: mostly digits, or a sign that stands in place of one.
pub(crate) fn is_figure(text: &str) -> bool {
    if is_plain_word(text) {
        return false;
    }
    let mut chars = text.chars();
    let is_sign = chars.next().is_some_and(|c| !c.is_alphanumeric() && !PUNCTUATION.contains(c))
        && chars.next().is_none();
    if NIL.contains(&text) || is_sign || is_currency(text) || is_closing(text) {
        return true;
    }
    let bare = text.trim_start_matches(['(', '$', '€', '£', '¥']);
    if bare.len() < text.len() && matches!(bare, "-" | "–" | "—" | "--") {
        return true;
    }
    let n_chars = text.chars().count();
    let n_digits = text.chars().filter(char::is_ascii_digit).count();
    let n_signs = text.chars().filter(|&c| FIGURE_SIGNS.contains(c)).count();
    n_digits > 0 && !text.ends_with('-') && n_digits + n_signs + 1 >= n_chars && n_digits * 5 >= n_chars * 2
}
