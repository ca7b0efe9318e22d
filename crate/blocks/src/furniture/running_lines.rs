//! Running lines and page numbers.
//!
//! A running line is known by its repetition: a row near the top or bottom of a page whose words, digits
//! folded, stand at the same height on a page one or two leaves away (left and right pages alternate). A page
//! number is known by counting with the pages. Rows are peeled from the edge inwards, so that a line of the
//! body that happens to recur stays where it is.
//!
//! Cost: linear in the words, with a small constant number of rows compared per page.

use document::{Furniture, FurnitureKind, Rect, Slice as _};
use ecow::EcoString;

use crate::furniture::page_number::{NumberForm, PageNumber, label, page_number};
use crate::page::{PageWords, Word};
use crate::typography::{Row, rows};

/// Rows looked at from each edge of a page.
const DEPTH: usize = 5;
/// Rows below that tell whether a row is the head of a table.
const REACH: usize = 24;
/// Fewest of them under it.
const MIN_UNDER: usize = 3;
/// Largest distance between rows of two pages that are one running line, in multiples of the type size: a row is as
/// high as its highest word, and left and right pages are trimmed apart.
const DRIFT: f32 = 0.5;
/// Share of their characters that two rows must have in common.
const ALIKE: f32 = 0.75;

/// Takes the running lines and page numbers out of the pages; returns for each page the number printed on it.
pub(crate) fn take(pages: &mut [PageWords], found: &mut Vec<Furniture>) -> Vec<Option<String>> {
    let mut labels: Vec<Option<String>> = vec![None; pages.len()];
    let edges: Vec<PageEdges> = pages.iter().map(PageEdges::of).collect();
    for (at, page) in pages.iter_mut().enumerate() {
        for (side, kind) in [(Side::Top, FurnitureKind::Header), (Side::Bottom, FurnitureKind::Footer)] {
            let mut taken: Vec<&EdgeRow> = peel(&edges, at, side);
            // On a page of a few rows both edges see the same ones: what the top has taken is gone.
            let is_left = |&word: &usize| page.words.get(word).is_some_and(|word| !word.text.is_empty());
            taken.retain(|edge| edge.row.words.iter().any(is_left));
            taken.sort_by(|a, b| a.row.baseline.total_cmp(&b.row.baseline));
            if let Some(label) = labels.get_mut(at).filter(|label| label.is_none()) {
                *label = printed_label(&edges, at, &taken, side);
            }
            for edge in &taken {
                found.push(Furniture {
                    kind,
                    text: edge.text.clone(),
                    page: page.page,
                    rect: page.frame.shown_rect(&edge.row.rect),
                });
            }
            // Positions of the rows refer to the sheet as it was, so words are emptied here, dropped below.
            for word in taken.iter().flat_map(|edge| &edge.row.words) {
                if let Some(word) = page.words.get_mut(*word) {
                    word.text = EcoString::new();
                }
            }
        }
        page.words.retain(|word| !word.text.is_empty());
    }
    labels
}

/// The page number among these rows, as printed: one that stands alone rather than one at the end of a line.
fn printed_label(edges: &[PageEdges], page: usize, taken: &[&EdgeRow], side: Side) -> Option<String> {
    let numbered = || taken.iter().filter_map(|edge| Some((*edge, edge.number?)));
    let is_counted = |(edge, number): &(&EdgeRow, PageNumber)| counts(edges, page, edge, *number, side);
    let alone = numbered().filter(|(edge, _)| edge.is_number()).find(is_counted);
    let found = alone.or_else(|| numbered().find(is_counted))?;
    label(&found.0.text)
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Top,
    Bottom,
}

/// The rows near the edges of a page, from the edge inwards.
struct PageEdges {
    top: Vec<EdgeRow>,
    bottom: Vec<EdgeRow>,
    height: f32,
}

struct EdgeRow {
    row: Row,
    text: String,
    /// Its words with digits folded and their lengths, sorted.
    folded: Vec<String>,
    /// Its numbers, sorted.
    numbers: Vec<u64>,
    /// The page number, if it is one or ends in one.
    number: Option<PageNumber>,
    /// It stands in cells like the row inwards of it: the head of a table that goes on from page to page.
    is_table: bool,
    /// Its pieces stand over those of a row below: the names of a table's columns.
    is_head: bool,
    /// White between this row and the next one inwards.
    gap: f32,
}

impl EdgeRow {
    /// True if it is a page number and nothing else.
    fn is_number(&self) -> bool {
        self.number.is_some_and(|number| number.form != NumberForm::AtEnd)
    }
}

