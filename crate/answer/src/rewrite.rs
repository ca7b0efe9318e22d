//! The rewriting step: the question in other words, directly or through a hypothetical passage (LCLF-QA §3.1).
//!
//! A rewrite only widens retrieval and never replaces the question, except a follow-up that depends on the
//! conversation.

use std::collections::BTreeSet;

use serde_json::Value;
use text::normalize::{Case, fold};

use crate::language::Language;
use crate::parse::{Complaint, items, object, strings, tagged, unfenced};
use crate::profile::Profile;
use crate::prompt::{Prompt, PromptContext};
use crate::question::QuestionAnalysis;
use crate::request::{Message, Step};

/// Longest rewrite, in characters.
const MAX_CHARS: usize = 600;
/// Longest hypothetical passage, in characters; a longer one is truncated.
const MAX_PASSAGE: usize = 2_000;

/// JSON schema of a reply with `count` rewrites.
pub(crate) fn schema(count: u32) -> String {
    format!(
        r#"{{"type":"object","properties":{{"question":{{"type":"string"}},"rewrites":{{"type":"array","items":{{"type":"string"}},"minItems":{count},"maxItems":{count}}}}},"required":["question","rewrites"],"additionalProperties":false}}"#
    )
}

/// The reply of the rewriting step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rewritten {
    /// The self-contained question.
    pub question: Option<String>,
    /// The rewrites.
    pub rewrites: Vec<String>,
}

/// The messages that ask for a hypothetical passage.
pub(crate) fn passage_prompt(profile: &Profile, context: &PromptContext) -> Vec<Message> {
    Prompt::new(Step::Passage, profile, context, &[], &[]).messages()
}

/// Reads the hypothetical passage of a reply.
pub(crate) fn read_passage(reply: &str, language: Language) -> Result<String, Complaint> {
    let passage = tagged(reply, "passage").unwrap_or_else(|| unfenced(reply));
    if passage.is_empty() {
        return Err("it is empty".to_owned());
    }
    if !language.may_be_of(passage) {
        return Err(format!("it is not in {}", language.asked_for()));
    }
    Ok(passage.chars().take(MAX_PASSAGE).collect())
}

/// The messages that ask for rewrites, with the hypothetical passage if there is one.
pub(crate) fn prompt(
    profile: &Profile,
    context: &PromptContext,
    count: u32,
    passage: Option<&str>,
) -> Vec<Message> {
    let mut prompt = Prompt::new(Step::Rewrite, profile, context, &[], passage.as_slice());
    prompt.set("count", count.to_string());
    if let Some(passage) = passage {
        let wrapped = prompt.fence().wrap("P1", passage);
        prompt.set("passage", format!("A passage of the kind that would answer:\n{wrapped}\n"));
    }
    prompt.messages()
}

/// Reads a reply: exactly `count` rewrites, each one question, none a repetition.
pub(crate) fn read(
    reply: &str,
    question: &QuestionAnalysis,
    is_follow_up: bool,
    count: u32,
) -> Result<Rewritten, Complaint> {
    let language = question.language();
    let (alone, rewrites) = match object(reply, &["rewrites"]) {
        Some(object) => {
            let alone = object.get("question").and_then(Value::as_str).map(str::to_owned);
            (alone, strings(object.get("rewrites")))
        }
        None if reply.contains('{') => {
            return Err("it is no complete JSON object with \"rewrites\"".to_owned());
        }
        None => (None, items(tagged(reply, "rewrites").unwrap_or_else(|| unfenced(reply)))),
    };
    let alone = alone.map(|alone| alone.trim().to_owned()).filter(|alone| is_follow_up && !alone.is_empty());
    if let Some(alone) = &alone {
        check(alone, language)?;
    }
    let mut said: BTreeSet<String> = [key(question.text())].into();
    let mut kept = Vec::new();
    for rewrite in rewrites.iter().map(|rewrite| rewrite.trim()).filter(|rewrite| !rewrite.is_empty()) {
        check(rewrite, language)?;
        if said.insert(key(rewrite)) {
            kept.push(rewrite.to_owned());
        }
    }
    if kept.len() < rewrites.len() && kept.len() < count as usize {
        return Err("a rewrite repeats the question or another one".to_owned());
    }
    if kept.len() != count as usize {
        return Err(format!("it has {} rewrites, expected {count}", kept.len()));
    }
    Ok(Rewritten { question: alone, rewrites: kept })
}

fn check(rewrite: &str, language: Language) -> Result<(), Complaint> {
    if rewrite.chars().count() > MAX_CHARS {
        return Err(format!("a rewrite is longer than {MAX_CHARS} characters"));
    }
    if rewrite.matches(['?', '？']).count() > 1 {
        return Err("a rewrite is more than one question".to_owned());
    }
    if rewrite.contains("://") || rewrite.contains('<') {
        return Err("a rewrite holds an address or markup".to_owned());
    }
    if !language.may_be_of(rewrite) {
        return Err(format!("a rewrite is not in {}", language.asked_for()));
    }
    Ok(())
}

/// A question without case, spaces and punctuation.
fn key(question: &str) -> String {
    fold(question, Case::Fold).text().chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrites(reply: &str, count: u32) -> Result<Vec<String>, Complaint> {
        read(reply, &QuestionAnalysis::of("Who pays the levy?"), false, count)
            .map(|rewritten| rewritten.rewrites)
    }

    #[test]
    fn rewrites_come_as_json_or_as_lines() {
        let wanted = ["Which person is liable to pay the levy under the Act?"];
        let json = r#"Here: {"question": "x", "rewrites": ["Which person is liable to pay the levy under the Act?"]}"#;
        assert_eq!(rewrites(json, 1).unwrap(), wanted);
        assert_eq!(rewrites("1. Which person is liable to pay the levy under the Act?", 1).unwrap(), wanted);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("", 1, "expected 1"),
            (r#"{"rewrites": ["who pays the LEVY"]}"#, 1, "repeats"),
            (r#"{"rewrites": ["Who is liable? And when?"]}"#, 1, "more than one"),
            (r#"{"rewrites": ["谁应当缴纳该费用？"]}"#, 1, "not in"),
            (r#"{"rewrites": ["See http://x.y for the levy"]}"#, 1, "address"),
            (r#"{"rewrites": ["Who is liable?", "Whose levy?"]}"#, 3, "expected 3"),
            (r#"{"rewrites": ["Who is lia"#, 1, "no complete JSON"),
        ];
        for (reply, count, says) in cases {
            let complaint = rewrites(reply, count).unwrap_err();
            assert!(complaint.contains(says), "{reply}: {complaint}");
        }
    }

    #[test]
    fn only_a_follow_up_takes_another_question() {
        let reply = r#"{"question": "Who pays the harbour levy?", "rewrites": ["Which person owes the harbour levy?"]}"#;
        let first = read(reply, &QuestionAnalysis::of("Who pays it?"), false, 1).unwrap();
        let later = read(reply, &QuestionAnalysis::of("Who pays it?"), true, 1).unwrap();
        assert_eq!((first.question, later.question.as_deref()), (None, Some("Who pays the harbour levy?")));
    }

    #[test]
    fn a_passage_is_cut_and_in_the_language_of_the_question() {
        assert_eq!(
            read_passage("<passage>The owner pays.</passage>", Language::English).unwrap(),
            "The owner pays."
        );
        assert!(read_passage("  ", Language::English).is_err());
        assert!(read_passage("The owner shall pay the levy.", Language::Chinese).is_err());
        assert_eq!(read_passage(&"a ".repeat(5_000), Language::English).unwrap().len(), MAX_PASSAGE);
    }
}
