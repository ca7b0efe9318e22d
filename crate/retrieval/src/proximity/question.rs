//! The words of a question, their order and their weights, as a text is compared with them.

use std::collections::{BTreeMap, BTreeSet};

use document::Slice as _;
use text::Analyzer;

/// Maximum words of a question that are compared; a longer question is a pasted document.
pub const MAX_WORDS: usize = 256;
/// Maximum positions of one word in the question that are compared.
const MAX_OCCURRENCES: usize = 8;
/// Fixed-point unit of a weight.
const UNIT: f64 = 65_536.0;

/// A distinct term of the question.
pub struct Term {
    /// Its weight in parts of [`UNIT`], so that sums are exact in any order.
    pub weight: u64,
    /// The positions of the question whose word it is.
    pub positions: Vec<u16>,
    /// The pairs that it belongs to, each with its neighbour there.
    pub pairs: Vec<(u16, u16)>,
}

/// Two words that are neighbours in the question, in its order.
pub struct Pair {
    pub first: u16,
    pub weight: u64,
}

/// A question as its terms.
#[derive(Default)]
pub struct QuestionTerms {
    pub terms: Vec<Term>,
    /// By text: the term's position in `terms`.
    pub ids: BTreeMap<String, u16>,
    /// Number of words, up to [`MAX_WORDS`].
    pub n_words: usize,
    /// Distinct pairs of neighbours.
    pub pairs: Vec<Pair>,
    /// Sum of the weights of the terms.
    pub weight: u64,
    /// Sum of the weights of the pairs.
    pub pair_weight: u64,
}

impl QuestionTerms {
    /// The terms of `text`; `weight` gives the weight of a term (its idf), 0 or more.
    pub fn new(analyzer: &Analyzer, text: &str, weight: &dyn Fn(&str) -> f64) -> Self {
        let mut question = Self::default();
        let words = question.add_terms(analyzer, text, weight);
        question.n_words = words.len();
        question.weight = question.terms.iter().map(|term| term.weight).sum();
        question.add_pairs(&words);
        question
    }

    /// Adds the terms of `text`. Gives the term at each position.
    fn add_terms(&mut self, analyzer: &Analyzer, text: &str, weight: &dyn Fn(&str) -> f64) -> Vec<u16> {
        let Self { terms, ids, .. } = self;
        let mut words = Vec::new();
        let mut last_position = None;
        // The cut may fall inside a word; half a word matches nothing.
        let text = text.slice(..text.floor_char_boundary(MAX_WORDS * 64));
        analyzer.analyze(text, &mut |token| {
            let is_word = last_position.is_none_or(|last| token.position > last);
            if words.len() >= MAX_WORDS && is_word {
                return;
            }
            let id = match ids.get(token.term) {
                Some(&id) => id,
                // A word has a few terms at most.
                None if terms.len() >= 4 * MAX_WORDS => return,
                None => {
                    let id = to_u16(terms.len());
                    ids.insert(token.term.to_owned(), id);
                    let weight = (weight(token.term).clamp(0.0, 1.0e6) * UNIT) as u64;
                    terms.push(Term { weight, positions: Vec::new(), pairs: Vec::new() });
                    id
                }
            };
            if is_word {
                last_position = Some(token.position);
                let term = terms.get_mut(usize::from(id));
                if let Some(term) = term.filter(|term| term.positions.len() < MAX_OCCURRENCES) {
                    term.positions.push(to_u16(words.len()));
                }
                words.push(id);
            }
        });
        words
    }

    fn add_pairs(&mut self, words: &[u16]) {
        let mut known = BTreeSet::new();
        for (&first, &second) in words.iter().zip(words.iter().skip(1)) {
            if first == second || !known.insert((first, second)) {
                continue;
            }
            let pair = to_u16(self.pairs.len());
            let weight = self.weight_of(first) + self.weight_of(second);
            self.pairs.push(Pair { first, weight });
            self.pair_weight += weight;
            for (id, other) in [(first, second), (second, first)] {
                let term = self.terms.get_mut(usize::from(id));
                if let Some(term) = term.filter(|term| term.pairs.len() < 2 * MAX_OCCURRENCES) {
                    term.pairs.push((pair, other));
                }
            }
        }
    }

    /// The weight of a term.
    pub fn weight_of(&self, id: u16) -> u64 {
        self.terms.get(usize::from(id)).map_or(0, |term| term.weight)
    }
}

fn to_u16(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
