//! Tables of contents: their lines look like the headings they list, and would be the same sections twice.
//!
//! After a heading that says "Contents", headings belong to the table until the first one that has stood in it
//! among its first lines: that is where the text begins. Cost: linear in headings.

use std::collections::HashSet;

use document::{Layout, Slice as _};
use text::wording::is_contents_title;

use crate::heading::Heading;

/// Entries at the start of a table with one of which the text begins.
const FIRST_ENTRIES: usize = 4;
/// Most bytes of text behind a line of a table, on average.
const MAX_TEXT: u32 = 80;
/// Pages that a table of contents may run over, and one more for this many pages of the document.
const MAX_PAGES: u32 = 3;
const PAGES_A_PAGE: usize = 40;

/// Takes out the headings that are lines of a table of contents.
pub(crate) fn remove_entries(layout: &Layout, headings: &mut Vec<Heading>) {
    let max_pages = MAX_PAGES + u32::try_from(layout.pages.len() / PAGES_A_PAGE).unwrap_or(0);
    let Some(table) = headings.iter().position(|heading| is_contents_title(&heading.title)) else { return };
    let first_page = headings.get(table).and_then(|heading| heading.page).map_or(0, |page| page.0);
    let mut seen: HashSet<String> = HashSet::new();
    let end = headings.iter().enumerate().skip(table + 1).find_map(|(at, heading)| {
        let far = heading.page.is_some_and(|page| page.0 > first_page + max_pages);
        if far {
            return Some(None);
        }
        let key = key(heading);
        if seen.contains(&key) {
            return Some(Some(at));
        }
        if !key.is_empty() && seen.len() < FIRST_ENTRIES {
            seen.insert(key);
        }
        None
    });
    if let Some(Some(end)) = end {
        let text: u32 = headings
            .slice(table..end)
            .windows(2)
            .map(|pair| pair[1].range.start.saturating_sub(pair[0].range.end))
            .sum();
        // Text between them makes them headings.
        let n_entries = u32::try_from(end - table).unwrap_or(u32::MAX);
        if text <= MAX_TEXT.saturating_mul(n_entries) {
            headings.drain(table + 1..end);
        }
    }
}

/// Key that a heading shares with its line in the table: the number, or the title without a page number.
fn key(heading: &Heading) -> String {
    match &heading.number {
        Some(number) if number.kind.is_named() || number.values.len() > 1 => number.label.key.clone(),
        _ => heading
            .title
            .trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '.')
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect(),
    }
}
