//! A language model over HTTP: requests of the answering machine out, replies in.
//!
//! One request is one POST, streamed, tried again after 429, 5xx and broken connections with growing pauses.
//! Only the URL that was given is asked, redirects are refused, and the key (`PINCITE_API_KEY`) goes nowhere but
//! into its header, over https or to this machine.

mod anthropic;
mod fault;
mod openai;
mod partial;
mod sse;

use std::cell::Cell;
use std::io::Read;
use std::time::Duration;

use engine::{Fault, Reply, Request};
use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;

use crate::failure::Failure;
use fault::{Kind, ServerMessage, classify};
use partial::PartialReply;

/// Maximum number of tries for one reply.
const MAX_TRIES: u32 = 4;
/// Pause before the second try; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Maximum pause that an endpoint can ask for.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// Maximum size of a reply with its stream, in bytes.
const MAX_REPLY: u64 = 4 * 1024 * 1024;
/// Maximum length of an endpoint's message that is shown, in characters.
const MAX_MESSAGE: usize = 300;

/// Protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Protocol {
    /// OpenAI's chat completions, which most servers and gateways speak.
    Openai,
    /// Anthropic's messages.
    Anthropic,
}

/// Endpoint of a language model.
pub(crate) struct Endpoint {
    agent: Agent,
    url: String,
    protocol: Protocol,
    model: String,
    key: Option<String>,
    /// True until the endpoint refuses a JSON schema.
    takes_schema: Cell<bool>,
}

/// Failure to get a reply.
#[derive(Debug)]
pub(crate) struct ReplyError {
    /// Code and message, for the machine and the trace.
    pub(crate) fault: Fault,
    /// True if another request to the endpoint would fail too.
    pub(crate) lasts: bool,
}

/// Failed try of a request.
struct FailedTry {
    error: ReplyError,
    /// `Some` if another try may help, with the pause that the endpoint asks for.
    again: Option<Option<Duration>>,
}

impl Endpoint {
    /// The endpoint at a base URL, such as `http://localhost:11434/v1`.
    pub(crate) fn new(
        base: &str,
        protocol: Protocol,
        model: &str,
        timeout: Duration,
    ) -> Result<Self, Failure> {
        let key = std::env::var("PINCITE_API_KEY").ok().filter(|key| !key.is_empty());
        let url = address(base, protocol)?;
        if key.is_some() && !is_private_way(&url) {
            return Err(Failure::Usage(
                "PINCITE_API_KEY is set and the endpoint is not https: a key is sent over https or to this \
                 machine only"
                    .to_owned(),
            ));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        let takes_schema = Cell::new(protocol == Protocol::Openai);
        Ok(Self { agent: config.into(), url, protocol, model: model.to_owned(), key, takes_schema })
    }

    /// The reply to a request; `tell` is told of pauses.
    pub(crate) fn reply(&self, request: &Request, tell: &mut dyn FnMut(&str)) -> Result<Reply, ReplyError> {
        let mut pause = FIRST_PAUSE;
        let mut tries = 1;
        loop {
            let failed = match self.reply_once(request) {
                Ok(reply) => return Ok(reply),
                Err(failed) => failed,
            };
            let Some(asked) = failed.again.filter(|_| tries < MAX_TRIES) else { return Err(failed.error) };
            let wait = asked.unwrap_or(pause).min(MAX_PAUSE);
            tell(&format!("{}, trying again in {:.1} s", failed.error.fault.message, wait.as_secs_f32()));
            std::thread::sleep(wait);
            pause *= 2;
            tries += 1;
        }
    }

    fn reply_once(&self, request: &Request) -> Result<Reply, FailedTry> {
        let model = request.model.as_deref().unwrap_or(&self.model);
        let schema = request.schema.as_deref().filter(|_| self.takes_schema.get());
        let body = match self.protocol {
            Protocol::Openai => openai::body(request, model, schema),
            Protocol::Anthropic => anthropic::body(request, model),
        };
        let mut post = self.agent.post(&self.url).header("content-type", "application/json");
        if self.protocol == Protocol::Anthropic {
            post = post.header("anthropic-version", anthropic::VERSION);
        }
        if let Some(key) = &self.key {
            post = match self.protocol {
                Protocol::Openai => post.header("authorization", format!("Bearer {key}")),
                Protocol::Anthropic => post.header("x-api-key", key),
            };
        }
        let response = post.send(body.to_string()).map_err(|error| self.broken(&error))?;
        let status = response.status().as_u16();
        let retry_after = retry_after(&response);
        let text = read_all(response)?;
        match status {
            200..=299 => self.read(&text),
            400 if schema.is_some() && mentions_schema(&text) => {
                self.takes_schema.set(false);
                self.reply_once(request)
            }
            _ => {
                let said =
                    serde_json::from_str::<Value>(&text).ok().and_then(|value| ServerMessage::of(&value));
                Err(self.refused(status, &said.unwrap_or_else(|| ServerMessage::in_words(text)), retry_after))
            }
        }
    }

    /// The reply in a body: a stream of events, or one JSON object.
    fn read(&self, body: &str) -> Result<Reply, FailedTry> {
        let mut reply = PartialReply::default();
        let take = |value: &Value, reply: &mut PartialReply| match self.protocol {
            Protocol::Openai => openai::take(value, reply),
            Protocol::Anthropic => anthropic::take(value, reply),
        };
        if body.trim_start().starts_with('{') {
            let value = serde_json::from_str(body).map_err(|_| malformed("the reply is no JSON"))?;
            take(&value, &mut reply);
        } else {
            for event in sse::events(body) {
                if event == "[DONE]" {
                    reply.is_done = true;
                    break;
                }
                let value =
                    serde_json::from_str(event.as_str()).map_err(|_| malformed("an event is no JSON"))?;
                take(&value, &mut reply);
            }
        }
        if let Some(said) = reply.error {
            return Err(self.refused(200, &said, None));
        }
        match reply.finish {
            Some(finish) => Ok(Reply { text: reply.text, finish }),
            // A stream that ends without saying why: whole if it says that it is done, else broken off.
            None if reply.is_done => Ok(Reply { text: reply.text, finish: engine::Finish::Stop }),
            None => Err(failed(Kind::CutOff, "the reply broke off".to_owned(), None)),
        }
    }

    fn broken(&self, error: &ureq::Error) -> FailedTry {
        let (kind, what) = match error {
            ureq::Error::Timeout(_) => (Kind::Timeout, "no reply in time"),
            _ => (Kind::Network, "the endpoint could not be reached"),
        };
        failed(kind, format!("{what}: {}", self.shown(&error.to_string())), None)
    }

    fn refused(&self, status: u16, said: &ServerMessage, retry_after: Option<Duration>) -> FailedTry {
        let kind = classify(status, said);
        let message = self.shown(&said.message);
        let colon = if message.is_empty() { "" } else { ": " };
        let answered = if status == 200 { "reported".to_owned() } else { format!("answered {status}") };
        failed(kind, format!("the endpoint {answered}{colon}{message}{}", kind.hint()), retry_after)
    }

    /// Message of a server as it may be shown: short, one line, without the key.
    fn shown(&self, message: &str) -> String {
        let message: String =
            message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_MESSAGE).collect();
        match &self.key {
            Some(key) => message.replace(key.as_str(), "…"),
            None => message,
        }
    }
}

