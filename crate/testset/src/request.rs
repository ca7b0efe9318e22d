//! A request to a language model, as plain data; protocols and keys belong to the caller.

use answer::{Fence, Message, Role, fence_rule, fill_template};
use std::collections::BTreeMap;
use text::{ApproximateTokens, TokenCount as _};

/// Separator of rules and task in a prompt file.
const TASK: &str = "\n---\n";

/// Request to a model, at temperature 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Name of what is asked for: "summary", "questions" or "rewrite".
    pub name: &'static str,
    /// Messages, in order.
    pub messages: Vec<Message>,
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// JSON schema of the reply, for endpoints that enforce one; `None` for prose.
    pub schema: Option<String>,
}

impl Request {
    /// Size of its messages in tokens, by [`ApproximateTokens`].
    pub fn n_tokens(&self) -> usize {
        self.messages.iter().map(|message| ApproximateTokens.count(&message.content)).sum()
    }
}

/// The messages of a prompt file over passages, each between the lines of a fence.
pub(crate) fn messages(
    file: &str,
    passages: &[&str],
    mut values: BTreeMap<&'static str, String>,
) -> Vec<Message> {
    let fence = Fence::around(passages);
    let wrapped = (1..).zip(passages).map(|(n, text)| fence.wrap(&format!("P{n}"), text));
    values.insert("passages", wrapped.collect());
    values.insert("count", passages.len().to_string());
    values.insert("fence", fence_rule(&fence));
    let body = file.split_once('\n').map_or(file, |(_, body)| body);
    let (rules, task) = body.split_once(TASK).unwrap_or((body, ""));
    let message =
        |role, template| Message { role, content: fill_template(template, &values).trim().to_owned() };
    vec![message(Role::System, rules), message(Role::User, task)]
}
