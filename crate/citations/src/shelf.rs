//! The sources of an answer, ready to be searched for quotations.
//!
//! An inverted list over all words of all sources: a quotation is looked for only where its rarest word stands.
//! Building is linear. Searching counts its steps against one [`Shelf::budget`] for the whole answer, so that no
//! text, however repetitive, takes long; what is not found before the budget ends counts as not found.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use document::TextRange;

use super::key::{Key, SOFT, matches};
use super::{Piece, Source};

/// Most sources that are searched, and most bytes of each: more than any model is given.
const MAX_SOURCES: usize = 200;
const MAX_SOURCE_BYTES: usize = 50_000;
/// Most steps of comparison for an answer: under a second.
const BUDGET: usize = 40_000_000;

/// A source on the shelf.
#[derive(Debug)]
pub(super) struct Item<'a> {
    pub(super) id: u32,
    pub(super) text: &'a str,
    pub(super) context: &'a str,
    pub(super) key: Key,
}

/// A word of a source: bytes of its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// The place of its source on the shelf.
    pub(super) item: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) term: u32,
}

/// Where a quotation was found: the place of its source on the shelf and bytes of that source's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) item: usize,
    pub(super) range: Range<usize>,
}

/// All sources.
#[derive(Debug)]
pub(super) struct Shelf<'a> {
    pub(super) items: Vec<Item<'a>>,
    pub(super) words: Vec<Word>,
    places: BTreeMap<u32, usize>,
    terms: HashMap<String, u32>,
    postings: Vec<Vec<u32>>,
    budget: Cell<usize>,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(sources: &[Source<'a>]) -> Self {
        let mut shelf = Self {
            items: Vec::new(),
            words: Vec::new(),
            places: BTreeMap::new(),
            terms: HashMap::new(),
            postings: Vec::new(),
            budget: Cell::new(BUDGET),
        };
        for source in sources.iter().take(MAX_SOURCES) {
            if shelf.place(source.id).is_none() {
                let text = head(source.text, MAX_SOURCE_BYTES);
                let context = head(source.context, MAX_SOURCE_BYTES);
                shelf.add(Item { id: source.id, text, context, key: Key::new(text) });
            }
        }
        shelf
    }

    fn add(&mut self, item: Item<'a>) {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let place = narrow(self.items.len());
        let ranges = item.key.words();
        for (at, range) in ranges.iter().enumerate() {
            let word = narrow(self.words.len());
            let term = self.intern(item.key.slice(range.clone()));
            self.post(term, word);
            self.words.push(Word { item: place, start: narrow(range.start), end: narrow(range.end), term });
            // A word broken over lines is found whole as well.
            if item.key.breaks_after(range.end)
                && let Some(rest) = ranges.get(at + 1)
            {
                let whole = format!("{}{}", item.key.slice(range.clone()), item.key.slice(rest.clone()));
                let term = self.intern(&whole);
                self.post(term, word);
            }
        }
        self.places.insert(item.id, self.items.len());
        self.items.push(item);
    }

    fn intern(&mut self, word: &str) -> u32 {
        let lower = word.to_lowercase();
        let next = u32::try_from(self.postings.len()).unwrap_or(u32::MAX);
        let term = *self.terms.entry(lower).or_insert(next);
        if term == next {
            self.postings.push(Vec::new());
        }
        term
    }

    fn post(&mut self, term: u32, word: u32) {
        if let Some(list) = self.postings.get_mut(term as usize) {
            list.push(word);
        }
    }

    /// The place of a source on the shelf.
    pub(super) fn place(&self, id: u32) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// The number by which a word is known here.
    pub(super) fn term(&self, word: &str) -> Option<u32> {
        self.terms.get(&word.to_lowercase()).copied()
    }

    /// Where a term stands: places in [`Shelf::words`], in order.
    pub(super) fn postings(&self, term: Option<u32>) -> &[u32] {
        term.and_then(|term| self.postings.get(term as usize)).map_or(&[], Vec::as_slice)
    }

    /// Takes steps from the budget.
    pub(super) fn spend(&self, steps: usize) {
        self.budget.set(self.budget.get().saturating_sub(steps));
    }

    /// Whether nothing is left of the budget.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.get() == 0
    }

    /// A range of a source's key as a piece of its text.
    pub(super) fn piece(&self, found: &Found) -> Option<Piece> {
        let item = self.items.get(found.item)?;
        let range = item.key.source(found.range.clone());
        let range = TextRange::new(range.start, range.end);
        item.text.get(range.to_usize())?;
        Some(Piece { source: item.id, range })
    }

    /// Where `wanted` stands word for word: in the first of the `named` sources that has it (in any, when none is
    /// named), else in the first other.
    pub(super) fn verbatim(&self, wanted: &Key, named: &[usize]) -> Option<Found> {
        let words = wanted.words();
        let list = |word: &Range<usize>| self.postings(self.term(wanted.slice(word.clone())));
        // A word at a broken line may be half of one; one that is whole must be there.
        let whole: Vec<&Range<usize>> = words.iter().filter(|word| !wanted.is_broken(word)).collect();
        let anchor = if whole.is_empty() { words.first() } else { None };
        let anchor = anchor.or_else(|| whole.iter().copied().min_by_key(|word| list(word).len()))?.clone();
        let joined = words.get(1).filter(|_| whole.is_empty()).map(|next| {
            let joined = format!("{}{}", wanted.slice(anchor.clone()), wanted.slice(next.clone()));
            self.postings(self.term(&joined))
        });
        let mut elsewhere = None;
        for &place in list(&anchor).iter().chain(joined.unwrap_or_default()) {
            self.spend(1);
            if self.is_spent() {
                return None;
            }
            let Some(word) = self.words.get(place as usize) else { continue };
            let item = word.item as usize;
            let is_named = named.is_empty() || named.contains(&item);
            if !is_named && elsewhere.is_some() {
                continue;
            }
            if let Some(range) = self.stands(wanted, anchor.start, item, word.start as usize) {
                if is_named {
                    return Some(Found { item, range });
                }
                elsewhere = Some(Found { item, range });
            }
        }
        elsewhere
    }

    /// The range of a source's key that says `wanted`, when byte `at` of that stands at byte `there` of this.
    fn stands(&self, wanted: &Key, at: usize, item: usize, there: usize) -> Option<Range<usize>> {
        let source = &self.items.get(item)?.key;
        let (head, tail) = wanted.text.split_at_checked(at)?;
        let (before, behind) = source.text.split_at_checked(there)?;
        let mut steps = 1;
        let forward = matches_recased(tail, behind, head.is_empty(), &mut steps);
        let back = forward.and_then(|_| matches_back(head, before, &mut steps));
        self.spend(steps);
        let range = there.checked_sub(back?)?..there + forward?;
        (source.may_begin(range.start) && source.may_end(range.end)).then_some(range)
    }
}

