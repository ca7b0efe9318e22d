//! Tables of contents: their lines name headings and are none.
//!
//! A table begins with its title and ends where the text begins: at the first running text, or at the first
//! paragraph that repeats one of its first entries, which is the heading that the entry named. Entries end in
//! page numbers or do not. Cost: linear in the paragraphs of the pages that a table may cover.

use std::collections::HashSet;

use document::Slice as _;
use text::wording::is_contents_title;

use crate::page::{Line, Paragraph};
use crate::typography::{ends_in_page_number, is_prose};

/// Pages that a table may run over, and one more for this many pages of the document.
const MAX_PAGES: u32 = 4;
const PAGES_A_PAGE: u32 = 30;
/// Entries at the start of a table with one of which the text begins.
const FIRST_ENTRIES: usize = 4;
/// Fewest entries of a table.
const MIN_ENTRIES: usize = 3;

/// For each paragraph, whether it is part of a table of contents (its title is not).
pub(crate) fn find(paragraphs: &[Paragraph]) -> Vec<bool> {
    let mut contents = vec![false; paragraphs.len()];
    let n_pages = paragraphs.last().map_or(0, |last| last.page().0 + 1);
    let max_pages = MAX_PAGES + n_pages / PAGES_A_PAGE;
    let mut at = 0;
    while at < paragraphs.len() {
        let Some(title) = (at..paragraphs.len())
            .find(|&i| paragraphs.get(i).is_some_and(|p| p.lines.len() <= 2 && is_contents_title(&p.text())))
        else {
            break;
        };
        let end = end(paragraphs, title, max_pages);
        let entries = paragraphs.slice(title + 1..end);
        if entries.iter().map(|paragraph| paragraph.lines.len()).sum::<usize>() >= MIN_ENTRIES {
            for (slot, paragraph) in contents.iter_mut().zip(paragraphs).take(end).skip(title + 1) {
                *slot = !is_contents_title(&paragraph.text());
            }
        }
        at = end.max(title + 1);
    }
    contents
}

/// Where the table below this title ends.
fn end(paragraphs: &[Paragraph], title: usize, max_pages: u32) -> usize {
    let first_page = paragraphs.get(title).map_or(0, |paragraph| paragraph.page().0);
    let mut first: HashSet<String> = HashSet::new();
    let mut last_entry = title;
    for (at, paragraph) in paragraphs.iter().enumerate().skip(title + 1) {
        if paragraph.page().0 > first_page + max_pages {
            return last_entry + 1;
        }
        let has_number = paragraph.lines.iter().any(ends_in_page_number)
            || !paragraph.cells.is_empty() && paragraph.lines.iter().any(|line| is_page(&line.text()));
        if has_number {
            last_entry = at;
        } else if is_prose(paragraph) {
            // What stands between the last entry with a number and the text heads the text, if it is not on
            // a page before it.
            let page = paragraphs.get(last_entry).map_or(0, |entry| entry.page().0);
            return match last_entry > title {
                true if page < paragraph.page().0 => {
                    let rest = paragraphs.iter().enumerate().skip(last_entry + 1);
                    rest.take_while(|(_, other)| other.page().0 <= page).last().map_or(last_entry, |(i, _)| i)
                        + 1
                }
                true => last_entry + 1,
                false => at.saturating_sub(1).max(title + 1),
            };
        }
        for line in paragraph.lines.iter().take(2) {
            let key = key(line);
            if key.chars().count() < 2 || key == "page" {
                continue;
            }
            if first.contains(&key) {
                return at;
            }
            if first.len() < FIRST_ENTRIES {
                first.insert(key);
            }
        }
    }
    last_entry + 1
}

fn is_page(text: &str) -> bool {
    !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit())
}

/// The letters and digits of an entry without the page number at its end.
fn key(line: &Line) -> String {
    let n = line.words.len() - usize::from(ends_in_page_number(line));
    let chars = line.words.iter().take(n).flat_map(|word| word.text.chars());
    chars.filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
