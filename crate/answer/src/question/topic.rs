//! The topic of a question that asks what the documents say about something, or where.

use std::ops::Range;

/// Words that ask for what is said, right before [`ABOUT`].
const SAYING: [&str; 14] = [
    "say",
    "says",
    "said",
    "state",
    "states",
    "stated",
    "tell",
    "tells",
    "mention",
    "mentions",
    "provide",
    "provides",
    "anything",
    "something",
];
/// Words between a saying and its preposition.
const TOLD: [&str; 2] = ["us", "me"];
/// Prepositions of a topic.
const ABOUT: [&str; 4] = ["about", "on", "regarding", "concerning"];
/// Opening words of a question for a place.
const WHERE: [&str; 3] = ["where", "which", "what"];
/// Places of a document, asked for by those words; "where" needs none.
const PLACES: [&str; 13] = [
    "section",
    "part",
    "chapter",
    "article",
    "clause",
    "paragraph",
    "annex",
    "schedule",
    "appendix",
    "rule",
    "regulation",
    "provision",
    "page",
];
/// Verbs of a place that treats a topic, and the prepositions after "is".
const TREATS: [&str; 20] = [
    "covers",
    "cover",
    "deals",
    "deal",
    "explains",
    "explain",
    "describes",
    "describe",
    "lists",
    "list",
    "says",
    "say",
    "discusses",
    "discuss",
    "governs",
    "govern",
    "regulates",
    "regulate",
    "about",
    "on",
];
/// Words between those and the topic.
const TO: [&str; 4] = ["with", "about", "on", "that"];
/// Maximum words before a topic: "What do the terms and conditions of my contract say about".
const MAX_BEFORE: usize = 12;

/// The topic of a question, in bytes of it: "late payment" of "What do the documents say about late payment?" and of "Which section
/// deals with late payment?". All of a question that asks for something else. A passage about the topic says nothing of documents that say.
pub fn topic(question: &str) -> Range<usize> {
    let words: Vec<(&str, Range<usize>)> = words(question).take(MAX_BEFORE + 1).collect();
    let is_about = |at: usize| {
        let mut before = words.get(..at).unwrap_or_default().iter().rev().map(|(word, _)| lower(word));
        let said = before.find(|word| !TOLD.contains(&word.as_str()));
        said.is_some_and(|word| SAYING.contains(&word.as_str()))
    };
    let said = words
        .iter()
        .enumerate()
        .find(|(at, (word, _))| ABOUT.contains(&lower(word).as_str()) && is_about(*at));
    let start = said.map(|(_, (_, range))| range.end).or_else(|| after_place(&words)).unwrap_or(0);
    let end = question.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    let start = question.get(start..end).map_or(0, |rest| start + rest.len() - rest.trim_start().len());
    if start > 0 && start < end { start..end } else { 0..question.len() }
}

/// The byte where the topic of a question for a place begins.
fn after_place(words: &[(&str, Range<usize>)]) -> Option<usize> {
    let is_one =
        |of: &[&str], at: usize| words.get(at).is_some_and(|(word, _)| of.contains(&lower(word).as_str()));
    let treats = (1..words.len()).find(|&at| is_one(&TREATS, at))?;
    let is_asked = lower(words.first()?.0) == "where" || (1..treats).any(|at| is_one(&PLACES, at));
    let last = if is_one(&TO, treats + 1) { treats + 1 } else { treats };
    (is_one(&WHERE, 0) && is_asked).then(|| words.get(last).map(|(_, range)| range.end))?
}

fn lower(word: &str) -> String {
    word.to_lowercase()
}

/// The words of a text, without the signs around them, with their bytes.
fn words(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut end = 0;
    text.split_whitespace().map(move |word| {
        let start = end + text.get(end..).and_then(|rest| rest.find(word)).unwrap_or(0);
        end = start + word.len();
        (word.trim_matches(|c: char| !c.is_alphanumeric()), start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::topic;

    #[test]
    fn what_is_asked_about_is_told_from_the_words_that_ask() {
        for (question, expected) in [
            ("What do the documents say about late payment?", "late payment"),
            ("what does my contract tell us about moving out early", "moving out early"),
            ("Is there anything on “dogs” in it?", "“dogs” in it"),
            ("Which section of the lease deals with late payment?", "late payment"),
            ("Where does it say how long a tenant may stay?", "how long a tenant may stay"),
            ("What clause is on subletting?", "subletting"),
            ("Does the handbook say anything about working from home?!", "working from home"),
        ] {
            assert_eq!(&question[topic(question)], expected);
        }
    }

    #[test]
    fn a_question_for_something_else_is_its_topic() {
        for question in [
            "Who do I tell if I am late on rent?",
            "Who decides on appeals?",
            "Which firms deal with clients?",
            "Where must the notice be sent?",
            "What does the report say about?",
            "What do they say?",
            "late payment",
            "文件对逾期付款有何规定？",
            "?",
            "",
        ] {
            assert_eq!(topic(question), 0..question.len(), "{question}");
        }
    }
}
