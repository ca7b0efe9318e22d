//! Line numbers, as pleading paper and bills print them: a column of integers at the left edge that counts
//! evenly down the page.

use document::OrNever as _;
use document::{Furniture, FurnitureKind, Rect};

use crate::page::{PageWords, Word};

/// Fewest numbered lines of pleading paper.
const MIN_LINES: usize = 10;
/// Part of the page's width in which the numbers stand, from the left.
const LEFT_PART: f32 = 0.25;
/// Largest distance between the edges of two numbers, as a share of their height: "1" is narrower than "2".
const DRIFT: f32 = 0.2;
/// Largest deviation of a step from the usual one, as a share of it.
const UNEVEN: f32 = 0.15;

/// Takes a column of integers at the left edge that counts evenly down the page.
pub(crate) fn take(page: &mut PageWords, found: &mut Vec<Furniture>) {
    let column = longest_count(integers(page));
    if column.len() < MIN_LINES || !are_even(&column, page) || !is_outside(&column, page) {
        return;
    }
    for i in column {
        if let Some(word) = page.words.get_mut(i) {
            found.push(Furniture {
                kind: FurnitureKind::Other,
                text: std::mem::take(&mut word.text).into(),
                page: page.page,
                rect: page.frame.shown_rect(&word.rect),
            });
        }
    }
    page.words.retain(|word| !word.text.is_empty());
}

/// The integers in the left part of a page from the top: value, position in its words, box.
fn integers(page: &PageWords) -> Vec<(u32, usize, Rect)> {
    let (width, _) = page.frame.size();
    let mut integers: Vec<(u32, usize, Rect)> = Vec::new();
    for (i, word) in page.words.iter().enumerate() {
        let is_integer = word.text.len() <= 2 && word.text.bytes().all(|b| b.is_ascii_digit());
        if is_integer
            && word.rect.x1 < LEFT_PART * width
            && let Ok(value) = word.text.parse()
        {
            integers.push((value, i, word.rect));
        }
    }
    integers.sort_by(|a, b| a.2.y1.total_cmp(&b.2.y1));
    integers
}

/// True if two edges are one, by the height of a number.
fn is_near(a: f32, b: f32, number: Rect) -> bool {
    (a - b).abs() < DRIFT * number.height()
}

/// The positions of the longest stretch that counts by one and keeps its right or left edge.
fn longest_count(integers: Vec<(u32, usize, Rect)>) -> Vec<usize> {
    let (mut longest, mut current): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut last: Option<(u32, Rect)> = None;
    for (value, i, rect) in integers {
        let follows = last.is_some_and(|(prev, at)| {
            value == prev + 1 && (is_near(rect.x1, at.x1, at) || is_near(rect.x0, at.x0, at))
        });
        if follows {
            current.push(i);
        } else if last.is_some_and(|(prev, at)| value != prev + 1 && !is_near(rect.x1, at.x1, at)) {
            continue; // a number of the text beside the column
        } else {
            current = vec![i];
        }
        last = Some((value, rect));
        if current.len() > longest.len() {
            longest.clone_from(&current);
        }
    }
    longest
}

/// True if most of these words stand one step below the other.
fn are_even(column: &[usize], page: &PageWords) -> bool {
    let tops: Vec<f32> = column.iter().filter_map(|&i| page.words.get(i)).map(|word| word.baseline).collect();
    let mut steps: Vec<f32> = tops.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_by(f32::total_cmp);
    let median = steps.get(steps.len() / 2).copied().or_never("ten numbers have steps between them");
    let n_even = steps.iter().filter(|&&step| (step - median).abs() <= UNEVEN * median).count();
    median > 0.0 && n_even * 10 >= steps.len() * 8
}

/// True if nothing of the body stands left of these words or in their column, and no grid holds one: numbers with
/// text above or below them number the rows of a table, or paragraphs.
fn is_outside(column: &[usize], page: &PageWords) -> bool {
    let own = || column.iter().filter_map(|&i| page.words.get(i));
    let left = own().map(|word| word.rect.x0).fold(f32::MAX, f32::min);
    let right = own().map(|word| word.rect.x1).fold(f32::MIN, f32::max);
    let is_among =
        |word: &&Word| word.rect.x0 < right && word.rect.x1 > left && word.text.parse::<u32>().is_err();
    let in_grid = |word: &Word| page.grids.iter().any(|grid| grid.holds(&word.rect));
    page.words.iter().filter(|word| word.rect.x1 < left).count() <= 2
        && n_lines(page.words.iter().filter(is_among)) <= 3
        && !own().any(in_grid)
}

/// On how many lines these words stand.
fn n_lines<'a>(words: impl Iterator<Item = &'a Word>) -> usize {
    let mut baselines: Vec<f32> = words.map(|word| word.baseline).collect();
    baselines.sort_by(f32::total_cmp);
    baselines.dedup_by(|next, kept| *next - *kept < 3.0);
    baselines.len()
}
