//! Collection statistics of BM25, summed over the segments of a snapshot.
//!
//! Summed per query, not stored: any added or removed document changes every idf, and the sums cost a binary search per
//! term and document. An index that holds a part of a collection may be told those of the whole: see [`crate::Collection`].

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
        if let Some(&doc_freq) = index.collection().and_then(|collection| collection.doc_freq.get(term)) {
            return Self { doc_freq };
        }
        let doc_freq = index.iter().map(|(_, entry)| entry.segment().postings().of(term).len() as u64).sum();
        Self { doc_freq }
    }
}
