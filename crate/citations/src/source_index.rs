//! Inverted index of the sources of an answer, searched for quotations.
//!
//! A quotation is compared only where its rarest word occurs. Building is linear. Searching counts steps against one
//! budget for the whole answer, so that no text takes long, however repetitive; what is not found before the budget is
//! spent counts as not found.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use document::{OrNever as _, Slice as _, TextRange};

use crate::normalized::{Normalized, SOFT_HYPHEN, match_prefix};
use crate::report::{SourceRange, SourceText};

/// Maximum number of sources searched, more than any model is given.
const MAX_SOURCES: usize = 200;
/// Maximum number of bytes searched in a source.
const MAX_SOURCE_BYTES: usize = 50_000;
/// Maximum number of steps for an answer, about one comparison of characters each: under a second.
const BUDGET: usize = 40_000_000;

/// Source with its normalized text.
#[derive(Debug)]
pub(crate) struct IndexedSource<'a> {
    pub(crate) id: u32,
    pub(crate) text: &'a str,
    pub(crate) context: &'a str,
    pub(crate) normalized: Normalized,
}

/// Occurrence of a word in a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedWord {
    /// Position in [`SourceIndex::sources`].
    pub(crate) source: u32,
    /// Bytes of the normalized text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Term number: equal for words that differ in case only.
    pub(crate) term: u32,
}

/// Range of the normalized text of a source that matches a quotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Position in [`SourceIndex::sources`].
    pub(crate) source: usize,
    /// Bytes of the normalized text.
    pub(crate) range: Range<usize>,
}

/// Inverted index over the words of all sources.
#[derive(Debug)]
pub(crate) struct SourceIndex<'a> {
    pub(crate) sources: Vec<IndexedSource<'a>>,
    /// Words of all sources, one source after another.
    pub(crate) words: Vec<IndexedWord>,
    /// Position in `sources` by source number.
    positions: BTreeMap<u32, usize>,
    /// Term number by word in lower case.
    terms: HashMap<String, u32>,
    /// Positions in `words` by term number, ascending.
    postings: Vec<Vec<u32>>,
    /// Steps left.
    budget: Cell<usize>,
}

impl<'a> SourceIndex<'a> {
    /// Indexes the sources. Of sources with the same number the first counts.
    pub(crate) fn new(sources: &[SourceText<'a>]) -> Self {
        let mut index = Self {
            sources: Vec::new(),
            words: Vec::new(),
            positions: BTreeMap::new(),
            terms: HashMap::new(),
            postings: Vec::new(),
            budget: Cell::new(BUDGET),
        };
        for source in sources.iter().take(MAX_SOURCES) {
            if index.position(source.id).is_none() {
                let text = truncate(source.text, MAX_SOURCE_BYTES);
                let context = truncate(source.context, MAX_SOURCE_BYTES);
                index.add(IndexedSource { id: source.id, text, context, normalized: Normalized::new(text) });
            }
        }
        index
    }

    fn add(&mut self, source: IndexedSource<'a>) {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let position = narrow(self.sources.len());
        let normalized = &source.normalized;
        let ranges = normalized.words();
        for (at, range) in ranges.iter().enumerate() {
            let word = narrow(self.words.len());
            let term = self.intern(normalized.slice(range.clone()));
            self.post(term, word);
            let (start, end) = (narrow(range.start), narrow(range.end));
            self.words.push(IndexedWord { source: position, start, end, term });
            // A word hyphenated over two lines is found by its whole as well.
            if normalized.breaks_after(range.end)
                && let Some(rest) = ranges.get(at + 1)
            {
                let joined = format!("{}{}", normalized.slice(range.clone()), normalized.slice(rest.clone()));
                let term = self.intern(&joined);
                self.post(term, word);
            }
        }
        self.positions.insert(source.id, self.sources.len());
        self.sources.push(source);
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

    /// Position of a source by its number.
    pub(crate) fn position(&self, id: u32) -> Option<usize> {
        self.positions.get(&id).copied()
    }

    /// Source by its number.
    pub(crate) fn source(&self, id: u32) -> Option<&IndexedSource<'a>> {
        self.sources.get(self.position(id)?)
    }

    /// Text of a word.
    pub(crate) fn word_text(&self, word: &IndexedWord) -> &str {
        let source = self.sources.get(word.source as usize).map(|source| &source.normalized);
        let range = word.start as usize..word.end as usize;
        source.map(|normalized| normalized.slice(range)).or_never("the source of a word")
    }

    /// Term number of a word, if it occurs in a source.
    pub(crate) fn term(&self, word: &str) -> Option<u32> {
        self.terms.get(&word.to_lowercase()).copied()
    }

    /// Occurrences of a term: positions in [`SourceIndex::words`], ascending.
    pub(crate) fn postings(&self, term: Option<u32>) -> &[u32] {
        term.and_then(|term| self.postings.get(term as usize)).map_or(&[], Vec::as_slice)
    }

    /// Takes steps from the budget.
    pub(crate) fn spend(&self, steps: usize) {
        self.budget.set(self.budget.get().saturating_sub(steps));
    }

    /// True if the budget is spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.budget.get() == 0
    }

