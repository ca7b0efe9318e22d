//! Ranges of a document's text, and their positions on its pages.

use serde::{Deserialize, Serialize};

use crate::{PageId, Quad, Rect, Slice as _};

/// A byte range of [`crate::Layout::text`]; both ends lie on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl TextRange {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end.max(start)) }
    }

    /// As a range of `usize`, to slice with.
    pub fn to_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True if empty.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// True if `other` lies within it.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The intersection, if not empty.
    pub fn intersect(self, other: Self) -> Option<Self> {
        let common = Self { start: self.start.max(other.start), end: self.end.min(other.end) };
        (common.start < common.end).then_some(common)
    }
}

/// A range of text on one page, as a citation highlights it.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The page; `None` if the source has no pages.
    pub page: Option<PageId>,
    /// The range of the document's text.
    pub range: TextRange,
    /// One quad per line, in PDF user space; empty if the source has no pages.
    pub quads: Vec<Quad>,
}

/// A word with its position on a page. A word never spans lines; text without spaces (CJK) is split into a few
/// characters at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedWord {
    /// Its range of the document's text.
    pub range: TextRange,
    /// Its page.
    pub page: PageId,
    /// Its box: advance widths horizontally, font ascent to descent vertically.
    pub rect: Rect,
}

/// The positions of all words of a document, sorted by range, ranges disjoint. Text between words (spaces, line ends,
/// separators between blocks) has no position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextMap {
    words: Vec<PlacedWord>,
}

impl TextMap {
    /// The map of these words, in any order.
    pub fn new(mut words: Vec<PlacedWord>) -> Self {
        // Sorting takes half as much memory again, also where nothing is out of order.
        if !words.is_sorted_by_key(|word| word.range) {
            words.sort_by_key(|word| word.range);
        }
        Self { words }
    }

    /// All words in order of the text.
    pub fn words(&self) -> &[PlacedWord] {
        &self.words
    }

    /// The words that overlap `range`.
    pub fn words_in(&self, range: TextRange) -> &[PlacedWord] {
        let start = self.words.partition_point(|word| word.range.end <= range.start);
        let end = self.words.partition_point(|word| word.range.start < range.end);
        self.words.slice(start..end.max(start))
    }

    /// The boxes of `range` in reading order, one per run of neighbouring words on a line. A word partly in the range is
    /// cut in proportion to its characters in `text`.
    pub fn boxes(&self, range: TextRange, text: &str) -> Vec<(PageId, TextRange, Rect)> {
        let mut boxes: Vec<(PageId, TextRange, Rect)> = Vec::new();
        for word in self.words_in(range) {
            let Some(part) = word.range.intersect(range) else { continue };
            let rect = cut(word, part, text);
            match boxes.last_mut() {
                Some((page, covered, last)) if *page == word.page && adjoins(last, &rect) => {
                    covered.end = part.end;
                    *last = last.union(&rect);
                }
                _ => boxes.push((word.page, part, rect)),
            }
        }
        boxes
    }
}

/// True if `next` follows `last` on the same line after at most a wide space. A larger gap (a note mark that is not part
/// of the text, a tab) starts a new box, so that no box highlights text outside the range.
fn adjoins(last: &Rect, next: &Rect) -> bool {
    let height = last.height().min(next.height()).max(0.1);
    let gap = next.x0 - last.x1;
    last.y_overlap(next) > 0.5 * height && gap > -0.5 * height && gap < 1.2 * height
}

fn cut(word: &PlacedWord, part: TextRange, text: &str) -> Rect {
    if part == word.range {
        return word.rect;
    }
    let n_chars = |start: u32, end: u32| {
        text.get(start as usize..end as usize).map_or(0, |slice| slice.chars().count()) as f32
    };
    let total = n_chars(word.range.start, word.range.end).max(1.0);
    let at = |n: f32| word.rect.x0 + word.rect.width() * n / total;
    Rect {
        x0: at(n_chars(word.range.start, part.start)),
        x1: at(n_chars(word.range.start, part.end)),
        ..word.rect
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(start: usize, end: usize, x0: f32, x1: f32, y: f32) -> PlacedWord {
        PlacedWord {
            range: TextRange::new(start, end),
            page: PageId(0),
            rect: Rect { x0, y0: y, x1, y1: y + 10.0 },
        }
    }

    #[test]
    fn a_range_over_two_lines_gives_one_box_a_line() {
        let text = "alpha beta gamma";
        let map = TextMap::new(vec![
            word(0, 5, 0.0, 25.0, 0.0),
            word(6, 10, 28.0, 50.0, 0.0),
            word(11, 16, 0.0, 30.0, 12.0),
        ]);
        let boxes = map.boxes(TextRange::new(6, 16), text);
        assert_eq!(boxes.len(), 2);
        assert_eq!(boxes[0].2, Rect { x0: 28.0, y0: 0.0, x1: 50.0, y1: 10.0 });
        assert_eq!(boxes[1].1, TextRange::new(11, 16));
    }

    #[test]
    fn half_a_word_is_cut_in_proportion() {
        let map = TextMap::new(vec![word(0, 4, 0.0, 40.0, 0.0)]);
        let boxes = map.boxes(TextRange::new(1, 3), "abcd");
        assert_eq!(
            boxes,
            vec![(PageId(0), TextRange::new(1, 3), Rect { x0: 10.0, y0: 0.0, x1: 30.0, y1: 10.0 })]
        );
    }

    #[test]
    fn a_wide_gap_on_a_line_is_not_highlighted() {
        let map = TextMap::new(vec![word(0, 1, 0.0, 5.0, 0.0), word(2, 3, 60.0, 65.0, 0.0)]);
        assert_eq!(map.boxes(TextRange::new(0, 3), "a b").len(), 2);
    }
}
