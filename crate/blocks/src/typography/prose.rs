//! Running text, told from titles, addresses and tables.

use document::BlockKind;

use crate::page::{Line, Paragraph};
use crate::typography::script::is_unspaced;

/// Fewest characters of a paragraph that is running text.
const MIN_CHARS: usize = 90;

/// True if a paragraph is running text: several lines, most of which go on within a sentence.
pub(crate) fn is_prose(paragraph: &Paragraph) -> bool {
    let n_chars: usize = paragraph.lines.iter().map(Line::n_chars).sum();
    if paragraph.kind == BlockKind::Table || paragraph.lines.len() < 2 || n_chars < MIN_CHARS {
        return false;
    }
    let starts = || paragraph.lines.iter().skip(1).filter_map(|line| line.words.first());
    let goes_on = |text: &str| {
        text.starts_with(|c: char| c.is_lowercase() || is_unspaced(c)) && !text.contains('@')
            || text.starts_with(|c: char| c.is_numeric()) && !text.contains('.')
    };
    let n_going_on = starts().filter(|word| goes_on(&word.text)).count();
    let is_loud = paragraph.lines.iter().all(|line| line.style.caps);
    !is_loud && !paragraph.centered && n_going_on * 5 >= (paragraph.lines.len() - 1) * 2
}
