//! Positions of a document's words, in the form in which they are stored.
//!
//! A page has some 500 words. Side by side in memory they would take 28 bytes each and be most of what a document takes;
//! here they take five, and are read where they are asked for: a line at a time. Edges are whole sixteenths of a point,
//! .02 mm, which nobody sees of a highlight.

use crate::cursor::{Cursor, put_count, put_varint};
use crate::{Pace, PageId, PlacedWord, Rect, TextRange};

/// Maximum words of a group, since a line can have a million.
const MAX_GROUP: usize = 64;
/// Words after which the next group is found without reading those before it.
const WORDS_A_START: usize = 32;
/// Units of edges in a point.
const UNITS: f32 = 16.0;
/// Greatest edge, in units: `f32` holds all whole numbers up to here.
const MAX_EDGE: i32 = (1 << 24) - 1;
/// Byte of a gap of 0: those of a line are from four points back to nearly twelve on.
const GAP_ZERO: i64 = 64;
/// Marks of a gap and a width that come after them.
const LONG_GAP: u8 = u8::MAX;
const LONG_WIDTH: u16 = u16::MAX;
/// Bytes of a plain word: one space after the word before, shorter than 64 bytes, neither gap nor width long.
const PLAIN_WORD: usize = 4;
/// Edges up to which no group of plain words gets from here to [`MAX_EDGE`].
const PLAIN_EDGE: i32 = MAX_EDGE - MAX_GROUP as i32 * (LONG_GAP as i32 + LONG_WIDTH as i32);

/// The positions of all words of a document, sorted by range, ranges disjoint. Text between words (spaces, line ends,
/// separators between blocks) has no position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextMap {
    n_words: usize,
    /// Words in groups that share page, top and bottom (a line, mostly): `page y0 height n`, then for each word its length
    /// with the gap from the end of the one before, the gap in units from that one's right edge, and its width. The gap in
    /// the text is left out where it is one byte, a space. The gap on the line is a byte and the width two in nearly all words:
    /// numbers of a length that varies take nearly twice as long to read.
    groups: Vec<u8>,
    /// Of the first group of each page, and of every [`WORDS_A_START`] words; ascending.
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

/// Makes the list of starts.
#[derive(Default)]
struct Starts {
    starts: Vec<GroupStart>,
    page: Option<PageId>,
    /// Words since the last start.
    n_words: usize,
}

impl Starts {
    /// Sees a group of `n_words`: place of the first in the text, and of the group among the bytes.
    fn see(&mut self, page: PageId, n_words: usize, text: u32, byte: usize) {
        if self.page != Some(page) || self.n_words >= WORDS_A_START {
            // Texts are capped, so that their words take less than 4 GiB.
            self.starts.push(GroupStart { text, byte: u32::try_from(byte).unwrap_or(u32::MAX) });
            (self.page, self.n_words) = (Some(page), 0);
        }
        self.n_words += n_words;
    }

    /// The list.
    fn finish(mut self) -> Vec<GroupStart> {
        self.starts.shrink_to_fit();
        self.starts
    }
}

impl TextMap {
    /// The map of these words, in any order.
    pub fn new(mut words: Vec<PlacedWord>) -> Self {
        // Sorting takes half as much memory again, also where nothing is out of order.
        if !words.is_sorted_by_key(|word| word.range) {
            words.sort_by_key(|word| word.range);
        }
        let mut groups = Vec::with_capacity(words.len() * 6);
        let mut starts = Starts::default();
        let mut end = 0_u32;
        for group in words.chunk_by(on_one_line).flat_map(|line| line.chunks(MAX_GROUP)) {
            let Some(&PlacedWord { page, rect, range }) = group.first() else { continue };
            starts.see(page, group.len(), range.start, groups.len());
            let (y0, y1) = (units(rect.y0), units(rect.y1));
            put_varint(&mut groups, page.0);
            put_varint(&mut groups, zigzag(y0.into()));
            put_varint(&mut groups, zigzag(i64::from(y1) - i64::from(y0)));
            put_count(&mut groups, group.len());
            let mut right = 0;
            for PlacedWord { range, rect, .. } in group {
                let (length, gap) =
                    (range.end.wrapping_sub(range.start), i64::from(range.start) - i64::from(end));
                // Texts are capped at less than 2 GiB.
                put_varint(&mut groups, length << 1 | u32::from(gap != 1));
                if gap != 1 {
                    put_varint(&mut groups, zigzag(gap));
                }
                let (x0, x1) = (units(rect.x0), units(rect.x1));
                put_gap(&mut groups, i64::from(x0) - i64::from(right));
                put_width(&mut groups, i64::from(x1) - i64::from(x0));
                (end, right) = (range.end, x1);
            }
        }
        groups.shrink_to_fit();
        Self { n_words: words.len(), groups, starts: starts.finish() }
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
        let mut starts = Starts::default();
        let (mut n_read, mut before) = (0, TextRange::default());
        while n_read < n_words {
            let n_before = words.cursor.n_left();
            let n_group = words.read_group().filter(|n| (1..=MAX_GROUP.min(n_words - n_read)).contains(n))?;
            let mut n_left = n_group;
            while n_left > 0 {
                let word = words.read_word()?;
                if word.range < before || text.get(word.range.to_usize()).is_none() {
                    return None;
                }
                if n_left == n_group {
                    starts.see(word.page, n_group, word.range.start, all.len() - n_before);
                }
                n_left -= 1;
                (before, n_left) = match words.skip_plain(n_left, text)? {
                    (0, _) => (word.range, n_left),
                    (n, last) => (last, n_left - n),
                };
            }
            n_read += n_group;
            pace.spend(n_before - words.cursor.n_left()).await;
        }
        let starts = starts.finish();
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
    y0: i32,
    y1: i32,
    /// Right edge of the word before in the group.
    right: i32,
    /// End of the word before.
    end: u32,
    /// Start of the next word, where the one before is not known.
    start: Option<u32>,
}

impl<'a> Words<'a> {
    fn new(cursor: Cursor<'a>) -> Self {
        Self { cursor, n_left: 0, page: PageId(0), y0: 0, y1: 0, right: 0, end: 0, start: None }
    }

