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
    query: QuerySimilarity,
}

/// A query with its similarities to what is nearest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuerySimilarity {
    /// The query.
    pub text: String,
    /// Bytes of each token, with its greatest similarity to a token of the nearest passages, -1 to 1.
    pub tokens: Vec<(Range<usize>, f32)>,
    /// Mean similarity of the first tokens to the most similar sentence, -1 to 1: they say what is asked for, as in "How many
    /// days" and "Who pays".
    pub opening: f32,
    /// Similarity of the most similar passage, less the mean of those that follow; ≥ 0, and 0 if there is no other.
    pub stands: f32,
    /// 1 − n / 10, n the passages that [`Self::tokens`] are compared with, 10 at most: in a small library, or one that is filtered,
    /// there are fewer.
    pub lacking: f32,
}

impl QuerySimilarity {
    /// Mean similarity of the tokens, -1 to 1; 0 without any.
    pub(crate) fn mean(&self) -> f64 {
        self.tokens.iter().map(|&(_, similarity)| f64::from(similarity)).sum::<f64>()
            / self.tokens.len().max(1) as f64
    }

    /// Mean similarity of the tokens in a range of the query, -1 to 1; `None` without any.
    fn of(&self, range: &Range<usize>) -> Option<f32> {
        let inside =
            self.tokens.iter().filter(|(token, _)| token.start < range.end && range.start < token.end);
        let (sum, n) = inside.fold((0.0, 0.0), |(sum, n), (_, similarity)| (sum + similarity, n + 1.0));
        (n > 0.0).then(|| sum / n)
    }
}

impl Similarities {
    /// The similarities of sentences, of one in several passages the greatest, and of the query that they were compared with.
    pub fn new(
        sentences: impl IntoIterator<Item = (DocumentIdx, TextRange, f32)>,
        query: QuerySimilarity,
    ) -> Self {
        let (least, greatest) = (f32::INFINITY, f32::NEG_INFINITY);
        let mut all = Self { sentences: BTreeMap::new(), least, greatest, query };
        for (document, range, similarity) in sentences {
            let kept = all.sentences.entry((document, range)).or_insert(similarity);
            *kept = kept.max(similarity);
            all.least = all.least.min(similarity);
            all.greatest = all.greatest.max(similarity);
        }
        all
    }

    /// Mean similarity of the tokens of a word of a question, -1 to 1; `None` if another query was compared.
    pub(crate) fn of_word(&self, question: &str, word: &Range<usize>) -> Option<f32> {
        self.query.of(word).filter(|_| self.query.text == question)
    }

    /// True if nothing was compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The query with its similarities to what is nearest.
    pub(crate) fn query(&self) -> &QuerySimilarity {
        &self.query
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
        let scores = Similarities::new(all, QuerySimilarity::default());
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
            Similarities::new([], QuerySimilarity::default()).is_empty()
                && Similarities::default().is_empty()
        );
    }
}
