//! Block quotations: running text set in from both margins between paragraphs that are not.
//!
//! A list and a provision are set in on the left alone; a centred title has lines of all lengths. So a quotation is
//! told by its right edge: several full lines that end before those of the text around them. Smaller type may stand
//! in for some of that. Precision comes first: what is doubtful stays a paragraph. Cost: linear in the lines.

use std::collections::BTreeMap;

use document::{BlockKind, Role};

use crate::page::{Line, Paragraph};
use crate::typography::list_marker;

/// Least indent on each side, in multiples of the type size.
const MIN_INDENT: f32 = 1.2;
/// Fewest words of a quotation.
const MIN_WORDS: usize = 12;

/// Names the quotations among these paragraphs.
pub(crate) fn mark(paragraphs: &mut [Paragraph], body: f32) {
    let margins = margins_by_region(paragraphs);
    let mut after_text = false;
    let mut after_colon = false;
    let mut open: Option<(f32, f32)> = None;
    for paragraph in paragraphs.iter_mut() {
        let is_text = paragraph.kind == BlockKind::Paragraph && paragraph.role == Role::Body;
        let own = is_text.then(|| set_in(paragraph, &margins, body)).flatten();
        // The next paragraph of a quotation stands like the one before it.
        let goes_on = match (own, open) {
            (Some(own), Some(open)) => (own.0 - open.0).abs() < 2.0 && own.1 < open.1 + 2.0,
            _ => false,
        };
        let is_announcing = paragraph.text().ends_with([':', '：']);
        match own {
            // Two lines are too few to tell, unless they are announced.
            Some(own) if goes_on || after_text && (paragraph.lines.len() >= 3 || after_colon) => {
                paragraph.role = Role::BlockQuote;
                open = Some(if goes_on { open.unwrap_or(own) } else { own });
            }
            _ => {
                open = None;
                after_text = match paragraph.kind {
                    BlockKind::Paragraph => is_full(paragraph, &margins),
                    BlockKind::ListItem => true,
                    BlockKind::Heading => false,
                    BlockKind::Footnote | BlockKind::Table => after_text,
                };
            }
        }
        after_colon = is_announcing;
    }
}

type MarginsByRegion = BTreeMap<(u32, usize), (f32, f32)>;

/// The margins of the running text of each region: the left edge that most lines keep, and how far right they reach.
fn margins_by_region(paragraphs: &[Paragraph]) -> MarginsByRegion {
    let mut lines: BTreeMap<(u32, usize), Vec<(f32, f32)>> = BTreeMap::new();
    let is_text =
        |p: &&Paragraph| matches!(p.kind, BlockKind::Paragraph | BlockKind::ListItem) && !p.centered;
    for line in paragraphs.iter().filter(is_text).flat_map(|paragraph| &paragraph.lines) {
        lines.entry((line.page.0, line.region)).or_default().push((line.rect.x0, line.rect.x1));
    }
    lines
        .into_iter()
        .filter_map(|(place, own)| {
            let mut left: Vec<f32> = own.iter().map(|line| line.0).collect();
            let mut right: Vec<f32> = own.iter().map(|line| line.1).collect();
            left.sort_by(f32::total_cmp);
            right.sort_by(f32::total_cmp);
            let left = *left.get(left.len() / 10)?;
            let right = *right.get(right.len() * 9 / 10)?;
            Some((place, (left, right)))
        })
        .collect()
}

/// The margins of a paragraph whose lines are all set in on both sides.
fn set_in(paragraph: &Paragraph, margins: &MarginsByRegion, body: f32) -> Option<(f32, f32)> {
    let lines = &paragraph.lines;
    let (_, full) = lines.split_last().filter(|(_, full)| !full.is_empty())?;
    let n_words: usize = lines.iter().map(|line| line.words.len()).sum();
    if paragraph.centered || n_words < MIN_WORDS || list_marker(lines.first()?).is_some() {
        return None;
    }
    let size = lines.first()?.size;
    let is_smaller = size < 0.96 * body && size > 0.7 * body;
    let least = if is_smaller { 0.6 * MIN_INDENT } else { MIN_INDENT } * size;
    let is_in = |line: &Line| {
        margins.get(&(line.page.0, line.region)).is_some_and(|&(left, right)| {
            line.rect.x0 > left + least
                && line.rect.x1 < right - least
                && line.rect.width() < 0.94 * (right - left)
        })
    };
    if !lines.iter().all(is_in) {
        return None;
    }
    // Running text: every line but the last is full.
    let x0 = lines.iter().map(|line| line.rect.x0).fold(f32::MAX, f32::min);
    let x1 = lines.iter().map(|line| line.rect.x1).fold(f32::MIN, f32::max);
    let is_filled = |line: &&Line| x1 - line.rect.x1 < 0.16 * (x1 - x0) && line.rect.x0 - x0 < 4.0 * size;
    let n_filled = full.iter().filter(is_filled).count();
    let is_wide = margins
        .get(&(lines.first()?.page.0, lines.first()?.region))
        .is_some_and(|&(left, right)| x1 - x0 > 0.4 * (right - left));
    (n_filled * 10 >= full.len() * 9 && is_wide).then_some((x0, x1))
}

/// True if a paragraph is text that keeps the margins.
fn is_full(paragraph: &Paragraph, margins: &MarginsByRegion) -> bool {
    let Some(last) = paragraph.lines.last() else { return false };
    let keeps = |line: &Line| {
        margins.get(&(line.page.0, line.region)).is_some_and(|&(left, right)| {
            line.rect.x0 < left + 4.0 * line.size && line.rect.x1 > right - 2.5 * line.size
        })
    };
    let is_short =
        paragraph.lines.len() == 1 && last.words.len() >= 4 && last.text().ends_with([':', '.', ',', '—']);
    paragraph.lines.iter().any(keeps) || is_short
}
