//! Postings of one document: for each term its units, with frequencies in text and header.
//!
//! A sorted term dictionary in one string, and flat arrays, so that loading is copying; and slots by hash, so that a look-up
//! is no search.
//! Header (title, section path) and text are counted separately, since the query chooses their weights.

use std::collections::HashMap;
use std::ops::Range;

use document::{OrNever as _, Slice as _};
use text::Analyzer;

use super::posting_list::{MAX_UNITS, PackedPostings, Posting, PostingList};
use super::term_slots::{Slot, TermKey, TermSlots};

/// Terms that are looked up together.
const N_AT_ONCE: usize = 16;

/// The length of a unit in terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitLength {
    /// Of its text.
    pub text: u32,
    /// Of its header.
    pub header: u32,
}

/// Ends of a term and its postings, where those of the next begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermEnds {
    /// In [`Postings::terms`].
    pub(crate) term: u32,
    /// In [`Postings::entries`].
    pub(crate) entries: u32,
}

/// The inverted index of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// All terms, sorted and concatenated.
    pub(crate) terms: String,
    /// By term. Side by side, since a look-up reads both.
    pub(crate) ends: Vec<TermEnds>,
    /// The postings of all terms, each term's by unit.
    pub(crate) entries: PackedPostings,
    /// By unit.
    pub(crate) lengths: Vec<UnitLength>,
    /// Positions of the terms by hash.
    pub(crate) slots: TermSlots,
}

impl Postings {
    /// Indexes units, given as header and text, in order.
    pub fn build<T: AsRef<str>>(units: impl IntoIterator<Item = (T, T)>, analyzer: &Analyzer) -> Self {
        let mut builder = Builder::default();
        let mut lengths = Vec::new();
        for (unit, (header, text)) in (0_u32..).zip(units) {
            let (header, text) = (header.as_ref(), text.as_ref());
            let mut length = UnitLength::default();
            analyzer.analyze(header, &mut |token| {
                length.header += 1;
                let posting = builder.posting(token.term, unit);
                posting.header_freq = posting.header_freq.saturating_add(1);
            });
            analyzer.analyze(text, &mut |token| {
                length.text += 1;
                let posting = builder.posting(token.term, unit);
                posting.text_freq = posting.text_freq.saturating_add(1);
            });
            // Forms are no words and do not count for the length.
            for term in analyzer.forms(text) {
                builder.posting(term, unit).text_freq = 1;
            }
            lengths.push(length);
        }
        let n_entries = builder.entries.iter().map(Vec::len).sum();
        let mut entries = PackedPostings::default();
        entries.reserve(n_entries);
        let slots = TermSlots::with_capacity(builder.entries.len());
        let mut postings = Self { lengths, entries, slots, ..Self::default() };
        for (term, entries) in builder.into_sorted() {
            postings.slots.insert(&term, postings.ends.len());
            postings.terms.push_str(&term);
            entries.into_iter().for_each(|posting| postings.entries.push(posting));
            postings.push_ends();
        }
        postings
    }

    /// Number of units.
    pub fn n_units(&self) -> usize {
        self.lengths.len()
    }

    /// Number of terms.
    pub fn n_terms(&self) -> usize {
        self.ends.len()
    }

    /// Ends a term whose text and postings are the last.
    pub(crate) fn push_ends(&mut self) {
        self.ends.push(TermEnds { term: narrow(self.terms.len()), entries: narrow(self.entries.len()) });
    }

    /// The length of each unit.
    pub fn lengths(&self) -> &[UnitLength] {
        &self.lengths
    }

