//! Statistics of a collection for BM25, which documents add up to.

use std::collections::BTreeMap;

use engine::{Collection, Stats};
use pyo3::prelude::{PyResult, pyclass, pymethods};

use crate::error::bad_argument;

/// Statistics of the units of a document, or of a collection of documents.
#[pyclass(module = "pincite", frozen, eq)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub stats: Stats,
    pub doc_freq: BTreeMap<String, u64>,
}

#[pymethods]
impl Statistics {
    #[new]
    #[pyo3(signature = (n_units = 0, text_length = 0, header_length = 0, doc_freq = BTreeMap::new()))]
    fn new(n_units: u64, text_length: u64, header_length: u64, doc_freq: BTreeMap<String, u64>) -> Self {
        Self { stats: Stats { n_units, text_len: text_length, header_len: header_length }, doc_freq }
    }

    #[getter]
    fn n_units(&self) -> u64 {
        self.stats.n_units
    }

    #[getter]
    fn text_length(&self) -> u64 {
        self.stats.text_len
    }

    #[getter]
    fn header_length(&self) -> u64 {
        self.stats.header_len
    }

    #[getter]
    fn doc_freq(&self) -> BTreeMap<String, u64> {
        self.doc_freq.clone()
    }

    /// Mean length of a unit in terms, as BM25 takes it; 1 without units.
    #[pyo3(signature = (header_weight = None))]
    fn mean_length(&self, header_weight: Option<f32>) -> f64 {
        self.stats.mean_length(f64::from(header_weight.unwrap_or_else(default_header_weight)))
    }

    /// Inverse document frequency of a term, as BM25 takes it.
    fn idf(&self, term: &str) -> f64 {
        retrieval::idf(self.doc_freq.get(term).copied().unwrap_or(0), self.stats.n_units)
    }

    fn __add__(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.stats.n_units += other.stats.n_units;
        sum.stats.text_len += other.stats.text_len;
        sum.stats.header_len += other.stats.header_len;
        for (term, n) in &other.doc_freq {
            *sum.doc_freq.entry(term.clone()).or_default() += n;
        }
        sum
    }

    fn __sub__(&self, other: &Self) -> PyResult<Self> {
        let minus = |a: u64, b: u64| {
            a.checked_sub(b).ok_or_else(|| bad_argument("statistics of what was not counted are taken off"))
        };
        let mut rest = self.clone();
        rest.stats.n_units = minus(self.stats.n_units, other.stats.n_units)?;
        rest.stats.text_len = minus(self.stats.text_len, other.stats.text_len)?;
        rest.stats.header_len = minus(self.stats.header_len, other.stats.header_len)?;
        for (term, &n) in &other.doc_freq {
            let left = minus(rest.doc_freq.get(term).copied().unwrap_or(0), n)?;
            if left == 0 {
                rest.doc_freq.remove(term);
            } else {
                rest.doc_freq.insert(term.clone(), left);
            }
        }
        Ok(rest)
    }

    fn __repr__(&self) -> String {
        let Stats { n_units, text_len, header_len } = self.stats;
        let n_terms = self.doc_freq.len();
        format!(
            "Statistics(n_units={n_units}, text_length={text_len}, header_length={header_len}, doc_freq=<{n_terms} terms>)"
        )
    }
}

impl Statistics {
    /// Of the units of a segment.
    pub fn of(segment: &engine::Segment) -> Self {
        let stats = Stats {
            n_units: segment.units().len() as u64,
            text_len: segment.text_len(),
            header_len: segment.header_len(),
        };
        let doc_freq =
            segment.postings().iter().map(|(term, postings)| (term.to_owned(), postings.len() as u64));
        Self { stats, doc_freq: doc_freq.collect() }
    }
}

impl From<&Statistics> for Collection {
    fn from(statistics: &Statistics) -> Self {
        Self { stats: statistics.stats, doc_freq: statistics.doc_freq.clone() }
    }
}

/// Weight of a header in BM25.
pub fn default_header_weight() -> f32 {
    retrieval::Bm25::default().header_weight
}
