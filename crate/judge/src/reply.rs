//! Strict readers of a judge's reply: one JSON object with the fields that were asked for, and nothing beside it.

use answer::unfenced;
use serde::de::DeserializeOwned;

/// Longest reason that is kept, in characters.
const MAX_REASON: usize = 600;

/// A fault of a reply, worded so that a model can correct it.
pub(crate) type Complaint = String;

/// The object of a reply. Code fences around it are taken off; words around it are a fault, since they could hold another
/// object.
pub(crate) fn read<T: DeserializeOwned>(reply: &str) -> Result<T, Complaint> {
    let bare = unfenced(reply);
    if !bare.starts_with('{') {
        return Err("it is not one JSON object and nothing else".to_owned());
    }
    serde_json::from_str(bare)
        .map_err(|error| format!("it is not the JSON object that was asked for: {error}"))
}

/// A reason as it is kept: short, and never empty.
pub(crate) fn reason(text: &str) -> Result<String, Complaint> {
    let kept: String = text.trim().chars().take(MAX_REASON).collect();
    if kept.is_empty() { Err("a \"reason\" is empty".to_owned()) } else { Ok(kept) }
}

/// Checks the number of values of a list.
pub(crate) fn count(what: &str, found: usize, expected: usize) -> Result<(), Complaint> {
    if found == expected {
        return Ok(());
    }
    Err(format!("\"{what}\" has {found} values, expected exactly {expected}"))
}
