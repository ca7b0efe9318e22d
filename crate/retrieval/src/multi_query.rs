//! Multi-query fusion: one list for a question and its rewrites, by the sum of reciprocal ranks. A question without
//! rewrites keeps its list and scores.

use std::collections::BTreeMap;

use document::{ChunkId, DocumentIdx, Hit, OrNever as _};

use crate::options::Rrf;

/// The lists of several queries as one, best first; ties in order of document and chunk.
pub fn fuse_queries(lists: &[Vec<Hit>], rrf: Rrf) -> Vec<Hit> {
    let [first, rest @ ..] = lists else { return Vec::new() };
    if rest.iter().all(Vec::is_empty) {
        return first.clone();
    }
    let mut sums: BTreeMap<(DocumentIdx, ChunkId), f32> = BTreeMap::new();
    for hit in lists.iter().flatten() {
        *sums.entry((hit.document, hit.chunk)).or_default() += 1.0 / (rrf.k + hit.rank as f32);
    }
    let mut ordered: Vec<((DocumentIdx, ChunkId), f32)> = sums.into_iter().collect();
    ordered.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let hit = |(rank, ((document, chunk), score))| {
        let of = |hit: &&Hit| (hit.document, hit.chunk) == (document, chunk);
        let explanation = lists.iter().flatten().find(of).map(|hit| hit.explanation.clone());
        Hit { document, chunk, score, rank, explanation: explanation.or_never("a hit of some list") }
    };
    (1..).zip(ordered).map(hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(chunks: &[u32]) -> Vec<Hit> {
        let hit = |(rank, &chunk)| Hit {
            document: DocumentIdx(0),
            chunk: ChunkId(chunk),
            score: 1.0,
            rank,
            explanation: document::Explanation::default(),
        };
        (1..).zip(chunks).map(hit).collect()
    }

    #[test]
    fn what_several_questions_find_comes_first() {
        let order = |lists: &[Vec<Hit>]| -> Vec<u32> {
            fuse_queries(lists, Rrf::default()).iter().map(|hit| hit.chunk.0).collect()
        };
        assert_eq!(order(&[list(&[1, 2, 3]), list(&[3, 4])]), [3, 1, 2, 4]);
        assert_eq!(order(&[list(&[2, 1]), list(&[1, 2])]), [1, 2], "equal sums in order of the passages");
        assert_eq!(order(&[list(&[7, 5]), Vec::new()]), [7, 5]);
        assert!(order(&[]).is_empty());
        let alone = fuse_queries(&[list(&[7])], Rrf::default());
        assert_eq!(alone[0].score, 1.0, "a single list keeps its scores");
    }
}
