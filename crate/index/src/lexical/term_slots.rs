//! Positions of a dictionary's terms by hash.
//!
//! A binary search over strings waits for memory at each of its dozen steps, and a question over a hundred documents looks
//! for thousands of terms, most of which a document does not have: those end here at an empty slot. Open addressing with
//! linear probing (Knuth, *The Art of Computer Programming*, volume 3, 6.4, algorithm L).

/// Most slots that a look-up reads. Terms come from documents, so that some may be made to collide: one that finds no slot
/// within these is left out, and the dictionary's order finds it.
const MAX_PROBES: usize = 24;
/// Bits of a slot that hold a position.
const POSITION_BITS: u32 = 24;

/// A term with its hash, to be looked up in many dictionaries.
#[derive(Clone, Copy, Debug)]
pub struct TermKey<'a> {
    pub(crate) text: &'a str,
    hash: u64,
}

impl<'a> TermKey<'a> {
    /// Of a term as the analyzer makes it.
    pub fn new(text: &'a str) -> Self {
        Self { text, hash: hash(text) }
    }
}

/// Slots of terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TermSlots {
    /// Eight bits of a term's hash, and its position plus one; 0 for an empty slot. Half as many again as terms.
    slots: Vec<u32>,
    /// True if some term found no slot.
    is_partial: bool,
}

/// Outcome of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// Position of the term.
    At(usize),
    /// The dictionary does not have it.
    Absent,
    /// The dictionary must be searched.
    Unknown,
}

impl TermSlots {
    /// Room for `n_terms`; more are left out.
    pub(crate) fn with_capacity(n_terms: usize) -> Self {
        if n_terms >= (1 << POSITION_BITS) - 1 {
            return Self { slots: Vec::new(), is_partial: true };
        }
        Self { slots: vec![0; n_terms + n_terms.div_ceil(2)], is_partial: false }
    }

    /// Adds the term at a position. Each is added once.
    pub(crate) fn insert(&mut self, term: &str, position: usize) {
        let hash = hash(term);
        let entry = u32::try_from(position + 1).ok().filter(|&entry| entry >> POSITION_BITS == 0);
        let free = self.probes(hash).find(|&at| self.slots.get(at) == Some(&0));
        match (free.and_then(|at| self.slots.get_mut(at)), entry) {
            (Some(slot), Some(entry)) => *slot = tag(hash) << POSITION_BITS | entry,
            _ => self.is_partial = true,
        }
    }

    /// Looks a term up; `is_term` says if it is the one at a position.
    pub(crate) fn find(&self, term: TermKey<'_>, is_term: impl Fn(usize) -> bool) -> Slot {
        for at in self.probes(term.hash) {
            let slot = self.slots.get(at).copied().unwrap_or_default();
            if slot == 0 {
                return if self.is_partial { Slot::Unknown } else { Slot::Absent };
            }
            let position = (slot & ((1 << POSITION_BITS) - 1)) as usize - 1;
            if slot >> POSITION_BITS == tag(term.hash) && is_term(position) {
                return Slot::At(position);
            }
        }
        if self.is_partial { Slot::Unknown } else { Slot::Absent }
    }

    /// Position of the first term whose hash begins as that of `term`: nearly always the term itself, if it has a slot.
    pub(crate) fn likely(&self, term: TermKey<'_>) -> Option<usize> {
        match self.find(term, |_| true) {
            Slot::At(position) => Some(position),
            Slot::Absent | Slot::Unknown => None,
        }
    }

    fn probes(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let n_slots = self.slots.len();
        // Below 2²⁵ slots times 32 bits.
        let first = (((hash & u64::from(u32::MAX)) * n_slots as u64) >> 32) as usize;
        let probes = (first..n_slots).chain(0..first);
        probes.take(MAX_PROBES)
    }
}

/// Upper bits of a hash, whose lower half chooses the slot.
fn tag(hash: u64) -> u32 {
    (hash >> 56) as u32
}

/// Words of eight bytes, each multiplied in, as rustc's `FxHasher` does it. Mixed at the end: the lower bits of a product
/// depend on the lower bits of the word alone.
fn hash(term: &str) -> u64 {
    const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;
    let (words, rest) = term.as_bytes().as_chunks::<8>();
    let add = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    let hash = words.iter().fold(term.len() as u64, |hash, word| add(hash, u64::from_le_bytes(*word)));
    let rest = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let hash = add(hash, rest);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn slots(terms: &[&str]) -> TermSlots {
        let mut slots = TermSlots::with_capacity(terms.len());
        terms.iter().enumerate().for_each(|(at, term)| slots.insert(term, at));
        slots
    }

    proptest! {
        #[test]
        fn finds_what_was_added_and_nothing_else(
            terms in prop::collection::btree_set("[a-e]{0,3}|[a-zà-ü]{1,20}", 0..200),
            others in prop::collection::btree_set("[a-e]{0,3}|[a-z]{1,20}", 0..50),
        ) {
            let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
            let slots = slots(&terms);
            for (at, term) in terms.iter().enumerate() {
                let found = slots.find(TermKey::new(term), |position| terms[position] == *term);
                prop_assert!(found == Slot::At(at) || slots.is_partial && found == Slot::Unknown);
            }
            let known: BTreeSet<&str> = terms.iter().copied().collect();
            for other in others.iter().filter(|other| !known.contains(other.as_str())) {
                let found = slots.find(TermKey::new(other), |position| terms[position] == other);
                prop_assert!(found == Slot::Absent || slots.is_partial && found == Slot::Unknown);
            }
        }
    }

    #[test]
    fn terms_that_find_no_slot_are_left_to_the_order_of_the_dictionary() {
        let mut slots = TermSlots { slots: vec![0; 1 << 10], is_partial: false };
        // One term again and again: all of one hash.
        (0..=MAX_PROBES).for_each(|at| slots.insert("term", at));
        assert_eq!(
            slots.find(TermKey::new("term"), |position| position == MAX_PROBES - 1),
            Slot::At(MAX_PROBES - 1)
        );
        assert_eq!(slots.find(TermKey::new("term"), |position| position == MAX_PROBES), Slot::Unknown);
        assert_eq!(slots.find(TermKey::new("another"), |_| false), Slot::Unknown);
        let none = TermSlots::with_capacity(0);
        assert_eq!(none.find(TermKey::new("term"), |_| true), Slot::Absent);
        let too_many = TermSlots::with_capacity(1 << POSITION_BITS);
        assert_eq!(too_many.find(TermKey::new("term"), |_| true), Slot::Unknown);
    }
}
