//! Entries of tables of contents, known by the page number at their end.

use crate::page::Line;

/// True if a line is an entry of a table of contents: a number at its end, behind leaders or wide white.
pub(crate) fn ends_in_page_number(line: &Line) -> bool {
    let [.., before, last] = line.words.as_slice() else { return false };
    let is_number = last.text.len() <= 5
        && (last.text.bytes().all(|b| b.is_ascii_digit())
            || last.text.bytes().all(|b| b.is_ascii_lowercase())
                && text::numerals::long_roman(&last.text).is_some());
    let is_leader = before.text.chars().all(|c| matches!(c, '.' | '…' | '·')) && before.text.len() >= 3
        || line.words.iter().rev().skip(1).take(3).all(|word| word.text == ".");
    let is_far = last.rect.x0 - before.rect.x1 > 1.5 * line.size && line.words.len() >= 3;
    let starts_with_text =
        line.words.first().is_some_and(|word| word.text.chars().any(char::is_alphanumeric));
    is_number && starts_with_text && (is_leader || is_far)
}
