//! The union of the retrievers' lists, and the final ranking, in which articles absorb their children.

use std::collections::BTreeMap;

use document::{ChunkId, DocumentIdx};
use index::Index;

use crate::bm25::LexicalRetriever;
use crate::boost::ProvisionBoosts;
use crate::candidate::{Candidate, ScoredCandidate};
use crate::knn::DenseRetriever;
use crate::options::{Options, SearchUnits};

/// All chunks that a retriever listed or the question names, by document and chunk.
pub fn union(
    index: &Index,
    lexical: &LexicalRetriever,
    dense: &DenseRetriever<'_>,
    boosts: &ProvisionBoosts,
) -> Vec<Candidate> {
    let mut ranks: BTreeMap<(DocumentIdx, ChunkId), (Option<u32>, Option<u32>)> = BTreeMap::new();
    for (rank, (_, key)) in (1..).zip(&lexical.best) {
        ranks.entry(*key).or_default().0 = Some(rank);
    }
    for (rank, (_, key)) in (1..).zip(&dense.best) {
        ranks.entry(*key).or_default().1 = Some(rank);
    }
    for key in boosts.units() {
        ranks.entry(key).or_default();
    }
    ranks
        .into_iter()
        .filter_map(|((document, chunk), (lexical_rank, dense_rank))| {
            let segment = index.get(document)?.segment();
            let lexical = lexical.score(segment, document, chunk);
            let (dense, row) = dense.nearest(document, chunk).unzip();
            Some(Candidate {
                document,
                chunk,
                lexical,
                lexical_rank,
                dense,
                row,
                dense_rank,
                is_estimated: false,
            })
        })
        .collect()
}

/// The `k` best, best first.
pub fn rank(scored: Vec<ScoredCandidate>, index: &Index, options: &Options) -> Vec<ScoredCandidate> {
    let mut scored = match options.units {
        SearchUnits::Both => fold(scored, index),
        SearchUnits::Child | SearchUnits::Article => scored,
    };
    scored.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| (a.document, a.chunk).cmp(&(b.document, b.chunk)))
    });
    scored.truncate(options.k);
    scored
}

/// Removes each child whose article is listed too; the article takes the better of their scores. So no text is listed
/// twice, and an article found by one sentence ranks as that sentence does.
fn fold(scored: Vec<ScoredCandidate>, index: &Index) -> Vec<ScoredCandidate> {
    let article_of = |hit: &ScoredCandidate| index.get(hit.document)?.segment().chunk(hit.chunk)?.article;
    let mut places: BTreeMap<(DocumentIdx, ChunkId), usize> = BTreeMap::new();
    let (mut kept, mut children) = (Vec::with_capacity(scored.len()), Vec::new());
    for hit in scored {
        match article_of(&hit) {
            Some(article) => children.push((article, hit)),
            None => {
                places.insert((hit.document, hit.chunk), kept.len());
                kept.push(hit);
            }
        }
    }
    for (article, child) in children {
        let place = places.get(&(child.document, article)).copied();
        match place.and_then(|place| kept.get_mut(place)) {
            Some(article) => {
                article.score = article.score.max(child.score);
                article.folded.push((child.chunk, child.score));
            }
            None => kept.push(child),
        }
    }
    kept
}
