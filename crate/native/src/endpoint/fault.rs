//! Kinds of failed request, with the codes of the page (`www/llm/errors.js`): the same failure makes the same trace in
//! both.

use serde_json::Value;

/// Kind of failed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The address leads elsewhere.
    BadConfig,
    /// Nobody answered.
    Network,
    /// The whole request took longer than allowed.
    Timeout,
    /// The key is missing, wrong or not allowed this.
    Unauthorized,
    /// Something answers there, but not this protocol.
    WrongPath,
    /// The server does not have the model.
    ModelUnknown,
    /// Too many requests: later.
    RateLimited,
    /// No credit left: not later either.
    Quota,
    /// The server failed.
    ServerError,
    /// The server refused the request as such.
    BadRequest,
    /// The prompt is longer than the model takes.
    TooLong,
    /// The reply is not of the protocol.
    BadReply,
    /// The reply ended in the middle.
    CutOff,
    /// The reply is longer than is taken.
    TooLarge,
}

impl Kind {
    /// Code in a trace.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::BadConfig => "bad-config",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::Unauthorized => "unauthorized",
            Self::WrongPath => "wrong-path",
            Self::ModelUnknown => "model-unknown",
            Self::RateLimited => "rate-limited",
            Self::Quota => "quota",
            Self::ServerError => "server-error",
            Self::BadRequest => "bad-request",
            Self::TooLong => engine::TOO_LONG,
            Self::BadReply => "bad-reply",
            Self::CutOff => "cut-off",
            Self::TooLarge => "too-large",
        }
    }

    /// Advice for a person; empty if the kind alone gives none.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::BadConfig => " (redirects are not followed: give the final URL)",
            Self::WrongPath => " (is the base URL right, with /v1 where the server wants it?)",
            Self::ModelUnknown => " (is the model's name right?)",
            Self::TooLong => " (a model with a longer context, or a profile with a smaller one, may do)",
            _ => "",
        }
    }

    /// True if the same request can succeed a little later.
    pub(super) fn passes(self) -> bool {
        matches!(self, Self::Network | Self::RateLimited | Self::ServerError | Self::BadReply | Self::CutOff)
    }

    /// True if any other request to the endpoint would fail too.
    pub(super) fn lasts(self) -> bool {
        matches!(
            self,
            Self::BadConfig
                | Self::Network
                | Self::Unauthorized
                | Self::WrongPath
                | Self::ModelUnknown
                | Self::Quota
        )
    }
}

/// Error message of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerMessage {
    /// In words, for a person.
    pub(super) message: String,
    /// Its type and code.
    kind: String,
}

impl ServerMessage {
    /// A body of no known form.
    pub(super) fn in_words(message: String) -> Self {
        Self { message, kind: String::new() }
    }

    /// Reads an error object in any of its common shapes; `None` if the value is none.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let is_error = |field| value.get(field).and_then(Value::as_str) == Some("error");
        let given = |field| value.get(field).filter(|given: &&Value| !given.is_null());
        let inner = match given("error") {
            Some(error) => error,
            None if is_error("object") || is_error("type") => value,
            None => given("detail")?,
        };
        let part = |field| match inner.get(field) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let message = match (inner, inner.get("message")) {
            (Value::String(text), _) | (_, Some(Value::String(text))) => text.clone(),
            _ => inner.to_string(),
        };
        Some(Self { message, kind: format!("{} {}", part("type"), part("code")) })
    }
}

/// Kind of an HTTP status, or of a failure inside a reply (status 200), by the server's message.
pub(super) fn classify(status: u16, said: &ServerMessage) -> Kind {
    let kind = said.kind.to_lowercase();
    let all = format!("{kind} {}", said.message.to_lowercase());
    let says = |words: &[&str]| words.iter().any(|word| all.contains(word));
    let is = |words: &[&str]| words.iter().any(|word| kind.contains(word));
    // Of too many requests some servers say how more can be bought.
    let is_busy = matches!(status, 429 | 500..);
    if status == 402
        || says(&["insufficient_quota", "credit balance", "exceeded your current quota"])
        || says(&["billing"]) && !is_busy
    {
        Kind::Quota
    } else if status == 413
        || says(&["context_length", "context length", "context window", "maximum context"])
        || says(&["prompt is too long", "exceed_context"])
    {
        Kind::TooLong
    } else if status == 429 || is(&["rate_limit", "rate limit", "429"]) {
        Kind::RateLimited
    } else if matches!(status, 401 | 403) || is(&["authentication", "permission", "invalid_api_key", "401"]) {
        Kind::Unauthorized
    } else if is(&["model_not_found", "deploymentnotfound"])
        || !is_busy
            && says(&["model"])
            && (says(&["not found", "doesn't exist", "does not exist", "not exist", "unknown", "no such"])
                || says(&["not loaded", "not been loaded", "invalid model", "pull"]))
    {
        Kind::ModelUnknown
    } else if matches!(status, 404 | 405 | 410) {
        Kind::WrongPath
    } else if matches!(status, 300..=399) {
        Kind::BadConfig
    } else if matches!(status, 200 | 408 | 409 | 425 | 500..) {
        // Inside of a reply only what names the request's own fault is one.
        if status == 200 && is(&["invalid_request"]) { Kind::BadRequest } else { Kind::ServerError }
    } else {
        Kind::BadRequest
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn error_messages_of_servers_are_classified() {
        let cases = [
            (
                401,
                json!({ "error": { "message": "Invalid API key", "type": "invalid_request_error" } }),
                Kind::Unauthorized,
            ),
            (404, json!({ "error": "model 'x' not found, try pulling it first" }), Kind::ModelUnknown),
            (404, json!({ "detail": "Not Found" }), Kind::WrongPath),
            (
                400,
                json!({ "object": "error", "message": "The model `x` does not exist.", "code": 404 }),
                Kind::ModelUnknown,
            ),
            (
                400,
                json!({ "error": { "message": "This model's maximum context length is 4096 tokens" } }),
                Kind::TooLong,
            ),
            (
                400,
                json!({ "error": { "type": "exceed_context_size_error", "message": "", "code": 400 } }),
                Kind::TooLong,
            ),
            (429, json!({ "error": { "message": "slow down", "type": "tokens" } }), Kind::RateLimited),
            (429, json!({ "error": { "message": "", "code": "insufficient_quota" } }), Kind::Quota),
            (
                200,
                json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
                Kind::ServerError,
            ),
            (400, json!({ "error": { "message": "temperature is not supported" } }), Kind::BadRequest),
            (503, json!({ "error": { "message": "model not loaded yet" } }), Kind::ServerError),
            (
                429,
                json!({ "error": { "message": "Rate limit reached. Add a method at /account/billing." } }),
                Kind::RateLimited,
            ),
            (503, json!({ "error": { "message": "loading" } }), Kind::ServerError),
            (302, json!(null), Kind::BadConfig),
        ];
        for (status, body, kind) in cases {
            assert_eq!(
                classify(status, &ServerMessage::of(&body).unwrap_or_default()),
                kind,
                "{status} {body}"
            );
        }
    }
}
