//! The sentence of a source that is most similar to a sentence of the answer.
//!
//! Similarity is the number of common terms: it tells a reader where to look and proves nothing. Cost: linear in the
//! source, then the postings of the sentence's terms.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use document::Slice as _;
use text::wording::{MarkerKind, list_marker, marker_kind};
use text::{Analyzer, AnalyzerKind, sentences};

use crate::source_index::truncate;

/// Maximum number of items between one and the sentence that introduces it.
const MAX_ITEMS: usize = 50;
/// Maximum length of a list's marker with what follows it, in bytes.
const MAX_MARKER_BYTES: usize = 64;

/// Numbers of the items of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemNumbers {
    Digits,
    Roman,
    Letters,
    Capitals,
    Others,
}

/// Marker and numbers of the list that a text is an item of: "(a)" and "(i)" are of two lists.
fn list_style(text: &str) -> Option<(MarkerKind, ItemNumbers)> {
    let marker = list_marker(truncate(text, MAX_MARKER_BYTES))?;
    let number = marker.trim_matches(|c: char| !c.is_alphanumeric());
    let all = |is: fn(char) -> bool| number.chars().all(is);
    let numbers = if all(|c| c.is_ascii_digit()) {
        ItemNumbers::Digits
    } else if all(|c| matches!(c, 'i' | 'v' | 'x')) {
        ItemNumbers::Roman
    } else if all(|c| c.is_ascii_lowercase()) {
        ItemNumbers::Letters
    } else if all(|c| c.is_ascii_uppercase()) {
        ItemNumbers::Capitals
    } else {
        ItemNumbers::Others
    };
    Some((marker_kind(marker)?, numbers))
}

/// Source cut into sentences, with the terms of each.
#[derive(Debug)]
pub(crate) struct SentenceIndex {
    /// Bytes and number of distinct terms of each sentence.
    sentences: Vec<(Range<usize>, usize)>,
    postings: BTreeMap<String, Vec<u32>>,
}

/// Sentence of a source that is similar to a sentence of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SupportingSentence {
    /// Bytes of the source.
    pub(crate) range: Range<usize>,
    /// Number of common terms.
    n_common: usize,
    /// Number of distinct terms of the answer's sentence.
    n_answer: usize,
    /// Number of distinct terms of this sentence.
    n_source: usize,
}

impl SupportingSentence {
    /// True if the two sentences have the same subject: three common terms, 3/5 of the answer's and 1/2 of the source's.
    pub(crate) fn is_similar(&self) -> bool {
        self.n_common >= 3 && self.n_common * 5 >= self.n_answer * 3 && self.n_common * 2 >= self.n_source
    }

    /// True if one restates the other: three common terms, 3/4 of the answer's and 2/3 of the source's.
    pub(crate) fn is_paraphrase(&self) -> bool {
        self.n_common >= 3 && self.n_common * 4 >= self.n_answer * 3 && self.n_common * 3 >= self.n_source * 2
    }
}

/// Distinct terms of a sentence.
pub(crate) fn terms(sentence: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    Analyzer::new(AnalyzerKind::Default).analyze(sentence, &mut |token| {
        terms.insert(token.term.to_owned());
    });
    terms
}

impl SentenceIndex {
    /// Cuts and analyses a source.
    pub(crate) fn new(source: &str) -> Self {
        let mut postings: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut cut = Vec::new();
        for (at, range) in (0u32..).zip(sentences(source)) {
            let terms = terms(source.slice(range.clone()));
            cut.push((range, terms.len()));
            for term in terms {
                postings.entry(term).or_default().push(at);
            }
        }
        Self { sentences: cut, postings }
    }

    /// The sentence that holds a byte of the source.
    pub(crate) fn holding(&self, at: usize) -> Option<Range<usize>> {
        let next = self.sentences.partition_point(|(range, _)| range.end <= at);
        self.sentences.get(next).map(|(range, _)| range.clone())
    }

    /// The sentence that introduces the list of which a sentence is an item, by the colon at its end: an earlier one that is no
    /// item, or one of another list, as "2. A bank must:" is before "(a) keep a register". Adds the sentences read to `steps`.
    pub(crate) fn lead_in(
        &self,
        source: &str,
        item: &Range<usize>,
        steps: &mut usize,
    ) -> Option<Range<usize>> {
        let text = |range: &Range<usize>| source.slice(range.clone()).trim();
        let style_of = |range: &Range<usize>| list_style(text(range));
        let style = style_of(item)?;
        let at = self.sentences.partition_point(|(range, _)| range.end <= item.start);
        for (range, _) in self.sentences.get(..at)?.iter().rev().take(MAX_ITEMS) {
            *steps += 1;
            let other = style_of(range);
            if text(range).ends_with([':', '：', '—']) && other != Some(style) {
                return Some(range.clone());
            }
            // Items of this list, and those of lists within them.
            other?;
        }
        None
    }

    /// The sentence with most of these terms, the shortest of equals; `None` if it has neither four of them nor a third.
    /// Adds the number of postings read to `steps`.
    pub(crate) fn best(&self, terms: &BTreeSet<String>, steps: &mut usize) -> Option<SupportingSentence> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for list in terms.iter().filter_map(|term| self.postings.get(term)) {
            *steps += list.len() + 1;
            for at in list {
                *counts.entry(*at).or_default() += 1;
            }
        }
        let length = |at: u32| self.sentences.get(at as usize).map_or(0, |(_, n_terms)| *n_terms);
        let (at, n_common) = counts
            .into_iter()
            .max_by_key(|&(at, n_common)| (n_common, usize::MAX - length(at), u32::MAX - at))?;
        let (range, n_source) = self.sentences.get(at as usize)?.clone();
        let is_enough = n_common * 3 >= terms.len() || n_common >= 4;
        is_enough.then_some(SupportingSentence { range, n_common, n_answer: terms.len(), n_source })
    }
}
