//! Positions of a document's words, in the form in which they are stored.
//!
//! A page has some 500 words. Side by side in memory they would take 28 bytes each and be most of what a document takes;
//! here they take 11, and are read where they are asked for: a line at a time.

use crate::cursor::{Cursor, put_count, put_varint};
use crate::{Pace, PageId, PlacedWord, Rect, TextRange};

/// Maximum words of a group: those before the first that is wanted are read in vain, and a line can have a million.
const MAX_GROUP: usize = 64;

/// The positions of all words of a document, sorted by range, ranges disjoint. Text between words (spaces, line ends,
/// separators between blocks) has no position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextMap {
    n_words: usize,
    /// Words in groups that share page, top and bottom (a line, mostly): `page y0 y1 n`, then for each word the gap from the
    /// end of the one before, its length, and its two edges.
    groups: Vec<u8>,
    /// By group, ascending.
    starts: Vec<GroupStart>,
}

/// Start of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GroupStart {
    /// Start of its first word in the text.
    text: u32,
    /// Its first byte.
    byte: u32,
}

impl TextMap {
    /// The map of these words, in any order.
    pub fn new(mut words: Vec<PlacedWord>) -> Self {
        // Sorting takes half as much memory again, also where nothing is out of order.
        if !words.is_sorted_by_key(|word| word.range) {
            words.sort_by_key(|word| word.range);
        }
        let mut groups = Vec::with_capacity(words.len() * 11);
        let mut starts = Vec::new();
        let mut end = 0_u32;
        for group in words.chunk_by(on_one_line).flat_map(|line| line.chunks(MAX_GROUP)) {
            let Some(&PlacedWord { page, rect, range }) = group.first() else { continue };
            // Texts are capped, so that their words take less than 4 GiB.
            starts.push(GroupStart {
                text: range.start,
                byte: u32::try_from(groups.len()).unwrap_or(u32::MAX),
            });
            put_varint(&mut groups, page.0);
            groups.extend_from_slice(&rect.y0.to_le_bytes());
            groups.extend_from_slice(&rect.y1.to_le_bytes());
            put_count(&mut groups, group.len());
            for word in group {
                put_varint(&mut groups, zigzag(i64::from(word.range.start) - i64::from(end)));
                put_varint(&mut groups, word.range.end.wrapping_sub(word.range.start));
                groups.extend_from_slice(&word.rect.x0.to_le_bytes());
                groups.extend_from_slice(&word.rect.x1.to_le_bytes());
                end = word.range.end;
            }
        }
        groups.shrink_to_fit();
        starts.shrink_to_fit();
        Self { n_words: words.len(), groups, starts }
    }

