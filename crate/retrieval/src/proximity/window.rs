//! Windows over the words of the question in a text, by two pointers: linear in the words found.

use super::question::QuestionTerms;

/// Words of the window whose best weight is looked for.
pub const STRETCH: u32 = 24;

/// Length in words of the shortest window with all distinct words that occur, 0 without any; and the greatest weight
/// of distinct words in any [`STRETCH`] words.
pub fn windows(question: &QuestionTerms, hits: &[(u32, u16)]) -> (u32, u64) {
    let mut distinct: Vec<u16> = hits.iter().map(|&(_, id)| id).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut shortest = Window::new(question);
    let mut fixed = Window::new(question);
    let (mut length, mut weight) = (0, 0);
    for &(at, id) in hits {
        fixed.push(id);
        while fixed.first(hits).is_some_and(|first| at - first >= STRETCH) {
            fixed.pop(hits);
        }
        weight = weight.max(fixed.weight);
        shortest.push(id);
        while shortest.n_distinct == distinct.len() {
            let Some(first) = shortest.first(hits) else { break };
            let own = at - first + 1;
            if length == 0 || own < length {
                length = own;
            }
            shortest.pop(hits);
        }
    }
    (length, weight)
}

/// A sliding window over hits.
struct Window<'a> {
    question: &'a QuestionTerms,
    /// By term: occurrences in the window.
    counts: Vec<u32>,
    n_distinct: usize,
    /// Weight of the distinct terms.
    weight: u64,
    /// Index of its first hit.
    start: usize,
}

impl<'a> Window<'a> {
    fn new(question: &'a QuestionTerms) -> Self {
        Self { question, counts: vec![0; question.terms.len()], n_distinct: 0, weight: 0, start: 0 }
    }

    /// Adds a hit behind the last.
    fn push(&mut self, id: u16) {
        let Some(count) = self.counts.get_mut(usize::from(id)) else { return };
        if *count == 0 {
            self.n_distinct += 1;
            self.weight += self.question.weight_of(id);
        }
        *count += 1;
    }

    /// Removes the first hit.
    fn pop(&mut self, hits: &[(u32, u16)]) {
        let Some(&(_, id)) = hits.get(self.start) else { return };
        self.start += 1;
        let Some(count) = self.counts.get_mut(usize::from(id)).filter(|count| **count > 0) else { return };
        *count -= 1;
        if *count == 0 {
            self.n_distinct -= 1;
            self.weight -= self.question.weight_of(id);
        }
    }

    /// Position in the text of the first hit.
    fn first(&self, hits: &[(u32, u16)]) -> Option<u32> {
        hits.get(self.start).map(|&(at, _)| at)
    }
}
