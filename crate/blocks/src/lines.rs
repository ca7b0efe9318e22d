//! Lines: the words of a region that are read in one go, raised words among them.
//!
//! Words with one baseline make a line. A smaller word whose baseline lies above or below a line's, within
//! its reach, belongs to that line: above it is raised, as note marks are.
//!
//! Cost: a sort of the words of a region.

use document::Slice as _;

use crate::page::{Line, PageWords, Region, Word};
use crate::typography::{Row, compose_line, rows};

/// The lines of a region from top to bottom.
pub(crate) fn build(region: Region, at: usize, page: &PageWords) -> Vec<Line> {
    let Region { words, x0, x1, in_margin: _ } = region;
    let rows = rows(&words);
    let host = hosts(&rows, &words);
    let mut slots: Vec<Option<Word>> = words.into_iter().map(Some).collect();
    let mut n_words = vec![0_usize; rows.len()];
    for &to in host.iter().flatten() {
        if let Some(n) = n_words.get_mut(to) {
            *n += 1;
        }
    }
    let mut lines: Vec<Vec<Word>> = n_words.into_iter().map(Vec::with_capacity).collect();
    for (r, row) in rows.iter().enumerate() {
        for (&i, &to) in row.words.iter().zip(host.get(r).map_or(&[][..], Vec::as_slice)) {
            let Some(mut word) = slots.get_mut(i).and_then(Option::take) else { continue };
            if to != r {
                let above = rows.get(to).is_some_and(|line| line.baseline > word.baseline);
                word.raised |= above;
            }
            if let Some(line) = lines.get_mut(to) {
                line.push(word);
            }
        }
    }
    lines
        .into_iter()
        .filter_map(|mut words| {
            words.sort_by(|a, b| a.rect.x0.total_cmp(&b.rect.x0));
            compose_line(words, page.page, at, (x0, x1), &page.rules)
        })
        .collect()
}

/// For each word of each row, the row to whose line it belongs: its own, or a neighbour's for a small word
/// beside larger ones.
fn hosts(rows: &[Row], words: &[Word]) -> Vec<Vec<usize>> {
    let mut hosts: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    for (r, row) in rows.iter().enumerate() {
        let of = |i: &usize| -> usize {
            let Some(word) = words.get(*i) else { return r };
            let near = [r + 1, r.wrapping_sub(1), r + 2, r.wrapping_sub(2)];
            let candidate =
                near.into_iter().find(|&n| rows.get(n).is_some_and(|line| belongs(word, row, line, words)));
            candidate.unwrap_or(r)
        };
        hosts.push(row.words.iter().map(of).collect());
    }
    // A row that gives all its words away takes none.
    for r in 0..hosts.len() {
        for i in 0..hosts.get(r).map_or(0, Vec::len) {
            let to = hosts.get(r).and_then(|own| own.get(i)).copied().unwrap_or(r);
            let gone = to != r && hosts.get(to).is_some_and(|own| own.iter().all(|&next| next != to));
            if gone && let Some(slot) = hosts.get_mut(r).and_then(|own| own.get_mut(i)) {
                *slot = r;
            }
        }
    }
    hosts
}

fn belongs(word: &Word, own: &Row, line: &Row, words: &[Word]) -> bool {
    let is_small = word.size <= 0.85 * line.size;
    let is_lone = own.words.len() <= 2
        && word.n_chars() <= 4
        && word.size <= 1.02 * line.size
        && own.words.len() < line.words.len();
    let up = line.baseline - word.baseline;
    let reach = if is_small { -0.35 * line.size..0.75 * line.size } else { 0.0..0.5 * line.size };
    if !(is_small || is_lone) || !reach.contains(&up) {
        return false;
    }
    let em = line.size;
    // The words of a row are in order: only those around the word's place can touch it.
    let x0_of = |&i: &usize| words.get(i).map_or(f32::MAX, |word| word.rect.x0);
    let after = line.words.partition_point(|i| x0_of(i) <= word.rect.x1 + 0.8 * em);
    let near = line.words.slice(after.saturating_sub(8)..after);
    near.iter().filter_map(|&i| words.get(i)).any(|other| {
        other.size >= word.size
            && word.rect.x0 < other.rect.x1 + 0.6 * em
            && word.rect.x1 > other.rect.x0 - 0.8 * em
    })
}
