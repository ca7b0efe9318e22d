//! Replies of a model on disk, so that a run that is interrupted at any moment goes on without asking anything twice.
//!
//! A line is written as soon as a reply is there, and found again by the SHA-256 of its request: model, messages, schema
//! and limit. A line that was cut by a kill is removed; the request is made again. A failure is kept too, so that a second
//! run draws the same, until it is told to try again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use engine::{Fault, Finish, Reply};
use serde_json::{Value, json};
use testset::{Cost, Request};
use text::{ApproximateTokens, TokenCount as _};

use crate::endpoint::{Completion, Endpoint};
use crate::failure::Failure;

/// Longest log that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Requests and replies of a run, in tokens by estimate.
#[derive(Clone, Copy, Default)]
pub(super) struct Usage {
    /// Requests made.
    pub(super) requests: usize,
    /// Requests that were answered by the log.
    pub(super) known: usize,
    /// Requests that failed.
    pub(super) failed: usize,
    /// Tokens sent.
    pub(super) sent: usize,
    /// Tokens received.
    pub(super) received: usize,
}

impl Usage {
    /// Prints it.
    pub(super) fn report(self) {
        let Self { requests, known, failed, sent, received } = self;
        say!("{:16} {requests:>8}  {known} more were answered before, {failed} failed", "requests");
        say!("{:16} {sent:>8}  sent, estimated", "tokens");
        say!("{:16} {received:>8}  received, estimated", "");
    }
}

/// Says what a run over these things costs, before the first request.
pub(super) fn announce(what: &str, Cost { requests, sent, received }: Cost) {
    note!(
        "{what}; at most {requests} requests, besides those made again for their replies: about {sent} tokens, and at most \
         {received} of replies"
    );
}

/// Log of the replies of one model.
pub(super) struct ReplyLog {
    path: PathBuf,
    file: File,
    model: String,
    known: BTreeMap<String, Result<Reply, Fault>>,
    usage: Usage,
}

impl ReplyLog {
    /// Opens the log beside the output of a run, `out.replies.jsonl`; `tries_again` forgets the failures in it.
    pub(super) fn open(out: &Path, model: &str, tries_again: bool) -> Result<Self, Failure> {
        let path = out.with_extension("replies.jsonl");
        let failed = |error| Failure::io(&path, &error);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        if file.try_lock().is_err() {
            return Err(Failure::Failed(format!("{}: another run writes here", path.display())));
        }
        let mut text = String::new();
        let n_bytes = (&mut file).take(MAX_BYTES).read_to_string(&mut text).map_err(failed)?;
        if n_bytes as u64 == MAX_BYTES {
            return Err(Failure::Failed(format!("{}: over {MAX_BYTES} bytes", path.display())));
        }
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut known = BTreeMap::new();
        for (number, line) in (1..).zip(text.get(..whole).unwrap_or_default().lines()) {
            let (key, outcome) = read(line).ok_or_else(|| {
                Failure::Failed(format!("{}:{number}: no reply of a run, remove this line", path.display()))
            })?;
            if outcome.is_ok() || !tries_again {
                known.insert(key, outcome);
            }
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { path, file, model: model.to_owned(), known, usage: Usage::default() })
    }

    /// True if the reply to a request is in the log.
    pub(super) fn has(&self, request: &Request) -> bool {
        self.known.contains_key(&self.key(request))
    }

    /// The reply to a request, from the log or the endpoint; `None` if the endpoint failed on it.
    ///
    /// # Errors
    /// The endpoint would fail on every other request too, or the log cannot be written.
    pub(super) fn reply(&mut self, request: &Request, endpoint: &Endpoint) -> Result<Option<Reply>, Failure> {
        let key = self.key(request);
        if let Some(known) = self.known.get(&key) {
            self.usage.known += 1;
            return Ok(known.clone().ok());
        }
        let asked = endpoint.reply(Completion::from(request), &mut |what| note!("{}: {what}", request.name));
        self.usage.requests += 1;
        self.usage.sent += request.n_tokens();
        let outcome = match asked {
            Ok(reply) => {
                self.usage.received += ApproximateTokens.count(&reply.text);
                Ok(reply)
            }
            Err(error) if error.lasts => {
                let message = error.fault.message;
                return Err(Failure::Failed(format!("{message} (the replies so far are kept)")));
            }
            Err(error) => {
                note!("{}: {}", request.name, error.fault.message);
                self.usage.failed += 1;
                Err(error.fault)
            }
        };
        let line = format!("{}\n", written(&key, request.name, &outcome));
        let kept = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        kept.map_err(|error| Failure::io(&self.path, &error))?;
        self.known.insert(key, outcome.clone());
        Ok(outcome.ok())
    }

