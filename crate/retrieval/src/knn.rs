//! The dense leg: the nearest children and notes, and what they say of their articles.

use std::collections::BTreeMap;

use document::{ChunkId, ChunkKind, DocumentIdx};
use index::vector::{QueryVector, VectorIndex, dot};
use index::{Entry, Index};

use crate::filter::Scope;
use crate::{Options, Units};

/// The dense leg of a search.
pub struct Leg<'a> {
    query: Option<QueryVector<'a>>,
    index: &'a Index,
    /// The best, best first. An article stands here with the cosine of its nearest child.
    pub best: Vec<(f32, (DocumentIdx, ChunkId))>,
    /// By document, the nearest child of each article, for those that have been asked for.
    articles: BTreeMap<DocumentIdx, BTreeMap<ChunkId, (f32, usize)>>,
}

impl<'a> Leg<'a> {
    /// The nearest chunks that the scope holds.
    pub fn search(
        index: &'a Index,
        vectors: &dyn VectorIndex,
        query: Option<QueryVector<'a>>,
        options: &Options,
        scope: &Scope<'_>,
    ) -> Self {
        let mut leg = Self { query, index, best: Vec::new(), articles: BTreeMap::new() };
        let Some(query) = query else { return leg };
        let depth = options.depth.max(options.k);
        // An article may own several of the nearest children: look deeper, so that `depth` are left.
        let reach = if options.units == Units::Child { depth } else { depth.saturating_mul(2) };
        let keep = |document: DocumentIdx, chunk: ChunkId| {
            scope.holds(document, chunk) || scope.article_of(document, chunk).is_some()
        };
        let mut seen = std::collections::BTreeSet::new();
        let mut n_children = 0;
        for near in vectors.nearest(query, reach, &keep) {
            if scope.holds(near.document, near.chunk) {
                n_children += 1;
                leg.best.push((near.score, (near.document, near.chunk)));
            }
            if let Some(article) = scope.article_of(near.document, near.chunk)
                && seen.insert((near.document, article))
            {
                leg.best.push((near.score, (near.document, article)));
            }
            if n_children.max(seen.len()) >= depth {
                break;
            }
        }
        leg.best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        leg
    }

    /// Whether there is anything to compare with.
    pub fn is_active(&self) -> bool {
        self.query.is_some()
    }

    /// The cosine of a chunk (of an article: of its nearest child); `None` where there is no vector.
    pub fn score(&mut self, document: DocumentIdx, chunk: ChunkId) -> Option<f32> {
        let query = self.query?;
        let entry = self.index.get(document)?;
        if entry.vectors().fingerprint() != Some(query.fingerprint) {
            return None;
        }
        if entry.segment().chunk(chunk)?.kind == ChunkKind::Article {
            let articles = self.articles.entry(document).or_insert_with(|| nearest_children(entry, query));
            return articles.get(&chunk).map(|&(score, _)| score);
        }
        let row = entry.segment().embeddable().binary_search(&chunk).ok()?;
        entry.vectors().row(row).map(|row| dot(query.values, row))
    }

    /// The vector that [`Self::score`] compares with.
    pub fn row(&mut self, document: DocumentIdx, chunk: ChunkId) -> Option<&'a [f32]> {
        self.score(document, chunk)?;
        let entry = self.index.get(document)?;
        let row = match self.articles.get(&document).and_then(|articles| articles.get(&chunk)) {
            Some(&(_, row)) => row,
            None => entry.segment().embeddable().binary_search(&chunk).ok()?,
        };
        entry.vectors().row(row)
    }
}

/// The highest cosine among the children of each article of a document, and the row of that child.
fn nearest_children(entry: &Entry, query: QueryVector<'_>) -> BTreeMap<ChunkId, (f32, usize)> {
    let mut articles = BTreeMap::new();
    for (row, &child) in entry.segment().embeddable().iter().enumerate() {
        let Some(article) = entry.segment().chunk(child).and_then(|chunk| chunk.article) else { continue };
        let Some(values) = entry.vectors().row(row) else { continue };
        let score = dot(query.values, values);
        let best = articles.entry(article).or_insert((score, row));
        if score > best.0 {
            *best = (score, row);
        }
    }
    articles
}
