//! The reflecting step: a model checks that the answer is grounded, consistent and complete (LegRAG §4.2.6).

use serde::Serialize;
use ts_rs::TS;

use crate::parse::{Complaint, object, strings, truth, truth_word};
use crate::profile::Profile;
use crate::prompt::{Prompt, PromptContext, listed};
use crate::prompt_passage::PromptPassage;
use crate::request::{Message, Step};

/// JSON schema of the reply.
pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"grounded":{"type":"boolean"},"consistent":{"type":"boolean"},"complete":{"type":"boolean"},"problem":{"type":"string"},"missing":{"type":"array","items":{"type":"string"},"maxItems":3}},"required":["grounded","consistent","complete","problem","missing"],"additionalProperties":false}"#;

/// Most questions about missing points.
const MAX_MISSING: usize = 3;
/// Longest question or problem, in characters.
const MAX_CHARS: usize = 400;

/// Verdict on an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// True if every statement follows from the cited passages.
    pub grounded: bool,
    /// True if nothing contradicts them.
    pub consistent: bool,
    /// True if nothing that the question needs is left out.
    pub complete: bool,
    /// Problems found.
    pub problem: String,
    /// Questions to search for missing points.
    pub missing: Vec<String>,
}

impl Verdict {
    /// True if the answer passes.
    pub fn passes(&self) -> bool {
        self.grounded && self.consistent && self.complete
    }
}

/// The messages that ask for the check; `checks` lists the findings of the quotation check.
pub(crate) fn prompt(
    profile: &Profile,
    context: &PromptContext,
    sources: &[PromptPassage],
    answer: &str,
    checks: &[String],
) -> Vec<Message> {
    let mut others = vec![answer];
    others.extend(checks.iter().map(String::as_str));
    let mut prompt = Prompt::new(Step::Reflect, profile, context, sources, &others);
    let wrapped = prompt.fence().wrap("ANSWER", answer);
    prompt.set("answer", wrapped);
    prompt.set("checks", listed("Found by comparing it with the passages word for word:", checks));
    prompt.messages()
}

/// Reads a reply.
pub(crate) fn read(reply: &str) -> Result<Verdict, Complaint> {
    let short = |text: &str| text.trim().chars().take(MAX_CHARS).collect::<String>();
    let Some(object) = object(reply, &["grounded", "consistent", "complete"]) else {
        if reply.contains('{') {
            return Err("it is no complete JSON object with \"grounded\"".to_owned());
        }
        let says = |key: &str| {
            let at = reply.to_lowercase().find(key)? + key.len();
            reply.get(at..)?.split_whitespace().take(3).find_map(truth_word)
        };
        let verdict = says("grounded").zip(says("consistent")).zip(says("complete"));
        let ((grounded, consistent), complete) =
            verdict.ok_or("it does not say true or false for grounded, consistent and complete")?;
        return Ok(Verdict { grounded, consistent, complete, problem: String::new(), missing: Vec::new() });
    };
    let says = |key: &str| {
        object.get(key).and_then(truth).ok_or_else(|| format!("it does not say true or false for \"{key}\""))
    };
    let missing = strings(object.get("missing"));
    let missing = missing.iter().map(|question| short(question)).filter(|question| !question.is_empty());
    Ok(Verdict {
        grounded: says("grounded")?,
        consistent: says("consistent")?,
        complete: says("complete")?,
        problem: short(object.get("problem").and_then(|problem| problem.as_str()).unwrap_or_default()),
        missing: missing.take(MAX_MISSING).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_has_three_checks() {
        let verdict = read(
            r#"ok {"grounded": true, "consistent": "yes", "complete": false, "missing": ["When is it due?", "", "a", "b"]}"#,
        )
        .unwrap();
        assert!(verdict.grounded && verdict.consistent && !verdict.complete && !verdict.passes());
        assert_eq!(verdict.missing, ["When is it due?", "a", "b"]);
        assert!(read("Grounded: yes\nConsistent: yes\nComplete: yes").unwrap().passes());
    }

    #[test]
    fn half_a_verdict_is_none() {
        for reply in
            ["", "fine", r#"{"grounded": true}"#, r#"{"grounded": true, "consistent": 3, "complete": true}"#]
        {
            assert!(read(reply).is_err(), "{reply}");
        }
    }
}
