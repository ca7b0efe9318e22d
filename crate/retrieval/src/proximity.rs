//! Term proximity: how the words of a question occur together in a text.
//!
//! BM25 counts words and ignores their positions. [`Matcher`] reads a candidate's text once and gives its
//! [`Proximity`]: the share of the question that occurs (by weight), with repetition (each count capped, so that one
//! frequent word cannot replace the others), pairs of neighbours that stay neighbours, the longest run of words in the
//! question's order, and the size of the window that holds the words.
//!
//! Words are the *first* terms at their positions: a word's stem, a CJK character. Further terms at a position (a CJK
//! bigram, the label `401(k)` beside `401`) count for coverage, not for order. Stop words have no position, so that
//! "duty of care" is a phrase of two words.
//!
//! Cost: linear in the text, with a constant number of steps per word.

mod question;
mod scan;
mod token;
mod tokens;
mod window;

use text::{Analyzer, AnalyzerKind};

use question::QuestionTerms;
use scan::Scan;
use tokens::TokenReader;

/// Maximum occurrences of a term that count for [`Proximity::capped`].
const MAX_COUNT: u32 = 3;

/// Proximity features of a text for a question. Shares are of the weights of the question's terms, 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proximity {
    /// Number of terms of the question that occur.
    pub n_terms: u32,
    /// Share of the question's terms that occur.
    pub coverage: f32,
    /// The same with repetition: each term counts up to three times. 1 if all do.
    pub capped: f32,
    /// Share of the question's pairs of neighbours that are neighbours in the text, in order.
    pub bigrams: f32,
    /// Share of these pairs whose words stand within eight words of each other, in any order.
    pub near: f32,
    /// Length in words of the longest run in the question's order; 1 for a single word.
    pub longest_phrase: u32,
    /// Share of the heaviest run of two words or more.
    pub phrase: f32,
    /// Length in words of the shortest window that holds every word of the question that occurs; 0 without any.
    pub window: u32,
    /// Greatest share of the question's words in any 24 words.
    pub dense: f32,
}

/// Reads texts for one question.
pub struct Matcher {
    question: QuestionTerms,
    tokens: TokenReader,
}

impl Matcher {
    /// A matcher for a question. `weight` gives the weight of a term (its idf), 0 or more.
    pub fn new(kind: AnalyzerKind, question: &str, weight: &dyn Fn(&str) -> f64) -> Self {
        let mut question = QuestionTerms::new(&Analyzer::new(kind), question, weight);
        let ids = std::mem::take(&mut question.ids);
        Self { question, tokens: TokenReader::new(kind, ids) }
    }

    /// Number of words of the question with repetition, at most 256.
    pub fn n_words(&self) -> usize {
        self.question.n_words
    }

    /// The proximity features of `text`.
    pub fn read(&mut self, text: &str) -> Proximity {
        let Self { question, tokens } = self;
        let mut scan = Scan::new(question);
        tokens.read(text, &mut |token| scan.push(token));
        features(question, &scan)
    }
}

fn features(question: &QuestionTerms, scan: &Scan<'_>) -> Proximity {
    let share = |part: u64, whole: u64| if whole > 0 { (part as f64 / whole as f64) as f32 } else { 0.0 };
    let (mut n_terms, mut covered, mut capped) = (0, 0, 0);
    for (term, &count) in question.terms.iter().zip(&scan.counts) {
        if count > 0 {
            n_terms += 1;
            covered += term.weight;
            capped += term.weight * u64::from(count.min(MAX_COUNT));
        }
    }
    let (mut adjacent, mut near) = (0, 0);
    for (pair, seen) in question.pairs.iter().zip(&scan.pairs) {
        adjacent += if seen.adjacent { pair.weight } else { 0 };
        near += if seen.near { pair.weight } else { 0 };
    }
    let (window, dense) = window::windows(question, &scan.hits);
    Proximity {
        n_terms,
        coverage: share(covered, question.weight),
        capped: share(capped, question.weight * u64::from(MAX_COUNT)),
        bigrams: share(adjacent, question.pair_weight),
        near: share(near, question.pair_weight),
        longest_phrase: scan.longest,
        // A question that repeats itself can have a run that weighs more than its distinct words.
        phrase: share(scan.heaviest, question.weight).min(1.0),
        window,
        dense: share(dense, question.weight),
    }
}

#[cfg(test)]
mod tests;
