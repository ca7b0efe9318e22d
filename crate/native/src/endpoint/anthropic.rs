//! Anthropic's messages.

use answer::Chat;
use engine::{Finish, Role};
use serde_json::{Value, json};

use super::fault::ServerMessage;
use super::partial::PartialReply;

/// The version of the protocol.
pub(super) const VERSION: &str = "2023-06-01";

/// The body of a request: the rules apart from the conversation.
pub(super) fn body(request: &Chat<'_>, model: &str) -> Value {
    let of = |role: Role| request.messages.iter().filter(move |message| message.role == role);
    let system: Vec<&str> = of(Role::System).map(|message| message.content.as_str()).collect();
    let messages: Vec<Value> = request
        .messages
        .iter()
        .filter(|message| message.role != Role::System)
        .map(|message| json!({ "role": message.role.name(), "content": message.content }))
        .collect();
    json!({
        "model": model,
        "system": system.join("\n\n"),
        "messages": messages,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": true,
    })
}

/// Takes an event of a stream, or the whole reply of an endpoint that does not stream.
pub(super) fn take(value: &Value, reply: &mut PartialReply) {
    if let Some(said) = ServerMessage::of(value) {
        reply.error = Some(said);
        return;
    }
    let delta = value.get("delta");
    let blocks = value.get("content").and_then(Value::as_array);
    let texts = delta.into_iter().chain(blocks.into_iter().flatten());
    for text in texts.filter_map(|part| part.get("text")?.as_str()) {
        reply.text.push_str(text);
    }
    let reason = delta.and_then(|delta| delta.get("stop_reason")).or_else(|| value.get("stop_reason"));
    if let Some(reason) = reason.and_then(Value::as_str) {
        reply.finish = Some(Finish::named(reason));
    }
    reply.is_done |= value.get("type").and_then(Value::as_str) == Some("message_stop");
}
