//! Weighted score of an answer: points for accuracy, relevance, completeness and fluency, 100 together.

use answer::Message;
use evaluate::judged::Points;
use serde::Deserialize;

use crate::item::Item;
use crate::prompt::Prompt;
use crate::reply::{Complaint, read, reason};
use crate::verdict::Finding;

pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"reason":{"type":"string"},"accuracy":{"type":"integer","minimum":0,"maximum":40},"relevance":{"type":"integer","minimum":0,"maximum":30},"completeness":{"type":"integer","minimum":0,"maximum":20},"fluency":{"type":"integer","minimum":0,"maximum":10}},"required":["reason","accuracy","relevance","completeness","fluency"],"additionalProperties":false}"#;

/// The messages.
pub(crate) fn prompt(item: &Item) -> Vec<Message> {
    Prompt::new(item, &[]).messages(include_str!("prompts/score.txt"))
}

/// Reads the finding and its reason.
pub(crate) fn read_finding(reply: &str) -> Result<(Finding, String), Complaint> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        reason: String,
        accuracy: u32,
        relevance: u32,
        completeness: u32,
        fluency: u32,
    }
    let Reply { reason: why, accuracy, relevance, completeness, fluency } = read(reply)?;
    let points = Points::new([accuracy, relevance, completeness, fluency])
        .ok_or("a mark is over its maximum of 40, 30, 20 and 10")?;
    Ok((Finding::Score(points), reason(&why)?))
}