    /// Appends the stored form.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put_count(out, self.n_words);
        out.extend_from_slice(&self.groups);
    }

    /// Reads the stored form, step by step. `None` if it is damaged, or a word lies outside the text or cuts a character.
    /// Their pages are not looked at: see [`Self::pages`].
    pub async fn decode(bytes: &[u8], text: &str, pace: &Pace) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let n_words = cursor.count()?;
        let all = cursor.rest();
        let mut words = Words::new(cursor);
        let mut starts = Vec::new();
        let (mut n_read, mut before) = (0, TextRange::default());
        while n_read < n_words {
            let n_before = words.cursor.n_left();
            let n_group = words.read_group().filter(|n| (1..=MAX_GROUP.min(n_words - n_read)).contains(n))?;
            for at in 0..n_group {
                let word = words.read_word()?;
                let is_sound = word.range >= before
                    && text.get(word.range.to_usize()).is_some()
                    && is_finite(&word.rect);
                if !is_sound {
                    return None;
                }
                if at == 0 {
                    let byte = u32::try_from(all.len() - n_before).ok()?;
                    starts.push(GroupStart { text: word.range.start, byte });
                }
                before = word.range;
            }
            n_read += n_group;
            pace.spend(n_before - words.cursor.n_left()).await;
        }
        starts.shrink_to_fit();
        (words.cursor.n_left() == 0).then(|| Self { n_words, groups: all.to_vec(), starts })
    }

    /// Bytes of the stored form, nearly.
    pub fn n_bytes(&self) -> usize {
        self.groups.len() + 5
    }

    /// Number of words.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// All words in order of the text.
    pub fn words(&self) -> Words<'_> {
        Words::new(Cursor::new(&self.groups))
    }

    /// The pages of the words, each at least once.
    pub fn pages(&self) -> impl Iterator<Item = PageId> {
        self.starts.iter().filter_map(|start| self.from(*start).next()).map(|word| word.page)
    }

    /// The words that overlap `range`.
    pub fn words_in(&self, range: TextRange) -> impl Iterator<Item = PlacedWord> {
        let at = self.starts.partition_point(|start| start.text <= range.start).saturating_sub(1);
        let words = self.starts.get(at).map(|start| self.from(*start));
        words
            .into_iter()
            .flatten()
            .take_while(move |word| word.range.start < range.end)
            .filter(move |word| word.range.end > range.start)
    }

    /// The words from the start of a group on.
    fn from(&self, start: GroupStart) -> Words<'_> {
        let groups = self.groups.get(start.byte as usize..).unwrap_or_default();
        Words { start: Some(start.text), ..Words::new(Cursor::new(groups)) }
    }

    /// The boxes of `range` in reading order, one per run of neighbouring words on a line. A word partly in the range is
    /// cut in proportion to its characters in `text`.
    pub fn boxes(&self, range: TextRange, text: &str) -> Vec<(PageId, TextRange, Rect)> {
        let mut boxes: Vec<(PageId, TextRange, Rect)> = Vec::new();
        for word in self.words_in(range) {
            let Some(part) = word.range.intersect(range) else { continue };
            let rect = cut(&word, part, text);
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

/// Words in order of the text.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    cursor: Cursor<'a>,
    /// Words left in the group.
    n_left: usize,
    page: PageId,
    y0: f32,
    y1: f32,
    /// End of the word before.
    end: u32,
    /// Start of the next word, where the one before is not known.
    start: Option<u32>,
}

impl<'a> Words<'a> {
    fn new(cursor: Cursor<'a>) -> Self {
        Self { cursor, n_left: 0, page: PageId(0), y0: 0.0, y1: 0.0, end: 0, start: None }
    }

    /// Reads what the words of the next group share, and gives their number.
    fn read_group(&mut self) -> Option<usize> {
        self.page = PageId(self.cursor.varint()?);
        self.y0 = f32::from_le_bytes(self.cursor.array()?);
        self.y1 = f32::from_le_bytes(self.cursor.array()?);
        self.n_left = self.cursor.count()?;
        Some(self.n_left)
    }

    #[inline]
    fn read_word(&mut self) -> Option<PlacedWord> {
        let after = i64::from(self.end) + unzigzag(self.cursor.varint()?);
        let start = self.start.take().map_or_else(|| u32::try_from(after).ok(), Some)?;
        self.end = start.checked_add(self.cursor.varint()?)?;
        let x0 = f32::from_le_bytes(self.cursor.array()?);
        let x1 = f32::from_le_bytes(self.cursor.array()?);
        let rect = Rect { x0, y0: self.y0, x1, y1: self.y1 };
        Some(PlacedWord { range: TextRange { start, end: self.end }, page: self.page, rect })
    }
}

impl Iterator for Words<'_> {
    type Item = PlacedWord;

    fn next(&mut self) -> Option<PlacedWord> {
        if self.n_left == 0 {
            self.read_group()?;
        }
        self.n_left = self.n_left.checked_sub(1)?;
        self.read_word()
    }
}

fn is_finite(rect: &Rect) -> bool {
    // Without a branch each: millions of words are looked at when a library is opened.
    rect.x0.is_finite() & rect.y0.is_finite() & rect.x1.is_finite() & rect.y1.is_finite()
}

fn on_one_line(a: &PlacedWord, b: &PlacedWord) -> bool {
    let same = |x: f32, y: f32| x.to_bits() == y.to_bits();
    a.page == b.page && same(a.rect.y0, b.rect.y0) && same(a.rect.y1, b.rect.y1)
}

fn zigzag(value: i64) -> u32 {
    ((value << 1) ^ (value >> 63)) as u32
}

