//! Follow-up questions without a model: one that refers back is searched together with the question before it.

use crate::prompt::Turn;

/// Words that refer to an earlier question.
const POINTING: &[&str] =
    &["it", "its", "they", "them", "their", "this", "that", "these", "those", "he", "she"];
/// Openings that refer to an earlier question.
const BEGINNINGS: &[&str] = &["and ", "what about", "how about", "but ", "or ", "why?", "why not"];
/// Chinese words that refer to an earlier question.
const POINTING_ZH: &[&str] = &["它", "其", "该", "这", "那", "上述", "前述"];
/// Longest question, in words, that can depend on the one before.
const MAX_WORDS: usize = 14;

/// The text to search for: the question, preceded by the last one if it depends on it.
pub(crate) fn in_context(question: &str, history: &[Turn]) -> String {
    let Some(last) = history.last() else { return question.to_owned() };
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let points = words.len() <= MAX_WORDS
        && (words.iter().any(|word| POINTING.contains(word))
            || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
            || POINTING_ZH.iter().any(|word| lower.contains(word))
                && question.chars().count() <= 2 * MAX_WORDS);
    if points { format!("{} {question}", last.question) } else { question.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_points_back_takes_the_last_one_with_it() {
        let history = [Turn { question: "Who pays the levy?".to_owned(), answer: "The owner.".to_owned() }];
        assert_eq!(in_context("When is it due?", &history), "Who pays the levy? When is it due?");
        assert_eq!(
            in_context("What about foreign ships?", &history),
            "Who pays the levy? What about foreign ships?"
        );
        assert_eq!(
            in_context("Which records must a firm keep?", &history),
            "Which records must a firm keep?"
        );
        assert_eq!(in_context("Is there a cap on liability?", &history), "Is there a cap on liability?");
        assert_eq!(in_context("When is it due?", &[]), "When is it due?");
    }
}