    /// The postings of a term by unit, as many as its document frequency; empty if it does not occur.
    pub fn of(&self, term: &str) -> PostingList<'_> {
        self.of_key(TermKey::new(term))
    }

    /// [`Self::of`] for each of several terms, in their order. Where the dictionary lies in no cache, a term alone waits four
    /// times for memory, one read after the other. Here each pass reads for all terms, and what it reads for one does not
    /// depend on another, so that the processor waits for all of them at once: half the time of one term after the other.
    pub fn of_each<'a>(&'a self, terms: &[TermKey<'_>], found: &mut dyn FnMut(PostingList<'a>)) {
        for terms in terms.chunks(N_AT_ONCE) {
            let mut positions = [None; N_AT_ONCE];
            for (position, term) in positions.iter_mut().zip(terms) {
                *position = self.slots.likely(*term);
            }
            let bounds = positions.map(|at| at.map(|at| self.bounds(at)));
            let mut is_term = [false; N_AT_ONCE];
            for ((is_term, bounds), term) in is_term.iter_mut().zip(&bounds).zip(terms) {
                *is_term =
                    bounds.as_ref().is_some_and(|(range, _)| self.terms.slice(range.clone()) == term.text);
            }
            for ((bounds, is_term), term) in bounds.into_iter().zip(is_term).zip(terms) {
                found(match bounds.filter(|_| is_term) {
                    Some((_, entries)) => self.entries.list(entries),
                    None => self.of_key(*term),
                });
            }
        }
    }

    /// The postings of each of several terms, in their order ([`Self::of_each`]).
    pub fn lists(&self, terms: &[TermKey<'_>]) -> Vec<PostingList<'_>> {
        let mut lists = Vec::with_capacity(terms.len());
        self.of_each(terms, &mut |list| lists.push(list));
        lists
    }

    fn of_key(&self, term: TermKey<'_>) -> PostingList<'_> {
        match self.slots.find(term, |at| self.term(at) == term.text) {
            Slot::At(at) => self.entries_of(at),
            Slot::Absent => PostingList::default(),
            Slot::Unknown => self.searched(term.text),
        }
    }

    /// The terms in alphabetical order, each with its postings.
    pub fn iter(&self) -> impl Iterator<Item = (&str, PostingList<'_>)> {
        (0..self.n_terms()).map(|at| (self.term(at), self.entries_of(at)))
    }

    /// The postings of a term, by a binary search over the dictionary.
    fn searched(&self, term: &str) -> PostingList<'_> {
        let (mut low, mut high) = (0, self.n_terms());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.term(middle).cmp(term) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.entries_of(middle),
            }
        }
        PostingList::default()
    }

    /// The term at a position of the dictionary.
    pub(crate) fn term(&self, at: usize) -> &str {
        self.terms.slice(self.bounds(at).0)
    }

    /// Its postings.
    pub(crate) fn entries_of(&self, at: usize) -> PostingList<'_> {
        self.entries.list(self.bounds(at).1)
    }

    /// Places of a term's text and of its postings.
    fn bounds(&self, at: usize) -> (Range<usize>, Range<usize>) {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        let end = self.ends.get(at).copied().unwrap_or(start);
        (start.term as usize..end.term as usize, start.entries as usize..end.entries as usize)
    }
}

/// Collects postings in a hash table, sorted once at the end.
#[derive(Default)]
struct Builder {
    ids: HashMap<String, usize>,
    entries: Vec<Vec<Posting>>,
    spill: Posting,
}

impl Builder {
    /// The posting of a term in the current unit, which is the last.
    fn posting(&mut self, term: &str, unit: u32) -> &mut Posting {
        let id = match self.ids.get(term) {
            Some(&id) => id,
            None => {
                let id = self.entries.len();
                self.ids.insert(term.to_owned(), id);
                self.entries.push(Vec::new());
                id
            }
        };
        let Self { entries, spill, .. } = self;
        let Some(entries) = entries.get_mut(id).filter(|_| unit < MAX_UNITS) else { return spill };
        if entries.last().is_none_or(|last| last.unit != unit) {
            entries.push(Posting { unit, text_freq: 0, header_freq: 0 });
        }
        entries.last_mut().unwrap_or(spill)
    }

    fn into_sorted(mut self) -> Vec<(String, Vec<Posting>)> {
        let mut terms: Vec<(String, usize)> = self.ids.into_iter().collect();
        terms.sort_unstable();
        terms
            .into_iter()
            .map(|(term, id)| {
                (term, self.entries.get_mut(id).map(std::mem::take).or_never("the postings of a term"))
            })
            .collect()
    }
}

pub(crate) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use text::AnalyzerKind;

    use super::*;

    #[test]
    fn a_unit_past_the_last_that_fits_has_no_posting() {
        let mut builder = Builder::default();
        for unit in [0, MAX_UNITS - 1, MAX_UNITS, u32::MAX] {
            builder.posting("record", unit).text_freq = 1;
        }
        let posting = |unit| Posting { unit, text_freq: 1, header_freq: 0 };
        assert_eq!(builder.into_sorted(), [("record".to_owned(), vec![posting(0), posting(MAX_UNITS - 1)])]);
    }

    proptest! {
        #[test]
        fn several_terms_are_looked_up_as_each_alone(
            texts in prop::collection::vec("([a-d]{1,3} ){0,12}", 0..12),
            terms in prop::collection::vec("[a-e]{0,3}", 0..3 * N_AT_ONCE),
            has_slots in any::<bool>(),
        ) {
            let units = texts.iter().map(|text| ("", text.as_str()));
            let mut postings = Postings::build(units, &Analyzer::new(AnalyzerKind::Default));
            if !has_slots {
                // As where no term found one.
                postings.slots = TermSlots::with_capacity(1 << 30);
            }
            let keys: Vec<TermKey<'_>> = terms.iter().map(|term| TermKey::new(term)).collect();
            let alone: Vec<PostingList<'_>> = terms.iter().map(|term| postings.of(term)).collect();
            prop_assert_eq!(postings.lists(&keys), alone);
        }
    }
}