    /// Reads what the words of the next group share, and gives their number.
    fn read_group(&mut self) -> Option<usize> {
        self.page = PageId(self.cursor.varint()?);
        self.y0 = edge(0, unzigzag(self.cursor.varint()?))?;
        self.y1 = edge(self.y0, unzigzag(self.cursor.varint()?))?;
        self.right = 0;
        self.n_left = self.cursor.count()?;
        Some(self.n_left)
    }

    /// Passes over the plain words that come next in a group of which `n` words are left. Gives their number, and the range of
    /// the last; `None` where one lies outside `text` or cuts a character.
    fn skip_plain(&mut self, n: usize, text: &str) -> Option<(usize, TextRange)> {
        let (mut last, mut right, mut n_plain) =
            (TextRange { start: self.end, end: self.end }, self.right, 0);
        let (words, _) = self.cursor.rest().as_chunks::<PLAIN_WORD>();
        // From farther out the words of a group could reach an edge that is refused.
        let n = if right.abs() < PLAIN_EDGE { n } else { 0 };
        for &[head, gap, low, high] in words.iter().take(n) {
            let width = u16::from_le_bytes([low, high]);
            if head & 0x81 != 0 || gap == LONG_GAP || width == LONG_WIDTH {
                break;
            }
            let start = last.end.checked_add(1)?;
            last = TextRange { start, end: start.checked_add(u32::from(head >> 1))? };
            text.get(last.to_usize())?;
            right += i32::from(gap) - GAP_ZERO as i32 + i32::from(width);
            n_plain += 1;
        }
        self.cursor.take(n_plain * PLAIN_WORD)?;
        (self.end, self.right) = (last.end, right);
        Some((n_plain, last))
    }

