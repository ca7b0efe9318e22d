//! Similarities of passages and their sentences to one query by late interaction, as the caller measured them.

use std::collections::BTreeMap;
use std::ops::Range;

use document::{DocumentIdx, TextRange};

/// Similarities to one query by late interaction, -1 to 1. Empty if nothing was compared with the query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Similarities {
    sentences: BTreeMap<(DocumentIdx, TextRange), f32>,
    least: f32,
    greatest: f32,
    best: BestPassage,
    query: QuerySimilarity,
}

/// A query with the similarities of its tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuerySimilarity {
    /// The query.
    pub text: String,
    /// Bytes of each token, with its greatest similarity to a token of the nearest passages, -1 to 1.
    pub tokens: Vec<(Range<usize>, f32)>,
}

impl QuerySimilarity {
    /// Mean similarity of the tokens in a range of the query, -1 to 1; `None` without any.
    fn of(&self, range: &Range<usize>) -> Option<f32> {
        let inside =
            self.tokens.iter().filter(|(token, _)| token.start < range.end && range.start < token.end);
        let (sum, n) = inside.fold((0.0, 0.0), |(sum, n), (_, similarity)| (sum + similarity, n + 1.0));
        (n > 0.0).then(|| sum / n)
    }
}

/// Similarities of the passage that is most similar to a query, -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BestPassage {
    /// Similarity of the whole passage.
    pub similarity: f32,
    /// Mean similarity of the quarter of the query's tokens that match it worst.
    pub worst: f32,
}

impl Similarities {
    /// The similarities of sentences; of one in several passages the greatest.
    pub fn new(
        sentences: impl IntoIterator<Item = (DocumentIdx, TextRange, f32)>,
        best: BestPassage,
    ) -> Self {
        let (least, greatest) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut all =
            Self { sentences: BTreeMap::new(), least, greatest, best, query: QuerySimilarity::default() };
        for (document, range, similarity) in sentences {
            let kept = all.sentences.entry((document, range)).or_insert(similarity);
            *kept = kept.max(similarity);
            all.least = all.least.min(similarity);
            all.greatest = all.greatest.max(similarity);
        }
        all
    }

    /// The same with the query.
    pub fn with_query(self, query: QuerySimilarity) -> Self {
        Self { query, ..self }
    }

    /// Mean similarity of the tokens of a word of a question, -1 to 1; `None` if another query was compared.
    pub(crate) fn of_word(&self, question: &str, word: &Range<usize>) -> Option<f32> {
        self.query.of(word).filter(|_| self.query.text == question)
    }

    /// True if nothing was compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The passage that is most similar to the query.
    pub(crate) fn best(&self) -> BestPassage {
        self.best
    }

    /// The `n` most similar sentences, best first; of equals the first in the text.
    pub(crate) fn nearest(&self, n: usize) -> Vec<(DocumentIdx, TextRange, f32)> {
        let all = self.sentences.iter();
        let mut all: Vec<_> =
            all.map(|(&(document, range), &similarity)| (document, range, similarity)).collect();
        all.sort_by(|a, b| b.2.total_cmp(&a.2));
        all.truncate(n);
        all
    }

    /// The similarity of a sentence, scaled: from 0 for the least similar one to 1 for the most similar.
    pub(crate) fn of(&self, document: DocumentIdx, range: TextRange) -> Option<f64> {
        let spread = f64::from(self.greatest - self.least);
        let similarity = self.sentences.get(&(document, range))?;
        Some(if spread > 0.0 { f64::from(similarity - self.least) / spread } else { 1.0 })
    }

    /// The greatest similarity of the sentences that lie mostly in a range, or hold most of it, as of [`Self::of`]: a part of a
    /// provision begins behind its number, where the sentence begins before it.
    pub(crate) fn best_in(&self, document: DocumentIdx, range: TextRange) -> Option<f64> {
        let from = TextRange { start: range.start, end: 0 };
        let before = self.sentences.range(..(document, from)).next_back();
        let after = self.sentences.range((document, from)..);
        let near = before.into_iter().chain(after).map(|((of, sentence), _)| (*of, *sentence));
        let here = near
            .skip_while(|&(of, _)| of != document)
            .take_while(|&(of, sentence)| of == document && sentence.start < range.end);
        let shares_most = |sentence: TextRange| {
            let shared = sentence.intersect(range).map_or(0, TextRange::len);
            2 * shared > sentence.len().min(range.len())
        };
        here.filter(|&(_, sentence)| shares_most(sentence))
            .filter_map(|(_, sentence)| self.of(document, sentence))
            .reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_run_from_the_least_to_the_most_similar_sentence() {
        let range = |start, end| TextRange { start, end };
        let at = |start, end, score| (DocumentIdx(0), range(start, end), score);
        let all = [at(0, 5, 0.25), at(5, 9, 0.5), at(0, 5, 0.375), at(9, 12, 0.75)];
        let scores = Similarities::new(all, BestPassage::default());
        let of = |start, end| scores.of(DocumentIdx(0), range(start, end));
        assert_eq!((of(0, 5), of(5, 9), of(9, 12)), (Some(0.25), Some(0.5), Some(1.0)));
        assert_eq!((of(1, 5), scores.of(DocumentIdx(1), range(0, 5))), (None, None));
        let best_in = |start, end| scores.best_in(DocumentIdx(0), range(start, end));
        assert_eq!((best_in(0, 9), best_in(5, 12), best_in(0, 6)), (Some(0.5), Some(1.0), Some(0.25)));
        assert_eq!(
            (best_in(2, 5), best_in(6, 8)),
            (Some(0.25), Some(0.5)),
            "without a number; an item of a sentence"
        );
        assert_eq!((best_in(12, 20), scores.best_in(DocumentIdx(1), range(0, 12))), (None, None));
        assert!(
            Similarities::new([], BestPassage::default()).is_empty() && Similarities::default().is_empty()
        );
    }

    #[test]
    fn the_nearest_sentences_come_in_order_of_similarity_then_of_the_text() {
        let at = |start, similarity| (DocumentIdx(0), TextRange { start, end: start + 4 }, similarity);
        let all =
            Similarities::new([at(0, 0.25), at(4, 0.5), at(8, 0.5), at(12, 0.75)], BestPassage::default());
        let starts: Vec<u32> = all.nearest(3).iter().map(|(_, range, _)| range.start).collect();
        assert_eq!(starts, [12, 4, 8]);
    }
}
