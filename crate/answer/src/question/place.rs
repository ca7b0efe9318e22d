//! Questions for a place: "which chapter deals with fees?", "where does it say who pays?".
//!
//! They are answered by a heading, with the words below it that speak of what is asked. Surface forms only, in English
//! and Chinese. Cost: linear in the question.

use std::ops::Range;

use document::Slice as _;

use crate::language::Language;

/// Divisions of a document, singular.
const DIVISIONS: &[&str] = &[
    "annex",
    "appendix",
    "article",
    "chapter",
    "clause",
    "exhibit",
    "heading",
    "page",
    "paragraph",
    "part",
    "provision",
    "regulation",
    "rule",
    "schedule",
    "section",
    "subsection",
    "title",
];
/// Words by which a question that opens with "where" asks for a place of the text.
const TELLING: &[&str] = &[
    "begin",
    "begins",
    "cover",
    "covers",
    "covered",
    "described",
    "describe",
    "describes",
    "discuss",
    "discussed",
    "discusses",
    "explain",
    "explained",
    "explains",
    "list",
    "listed",
    "lists",
    "mention",
    "mentioned",
    "mentions",
    "regulated",
    "say",
    "says",
    "said",
    "start",
    "starts",
    "state",
    "stated",
    "states",
    "told",
    "treated",
];
/// Chinese phrases that ask for a division.
const DIVISIONS_ZH: &[&str] = &[
    "哪一章",
    "哪章",
    "哪一节",
    "哪节",
    "哪一条",
    "哪条",
    "哪一款",
    "第几章",
    "第几节",
    "第几条",
    "哪个部分",
    "哪部分",
];

/// Place that a question asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlaceAsked {
    /// Division that the question names, such as "chapter".
    pub(crate) division: Option<&'static str>,
}

/// True if a question asks for a place: "Which chapter deals with fees?"
pub fn asks_for_place(question: &str) -> bool {
    place_asked(question, Language::of(question)).is_some()
}

/// The place that a question asks for; `None` if it asks for something else.
pub(super) fn place_asked(question: &str, language: Language) -> Option<PlaceAsked> {
    if language == Language::Chinese {
        let asks = DIVISIONS_ZH.iter().any(|phrase| question.contains(phrase));
        return asks.then_some(PlaceAsked::default());
    }
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’' && c != '-')
        .filter(|word| !word.is_empty())
        .collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let named = (0..words.len()).find_map(|at| asked_at(&words, at));
    // "Section on which law applies": the division itself opens the question.
    let opens = division(word(0), true).filter(|_| matches!(word(1), "on" | "about" | "that" | "with"));
    if let Some(division) = named.or(opens) {
        return Some(PlaceAsked { division: Some(division) });
    }
    let tells = |word: &&str| TELLING.contains(word) || division(word, true).is_some();
    let is_where = word(0) == "where" && (words.iter().any(tells) || word(1) == "in" && word(2) == "the");
    is_where.then(|| PlaceAsked { division: words.iter().find_map(|word| division(word, false)) })
}

/// Division asked for at a word: "which section", "what numbered paragraph". "What part of" asks for a share.
fn asked_at(words: &[&str], at: usize) -> Option<&'static str> {
    let is_which = words.get(at) == Some(&"which");
    if !is_which && words.get(at) != Some(&"what") {
        return None;
    }
    let beside: Range<usize> = at + 1..(at + 3).min(words.len());
    let (offset, found) = words
        .slice(beside)
        .iter()
        .enumerate()
        .find_map(|(offset, word)| Some((offset, division(word, is_which)?)))?;
    let is_share = !is_which && found == "part" && words.get(at + offset + 2) == Some(&"of");
    (!is_share).then_some(found)
}

/// The division that a word names; a plural only `with_plural`.
fn division(word: &str, with_plural: bool) -> Option<&'static str> {
    let singular = word.strip_suffix('s').filter(|_| with_plural).unwrap_or(word);
    DIVISIONS.iter().copied().find(|&division| division == singular || division == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str) -> Option<Option<&'static str>> {
        place_asked(question, Language::of(question)).map(|place| place.division)
    }

    #[test]
    fn a_division_that_is_asked_for_is_a_place() {
        assert_eq!(asked("Which chapter deals with fees?"), Some(Some("chapter")));
        assert_eq!(asked("What numbered paragraph lets me move the jet?"), Some(Some("paragraph")));
        assert_eq!(asked("section on which state's law applies"), Some(Some("section")));
        assert_eq!(asked("Which rules give the deadline?"), Some(Some("rule")));
        assert_eq!(asked("Where in the act is the section on bans?"), Some(Some("section")));
        assert_eq!(asked("Where does it say who pays?"), Some(None));
        assert_eq!(asked("注册资本在哪一章规定？"), Some(None));
    }

    #[test]
    fn other_places_and_shares_are_no_places_of_the_text() {
        for question in [
            "Where is the registered office?",
            "Where can one look up the approved plants?",
            "What part of the river must the states let through?",
            "What two parts does the form have?",
            "Who decides which way it goes?",
            "公司的住所在哪里？",
            "",
        ] {
            assert_eq!(asked(question), None, "{question}");
        }
    }
}
