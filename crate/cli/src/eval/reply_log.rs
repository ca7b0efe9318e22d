//! Replies of a model on disk, so that a run that is interrupted at any moment goes on without asking anything twice.
//!
//! A line is written as soon as a reply is there, and found again by the key of its request, [`answer::Chat::key`]. A line that was cut by a kill is removed; the request is made again. A failure is kept too, so that a second
//! run draws the same, until it is told to try again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use engine::{Fault, Finish, Reply};
use serde_json::{Value, json};

use crate::failure::Failure;

/// Longest log that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Replies and failures by the keys of their requests.
pub(super) struct ReplyLog {
    path: PathBuf,
    file: File,
    known: BTreeMap<String, Result<Reply, Fault>>,
}

impl ReplyLog {
    /// Opens the log beside the output of a run, `out.replies.jsonl`; `tries_again` forgets the failures in it.
    pub(super) fn open(out: &Path, tries_again: bool) -> Result<Self, Failure> {
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
        Ok(Self { path, file, known })
    }

    /// The reply to a request, or the failure to get it, if there is one.
    pub(super) fn get(&self, key: &str) -> Option<&Result<Reply, Fault>> {
        self.known.get(key)
    }

    /// The reply to a request, if there is one.
    pub(super) fn reply(&self, key: &str) -> Option<&Reply> {
        self.get(key)?.as_ref().ok()
    }

    /// Number of replies in it.
    pub(super) fn n_replies(&self) -> usize {
        self.known.values().filter(|outcome| outcome.is_ok()).count()
    }

    /// Appends an outcome; `about` says in the file what it is of.
    pub(super) fn append(
        &mut self,
        key: &str,
        about: &[(&str, &str)],
        outcome: Result<Reply, Fault>,
    ) -> Result<(), Failure> {
        // One write, so that a kill leaves a beginning of the line at most.
        let line = format!("{}\n", written(key, about, &outcome));
        let kept = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        kept.map_err(|error| Failure::io(&self.path, &error))?;
        self.known.insert(key.to_owned(), outcome);
        Ok(())
    }
}

impl Drop for ReplyLog {
    /// Removes a file with nothing in it: a dry run, and one that fails at once, leave none behind.
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            // One that stays says nothing wrong.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn written(key: &str, about: &[(&str, &str)], outcome: &Result<Reply, Fault>) -> Value {
    let mut line = json!({ "key": key });
    for (name, value) in about {
        line[*name] = json!(value);
    }
    match outcome {
        Ok(reply) => {
            let finish = match reply.finish {
                Finish::Stop => "stop",
                Finish::Length => "length",
                Finish::Other => "other",
            };
            line["reply"] = json!(reply.text);
            line["finish"] = json!(finish);
        }
        Err(fault) => line["fault"] = json!({ "code": fault.code, "message": fault.message }),
    }
    line
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
        let opened = ReplyLog::open(&out, false).unwrap();
        assert_eq!(opened.known.len(), 2);
        assert!(matches!(ReplyLog::open(&out, false), Err(Failure::Failed(_))), "one run at a time");
        drop(opened);
        assert_eq!(std::fs::read_to_string(&log).unwrap(), format!("{REPLY}\n{FAULT}\n"));
        assert_eq!(ReplyLog::open(&out, true).unwrap().known.len(), 1, "failures are tried again");
        std::fs::write(&log, "{}\n").unwrap();
        let Err(Failure::Failed(says)) = ReplyLog::open(&out, false) else { panic!("it was read") };
        assert!(says.contains("q.replies.jsonl:1"), "{says}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let reply = Reply { text: "a\n\"b\"".to_owned(), finish: Finish::Length };
        let fault = Fault { code: "timeout".to_owned(), message: "late".to_owned() };
        for outcome in [Ok(reply), Err(fault)] {
            let line = written("k", &[("name", "summary")], &outcome).to_string();
            assert_eq!(read(&line), Some(("k".to_owned(), outcome)));
        }
    }
}
