//! One pass over the tokens of a text: counts, runs in the question's order, pairs, and the positions of its words.

use super::question::{QuestionTerms, Term};
use super::token::Token;

/// Words in which a pair counts as near: as in the unordered windows of the sequential dependence model (Metzler and
/// Croft, *A Markov Random Field Model for Term Dependencies*, 2005).
pub const NEAR: u32 = 8;

/// A run of words in the question's order that ends in the last word of the text.
struct Run {
    /// Position in the question of its last word.
    position: u16,
    /// Length in words.
    length: u32,
    weight: u64,
}

/// Occurrences of a pair of the question.
#[derive(Clone, Copy, Default)]
pub struct PairSeen {
    /// True if seen as neighbours in the question's order.
    pub adjacent: bool,
    /// True if seen within [`NEAR`] words of each other, in any order.
    pub near: bool,
}

/// State of a scan over a text.
pub struct Scan<'a> {
    question: &'a QuestionTerms,
    /// Words read so far.
    n_words: u32,
    /// By term: occurrences.
    pub counts: Vec<u32>,
    runs: Vec<Run>,
    /// Length in words of the longest run.
    pub longest: u32,
    /// Weight of the heaviest run of two words or more.
    pub heaviest: u64,
    /// By term: its last position.
    last: Vec<Option<u32>>,
    /// By pair.
    pub pairs: Vec<PairSeen>,
    /// Position and term of each word of the question.
    pub hits: Vec<(u32, u16)>,
}

impl<'a> Scan<'a> {
    pub fn new(question: &'a QuestionTerms) -> Self {
        let (n_terms, n_pairs) = (question.terms.len(), question.pairs.len());
        Self {
            question,
            n_words: 0,
            counts: vec![0; n_terms],
            runs: Vec::new(),
            longest: 0,
            heaviest: 0,
            last: vec![None; n_terms],
            pairs: vec![PairSeen::default(); n_pairs],
            hits: Vec::new(),
        }
    }

    /// Takes the next token of the text.
    pub fn push(&mut self, token: Token) {
        if token.is_word {
            self.n_words += 1;
        }
        let question = self.question;
        let term = token.term.and_then(|id| Some((id, question.terms.get(usize::from(id))?)));
        let Some((id, term)) = term else {
            if token.is_word {
                self.runs.clear();
            }
            return;
        };
        if let Some(count) = self.counts.get_mut(usize::from(id)) {
            *count = count.saturating_add(1);
        }
        if token.is_word {
            self.extend_runs(term);
            if !term.positions.is_empty() {
                self.push_hit(self.n_words - 1, id, term);
            }
        }
    }

    /// The runs that this word of the text continues or begins.
    fn extend_runs(&mut self, term: &Term) {
        let before = std::mem::take(&mut self.runs);
        for &position in &term.positions {
            let run = position.checked_sub(1).and_then(|last| before.iter().find(|run| run.position == last));
            let (length, weight) = run.map_or((0, 0), |run| (run.length, run.weight));
            let (length, weight) = (length + 1, weight + term.weight);
            self.longest = self.longest.max(length);
            if length > 1 {
                self.heaviest = self.heaviest.max(weight);
            }
            self.runs.push(Run { position, length, weight });
        }
    }

    fn push_hit(&mut self, at: u32, id: u16, term: &Term) {
        for &(pair, other) in &term.pairs {
            let before = self.last.get(usize::from(other)).copied().flatten();
            let Some(gap) = before.map(|before| at - before) else { continue };
            let pair = usize::from(pair);
            let Some((seen, pair)) = self.pairs.get_mut(pair).zip(self.question.pairs.get(pair)) else {
                continue;
            };
            seen.adjacent |= gap == 1 && pair.first == other;
            seen.near |= gap < NEAR;
        }
        if let Some(last) = self.last.get_mut(usize::from(id)) {
            *last = Some(at);
        }
        self.hits.push((at, id));
    }
}
