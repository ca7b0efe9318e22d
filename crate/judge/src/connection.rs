//! Connection of one passage to a question.

use answer::Message;
use evaluate::judged::Connection;
use serde::Deserialize;

use crate::item::Item;
use crate::prompt::Prompt;
use crate::reply::{Complaint, read, reason};
use crate::verdict::Finding;

pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"reason":{"type":"string"},"connection":{"type":"string","enum":["directly","indirectly","not"]}},"required":["reason","connection"],"additionalProperties":false}"#;

/// The messages. No answer is in them: the label is one of question and passage.
pub(crate) fn prompt(item: &Item) -> Vec<Message> {
    let pair = Item { question: item.question.clone(), passages: item.passages.clone(), ..Item::default() };
    Prompt::new(&pair, &[]).messages(include_str!("prompts/connection.txt"))
}

/// Reads the finding and its reason.
pub(crate) fn read_finding(reply: &str) -> Result<(Finding, String), Complaint> {
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Name {
        Directly,
        Indirectly,
        Not,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Reply {
        reason: String,
        connection: Name,
    }
    let Reply { reason: why, connection } = read(reply)?;
    let connection = match connection {
        Name::Directly => Connection::Directly,
        Name::Indirectly => Connection::Indirectly,
        Name::Not => Connection::NotConnected,
    };
    Ok((Finding::Connection(connection), reason(&why)?))
}
