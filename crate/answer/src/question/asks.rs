//! What a question asks one after the other: "who decides, and within what time?" asks twice.
//!
//! A question is cut where a new clause begins to ask: behind a comma, "and" or "or", before a word that asks, where
//! what stands before asks already. What stands before the first word that asks belongs to every part. A question that
//! is not cut is one part, so nothing is lost where the rule sees nothing. Cost: linear in the question.

use std::ops::Range;

/// The most parts of a question.
const MAX_ASKS: usize = 3;
/// A part has at least this many words.
const MIN_WORDS: usize = 3;

/// Words that open a question of their own behind a conjunction.
const OPENING: &[&str] = &["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];
/// Words that may stand between the conjunction and the word that asks.
const BEFORE: &[&str] = &[
    "on", "in", "at", "by", "from", "for", "to", "of", "with", "within", "under", "until", "since", "through",
];
/// Words that open a question only where a comma or a stop parts it from the one before.
const INVERTED: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "must", "shall", "should",
    "will", "would", "has", "have", "had",
];
const CONJUNCTIONS: &[&str] = &["and", "or", "but"];

/// The parts of a question that ask, as ranges of it; one range, the whole, where it asks once.
pub(super) fn asks(question: &str) -> Vec<Range<usize>> {
    let words = words(question);
    let lower: Vec<String> =
        words.iter().map(|word| question.get(word.clone()).unwrap_or_default().to_lowercase()).collect();
    let is = |at: usize, list: &[&str]| lower.get(at).is_some_and(|word| list.contains(&word.as_str()));
    let asks_at = |at: usize, is_parted: bool| {
        is(at, OPENING) || is(at, BEFORE) && is(at + 1, OPENING) || is_parted && is(at, INVERTED)
    };
    let mut starts: Vec<usize> = Vec::new();
    for at in 0..words.len() {
        let is_parted = at.checked_sub(1).is_none_or(|before| {
            let end = words.get(before).map_or(0, |word| word.end);
            let start = words.get(at).map_or(0, |word| word.start);
            question.get(end..start).is_some_and(|between| between.contains([',', ';', ':', '?', '.']))
        });
        let (first, is_joined) = if is(at, CONJUNCTIONS) && at > 0 { (at + 1, true) } else { (at, false) };
        if starts.is_empty() {
            if asks_at(at, true) {
                starts.push(at);
            }
        } else if (is_joined || is_parted) && asks_at(first, is_parted) {
            let is_long =
                starts.last().is_some_and(|&last| at >= last + MIN_WORDS) && at + MIN_WORDS <= words.len();
            if is_long && starts.len() < MAX_ASKS {
                starts.push(at);
            }
        }
    }
    if starts.len() < 2 {
        return std::iter::once(0..question.len()).collect();
    }
    let mut bytes: Vec<usize> =
        starts.iter().filter_map(|&at| words.get(at)).map(|word| word.start).collect();
    if let Some(first) = bytes.first_mut() {
        *first = 0;
    }
    let ends = bytes.iter().skip(1).copied().chain([question.len()]);
    bytes.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn words(question: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    for (at, c) in question.char_indices().chain([(question.len(), ' ')]) {
        let is_word = c.is_alphanumeric() || matches!(c, '\'' | '’' | '-');
        match (start, is_word) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(question: &str) -> Vec<&str> {
        asks(question).into_iter().map(|range| question[range].trim()).collect()
    }

    #[test]
    fn a_question_is_cut_where_it_asks_again() {
        let cases: [(&str, &[&str]); 8] = [
            ("Who decides it, and within what time?", &["Who decides it,", "and within what time?"]),
            (
                "A firm is late: what is due, and how is the interest reckoned?",
                &["A firm is late: what is due,", "and how is the interest reckoned?"],
            ),
            ("What is a broker and who supervises it?", &["What is a broker", "and who supervises it?"]),
            (
                "Must a firm report, and is there a form for it?",
                &["Must a firm report,", "and is there a form for it?"],
            ),
            ("Must a firm that sells and buys report?", &["Must a firm that sells and buys report?"]),
            ("What must a firm do when it is late?", &["What must a firm do when it is late?"]),
            ("Which rules and guidance apply?", &["Which rules and guidance apply?"]),
            ("", &[""]),
        ];
        for (question, expected) in cases {
            assert_eq!(parts(question), expected, "{question}");
        }
    }
}
