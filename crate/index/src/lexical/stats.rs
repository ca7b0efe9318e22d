//! Collection statistics of BM25, summed over the segments of a snapshot.
//!
//! Summed per query, not stored: any added or removed document changes every idf, and the sums cost a binary search per
//! term and document.

use crate::Index;

/// Statistics of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of units in all documents.
    pub n_units: u64,
    /// Number of terms in the texts of all units.
    pub text_len: u64,
    /// Number of terms in the headers of all units.
    pub header_len: u64,
}

/// Statistics of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermStats {
    /// Number of units with the term.
    pub doc_freq: u64,
}

impl Stats {
    /// Of all units of a snapshot.
    pub fn of(index: &Index) -> Self {
        let mut stats = Self::default();
        for (_, entry) in index.iter() {
            let segment = entry.segment();
            stats.n_units += segment.units().len() as u64;
            stats.text_len += segment.text_len();
            stats.header_len += segment.header_len();
        }
        stats
    }

    /// Mean length of a unit in terms, its header counted `header_weight` times; 1 without units.
    pub fn mean_length(&self, header_weight: f64) -> f64 {
        if self.n_units == 0 {
            return 1.0;
        }
        (self.text_len as f64 + header_weight * self.header_len as f64) / self.n_units as f64
    }
}

impl TermStats {
    /// Of a term in all units of a snapshot.
    pub fn of(index: &Index, term: &str) -> Self {
        let doc_freq = index.iter().map(|(_, entry)| entry.segment().postings().of(term).len() as u64).sum();
        Self { doc_freq }
    }
}
