//! Line numbers, as pleading paper and bills print them: a column of integers at the left edge that counts
//! evenly down the page.

use document::{Furniture, FurnitureKind, Rect};

use crate::page::{PageWords, Word};

/// Takes a column of integers at the left edge that counts evenly down the page.
pub(crate) fn take(page: &mut PageWords, found: &mut Vec<Furniture>) {
    /// Fewer numbered lines than this are not pleading paper.
    const MIN_LINES: usize = 10;
    let (width, _) = page.frame.size();
    let mut numbers: Vec<(u32, usize, Rect)> = Vec::new();
    for (i, word) in page.words.iter().enumerate() {
        let is_integer = word.text.len() <= 2 && word.text.bytes().all(|b| b.is_ascii_digit());
        if is_integer
            && word.rect.x1 < 0.25 * width
            && let Ok(value) = word.text.parse()
        {
            numbers.push((value, i, word.rect));
        }
    }
    if numbers.len() < MIN_LINES {
        return;
    }
    numbers.sort_by(|a, b| a.2.y1.total_cmp(&b.2.y1));
    // The longest stretch that counts by one and keeps its right or left edge.
    let (mut best, mut current): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut last: Option<(u32, Rect)> = None;
    for (value, i, rect) in numbers {
        let follows = last.is_some_and(|(prev, at)| {
            value == prev + 1 && ((rect.x1 - at.x1).abs() < 2.0 || (rect.x0 - at.x0).abs() < 2.0)
        });
        if follows {
            current.push(i);
        } else if last.is_some_and(|(prev, at)| value != prev + 1 && (rect.x1 - at.x1).abs() > 2.0) {
            continue; // a number of the text beside the column
        } else {
            current = vec![i];
        }
        last = Some((value, rect));
        if current.len() > best.len() {
            best.clone_from(&current);
        }
    }
    let tops: Vec<f32> = best.iter().filter_map(|&i| page.words.get(i)).map(|word| word.baseline).collect();
    let mut steps: Vec<f32> = tops.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_by(f32::total_cmp);
    let median = steps.get(steps.len() / 2).copied().unwrap_or_default();
    let n_even = steps.iter().filter(|&&step| (step - median).abs() <= 0.15 * median).count();
    let is_outside = {
        // Nothing of the body may stand left of the numbers.
        let edge =
            best.iter().filter_map(|&i| page.words.get(i)).map(|word| word.rect.x0).fold(f32::MAX, f32::min);
        let end =
            best.iter().filter_map(|&i| page.words.get(i)).map(|word| word.rect.x1).fold(f32::MIN, f32::max);
        let is_among =
            |word: &&Word| word.rect.x0 < end && word.rect.x1 > edge && word.text.parse::<u32>().is_err();
        page.words.iter().filter(|word| word.rect.x1 < edge).count() <= 2
            // Text above or below in their column: they number the rows of a table, or paragraphs.
            && n_lines(page.words.iter().filter(is_among)) <= 3
            && !best.iter().filter_map(|&i| page.words.get(i)).any(|word| page.grids.iter().any(|grid| grid.holds(&word.rect)))
    };
    if best.len() < MIN_LINES || median <= 0.0 || n_even * 10 < steps.len() * 8 || !is_outside {
        return;
    }
    for i in best {
        if let Some(word) = page.words.get_mut(i) {
            found.push(Furniture {
                kind: FurnitureKind::Other,
                text: std::mem::take(&mut word.text),
                page: page.page,
                rect: page.frame.shown_rect(&word.rect),
            });
        }
    }
    page.words.retain(|word| !word.text.is_empty());
}

/// On how many lines these words stand.
fn n_lines<'a>(words: impl Iterator<Item = &'a Word>) -> usize {
    let mut baselines: Vec<f32> = words.map(|word| word.baseline).collect();
    baselines.sort_by(f32::total_cmp);
    baselines.dedup_by(|next, kept| *next - *kept < 3.0);
    baselines.len()
}
