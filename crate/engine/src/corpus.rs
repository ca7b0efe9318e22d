//! Library as the answering machine sees it.

use std::sync::Arc;

use answer::{Corpus, TermUse, TermWeights};
use document::{Cite, Document, DocumentIdx, SectionId};
use index::{Index, Stats, TermStats};
use retrieval::{AnalyzedQuery, Glossary, Lexicon, NamedTerm};

use crate::library::Library;

/// Snapshot of a library; later changes do not affect it.
#[derive(Clone)]
pub(crate) struct Snapshot {
    index: Index,
    stats: Stats,
    lexicon: Arc<Lexicon>,
}

impl Snapshot {
    pub(crate) fn of(library: &Library) -> Self {
        let index = library.index.clone();
        Self { stats: Stats::of(&index), lexicon: library.lexicon(), index }
    }
}

impl TermWeights for Snapshot {
    /// Lucene's idf over the library that is searched.
    fn idf(&self, term: &str) -> f64 {
        retrieval::idf(TermStats::of(&self.index, term).doc_freq, self.stats.n_units)
    }
}

impl Corpus for Snapshot {
    fn document(&self, at: DocumentIdx) -> Option<&Document> {
        Some(self.index.get(at)?.segment().document())
    }

    fn provision(&self, from: DocumentIdx, cite: &Cite) -> Option<(DocumentIdx, SectionId)> {
        let named = self.lexicon.provision(from, cite)?;
        Some((named.document, named.section))
    }

    fn terms(&self, text: &str) -> Vec<TermUse> {
        let question = AnalyzedQuery::read(text, &self.lexicon, &Glossary::default());
        let in_text = question.terms.into_iter().map(|NamedTerm { range, term, definitions }| TermUse {
            range,
            term,
            definitions,
        });
        in_text.collect()
    }
}