    /// Removes the file if nothing is in it: a dry run leaves nothing behind.
    pub(super) fn remove_empty(self) -> Result<(), Failure> {
        let removed = self.file.metadata().and_then(|metadata| match metadata.len() {
            0 => fs::remove_file(&self.path),
            _ => Ok(()),
        });
        removed.map_err(|error| Failure::io(&self.path, &error))
    }

    /// Requests and tokens so far.
    pub(super) fn usage(&self) -> Usage {
        self.usage
    }

    fn key(&self, request: &Request) -> String {
        let Request { name: _, messages, max_tokens, schema } = request;
        let messages: Vec<[&str; 2]> =
            messages.iter().map(|message| [message.role.name(), message.content.as_str()]).collect();
        engine::digest(json!([self.model, messages, max_tokens, schema]).to_string().as_bytes())
    }
}

fn written(key: &str, name: &str, outcome: &Result<Reply, Fault>) -> Value {
    match outcome {
        Ok(reply) => {
            let finish = match reply.finish {
                Finish::Stop => "stop",
                Finish::Length => "length",
                Finish::Other => "other",
            };
            json!({ "key": key, "name": name, "reply": reply.text, "finish": finish })
        }
        Err(fault) => {
            json!({ "key": key, "name": name, "fault": { "code": fault.code, "message": fault.message } })
        }
    }
}

fn read(line: &str) -> Option<(String, Result<Reply, Fault>)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let string = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let key = string(&value, "key")?;
    let outcome = match value.get("fault") {
        Some(fault) => Err(Fault { code: string(fault, "code")?, message: string(fault, "message")? }),
        None => {
            let finish = Finish::named(&string(&value, "finish")?);
            Ok(Reply { text: string(&value, "reply")?, finish })
        }
    };
    Some((key, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPLY: &str = r#"{"key":"k1","name":"summary","reply":"text","finish":"stop"}"#;
    const FAULT: &str = r#"{"key":"k2","name":"summary","fault":{"code":"timeout","message":"late"}}"#;

    #[test]
    fn a_line_that_a_kill_cut_is_removed_and_another_is_named() {
        let home = tempfile::tempdir().unwrap();
        let (out, log) = (home.path().join("q.jsonl"), home.path().join("q.replies.jsonl"));
        std::fs::write(&log, format!("{REPLY}\n{FAULT}\n{}", &REPLY[..20])).unwrap();
        let opened = ReplyLog::open(&out, "m", false).unwrap();
        assert_eq!(opened.known.len(), 2);
        assert!(matches!(ReplyLog::open(&out, "m", false), Err(Failure::Failed(_))), "one run at a time");
        drop(opened);
        assert_eq!(std::fs::read_to_string(&log).unwrap(), format!("{REPLY}\n{FAULT}\n"));
        assert_eq!(ReplyLog::open(&out, "m", true).unwrap().known.len(), 1, "failures are tried again");
        std::fs::write(&log, "{}\n").unwrap();
        let Err(Failure::Failed(says)) = ReplyLog::open(&out, "m", false) else { panic!("it was read") };
        assert!(says.contains("q.replies.jsonl:1"), "{says}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let reply = Reply { text: "a\n\"b\"".to_owned(), finish: Finish::Length };
        let fault = Fault { code: "timeout".to_owned(), message: "late".to_owned() };
        for outcome in [Ok(reply), Err(fault)] {
            let line = written("k", "summary", &outcome).to_string();
            assert_eq!(read(&line), Some(("k".to_owned(), outcome)));
        }
    }
}