    #[inline]
    fn read_word(&mut self) -> Option<PlacedWord> {
        let head = self.cursor.varint()?;
        let gap = if head & 1 == 0 { 1 } else { unzigzag(self.cursor.varint()?) };
        let after = i64::from(self.end) + gap;
        let start = self.start.take().map_or_else(|| u32::try_from(after).ok(), Some)?;
        self.end = start.checked_add(head >> 1)?;
        let gap = match self.cursor.array()? {
            [LONG_GAP] => unzigzag(self.cursor.varint()?),
            [gap] => i64::from(gap) - GAP_ZERO,
        };
        let x0 = edge(self.right, gap)?;
        let width = match u16::from_le_bytes(self.cursor.array()?) {
            LONG_WIDTH => unzigzag(self.cursor.varint()?),
            width => i64::from(width),
        };
        self.right = edge(x0, width)?;
        let [x0, y0, x1, y1] = [x0, self.y0, self.right, self.y1].map(|edge| edge as f32 / UNITS);
        let rect = Rect { x0, y0, x1, y1 };
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

/// Appends the gap between two words of a line.
fn put_gap(out: &mut Vec<u8>, gap: i64) {
    match u8::try_from(gap + GAP_ZERO) {
        Ok(byte) if byte != LONG_GAP => out.push(byte),
        _ => {
            out.push(LONG_GAP);
            put_varint(out, zigzag(gap));
        }
    }
}

/// Appends the width of a word.
fn put_width(out: &mut Vec<u8>, width: i64) {
    match u16::try_from(width) {
        Ok(width) if width != LONG_WIDTH => out.extend_from_slice(&width.to_le_bytes()),
        _ => {
            out.extend_from_slice(&LONG_WIDTH.to_le_bytes());
            put_varint(out, zigzag(width));
        }
    }
}

/// An edge by its distance from another, in units.
#[inline]
fn edge(from: i32, distance: i64) -> Option<i32> {
    let edge = i32::try_from(i64::from(from) + distance).ok()?;
    (edge.unsigned_abs() <= MAX_EDGE.unsigned_abs()).then_some(edge)
}

/// An edge in units; what is no number is 0.
fn units(edge: f32) -> i32 {
    ((edge * UNITS).round() as i32).clamp(-MAX_EDGE, MAX_EDGE)
}

fn on_one_line(a: &PlacedWord, b: &PlacedWord) -> bool {
    let same = |x: f32, y: f32| units(x) == units(y);
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

    /// The words of stored bytes, read one by one and each looked at for itself; `None` for damage.
    fn read_singly(bytes: &[u8], text: &str) -> Option<Vec<PlacedWord>> {
        let mut cursor = Cursor::new(bytes);
        let n_words = cursor.count()?;
        let mut words = Words::new(cursor);
        let mut read: Vec<PlacedWord> = Vec::new();
        while read.len() < n_words {
            let n_group = words.read_group()?;
            if n_group == 0 || n_group > MAX_GROUP.min(n_words - read.len()) {
                return None;
            }
            for _ in 0..n_group {
                let word = words.read_word()?;
                text.get(word.range.to_usize())?;
                if read.last().is_some_and(|before| word.range < before.range) {
                    return None;
                }
                read.push(word);
            }
        }
        (words.cursor.n_left() == 0).then_some(read)
    }

    proptest! {
        #[test]
        fn damage_is_seen_as_if_each_word_were_looked_at(
            words in some_words(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            n_letters in 0_usize..1000,
            width in prop_oneof![Just("é"), Just("e")],
        ) {
            let mut bytes = Vec::new();
            TextMap::new(words).encode(&mut bytes);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            // Spaces, and a letter of one byte or two every eleven.
            let text: String = (0..n_letters).flat_map(|_| ["          ", width]).collect();
            let back = at_once(async |pace| TextMap::decode(&bytes, &text, pace).await);
            prop_assert_eq!(back.map(|map| map.words().collect::<Vec<_>>()), read_singly(&bytes, &text));
        }
    }

    /// Bytes of words: how many, then groups of `page y0 height n` with words of `length gap x0 width`.
    fn words(n_words: u8, groups: &[(u8, &[(u8, u8)])]) -> Vec<u8> {
        let mut bytes = vec![n_words];
        for (n, words) in groups {
            bytes.extend([0, 0, 0, *n]);
            for (gap, len) in *words {
                bytes.extend([len << 1 | 1, *gap, 64, 0, 0]);
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
        // The second without a gap of its own: a space.
        let spaced = |head: u8| [words(1, &[(1, &[(0, 5)])]), vec![head, 64, 0, 0]].concat();
        let two = |head: u8| [vec![2, 0, 0, 0, 2], spaced(head).split_off(5)].concat();
        assert_eq!(decoded(&two(4 << 1)), Some(vec![(0, 5), (6, 10)]));
        let refused: [(&str, Vec<u8>); 10] = [
            ("a second end behind the text", two(5 << 1)),
            ("a second that is cut off", two(4 << 1)[..12].to_vec()),
            ("more in a group than are left", words(2, &[(1, &[(0, 3)]), (2, &[(0, 1), (0, 1)])])),
            ("a group of too many", words(65, &[(65, &[(0, 0); 65])])),
            ("an empty group", words(1, &[(0, &[]), (1, &[(0, 1)])])),
            ("a start before the text", words(1, &[(1, &[(1, 2)])])),
            ("an end behind the text", words(1, &[(1, &[(0, 11)])])),
            ("a word before the one before", words(2, &[(2, &[(4, 3), (9, 1)])])),
            ("a byte too many", [words(1, &[(1, &[(0, 1)])]), vec![0]].concat()),
            // One word of one byte, at the greatest edge and two units to the right of it.
            (
                "an edge beyond all pages",
                [vec![1, 0, 0, 0, 1, 3, 0, LONG_GAP], vec![0xFE, 0xFF, 0xFF, 0x0F], vec![2, 0]].concat(),
            ),
        ];
        for (name, bytes) in refused {
            assert_eq!(decoded(&bytes), None, "{name}");
        }
    }

    #[test]
    fn edges_are_kept_to_a_sixteenth_of_a_point() {
        let kept = |edge: f32| {
            let map = TextMap::new(vec![word(0, 1, edge, edge + 1.0, edge)]);
            map.words().next().unwrap().rect
        };
        for edge in [0.0, 0.03, 0.04, 71.98, -3.2, 14_400.5] {
            let Rect { x0, y0, .. } = kept(edge);
            assert!((x0 - edge).abs() <= 1.0 / 32.0 && x0 == y0, "{edge}: {x0}");
        }
        assert_eq!(kept(f32::NAN), Rect::default());
        let most = MAX_EDGE as f32 / UNITS;
        assert_eq!(kept(f32::MAX), Rect { x0: most, y0: most, x1: most, y1: most });
        assert_eq!(kept(f32::NEG_INFINITY).x0, -most);
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
