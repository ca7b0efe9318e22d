//! Recall of claims: the reference is taken apart into nested triples, and each is looked for in the answer.
//!
//! The first request does not hold the answer, so that it is the same for all answers to a question.

use answer::Message;
use serde::Deserialize;
use serde_json::Value;

use crate::item::Item;
use crate::prompt::Prompt;
use crate::reply::{Complaint, count, read, reason};
use crate::triple::Triple;
use crate::verdict::{JudgedClaim, StatusName};

/// Most claims of a reference.
const MAX_CLAIMS: usize = 40;

pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"claims":{"type":"array","items":{"type":"array"},"minItems":1,"maxItems":40}},"required":["claims"],"additionalProperties":false}"#;
pub(crate) const RECALL_SCHEMA: &str = r#"{"type":"object","properties":{"claims":{"type":"array","items":{"type":"object","properties":{"status":{"type":"string","enum":["present","missing","incorrect"]},"reason":{"type":"string"}},"required":["status","reason"],"additionalProperties":false}}},"required":["claims"],"additionalProperties":false}"#;

/// The messages that ask for the claims of the reference.
pub(crate) fn prompt(item: &Item) -> Vec<Message> {
    let reference =
        Item { question: item.question.clone(), reference: item.reference.clone(), ..Item::default() };
    Prompt::new(&reference, &[]).messages(include_str!("prompts/claims.txt"))
}

/// Reads the claims.
pub(crate) fn read_claims(reply: &str) -> Result<Vec<Triple>, Complaint> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        claims: Vec<Value>,
    }
    let Reply { claims } = read(reply)?;
    if claims.is_empty() || claims.len() > MAX_CLAIMS {
        return Err(format!("\"claims\" has {} values, expected 1 to {MAX_CLAIMS}", claims.len()));
    }
    claims.iter().map(Triple::read).collect()
}

/// The messages that ask for the status of each claim.
pub(crate) fn recall_prompt(item: &Item, claims: &[Triple]) -> Vec<Message> {
    let lines: Vec<String> = claims.iter().map(Triple::to_string).collect();
    let mut prompt = Prompt::new(item, &lines);
    prompt.numbered("claims", "CLAIMS", &lines);
    prompt.set("count", claims.len().to_string());
    prompt.messages(include_str!("prompts/recall.txt"))
}

/// Reads the status of each claim.
pub(crate) fn read_recall(reply: &str, claims: &[Triple]) -> Result<Vec<JudgedClaim<Triple>>, Complaint> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        claims: Vec<Status>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Status {
        status: StatusName,
        reason: String,
    }
    let Reply { claims: statuses } = read(reply)?;
    count("claims", statuses.len(), claims.len())?;
    let judged = |(claim, status): (&Triple, Status)| {
        let reason = reason(&status.reason)?;
        Ok(JudgedClaim { claim: claim.clone(), status: status.status.into(), reason })
    };
    claims.iter().zip(statuses).map(judged).collect()
}
