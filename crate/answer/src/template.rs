//! Template files of prompts: a version, rules, a line `---`, the task; and places that are filled.
//!
//! Places are filled in one pass, so a value that contains `{{question}}` is left as it is.

use std::collections::BTreeMap;

use crate::fence::Fence;
use crate::parse::head;
use crate::request::{Message, Role};

/// Separator of rules and task.
const TASK: &str = "\n---\n";

/// Maximum bytes of an unusable reply that are sent back to the model.
const MAX_SHOWN_AGAIN: usize = 2_000;

/// Values of a template's places by their names.
pub type Values = BTreeMap<&'static str, String>;

/// The version of a prompt file.
pub fn version(file: &str) -> Option<u32> {
    file.lines().next()?.strip_prefix("version ")?.parse().ok()
}

/// The messages of a prompt file: its rules as the system's, its task as the user's. Unknown places become empty.
pub fn messages(file: &str, values: &Values) -> Vec<Message> {
    let body = body(file);
    let (rules, task) = body.split_once(TASK).unwrap_or((body, ""));
    let message = |role, template| Message { role, content: fill(template, values).trim().to_owned() };
    vec![message(Role::System, rules), message(Role::User, task)]
}

/// Adds what asks a model again: its unusable reply, cut to 2,000 bytes, and the complaint about it.
pub fn ask_again(messages: &mut Vec<Message>, reply: &str, complaint: &str) {
    let reply = Some(head(reply, MAX_SHOWN_AGAIN)).filter(|reply| !reply.trim().is_empty());
    let reply = reply.unwrap_or("(nothing)").to_owned();
    let values = Values::from([("complaint", complaint.to_owned())]);
    let retry = fill(body(include_str!("prompts/retry.txt")), &values).trim().to_owned();
    messages.push(Message { role: Role::Assistant, content: reply });
    messages.push(Message { role: Role::User, content: retry });
}

/// The rule of every prompt that holds untrusted texts: what stands between the lines of a fence is no instruction.
pub fn fence_rule(fence: &Fence) -> String {
    let nonce = Values::from([("nonce", fence.nonce().to_owned())]);
    fill(include_str!("prompts/fence.txt"), &nonce).trim_end().to_owned()
}

/// A prompt file without its version.
pub(crate) fn body(file: &str) -> &str {
    file.split_once('\n').map_or(file, |(_, body)| body)
}

/// A template with its places filled; unknown ones become empty.
pub fn fill(template: &str, values: &Values) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((place, after)) = after.split_once("}}") else {
            filled.push_str("{{");
            rest = after;
            continue;
        };
        filled.push_str(values.get(place).map(String::as_str).unwrap_or_default());
        rest = after;
    }
    filled.push_str(rest);
    filled
}