    /// Range of the source's own text for a match.
    pub(crate) fn source_range(&self, found: &Match) -> Option<SourceRange> {
        let source = self.sources.get(found.source)?;
        let range = source.normalized.source(found.range.clone());
        let range = TextRange::new(range.start, range.end);
        source.text.get(range.to_usize())?;
        Some(SourceRange { source: source.id, range })
    }

    /// Where `wanted` stands word for word: in the first cited source that has it, else in the first other. If no
    /// source is cited, all count as cited. `cited` holds positions in [`SourceIndex::sources`].
    ///
    /// The range found is normalized and compared a second time, since its edges decide how it is normalized: what is
    /// shown must by itself say what was quoted.
    pub(crate) fn verbatim(&self, wanted: &Normalized, cited: &[usize]) -> Option<Match> {
        let found = self.occurrence(wanted, cited)?;
        let range = self.source_range(&found)?;
        let shown = self.sources.get(found.source)?.text.get(range.range.to_usize())?;
        wanted.equals(&Normalized::new(shown)).then_some(found)
    }

    /// As [`SourceIndex::verbatim`], without the second comparison.
    pub(crate) fn occurrence(&self, wanted: &Normalized, cited: &[usize]) -> Option<Match> {
        let words = wanted.words();
        let list = |word: &Range<usize>| self.postings(self.term(wanted.slice(word.clone())));
        // A word at a line end may be half of one; one that is whole must occur.
        let whole: Vec<&Range<usize>> = words.iter().filter(|word| !wanted.is_broken(word)).collect();
        let anchor = if whole.is_empty() { words.first() } else { None };
        let anchor = anchor.or_else(|| whole.iter().copied().min_by_key(|word| list(word).len()))?.clone();
        let joined = words.get(1).filter(|_| whole.is_empty()).map(|next| {
            let joined = format!("{}{}", wanted.slice(anchor.clone()), wanted.slice(next.clone()));
            self.postings(self.term(&joined))
        });
        let mut elsewhere = None;
        for &word in list(&anchor).iter().chain(joined.unwrap_or_default()) {
            self.spend(1);
            if self.is_spent() {
                return None;
            }
            let Some(word) = self.words.get(word as usize) else { continue };
            let source = word.source as usize;
            let is_cited = cited.is_empty() || cited.contains(&source);
            if !is_cited && elsewhere.is_some() {
                continue;
            }
            if let Some(range) = self.match_at(wanted, anchor.start, source, word.start as usize) {
                if is_cited {
                    return Some(Match { source, range });
                }
                elsewhere = Some(Match { source, range });
            }
        }
        elsewhere
    }

    /// Range of a source's normalized text that equals `wanted`, if byte `at` of `wanted` stands at byte `there`.
    fn match_at(&self, wanted: &Normalized, at: usize, source: usize, there: usize) -> Option<Range<usize>> {
        let source = &self.sources.get(source)?.normalized;
        let (head, tail) = wanted.text.split_at_checked(at)?;
        let (before, after) = source.text.split_at_checked(there)?;
        let mut steps = 1;
        let n_after = match_forward(tail, after, head.is_empty(), &mut steps);
        let n_before = n_after.and_then(|_| match_backward(head, before, &mut steps));
        self.spend(steps);
        let range = there.checked_sub(n_before?)?..there + n_after?;
        (source.may_begin(range.start) && source.may_end(range.end)).then_some(range)
    }
}

/// As [`match_prefix`]; if `is_start`, the first letter may have either case.
fn match_forward(wanted: &str, haystack: &str, is_start: bool, steps: &mut usize) -> Option<usize> {
    let mut letters = (wanted.chars(), haystack.chars());
    if is_start
        && let (Some(a), Some(b)) = (letters.0.next(), letters.1.next())
        && a != b
        && a.to_lowercase().eq(b.to_lowercase())
    {
        return Some(match_prefix(letters.0, letters.1, steps)? + b.len_utf8());
    }
    match_prefix(wanted.chars(), haystack.chars(), steps)
}

/// Length in bytes of the suffix of `haystack` that equals `wanted`; its first letter may have either case.
fn match_backward(wanted: &str, haystack: &str, steps: &mut usize) -> Option<usize> {
    let mut rest = wanted.chars();
    let Some(first) = rest.next() else { return Some(0) };
    let n_rest = match_prefix(rest.rev(), haystack.chars().rev(), steps)?;
    let before = haystack.get(..haystack.len().checked_sub(n_rest)?)?;
    let (before, n_soft) = match before.strip_suffix(SOFT_HYPHEN) {
        Some(before) => (before, SOFT_HYPHEN.len_utf8()),
        None => (before, 0),
    };
    let last = before.chars().next_back()?;
    let is_equal = last == first || last.to_lowercase().eq(first.to_lowercase());
    is_equal.then_some(n_rest + last.len_utf8() + n_soft)
}

/// Longest head of a text of at most `max` bytes, cut between characters.
pub(crate) fn truncate(text: &str, max: usize) -> &str {
    let end = text.floor_char_boundary(max);
    text.slice(..end)
}
