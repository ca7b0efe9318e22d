//! Hits of a library, judged by the pages on which they stand.
//!
//! Judgments name places as `file.pdf#7,8`: any of these pages of the document; without pages, all of it. A hit is replaced
//! by the judged places that it is first to reach (`engine::first_reached`); a hit that reaches none keeps its own id and its
//! rank. Longer hits reach more, so [`Pages::words`] can cut every ranking to the same length of text.

use std::collections::BTreeSet;

use ::index::Index;
use document::{Document, Hit, PlacedWord, TextRange};
use engine::{GoldPlace, first_reached};
use evaluate::ranking::Judgments;

/// Mapping of hits to judged pages.
pub(crate) struct Pages {
    /// Length of a ranking in words, counted from the first hit.
    pub(crate) words: Option<usize>,
}

impl Pages {
    /// The judged ids of the hits, with their scores.
    pub(crate) fn results(&self, hits: &[Hit], judgments: &Judgments, index: &Index) -> Vec<(String, f64)> {
        let ids: Vec<&str> = judgments.keys().map(String::as_str).collect();
        let gold: Vec<GoldPlace> = ids.iter().map(|id| gold_place(id)).collect();
        let mut left = self.words.unwrap_or(usize::MAX);
        let mut passages: Vec<(&Hit, &Document, Vec<TextRange>)> = Vec::with_capacity(hits.len());
        for hit in hits {
            let Some(entry) = index.get(hit.document).filter(|_| left > 0) else { break };
            let document = entry.segment().document();
            passages.push((hit, document, read(document, hit, &mut left)));
        }
        let reached =
            first_reached(&gold, passages.iter().map(|(_, document, ranges)| (*document, &ranges[..])));
        let mut results = Vec::with_capacity(hits.len());
        for ((hit, document, _), places) in passages.iter().zip(reached) {
            let score = f64::from(hit.score);
            match places.as_slice() {
                [] => results.push((format!("{}:{}", document.name, hit.chunk.idx()), score)),
                places => {
                    let new = places.iter().filter_map(|&place| ids.get(place));
                    results.extend(new.map(|id| ((*id).to_owned(), score)));
                }
            }
        }
        results
    }
}

/// The place that a judged id names: document and pages, from 1.
pub(crate) fn gold_place(id: &str) -> GoldPlace {
    let (name, pages) = id.rsplit_once('#').unwrap_or((id, ""));
    let pages: BTreeSet<u32> = pages.split(',').filter_map(|page| page.parse().ok()).collect();
    GoldPlace { document: name.to_owned(), pages, range: None }
}

/// The text of a hit up to its first `left` words; `left` is reduced by the words read.
fn read(document: &Document, hit: &Hit, left: &mut usize) -> Vec<TextRange> {
    let ranges = document.chunks.get(hit.chunk.idx()).map_or(&[][..], |chunk| &chunk.ranges);
    let mut read = Vec::with_capacity(ranges.len());
    for &range in ranges {
        let words: Vec<PlacedWord> = document.layout.words.words_in(range).collect();
        let n = words.len().min(*left);
        *left -= n;
        match n.checked_sub(1).and_then(|last| words.get(last)) {
            Some(last) if n < words.len() => {
                read.push(TextRange { end: last.range.end.min(range.end), ..range });
            }
            Some(_) => read.push(range),
            None => {}
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ::index::Segment;
    use document::{Chunk, ChunkId, ChunkKind, DocumentIdx, Explanation, PageId, Rect, SectionId, TextMap};
    use text::AnalyzerKind;

    use super::*;

    /// Three chunks of two words each: on page 1, on pages 1 and 2, on page 3.
    fn index() -> Index {
        let mut document = Document { name: "a.pdf".to_owned(), ..Document::default() };
        document.layout.text = "w ".repeat(6);
        let word = |(at, page): (usize, u32)| PlacedWord {
            range: TextRange::new(2 * at, 2 * at + 1),
            page: PageId(page),
            rect: Rect::new(0.0, 0.0, 1.0, 1.0),
        };
        document.layout.words = TextMap::new((0..).zip([0, 0, 0, 1, 2, 2]).map(word).collect());
        let chunk = |at: usize| Chunk {
            kind: ChunkKind::Child,
            ranges: vec![TextRange::new(4 * at, 4 * at + 4)],
            section: SectionId(0),
            n_tokens: 1,
            parents: Vec::new(),
            article: None,
            notes: Vec::new(),
        };
        document.chunks = (0..3).map(chunk).collect();
        let mut index = Index::default();
        index.insert(Arc::new(Segment::new(document, AnalyzerKind::Default)));
        index
    }

    fn ids(words: Option<usize>, judged: &[&str]) -> Vec<String> {
        let hit = |(rank, chunk)| Hit {
            document: DocumentIdx(0),
            chunk: ChunkId(chunk),
            score: 1.0 / rank as f32,
            rank,
            explanation: Explanation::default(),
        };
        let hits: Vec<Hit> = (1..).zip([0, 1, 2]).map(hit).collect();
        let judgments = judged.iter().map(|id| ((*id).to_owned(), 1)).collect();
        let results = Pages { words }.results(&hits, &judgments, &index());
        results.into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn a_hit_is_listed_by_the_pages_it_is_first_to_touch() {
        assert_eq!(ids(None, &["a.pdf#2,3"]), ["a.pdf:0", "a.pdf#2,3", "a.pdf:2"]);
        assert_eq!(ids(None, &["a.pdf#1", "a.pdf#2"]), ["a.pdf#1", "a.pdf#2", "a.pdf:2"]);
        assert_eq!(ids(None, &["b.pdf#1", "a.pdf"]), ["a.pdf", "a.pdf:1", "a.pdf:2"], "any of its pages");
    }

    #[test]
    fn a_ranking_is_cut_after_a_number_of_words() {
        assert_eq!(ids(Some(3), &["a.pdf#2"]), ["a.pdf:0", "a.pdf:1"], "the second page is not reached");
        assert_eq!(ids(Some(4), &["a.pdf#2"]), ["a.pdf:0", "a.pdf#2"]);
        assert!(ids(Some(0), &["a.pdf#1"]).is_empty());
    }
}
