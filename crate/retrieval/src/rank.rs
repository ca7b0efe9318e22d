//! The union of the legs, and the final order: children folded into their articles.

use std::collections::BTreeMap;

use document::{ChunkId, DocumentIdx};
use index::Index;

use crate::fusion::Scored;
use crate::named::Named;
use crate::{Options, Units, bm25, knn};

/// A chunk that at least one leg listed, with what both legs say of it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its document.
    pub document: DocumentIdx,
    /// The chunk.
    pub chunk: ChunkId,
    /// BM25; 0 where it has no word of the question.
    pub lexical: f32,
    /// Its place in the lexical list, from 1.
    pub lexical_rank: Option<u32>,
    /// Cosine, where it has a vector and the question too.
    pub dense: Option<f32>,
    /// Its place in the dense list, from 1.
    pub dense_rank: Option<u32>,
}

impl Candidate {
    /// Whether a leg has it among its first so many, or lists it in no place at all, as what the question names.
    pub fn is_within(&self, depth: u32) -> bool {
        let near = |rank: Option<u32>| rank.is_some_and(|rank| rank <= depth);
        near(self.lexical_rank)
            || near(self.dense_rank)
            || (self.lexical_rank.is_none() && self.dense_rank.is_none())
    }
}

/// Everything that a leg listed or the question names, by document and chunk.
pub fn union(index: &Index, lexical: &bm25::Leg, dense: &knn::Leg<'_>, named: &Named) -> Vec<Candidate> {
    let mut ranks: BTreeMap<(DocumentIdx, ChunkId), (Option<u32>, Option<u32>)> = BTreeMap::new();
    for (rank, (_, key)) in (1..).zip(&lexical.best) {
        ranks.entry(*key).or_default().0 = Some(rank);
    }
    for (rank, (_, key)) in (1..).zip(&dense.best) {
        ranks.entry(*key).or_default().1 = Some(rank);
    }
    for key in named.units() {
        ranks.entry(key).or_default();
    }
    ranks
        .into_iter()
        .filter_map(|((document, chunk), (lexical_rank, dense_rank))| {
            let segment = index.get(document)?.segment();
            let lexical = lexical.score(segment, document, chunk);
            let dense = dense.score(document, chunk);
            Some(Candidate { document, chunk, lexical, lexical_rank, dense, dense_rank })
        })
        .collect()
}

/// Best first, `k` of them.
pub fn rank(scored: Vec<Scored>, index: &Index, options: &Options) -> Vec<Scored> {
    let mut scored = match options.units {
        Units::Both => fold(scored, index),
        Units::Child | Units::Article => scored,
    };
    scored.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| (a.document, a.chunk).cmp(&(b.document, b.chunk)))
    });
    scored.truncate(options.k);
    scored
}

/// Takes out each child whose article is there too; the article gets the better of their scores. So no text
/// stands twice in a list, and an article found by one sentence ranks as that sentence does.
fn fold(scored: Vec<Scored>, index: &Index) -> Vec<Scored> {
    let article_of = |hit: &Scored| index.get(hit.document)?.segment().chunk(hit.chunk)?.article;
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
            Some(whole) => {
                whole.score = whole.score.max(child.score);
                whole.folded.push((child.chunk, child.score));
            }
            None => kept.push(child),
        }
    }
    kept
}
