//! Postings in four bytes each.
//!
//! A posting's unit takes 22 bits and its frequencies in text and header seven and three, in one word. The few that are
//! greater stand in a list of their own, so that every frequency is exact.

use document::Slice as _;

/// A posting: one term in one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Posting {
    /// The unit's position in [`crate::Segment::units`].
    pub unit: u32,
    /// Occurrences in the text.
    pub text_freq: u16,
    /// Occurrences in the header.
    pub header_freq: u16,
}

/// Most units of a segment that have postings: later ones are found by their vectors alone.
pub(crate) const MAX_UNITS: u32 = 1 << (32 - UNIT_SHIFT);

const HEADER_BITS: u32 = 3;
const TEXT_BITS: u32 = 7;
const UNIT_SHIFT: u32 = HEADER_BITS + TEXT_BITS;
/// Frequencies from which on a posting is in the list of its own.
const HEADER_LIMIT: u16 = (1 << HEADER_BITS) - 1;
const TEXT_LIMIT: u16 = (1 << TEXT_BITS) - 1;

/// Bits of the frequencies in a text that [`Posting::small_freqs`] has room for.
const SMALL_TEXT_BITS: u32 = u8::BITS - HEADER_BITS;
/// A byte that is no [`Posting::small_freqs`]: stored where the frequencies are greater.
pub(crate) const LARGE_FREQS: u8 = HEADER_LIMIT as u8;

impl Posting {
    /// Both frequencies in one byte, where they are small, as in nearly all postings: the last of the posting's word.
    pub(crate) fn small_freqs(self) -> Option<u8> {
        let is_small = self.text_freq >> SMALL_TEXT_BITS == 0 && self.header_freq < HEADER_LIMIT;
        is_small.then_some((self.text_freq << HEADER_BITS | self.header_freq) as u8)
    }
}

/// The postings of all terms of a segment, one term's after the other's, each by unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackedPostings {
    /// Unit, frequency in the text, frequency in the header.
    words: Vec<u32>,
    /// Positions in `words`, ascending, with frequencies that do not fit there.
    frequent: Vec<(u32, [u16; 2])>,
}

/// Postings of a term, by unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct PostingList<'a> {
    words: &'a [u32],
    /// Position of the first word among those of all terms.
    start: u32,
    frequent: &'a [(u32, [u16; 2])],
}

impl PackedPostings {
    /// Number of postings.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Makes room for `n` more.
    pub fn reserve(&mut self, n: usize) {
        self.words.reserve(n);
    }

    /// Gives room back that is not needed.
    pub fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
        self.frequent.shrink_to_fit();
    }

    /// Adds a posting of a unit before [`MAX_UNITS`].
    pub fn push(&mut self, Posting { unit, text_freq, header_freq }: Posting) {
        if text_freq >= TEXT_LIMIT || header_freq >= HEADER_LIMIT {
            let at = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
            self.frequent.push((at, [text_freq, header_freq]));
        }
        let text = u32::from(text_freq.min(TEXT_LIMIT));
        let header = u32::from(header_freq.min(HEADER_LIMIT));
        self.words.push(unit << UNIT_SHIFT | text << HEADER_BITS | header);
    }

    /// Adds a posting of a unit before [`MAX_UNITS`] by its [`Posting::small_freqs`]; false for a byte that is not.
    #[inline]
    pub fn push_small(&mut self, unit: u32, freqs: u8) -> bool {
        let is_small = u16::from(freqs) & HEADER_LIMIT != HEADER_LIMIT;
        if is_small {
            self.words.push(unit << UNIT_SHIFT | u32::from(freqs));
        }
        is_small
    }

    /// Some of them, as those of a term.
    pub fn list(&self, range: std::ops::Range<usize>) -> PostingList<'_> {
        let start = u32::try_from(range.start).unwrap_or(u32::MAX);
        PostingList { words: self.words.slice(range), start, frequent: &self.frequent }
    }
}

impl<'a> PostingList<'a> {
    /// Number of postings: the document frequency of the term in the segment.
    pub fn len(self) -> usize {
        self.words.len()
    }

    /// True if the term does not occur.
    pub fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// The posting in a unit.
    pub fn in_unit(self, unit: u32) -> Option<Posting> {
        let at = self.words.binary_search_by_key(&unit, |word| word >> UNIT_SHIFT).ok()?;
        Some(self.posting(at, *self.words.get(at)?))
    }

    /// The postings by unit.
    pub fn iter(self) -> impl Iterator<Item = Posting> + 'a {
        self.words.iter().enumerate().map(move |(at, &word)| self.posting(at, word))
    }

    #[inline]
    fn posting(self, at: usize, word: u32) -> Posting {
        let text_freq = (word >> HEADER_BITS) as u16 & TEXT_LIMIT;
        let header_freq = word as u16 & HEADER_LIMIT;
        let unit = word >> UNIT_SHIFT;
        if text_freq < TEXT_LIMIT && header_freq < HEADER_LIMIT {
            return Posting { unit, text_freq, header_freq };
        }
        let [text_freq, header_freq] = self.frequencies(at).unwrap_or([text_freq, header_freq]);
        Posting { unit, text_freq, header_freq }
    }

    #[cold]
    fn frequencies(self, at: usize) -> Option<[u16; 2]> {
        let at = self.start.checked_add(u32::try_from(at).ok()?)?;
        let found = self.frequent.binary_search_by_key(&at, |&(at, _)| at).ok()?;
        self.frequent.get(found).map(|&(_, frequencies)| frequencies)
    }
}

impl PartialEq for PostingList<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_holds_what_was_put_in(
            entries in prop::collection::btree_map(
                prop_oneof![0_u32..300, MAX_UNITS - 300..MAX_UNITS],
                (prop_oneof![0_u16..9, 120_u16..140, any::<u16>()], prop_oneof![0_u16..9, any::<u16>()]),
                0..60,
            ),
            start in 0_usize..60,
        ) {
            let entries: Vec<Posting> = entries
                .into_iter()
                .map(|(unit, (text_freq, header_freq))| Posting { unit, text_freq, header_freq })
                .collect();
            let mut packed = PackedPostings::default();
            for &posting in &entries {
                if !posting.small_freqs().is_some_and(|freqs| packed.push_small(posting.unit, freqs)) {
                    packed.push(posting);
                }
            }
            prop_assert!(!packed.push_small(0, LARGE_FREQS));
            let start = start.min(entries.len());
            let (list, expected) = (packed.list(start..entries.len()), &entries[start..]);
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), expected);
            prop_assert_eq!((list.len(), list.is_empty()), (expected.len(), expected.is_empty()));
            for unit in (0..300).chain(MAX_UNITS - 300..MAX_UNITS) {
                let known = expected.iter().find(|posting| posting.unit == unit).copied();
                prop_assert_eq!(list.in_unit(unit), known);
            }
        }
    }
}
