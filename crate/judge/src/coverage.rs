//! Coverage: the necessary claims of the reference, and the category that their statuses give.
//!
//! The judge is not asked for the category: it follows from the statuses, so the two cannot differ.

use answer::Message;
use evaluate::judged::{ClaimStatus, Coverage};
use serde::Deserialize;

use crate::item::Item;
use crate::prompt::Prompt;
use crate::reply::{Complaint, read, reason};
use crate::verdict::{Finding, JudgedClaim, StatusName};

/// Most necessary claims.
const MAX_CLAIMS: usize = 30;

pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"claims":{"type":"array","items":{"type":"object","properties":{"claim":{"type":"string"},"status":{"type":"string","enum":["present","missing","incorrect"]},"reason":{"type":"string"}},"required":["claim","status","reason"],"additionalProperties":false},"minItems":1,"maxItems":30},"reason":{"type":"string"}},"required":["claims","reason"],"additionalProperties":false}"#;

/// The messages.
pub(crate) fn prompt(item: &Item) -> Vec<Message> {
    Prompt::new(item, &[]).messages(include_str!("prompts/coverage.txt"))
}

/// Reads the finding and its reason.
pub(crate) fn read_finding(reply: &str) -> Result<(Finding, String), Complaint> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        claims: Vec<Claim>,
        reason: String,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Claim {
        claim: String,
        status: StatusName,
        reason: String,
    }
    let Reply { claims, reason: whole } = read(reply)?;
    if claims.len() > MAX_CLAIMS {
        return Err(format!("\"claims\" has {} values, expected 1 to {MAX_CLAIMS}", claims.len()));
    }
    let judged = |claim: Claim| {
        let (status, reason) = (ClaimStatus::from(claim.status), reason(&claim.reason)?);
        Ok(JudgedClaim { claim: claim.claim, status, reason })
    };
    let claims: Vec<JudgedClaim<String>> =
        claims.into_iter().map(judged).collect::<Result<_, Complaint>>()?;
    let statuses: Vec<ClaimStatus> = claims.iter().map(|claim| claim.status).collect();
    let coverage = Coverage::of(&statuses).ok_or("\"claims\" is empty, expected the necessary claims")?;
    Ok((Finding::Coverage(coverage, claims), reason(&whole)?))
}