fn failed(kind: Kind, message: String, retry_after: Option<Duration>) -> FailedTry {
    let fault = Fault { code: kind.code().to_owned(), message };
    FailedTry {
        error: ReplyError { fault, lasts: kind.lasts() },
        again: kind.passes().then_some(retry_after),
    }
}

fn malformed(what: &str) -> FailedTry {
    failed(Kind::BadReply, what.to_owned(), None)
}

fn read_all(response: Response<ureq::Body>) -> Result<String, FailedTry> {
    let mut bytes = Vec::new();
    let mut body = response.into_body().into_reader().take(MAX_REPLY + 1);
    let read = body.read_to_end(&mut bytes);
    if bytes.len() as u64 > MAX_REPLY {
        return Err(failed(Kind::TooLarge, format!("the reply is over {MAX_REPLY} bytes"), None));
    }
    if let Err(error) = read {
        let kind = if is_timeout(&error) { Kind::Timeout } else { Kind::CutOff };
        return Err(failed(kind, format!("the reply broke off: {error}"), None));
    }
    String::from_utf8(bytes).map_err(|_| malformed("the reply is no UTF-8"))
}

/// True if a body was not complete in time.
fn is_timeout(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
    inner.is_some_and(|error| matches!(error, ureq::Error::Timeout(_)))
}

/// The pause that an endpoint asks for, in seconds. (A date would need a clock that agrees with the server's.)
fn retry_after(response: &Response<ureq::Body>) -> Option<Duration> {
    let seconds = response.headers().get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn mentions_schema(body: &str) -> bool {
    ["response_format", "json_schema", "schema"].iter().any(|word| body.contains(word))
}

/// URL of requests, from a base URL with or without its version and path.
fn address(base: &str, protocol: Protocol) -> Result<String, Failure> {
    let wrong = || Failure::Usage(format!("{base}: not an http or https URL"));
    let base = base.trim().trim_end_matches('/');
    let rest = base.strip_prefix("http://").or_else(|| base.strip_prefix("https://")).ok_or_else(wrong)?;
    if rest.is_empty() || rest.contains(char::is_whitespace) {
        return Err(wrong());
    }
    let path = match protocol {
        Protocol::Openai => "/chat/completions",
        Protocol::Anthropic => "/messages",
    };
    let (url, query) = base.split_once('?').map_or((base, None), |(url, query)| (url, Some(query)));
    let has_path = rest.split_once('?').map_or(rest, |(rest, _)| rest).contains('/');
    let url = match (url.ends_with(path), has_path) {
        (true, _) => url.to_owned(),
        (false, true) => format!("{url}{path}"),
        (false, false) => format!("{url}/v1{path}"),
    };
    Ok(query.map_or_else(|| url.clone(), |query| format!("{url}?{query}")))
}

/// True if nobody on the way can read a request: https, or this machine.
fn is_private_way(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else { return true };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.ends_with(".localhost") || host == "::1" || host.starts_with("127.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_completed_to_the_request_url() {
        let cases = [
            ("http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
            ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
            ("https://a.b/x/chat/completions", "https://a.b/x/chat/completions"),
            ("https://a.b/openai/v1?api-version=1", "https://a.b/openai/v1/chat/completions?api-version=1"),
        ];
        for (base, url) in cases {
            assert_eq!(address(base, Protocol::Openai).unwrap(), url);
        }
        assert_eq!(address("https://a.b", Protocol::Anthropic).unwrap(), "https://a.b/v1/messages");
        for wrong in ["", "localhost:1", "ftp://a.b", "http://", "http://a b"] {
            assert!(address(wrong, Protocol::Openai).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_key_goes_over_https_or_stays_on_this_machine() {
        for private in ["https://a.b/v1", "http://localhost:1/v1", "http://127.0.0.1/v1", "http://[::1]:8/v1"]
        {
            assert!(is_private_way(private), "{private}");
        }
        for open in ["http://a.b/v1", "http://localhost.evil.com/v1", "http://localhost@evil.com/v1"] {
            assert!(!is_private_way(open), "{open}");
        }
    }
}
