//! Rows: the words of a whole page that share a baseline, whatever column they stand in.
//!
//! A first, rough view of a page, from which furniture is taken before columns and lines are found.

use document::Rect;

use crate::page::Word;
use crate::typography::spacing::has_space;

/// Words on one baseline, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Positions in the words of the page.
    pub words: Vec<usize>,
    pub rect: Rect,
    pub baseline: f32,
    /// The largest type size in it.
    pub size: f32,
}

impl Row {
    /// Its text, words separated by spaces where there are gaps.
    pub(crate) fn text(&self, words: &[Word]) -> String {
        let mut text = String::new();
        let mut last: Option<&Word> = None;
        for word in self.words.iter().filter_map(|&i| words.get(i)) {
            if last.is_some_and(|last| has_space(last, word)) {
                text.push(' ');
            }
            text.push_str(word.text.trim_end_matches('\u{ad}'));
            last = Some(word);
        }
        text
    }
}

/// The rows of a page from top to bottom. Words whose baselines differ by less than a fifth of their size are
/// on one row.
pub(crate) fn rows(words: &[Word]) -> Vec<Row> {
    let mut order: Vec<usize> = (0..words.len()).collect();
    let key = |i: &usize| words.get(*i).map_or((0.0, 0.0), |word| (word.baseline, word.rect.x0));
    order.sort_by(|a, b| key(a).0.total_cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    let mut rows: Vec<Row> = Vec::new();
    for i in order {
        let Some(word) = words.get(i) else { continue };
        match rows.last_mut() {
            Some(row) if word.baseline - row.baseline <= 0.2 * row.size.min(word.size) => {
                row.words.push(i);
                row.rect = row.rect.union(&word.rect);
                row.size = row.size.max(word.size);
            }
            _ => rows.push(Row { words: vec![i], rect: word.rect, baseline: word.baseline, size: word.size }),
        }
    }
    for row in &mut rows {
        row.words.sort_by(|a, b| key(a).1.total_cmp(&key(b).1).then(a.cmp(b)));
    }
    rows
}
