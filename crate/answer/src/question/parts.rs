//! The parts of a question: "who decides, and within what time?" asks two things.
//!
//! A question is cut where a new clause begins to ask: after a comma, "and" or "or", before an interrogative, if the
//! words before it ask already. A condition ("when a firm is late, …") asks nothing. The words before the first
//! interrogative go with the first part and with the query of every part. Cost: linear in the question.

use std::ops::Range;

use document::{OrNever as _, Slice as _};

/// Maximum parts of a question.
const MAX_ASKS: usize = 3;
/// Minimum words of a part.
const MIN_WORDS: usize = 3;

/// Words that open a question after a conjunction.
const OPENING: &[&str] = &["what", "which", "who", "whom", "whose", "when", "where", "why", "how"];
/// Words that may come between the conjunction and the interrogative.
const BEFORE: &[&str] = &[
    "on", "in", "at", "by", "from", "for", "to", "of", "with", "within", "under", "until", "since", "through",
];
/// Words that open a question only after a comma or a stop.
const INVERTED: &[&str] = &[
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "must", "shall", "should",
    "will", "would", "has", "have", "had",
];
const CONJUNCTIONS: &[&str] = &["and", "or", "but"];
/// Words that open a condition unless an inversion follows at once ("when is it due?").
const CONDITIONAL: &[&str] = &["when", "where"];
/// Minimum other words of a part that is searched for by itself.
const MIN_OWN_WORDS: usize = 2;

/// A part of a question.
pub(super) struct QuestionPart {
    /// Bytes of the question.
    pub(super) range: Range<usize>,
    /// The query that finds passages for it: the words before all parts, then its own. A part with too few words of
    /// its own, such as "and within what time?", is searched for by the whole question.
    pub(super) query: String,
}

/// The parts of a question; one part, the whole, if it asks one thing.
pub(super) fn parts(question: &str) -> Vec<QuestionPart> {
    let (preamble, parts) = cut(question);
    let text = |range: &Range<usize>| question.slice(range.clone()).trim();
    let is_own = |word: &Range<usize>| {
        let word = question.slice(word.clone()).to_lowercase();
        let lists = [OPENING, BEFORE, INVERTED, CONJUNCTIONS, &["the", "a", "an", "it", "its", "there"]];
        word.len() > 2 && !lists.iter().any(|list| list.contains(&word.as_str()))
    };
    let search = |(nth, part): (usize, &Range<usize>)| {
        let n_own = words(question)
            .iter()
            .filter(|word| part.contains(&word.start) && is_own(word))
            .take(MIN_OWN_WORDS)
            .count();
        match n_own < MIN_OWN_WORDS {
            true => question.trim().to_owned(),
            false if nth > 0 && !text(&preamble).is_empty() => format!("{} {}", text(&preamble), text(part)),
            false => text(part).to_owned(),
        }
    };
    let queries: Vec<String> = parts.iter().enumerate().map(search).collect();
    parts.into_iter().zip(queries).map(|(range, query)| QuestionPart { range, query }).collect()
}

/// The words before the first interrogative, and the parts; the first part begins with them.
fn cut(question: &str) -> (Range<usize>, Vec<Range<usize>>) {
    let words = words(question);
    let lower: Vec<String> = words.iter().map(|word| question.slice(word.clone()).to_lowercase()).collect();
    let is = |at: usize, list: &[&str]| lower.get(at).is_some_and(|word| list.contains(&word.as_str()));
    // After a conjunction "when" asks even without an inversion: "say who pays and when it is due".
    let asks_at = |at: usize, is_parted: bool, is_joined: bool| {
        is(at, OPENING) && (is_joined || !is(at, CONDITIONAL) || is(at + 1, INVERTED))
            || is(at, BEFORE) && is(at + 1, OPENING)
            || is_parted && is(at, INVERTED)
    };
    // "What, under Rule 5, is the fee?" is still asking its first question at "is".
    let has_inversion = |from: usize, to: usize| {
        is(from, INVERTED) || (from..to).any(|at| is(at, OPENING) && is(at + 1, INVERTED))
    };
    let mut starts: Vec<usize> = Vec::new();
    for at in 0..words.len() {
        let is_parted = match words.slice(at.saturating_sub(1)..=at) {
            [before, word] => question.slice(before.end..word.start).contains([',', ';', ':', '?', '.']),
            _ => true,
        };
        let (first, is_joined) = if is(at, CONJUNCTIONS) && at > 0 { (at + 1, true) } else { (at, false) };
        let Some(&last) = starts.last() else {
            if asks_at(at, is_parted, false) {
                starts.push(at);
            }
            continue;
        };
        if (is_joined || is_parted) && asks_at(first, is_parted, is_joined) {
            if !is_joined && is(first, INVERTED) && !has_inversion(last, at) {
                continue;
            }
            let is_long = at >= last + MIN_WORDS && at + MIN_WORDS <= words.len();
            if is_long && starts.len() < MAX_ASKS {
                starts.push(at);
            }
        }
    }
    if starts.len() < 2 {
        return (0..0, std::iter::once(0..question.len()).collect());
    }
    let mut bytes: Vec<usize> =
        starts.iter().filter_map(|&at| words.get(at)).map(|word| word.start).collect();
    let preamble = 0..bytes.first_mut().map(std::mem::take).or_never("the first of several questions");
    let ends = bytes.iter().skip(1).copied().chain([question.len()]);
    let parts = bytes.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
    (preamble, parts)
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

    fn ranges(question: &str) -> Vec<&str> {
        parts(question).into_iter().map(|part| question[part.range].trim()).collect()
    }

    fn queries(question: &str) -> Vec<String> {
        parts(question).into_iter().map(|part| part.query).collect()
    }

    #[test]
    fn a_question_is_cut_where_it_asks_again() {
        let cases: [(&str, &[&str]); 13] = [
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
            ("When a firm is late, is interest due?", &["When a firm is late, is interest due?"]),
            (
                "Where a licence is revoked, what must be paid?",
                &["Where a licence is revoked, what must be paid?"],
            ),
            ("What, under Rule 5, is the fee for it?", &["What, under Rule 5, is the fee for it?"]),
            ("Who pays the fee and when it is due?", &["Who pays the fee", "and when it is due?"]),
            ("When is the fee due, and who pays it?", &["When is the fee due,", "and who pays it?"]),
            ("", &[""]),
        ];
        for (question, expected) in cases {
            assert_eq!(ranges(question), expected, "{question}");
        }
    }
    #[test]
    fn each_part_is_searched_for_with_what_stands_before_it_or_whole() {
        let late = queries("A firm is late: what fee is due, and how is the interest reckoned?");
        assert_eq!(
            late,
            ["A firm is late: what fee is due,", "A firm is late: and how is the interest reckoned?"]
        );
        let appeal = "Who decides an appeal, and within what time?";
        assert_eq!(queries(appeal), ["Who decides an appeal,", appeal]);
    }
}
