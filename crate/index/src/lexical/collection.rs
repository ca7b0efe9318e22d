//! Statistics of all documents together, which BM25 reads.

use std::collections::BTreeMap;

/// Statistics of a snapshot or of a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of units in all documents.
    pub n_units: u64,
    /// Number of terms in the texts of all units.
    pub text_len: u64,
    /// Number of terms in the headers of all units.
    pub header_len: u64,
}

impl Stats {
    /// Mean length of a unit in terms, its header counted `header_weight` times; 1 without units.
    pub fn mean_length(&self, header_weight: f64) -> f64 {
        if self.n_units == 0 {
            return 1.0;
        }
        (self.text_len as f64 + header_weight * self.header_len as f64) / self.n_units as f64
    }
}

/// Statistics of a collection of which an index holds the documents that matter for a query: with them its scores are
/// those of an index that holds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Of all units.
    pub stats: Stats,
    /// Number of units with a term. A term without an entry is counted in the documents of the index.
    pub doc_freq: BTreeMap<String, u64>,
}
