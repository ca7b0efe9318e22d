//! Scores of sentences by late interaction, as the caller measured them.

use std::collections::BTreeMap;

use document::{DocumentIdx, TextRange};

/// Similarity of sentences to one query by late interaction, -1 to 1.
/// Empty if nothing was compared with the query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SentenceScores {
    scores: BTreeMap<(DocumentIdx, TextRange), f32>,
    least: f32,
    greatest: f32,
}

impl SentenceScores {
    /// The scores of sentences; of one in several passages the greatest.
    pub fn new(sentences: impl IntoIterator<Item = (DocumentIdx, TextRange, f32)>) -> Self {
        let mut all = Self { scores: BTreeMap::new(), least: f32::INFINITY, greatest: f32::NEG_INFINITY };
        for (document, range, score) in sentences {
            let kept = all.scores.entry((document, range)).or_insert(score);
            *kept = kept.max(score);
            all.least = all.least.min(score);
            all.greatest = all.greatest.max(score);
        }
        all
    }

    /// True if nothing was compared.
    pub(crate) fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The score of a sentence, from 0 for the least similar one to 1 for the most similar.
    pub(crate) fn of(&self, document: DocumentIdx, range: TextRange) -> Option<f64> {
        let spread = f64::from(self.greatest - self.least);
        let score = self.scores.get(&(document, range))?;
        Some(if spread > 0.0 { f64::from(score - self.least) / spread } else { 1.0 })
    }

    /// The greatest score of the sentences that lie mostly in a range, or hold most of it, as of [`Self::of`]: a part of a
    /// provision begins behind its number, where the sentence begins before it.
    pub(crate) fn best_in(&self, document: DocumentIdx, range: TextRange) -> Option<f64> {
        let from = TextRange { start: range.start, end: 0 };
        let before = self.scores.range(..(document, from)).next_back();
        let after = self.scores.range((document, from)..);
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
        let scores = SentenceScores::new([at(0, 5, 0.25), at(5, 9, 0.5), at(0, 5, 0.375), at(9, 12, 0.75)]);
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
        assert!(SentenceScores::new([]).is_empty() && SentenceScores::default().is_empty());
    }
}
