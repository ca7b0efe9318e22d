//! Denials that no passage can have: an answer says what the passages leave out, or begins with "No:".

use std::ops::Range;

use document::Slice as _;

/// Nouns for what an answer is written from.
const SOURCES: [&str; 8] =
    ["passage", "passages", "document", "documents", "excerpt", "excerpts", "source", "sources"];
/// Verbs of what a text does, by their beginnings.
const SAYS: [&str; 20] = [
    "say", "state", "set", "give", "name", "naming", "list", "specif", "defin", "describ", "mention",
    "contain", "explain", "indicat", "identif", "detail", "address", "lay", "provid", "show",
];
/// Most words between such a verb and a denial.
const NEAR: usize = 4;

/// True if a denial of a sentence is of the passages and not of what they are about: "the passages name no programme",
/// "without naming one", or the answer "No:" itself.
pub(crate) fn is_silence(sentence: &str, denial: &Range<usize>) -> bool {
    let start = sentence.slice(..denial.start).rfind(['.', ';', ':', '\n']).map_or(0, |at| at + 1);
    let before = sentence.slice(start..denial.start);
    let after = sentence.slice(denial.end..);
    let is_answer = sentence.slice(..denial.start).trim_matches(|c: char| !c.is_alphanumeric()).is_empty()
        && after.starts_with([',', ':', ';', '.', '—', '–'])
        && sentence.get(denial.clone()).is_some_and(|word| word.eq_ignore_ascii_case("no"));
    is_answer || says_nothing(before, sentence.slice(denial.clone()), after)
}

fn says_nothing(before: &str, denial: &str, after: &str) -> bool {
    let says = |word: &str| SAYS.iter().any(|verb| word.starts_with(verb));
    let behind = words(after.split(['.', ';', ':', '\n']).next().unwrap_or_default());
    // "It was given without naming a reason": the text's silence, whatever its subject.
    if denial.eq_ignore_ascii_case("without") {
        return behind.first().is_some_and(|word| word.ends_with("ing") && says(word));
    }
    let ahead = words(before);
    let has_source = ahead.iter().any(|word| SOURCES.contains(&word.as_str()));
    let is_near = |words: &mut dyn Iterator<Item = &String>| words.take(NEAR).any(|word| says(word));
    has_source && (is_near(&mut ahead.iter().rev()) || is_near(&mut behind.iter()))
}

fn words(text: &str) -> Vec<String> {
    let is_separator = |c: char| !c.is_alphanumeric();
    text.split(is_separator).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modals::negations;

    fn silent(sentence: &str) -> bool {
        let denials = negations(sentence);
        !denials.is_empty() && denials.iter().all(|denial| is_silence(sentence, denial))
    }

    #[test]
    fn what_the_passages_leave_out_is_no_denial_of_what_they_say() {
        for sentence in [
            "The passages name no programme.",
            "The firm must act; the passages do not set out a procedure.",
            "The passage states two conditions without defining either.",
            "Such a commitment is given, without naming to whom.",
            "No: the notice may be published where both agree.",
        ] {
            assert!(silent(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_denial_of_what_is_so_stays_one() {
        for sentence in [
            "The firm must not act.",
            "The documents must not be destroyed.",
            "No firm may act.",
            "A firm may act without telling its client.",
            "The rule does not apply; the passages say so.",
            "Passages of the ship are not covered by it.",
        ] {
            assert!(!silent(sentence), "{sentence}");
        }
    }
}
