//! The dense retriever: the nearest children and notes, and through them their articles.

use document::{ChunkId, DocumentIdx};
use index::vector::{Probe, QueryVector, VectorIndex};
use index::{Entry, Index};

use crate::filter::Scope;
use crate::options::{Options, SearchUnits};

/// Dense retrieval of a search.
pub struct DenseRetriever<'a> {
    /// The query and its codes.
    query: Option<(QueryVector<'a>, Probe)>,
    index: &'a Index,
    /// The best candidates, best first. An article has the cosine of its nearest child.
    pub best: Vec<(f32, (DocumentIdx, ChunkId))>,
    /// Maximum length of the list.
    pub depth: usize,
}

impl<'a> DenseRetriever<'a> {
    /// Retrieves the nearest chunks in the scope.
    pub fn search(
        index: &'a Index,
        vectors: &dyn VectorIndex,
        query: Option<QueryVector<'a>>,
        options: &Options,
        scope: &Scope<'_>,
    ) -> Self {
        let depth = options.depth.max(options.k);
        let probed = query.map(|query| (query, Probe::new(query.values)));
        let mut retriever = Self { query: probed, index, best: Vec::new(), depth };
        let Some(query) = query else { return retriever };
        // Several of the nearest children may belong to one article: search deeper, so that `depth` remain.
        let reach = if options.units == SearchUnits::Child { depth } else { depth.saturating_mul(2) };
        let keep = |document: DocumentIdx, chunk: ChunkId| {
            scope.holds_all_of(document)
                || scope.holds(document, chunk)
                || scope.article_of(document, chunk).is_some()
        };
        let mut seen = std::collections::BTreeSet::new();
        let mut n_children = 0;
        for near in vectors.nearest(query, reach, &keep) {
            if scope.holds(near.document, near.chunk) {
                n_children += 1;
                retriever.best.push((near.score, (near.document, near.chunk)));
            }
            if let Some(article) = scope.article_of(near.document, near.chunk)
                && seen.insert((near.document, article))
            {
                retriever.best.push((near.score, (near.document, article)));
            }
            if n_children.max(seen.len()) >= depth {
                break;
            }
        }
        retriever.best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        retriever
    }

    /// True if the query has a vector.
    pub fn is_active(&self) -> bool {
        self.query.is_some()
    }

    /// Cosine of a chunk and the row of its vector, for an article those of its nearest child; `None` without a vector.
    pub fn nearest(&self, document: DocumentIdx, chunk: ChunkId) -> Option<(f32, usize)> {
        let (query, probe) = self.query.as_ref()?;
        let entry = self.entry(document)?;
        let cosine = |row: usize| Some((entry.vectors().row(row)?.dot(query.values)?, row));
        if let Some(row) = entry.segment().row_of(chunk) {
            return cosine(row);
        }
        let bounded = |row: usize| Some((row, entry.vectors().bounded_score(row, probe)?));
        let bounded: Vec<_> = entry.segment().rows_of_article(chunk).filter_map(bounded).collect();
        // Only what the bound does not exclude is scored by all bits, as in a scan.
        let bar = bounded.iter().map(|(_, (score, doubt))| score - doubt).fold(f32::NEG_INFINITY, f32::max);
        let reaching = bounded.into_iter().filter(|(_, (score, doubt))| score + doubt >= bar);
        reaching.filter_map(|(row, _)| cosine(row)).max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The cosine of [`Self::nearest`] by eight bits a value, for features of the units around candidates: there are ten
    /// times as many of them, and the third digit decides nothing.
    pub fn near_cosine(&self, document: DocumentIdx, chunk: ChunkId) -> Option<f32> {
        let (_, probe) = self.query.as_ref()?;
        let entry = self.entry(document)?;
        let scores =
            entry.segment().rows_of(chunk).filter_map(|row| entry.vectors().bounded_score(row, probe));
        scores.map(|(score, _)| score).max_by(f32::total_cmp)
    }

    /// A document whose vectors are of the query's model.
    fn entry(&self, document: DocumentIdx) -> Option<&'a Entry> {
        let (query, _) = self.query.as_ref()?;
        self.index.get(document).filter(|entry| entry.vectors().fingerprint() == Some(query.fingerprint))
    }
}
