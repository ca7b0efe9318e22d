//! OpenAI's chat completions, as servers and gateways of all kinds speak it.

use answer::Chat;
use engine::Finish;
use serde_json::{Value, json};

use super::fault::ServerMessage;
use super::partial::PartialReply;

/// The body of a request.
pub(super) fn body(request: &Chat<'_>, model: &str, schema: Option<&str>) -> Value {
    let messages: Vec<Value> = request
        .messages
        .iter()
        .map(|message| json!({ "role": message.role.name(), "content": message.content }))
        .collect();
    let mut body = json!({
        "model": model,
        "messages": messages,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": true,
    });
    if let Some(schema) = schema.and_then(|schema| serde_json::from_str::<Value>(schema).ok()) {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": { "name": request.name, "schema": schema, "strict": true },
        });
    }
    body
}

/// Takes an event of a stream, or the whole reply of an endpoint that does not stream.
pub(super) fn take(value: &Value, reply: &mut PartialReply) {
    if let Some(said) = ServerMessage::of(value) {
        reply.error = Some(said);
        return;
    }
    let Some(choice) = value.get("choices").and_then(|choices| choices.get(0)) else { return };
    let part = choice.get("delta").or_else(|| choice.get("message"));
    if let Some(text) = part.and_then(|part| part.get("content")).and_then(Value::as_str) {
        reply.text.push_str(text);
    }
    if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
        reply.finish = Some(Finish::named(reason));
    }
}
