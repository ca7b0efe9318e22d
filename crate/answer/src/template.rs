//! Template files of prompts: a version, rules, a line `---`, the task; and places that are filled.
//!
//! Places are filled in one pass, so a value that contains `{{question}}` is left as it is.

use std::collections::BTreeMap;

use crate::request::{Message, Role};

/// Separator of rules and task.
const TASK: &str = "\n---\n";

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

/// The message to a model whose reply was unusable.
pub fn retry(complaint: &str) -> String {
    let values = Values::from([("complaint", complaint.to_owned())]);
    fill(body(include_str!("prompts/retry.txt")), &values).trim().to_owned()
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
