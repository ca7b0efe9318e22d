//! Collection statistics of BM25, summed over the segments of a snapshot.
//!
//! Summed per query, not stored: any added or removed document changes every idf, and the sums cost a look-up per term
//! and document. An index that holds a part of a collection may be told those of the whole: see [`crate::Collection`].

use document::DocumentIdx;

use super::posting_list::PostingList;
use super::term_slots::TermKey;
use crate::{Index, Stats};

/// Statistics of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermStats {
    /// Number of units with the term.
    pub doc_freq: u64,
}

impl Stats {
    /// Of the collection that a snapshot is a part of, else of all units of the snapshot.
    pub fn of(index: &Index) -> Self {
        if let Some(collection) = index.collection() {
            return collection.stats;
        }
        let mut stats = Self::default();
        for (_, entry) in index.iter() {
            let segment = entry.segment();
            stats.n_units += segment.units().len() as u64;
            stats.text_len += segment.text_len();
            stats.header_len += segment.header_len();
        }
        stats
    }
}

impl TermStats {
    /// Of a term in the collection that a snapshot is a part of, else in all units of the snapshot.
    pub fn of(index: &Index, term: &str) -> Self {
        Self::of_all(index, &[term]).pop().unwrap_or_default()
    }

    /// Of several terms, in their order.
    pub fn of_all(index: &Index, terms: &[&str]) -> Vec<Self> {
        Self::with_postings(index, terms, &mut |_, _| {})
    }

    /// [`Self::of_all`], calling `f` with each document and the postings of the terms in it.
    pub fn with_postings<'a>(
        index: &'a Index,
        terms: &[&str],
        f: &mut dyn FnMut(DocumentIdx, &[PostingList<'a>]),
    ) -> Vec<Self> {
        let keys: Vec<TermKey<'_>> = terms.iter().map(|term| TermKey::new(term)).collect();
        let mut all = vec![Self::default(); terms.len()];
        let mut lists = Vec::with_capacity(terms.len());
        for (document, entry) in index.iter() {
            lists.clear();
            entry.segment().postings().of_each(&keys, &mut |list| lists.push(list));
            for (stats, list) in all.iter_mut().zip(&lists) {
                stats.doc_freq += list.len() as u64;
            }
            f(document, &lists);
        }
        for (stats, term) in all.iter_mut().zip(terms) {
            let told = index.collection().and_then(|collection| collection.doc_freq.get(*term));
            stats.doc_freq = told.copied().unwrap_or(stats.doc_freq);
        }
        all
    }
}
