//! The dense retriever: the nearest children and notes, and through them their articles.

use document::{ChunkId, ChunkKind, DocumentIdx};
use index::Index;
use index::vector::{QueryVector, VectorIndex, VectorRow};

use crate::filter::Scope;
use crate::options::{Options, SearchUnits};

/// Dense retrieval of a search.
pub struct DenseRetriever<'a> {
    query: Option<QueryVector<'a>>,
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
        let mut retriever = Self { query, index, best: Vec::new(), depth };
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

    /// Cosine of a chunk, for an article that of its nearest child; `None` without a vector.
    pub fn score(&self, document: DocumentIdx, chunk: ChunkId) -> Option<f32> {
        self.nearest(document, chunk).map(|(cosine, _)| cosine)
    }

    /// Cosine of a chunk and its vector, for an article those of its nearest child.
    pub fn nearest(&self, document: DocumentIdx, chunk: ChunkId) -> Option<(f32, VectorRow<'a>)> {
        let query = self.query?;
        let entry = self.index.get(document)?;
        if entry.vectors().fingerprint() != Some(query.fingerprint) {
            return None;
        }
        let cosine = |row: usize| {
            let row = entry.vectors().row(row)?;
            Some((row.dot(query.values)?, row))
        };
        let segment = entry.segment();
        if segment.chunk(chunk)?.kind == ChunkKind::Article {
            let children = segment.rows_of_article(chunk).filter_map(cosine);
            return children.max_by(|a, b| a.0.total_cmp(&b.0));
        }
        cosine(segment.embeddable().binary_search(&chunk).ok()?)
    }
}
