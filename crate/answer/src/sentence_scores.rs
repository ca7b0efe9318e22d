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

    /// The greatest score of the sentences within a range, as of [`Self::of`].
    pub(crate) fn best_within(&self, document: DocumentIdx, range: TextRange) -> Option<f64> {
        let from = TextRange { start: range.start, end: 0 };
        let sentences = self.scores.range((document, from)..).map(|((of, sentence), _)| (*of, *sentence));
        let within = sentences.take_while(|&(of, sentence)| of == document && sentence.end <= range.end);
        within.filter_map(|(of, sentence)| self.of(of, sentence)).reduce(f64::max)
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
        let within = |start, end| scores.best_within(DocumentIdx(0), range(start, end));
        assert_eq!((within(0, 9), within(5, 12), within(0, 8)), (Some(0.5), Some(1.0), Some(0.25)));
        assert_eq!((within(1, 5), scores.best_within(DocumentIdx(1), range(0, 12))), (None, None));
        assert!(SentenceScores::new([]).is_empty() && SentenceScores::default().is_empty());
    }
}
