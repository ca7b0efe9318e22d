//! The filtering step: a model reasons over all passages together, then keeps or drops each (LCLF-QA, CoT-guided
//! filter).

use serde_json::Value;

use crate::parse::{Complaint, object, tagged, truth, truth_word};
use crate::profile::Profile;
use crate::prompt::{Prompt, PromptContext};
use crate::prompt_passage::PromptPassage;
use crate::request::{Message, Step};

/// JSON schema of a reply on `count` passages.
pub(crate) fn schema(count: usize) -> String {
    format!(
        r#"{{"type":"object","properties":{{"reasoning":{{"type":"string"}},"keep":{{"type":"array","items":{{"type":"boolean"}},"minItems":{count},"maxItems":{count}}}}},"required":["reasoning","keep"],"additionalProperties":false}}"#
    )
}

/// The messages that ask which passages are relevant.
pub(crate) fn prompt(profile: &Profile, context: &PromptContext, sources: &[PromptPassage]) -> Vec<Message> {
    Prompt::new(Step::Filter, profile, context, sources, &[]).messages()
}

/// Reads a reply: one verdict for each of `count` passages.
pub(crate) fn read(reply: &str, count: usize) -> Result<Vec<bool>, Complaint> {
    let verdicts = match object(reply, &["keep"]) {
        Some(object) => match object.get("keep") {
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| {
                    truth(item).ok_or_else(|| "\"keep\" holds something else than true and false".to_owned())
                })
                .collect::<Result<Vec<_>, _>>()?,
            _ => return Err("\"keep\" is no list".to_owned()),
        },
        // A reply without JSON: yes and no inside a tag, or after the last "keep".
        None => {
            let tail = tagged(reply, "keep").or_else(|| tagged(reply, "validation")).unwrap_or_else(|| {
                reply.rfind("keep").and_then(|at| reply.get(at + "keep".len()..)).unwrap_or(reply)
            });
            tail.split(|c: char| c.is_whitespace() || c == ',').filter_map(truth_word).collect()
        }
    };
    if verdicts.len() != count {
        return Err(format!("it decides on {} passages, expected {count}", verdicts.len()));
    }
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_come_as_json_in_tags_or_bare() {
        for reply in [
            r#"{"reasoning": "…", "keep": [true, false, true]}"#,
            r#"Well. {"keep": ["True", "False", "yes"], "reasoning": ""}"#,
            "<validation>\nTrue\nFalse\nTrue\n</validation>",
            "It is true that P2 is about cats. keep: True, False, True.",
            "True, False, True",
        ] {
            assert_eq!(read(reply, 3).unwrap(), [true, false, true], "{reply}");
        }
    }

    #[test]
    fn a_wrong_count_and_other_values_are_refused() {
        assert!(read(r#"{"keep": [true]}"#, 3).unwrap_err().contains("on 1 passages, expected 3"));
        assert!(read("True False True True", 3).unwrap_err().contains("on 4"));
        assert!(read(r#"{"keep": [true, 7, false]}"#, 3).is_err());
        assert!(read(r#"{"keep": "all"}"#, 3).is_err());
        assert!(read("", 1).is_err());
    }
}