fn unzigzag(value: u32) -> i64 {
    i64::from(value >> 1) ^ -i64::from(value & 1)
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
#[expect(clippy::indexing_slicing, reason = "a test that panics has failed")]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::at_once;

    fn word(start: usize, end: usize, x0: f32, x1: f32, y: f32) -> PlacedWord {
        PlacedWord {
            range: TextRange::new(start, end),
            page: PageId(0),
            rect: Rect { x0, y0: y, x1, y1: y + 10.0 },
        }
    }

    /// Words on lines of a few, or of many, with gaps between them.
    fn some_words() -> impl Strategy<Value = Vec<PlacedWord>> {
        let words = |n_lines: u8| {
            prop::collection::vec((0_u32..4, 1_u32..9, 0..u32::from(n_lines), 0..n_lines), 0..150)
        };
        prop_oneof![words(4), words(1)].prop_map(|words| {
            let mut end = 0;
            let mut placed = Vec::new();
            for (gap, len, page, line) in words {
                let range = TextRange { start: end + gap, end: end + gap + len };
                end = range.end;
                let (x0, y0) = (range.start as f32 * 1.5, f32::from(line) * 12.0);
                placed.push(PlacedWord {
                    range,
                    page: PageId(page),
                    rect: Rect { x0, y0, x1: x0 + 1.25, y1: y0 + 9.0 },
                });
            }
            placed
        })
    }

    proptest! {
        #[test]
        fn words_of_a_range_are_those_that_a_look_at_each_finds(
            words in some_words(),
            (start, len) in (0_u32..1000, 0_u32..200),
        ) {
            let map = TextMap::new(words.clone());
            prop_assert_eq!(map.words().collect::<Vec<_>>(), words.as_slice());
            prop_assert_eq!(map.n_words(), words.len());
            let range = TextRange { start, end: start + len };
            let naive: Vec<PlacedWord> = words
                .iter()
                .filter(|word| word.range.end > range.start && word.range.start < range.end)
                .copied()
                .collect();
            prop_assert_eq!(map.words_in(range).collect::<Vec<_>>(), naive);
            let pages: BTreeSet<u32> = words.iter().map(|word| word.page.0).collect();
            prop_assert_eq!(map.pages().map(|page| page.0).collect::<BTreeSet<_>>(), pages);
        }

        #[test]
        fn what_was_stored_comes_back(words in some_words()) {
            let map = TextMap::new(words);
            let mut bytes = Vec::new();
            map.encode(&mut bytes);
            prop_assert!(bytes.len() <= map.n_bytes());
            let text = " ".repeat(2000);
            let back = at_once(async |pace| TextMap::decode(&bytes, &text, pace).await);
            prop_assert_eq!(back, Some(map));
            for cut in 0..bytes.len() {
                let back = at_once(async |pace| TextMap::decode(&bytes[..cut], &text, pace).await);
                prop_assert_eq!(back, None);
            }
        }
    }

    /// Bytes of words: how many, then groups of `page y0 y1 n` with words of `gap length x0 x1`.
    fn words(n_words: u8, groups: &[(u8, &[(u8, u8)])]) -> Vec<u8> {
        let mut bytes = vec![n_words];
        for (n, words) in groups {
            bytes.push(0);
            bytes.extend([0; 8]);
            bytes.push(*n);
            for (gap, len) in *words {
                bytes.extend([*gap, *len]);
                bytes.extend([0; 8]);
            }
        }
        bytes
    }

    #[test]
    fn groups_of_words_hold_as_many_as_they_say() {
        // A gap of zigzag: 2 is one byte on, 1 one byte back.
        let decoded = |bytes: &[u8]| {
            let map = at_once(async |pace| TextMap::decode(bytes, "words here", pace).await)?;
            Some(map.words().map(|word| (word.range.start, word.range.end)).collect::<Vec<_>>())
        };
        assert_eq!(decoded(&words(2, &[(2, &[(0, 3), (2, 1)])])), Some(vec![(0, 3), (4, 5)]));
        assert_eq!(decoded(&words(2, &[(1, &[(0, 3)]), (1, &[(1, 2)])])), Some(vec![(0, 3), (2, 4)]));
        assert_eq!(decoded(&words(2, &[(2, &[(0, 5), (3, 1)])])), Some(vec![(0, 5), (3, 4)]));
        assert!(decoded(&words(64, &[(64, &[(0, 0); 64])])).is_some());
        let refused: [(&str, Vec<u8>); 7] = [
            ("more in a group than are left", words(2, &[(1, &[(0, 3)]), (2, &[(0, 1), (0, 1)])])),
            ("a group of too many", words(65, &[(65, &[(0, 0); 65])])),
            ("an empty group", words(1, &[(0, &[]), (1, &[(0, 1)])])),
            ("a start before the text", words(1, &[(1, &[(1, 2)])])),
            ("an end behind the text", words(1, &[(1, &[(0, 11)])])),
            ("a word before the one before", words(2, &[(2, &[(4, 3), (9, 1)])])),
            ("a byte too many", [words(1, &[(1, &[(0, 1)])]), vec![0]].concat()),
        ];
        for (name, bytes) in refused {
            assert_eq!(decoded(&bytes), None, "{name}");
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
