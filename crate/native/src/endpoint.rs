//! A language model over HTTP: requests of a machine (answering, judging) out, replies in.
//!
//! One request is one POST, streamed, tried again after 429, 5xx and broken connections with growing pauses.
//! Only the URL that was given is asked, redirects are refused, and a key goes nowhere but into its header, to its own
//! endpoint, over https or to this machine. To this machine no proxy of the environment is used.

mod address;
mod anthropic;
mod fault;
mod openai;
mod partial;
mod protocol;
mod scrub;
mod sse;

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use answer::Chat;
use engine::{Fault, Reply};
use serde_json::Value;
use ureq::Agent;
use ureq::http::Response;

use crate::failure::Failure;
use crate::plain_text::one_line;
use address::Address;
use fault::{Kind, ServerMessage, classify};
use partial::PartialReply;
pub use protocol::Protocol;
use scrub::scrubbed;

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

/// Key of an endpoint.
#[derive(Clone)]
pub struct Key {
    /// Environment variable that it is read from.
    pub variable: String,
    /// The key; `None` if the variable is empty or not set.
    pub value: Option<String>,
}

impl Key {
    /// The key in an environment variable.
    pub fn of(variable: String) -> Self {
        let value = std::env::var(&variable).ok();
        let value = value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        Self { variable, value }
    }
}

/// Endpoint of a language model.
pub struct Endpoint {
    agent: Agent,
    address: Address,
    protocol: Protocol,
    model: String,
    key: Key,
    /// True until the endpoint refuses a JSON schema.
    takes_schema: AtomicBool,
    /// True if the way there is open to others, which has not been said yet.
    warns: AtomicBool,
}

/// Failure to get a reply.
#[derive(Debug)]
pub struct ReplyError {
    /// Code and message, for the machine and the trace.
    pub fault: Fault,
    /// True if another request to the endpoint would fail too.
    pub lasts: bool,
}

/// Failed try of a request.
struct FailedTry {
    error: ReplyError,
    /// `Some` if another try may help, with the pause that the endpoint asks for.
    again: Option<Option<Duration>>,
}

impl Endpoint {
    /// The endpoint at a base URL, such as `http://localhost:11434/v1`.
    pub fn new(
        base: &str,
        protocol: Protocol,
        model: &str,
        timeout: Duration,
        key: Key,
    ) -> Result<Self, Failure> {
        let address = Address::new(base, protocol)?;
        let is_open = !address.is_encrypted && !address.is_loopback;
        if is_open && key.value.is_some() {
            return Err(Failure::Usage(format!(
                "{} is set and {} is not https: a key is sent over https or to this machine only",
                key.variable, address.origin
            )));
        }
        if is_open && !address.secrets.is_empty() {
            return Err(Failure::Usage(format!(
                "a parameter of the address at {} is a secret, and it is not https: a secret is sent over https \
                 or to this machine only",
                address.origin
            )));
        }
        let mut config = Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        if address.is_loopback {
            // A proxy of the environment would take what is for this machine to another one.
            config = config.proxy(None);
        }
        Ok(Self {
            agent: config.build().into(),
            address,
            protocol,
            model: model.to_owned(),
            key,
            takes_schema: AtomicBool::new(protocol == Protocol::Openai),
            warns: AtomicBool::new(is_open),
        })
    }

    /// True if both are on the same server: scheme, host and port.
    pub fn has_origin_of(&self, base: &str) -> bool {
        Address::new(base, self.protocol).is_ok_and(|address| address.origin == self.address.origin)
    }

    /// The endpoint's key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// The reply to a request; `tell` is told of an open way, before the first request, and of pauses.
    pub fn reply(&self, request: &Chat<'_>, tell: &mut dyn FnMut(&str)) -> Result<Reply, ReplyError> {
        if self.warns.swap(false, Ordering::Relaxed) {
            tell(&format!(
                "the way to {} is not encrypted: whoever is on it can read the question and the passages",
                self.address.origin
            ));
        }
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

    fn reply_once(&self, request: &Chat<'_>) -> Result<Reply, FailedTry> {
        let model = request.model.unwrap_or(&self.model);
        let schema = request.schema.filter(|_| self.takes_schema.load(Ordering::Relaxed));
        let body = match self.protocol {
            Protocol::Openai => openai::body(request, model, schema),
            Protocol::Anthropic => anthropic::body(request, model),
        };
        let mut post = self.agent.post(&self.address.url).header("content-type", "application/json");
        if self.protocol == Protocol::Anthropic {
            post = post.header("anthropic-version", anthropic::VERSION);
        }
        if let Some(key) = &self.key.value {
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
                self.takes_schema.store(false, Ordering::Relaxed);
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
        let hint = match kind {
            Kind::Unauthorized => format!(" (set {})", self.key.variable),
            _ => kind.hint().to_owned(),
        };
        failed(kind, format!("the endpoint {answered}{colon}{message}{hint}"), retry_after)
    }

    /// Message of a server as it may be shown: without secrets, one line, short; in this order.
    fn shown(&self, message: &str) -> String {
        let secrets = self.address.secrets.iter().chain(&self.key.value);
        let clean = scrubbed(message, secrets.map(String::as_str));
        one_line(&clean).chars().take(MAX_MESSAGE).collect()
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