/// As [`matches()`]; the very first letter, when this is the beginning, may have either case.
fn matches_recased(wanted: &str, there: &str, first: bool, steps: &mut usize) -> Option<usize> {
    let mut letters = (wanted.chars(), there.chars());
    if first
        && let (Some(a), Some(b)) = (letters.0.next(), letters.1.next())
        && a != b
        && a.to_lowercase().eq(b.to_lowercase())
    {
        return Some(matches(letters.0, letters.1, steps)? + b.len_utf8());
    }
    matches(wanted.chars(), there.chars(), steps)
}

/// As [`matches()`], from the end; the very first letter may have either case.
fn matches_back(wanted: &str, there: &str, steps: &mut usize) -> Option<usize> {
    let mut rest = wanted.chars();
    let Some(first) = rest.next() else { return Some(0) };
    let taken = matches(rest.rev(), there.chars().rev(), steps)?;
    let mut before = there.get(..there.len().checked_sub(taken)?)?.chars().rev();
    let soft = there.get(..there.len() - taken)?.ends_with(SOFT);
    if soft {
        before.next();
    }
    let last = before.next()?;
    let alike = last == first || last.to_lowercase().eq(first.to_lowercase());
    alike.then_some(taken + last.len_utf8() + if soft { SOFT.len_utf8() } else { 0 })
}

/// The head of a text, at most `max` bytes, cut between characters.
pub(super) fn head(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}