impl PageEdges {
    fn of(page: &PageWords) -> Self {
        let mut rows = rows(&page.words);
        // The rows of a long table are no running lines, however alike those of two pages are.
        rows.retain(|row| !page.grids.iter().take(64).any(|grid| grid.is_long() && grid.holds(&row.rect)));
        let (_, height) = page.frame.size();
        let edge = |at: usize, inner: Option<usize>| -> Option<EdgeRow> {
            let row = rows.get(at)?.clone();
            let text = row.text(&page.words);
            let mut folded: Vec<String> = text.split_whitespace().map(fold).collect();
            folded.sort_unstable();
            let gap = inner
                .and_then(|i| rows.get(i))
                .map_or(f32::INFINITY, |next| (next.rect.y0 - row.rect.y1).max(row.rect.y0 - next.rect.y1));
            let numbers = numbers(&text);
            let n_cells = |row: &Row| n_cells(row, &page.words);
            let is_table =
                n_cells(&row) >= 3 && inner.and_then(|i| rows.get(i)).is_some_and(|next| n_cells(next) >= 3);
            let below = rows.slice(at + 1..(at + 1 + REACH).min(rows.len()));
            let is_head = n_cells(&row) >= 3
                && below.iter().filter(|next| stands_over(&row, next, &page.words)).count() >= MIN_UNDER;
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|i| rows.get(i));
            let is_mark = beside.into_iter().any(|other| stands_beside(&row, other));
            let number = page_number(&text).filter(|_| !is_mark);
            Some(EdgeRow { is_table, is_head, number, numbers, row, text, folded, gap })
        };
        let top = (0..rows.len().min(DEPTH)).filter_map(|i| edge(i, Some(i + 1)));
        let bottom = (0..rows.len().min(DEPTH)).filter_map(|i| {
            let at = rows.len() - 1 - i;
            edge(at, at.checked_sub(1))
        });
        Self {
            top: top.filter(|edge| edge.row.rect.y0 < 0.3 * height).collect(),
            // A page that ends early may have its number right below the text.
            bottom: bottom.filter(|edge| edge.row.rect.y1 > 0.7 * height || edge.is_number()).collect(),
            height,
        }
    }

    fn side(&self, side: Side) -> &[EdgeRow] {
        match side {
            Side::Top => &self.top,
            Side::Bottom => &self.bottom,
        }
    }
}

/// True if the pieces of a row stand over those of a row below, one over one; labels of rows may be set in.
fn stands_over(row: &Row, below: &Row, words: &[Word]) -> bool {
    let (a, b) = (extents(row, words), extents(below, words));
    let pairs = || a.iter().zip(&b).skip(1);
    a.len() >= 3
        && a.len() == b.len()
        && pairs().all(|(x, y)| x.0 < y.1 && x.1 > y.0)
        && pairs().any(|(x, y)| (x.0 - y.0).abs() < 2.0 || (x.1 - y.1).abs() < 2.0)
}

/// From where to where the pieces of a row with wide white between them reach.
fn extents(row: &Row, words: &[Word]) -> Vec<(f32, f32)> {
    let mut extents: Vec<(f32, f32)> = Vec::new();
    for rect in row.words.iter().filter_map(|&i| words.get(i)).map(|word| &word.rect) {
        match extents.last_mut() {
            Some(last) if rect.x0 - last.1 <= 0.8 * row.size => last.1 = rect.x1,
            _ => extents.push((rect.x0, rect.x1)),
        }
    }
    extents
}

/// Number of parts of a row, separated by wide white.
fn n_cells(row: &Row, words: &[Word]) -> usize {
    let rects: Vec<&Rect> = row.words.iter().filter_map(|&i| words.get(i)).map(|word| &word.rect).collect();
    1 + rects.windows(2).filter(|pair| pair[1].x0 - pair[0].x1 > 0.8 * row.size).count()
}

/// True if a row touches another one at its side, as a raised mark does the line that it belongs to.
fn stands_beside(row: &Row, other: &Row) -> bool {
    let gap = (other.rect.x0 - row.rect.x1).max(row.rect.x0 - other.rect.x1);
    row.rect.y_overlap(&other.rect) > 0.2 * row.rect.height() && gap < 0.6 * other.size
}

/// The rows of one edge of a page that are furniture: from the edge inwards as long as they are, and beyond
/// that only what recurs on most pages.
fn peel(edges: &[PageEdges], page: usize, side: Side) -> Vec<&EdgeRow> {
    // With each row, whether it stands on several pages near by word for word.
    let mut taken: Vec<(&EdgeRow, bool)> = Vec::new();
    let Some(own) = edges.get(page) else { return Vec::new() };
    let mut at_edge = true;
    for (depth, row) in own.side(side).iter().enumerate() {
        // At the very edge numbers may differ freely (sections, dates); further in they must count with the
        // pages, so that notes and lines of tables that only resemble each other stay.
        let recurs_on = |other: usize| {
            let step = other as i64 - page as i64;
            let there = edges.get(other).filter(|_| other != page);
            there.is_some_and(|there| recurs(row, own, there, side, (depth > 0).then_some(step)))
        };
        let near = (page.saturating_sub(2)..=page + 2).filter(|&other| recurs_on(other)).count();
        let near = if row.is_head || row.is_table && row.gap < 1.2 * row.row.size { 0 } else { near };
        let is_number = row.number.is_some_and(|number| counts(edges, page, row, number, side));
        let is_apart = row.gap > 0.5 * row.row.size;
        if (at_edge && (near >= 1 || is_number)) || (near >= 3 && is_apart) {
            let is_constant = near >= 2 && row.numbers.is_empty();
            taken.push((row, is_constant));
        } else {
            at_edge = false;
        }
    }
    // What runs into the text without white belongs to it: two pages may begin with the same paragraph.
    while taken
        .last()
        .is_some_and(|(row, is_constant)| row.gap < 0.45 * row.row.size && !row.is_number() && !is_constant)
    {
        taken.pop();
    }
    taken.into_iter().map(|(row, _)| row).collect()
}

/// True if the row stands on another page too, at the same distance from the edge. With a step its numbers
/// must be the same or count by it.
fn recurs(row: &EdgeRow, own: &PageEdges, other: &PageEdges, side: Side, step: Option<i64>) -> bool {
    let from_edge = |row: &EdgeRow, edges: &PageEdges| match side {
        Side::Top => row.row.baseline,
        Side::Bottom => edges.height - row.row.baseline,
    };
    let is_only_number = row.folded.iter().all(|word| word.chars().all(|c| !c.is_alphabetic()));
    other.side(side).iter().any(|there| {
        (from_edge(row, own) - from_edge(there, other)).abs() <= DRIFT * row.row.size
            && (row.row.size - there.row.size).abs() <= 0.15 * row.row.size
            && !is_only_number
            && step.is_none_or(|step| count_along(&row.numbers, &there.numbers, step))
            && likeness(&row.folded, &there.folded) >= ALIKE
    })
}

/// True if a page number counts with the pages, or is plainly one by its form or its place.
fn counts(edges: &[PageEdges], page: usize, row: &EdgeRow, number: PageNumber, side: Side) -> bool {
    if number.form == NumberForm::Decorated {
        return true;
    }
    let same_count = (page.saturating_sub(2)..=page + 2).any(|other| {
        let step = other as i64 - page as i64;
        other != page
            && edges.get(other).is_some_and(|edges| {
                edges.side(side).iter().filter_map(|there| there.number).any(|there| {
                    there.form == number.form && i64::from(there.value) - i64::from(number.value) == step
                })
            })
    });
    if number.form == NumberForm::AtEnd {
        return same_count && row.gap > 0.3 * row.row.size;
    }
    let is_apart = row.gap > 0.8 * row.row.size;
    same_count || (is_apart && i64::from(number.value) == page as i64 + 1)
}

/// The numbers in a text, sorted.
fn numbers(text: &str) -> Vec<u64> {
    let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty() && part.len() < 19);
    let mut numbers: Vec<u64> = parts.filter_map(|part| part.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// True if two lists of numbers are the same but for such as count with the pages.
fn count_along(here: &[u64], there: &[u64], step: i64) -> bool {
    let counts = |(a, b): (&u64, &u64)| a == b || i128::from(*b) - i128::from(*a) == i128::from(step);
    here.len() == there.len() && here.iter().zip(there).all(counts)
}

/// Share of the characters of two sorted word lists that is common to both.
fn likeness(a: &[String], b: &[String]) -> f32 {
    let length = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += x.chars().count();
                i += 1;
                j += 1;
            }
        }
    }
    common as f32 / length(a).max(length(b)).max(1) as f32
}

/// A word with its numbers folded, so that what counts with the pages looks the same on all of them.
fn fold(word: &str) -> String {
    let mut folded = String::new();
    for c in word.chars().flat_map(char::to_lowercase) {
        if !c.is_numeric() {
            folded.push(c);
        } else if !folded.ends_with('#') {
            folded.push('#');
        }
    }
    if text::numerals::long_roman(&folded).is_some() { "#".to_owned() } else { folded }
}
