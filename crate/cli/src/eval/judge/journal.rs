//! The journal of replies: JSON lines, one a reply, under the hash of its request.
//!
//! A line counts when it is whole. One that a kill cut short is taken off when the journal is opened again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use engine::{Finish, Reply};
use judge::JudgeRequest;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Replies by the keys of their requests.
pub(super) struct Journal {
    path: PathBuf,
    file: Option<File>,
    replies: BTreeMap<String, Reply>,
}

impl Journal {
    /// The journal beside a file of verdicts. It is not created before the first reply.
    pub(super) fn open(out: &Path) -> Result<Self, Failure> {
        let path = out.with_extension("replies.jsonl");
        let mut journal = Self { path, file: None, replies: BTreeMap::new() };
        if !journal.path.exists() {
            return Ok(journal);
        }
        let bytes = std::fs::read(&journal.path).map_err(|error| Failure::io(&journal.path, &error))?;
        let n_whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let whole = bytes.get(..n_whole).unwrap_or_default();
        for (number, line) in (1..).zip(String::from_utf8_lossy(whole).lines()) {
            let Some((key, reply)) = read(line) else {
                let place = journal.path.display();
                return Err(Failure::Failed(format!(
                    "{place}:{number}: expected a reply with `key`, `reply` and `finish` (move the file away to ask again)"
                )));
            };
            journal.replies.insert(key, reply);
        }
        if n_whole < bytes.len() {
            let file = OpenOptions::new().write(true).open(&journal.path);
            let cut = file.and_then(|file| file.set_len(n_whole as u64));
            cut.map_err(|error| Failure::io(&journal.path, &error))?;
        }
        Ok(journal)
    }

    /// The reply to a request, if there is one.
    pub(super) fn get(&self, key: &str) -> Option<&Reply> {
        self.replies.get(key)
    }

    /// Appends a reply.
    pub(super) fn append(
        &mut self,
        key: &str,
        id: &str,
        request: &JudgeRequest,
        model: &str,
        reply: &Reply,
    ) -> Result<(), Failure> {
        let finish = match reply.finish {
            Finish::Stop => "stop",
            Finish::Length => "length",
            Finish::Other => "other",
        };
        let line = json!({
            "key": key, "id": id, "step": request.step, "model": model, "finish": finish, "reply": reply.text,
        });
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let opened = OpenOptions::new().create(true).append(true).open(&self.path);
                self.file.insert(opened.map_err(|error| Failure::io(&self.path, &error))?)
            }
        };
        // One write, so that a kill leaves a beginning of the line at most.
        file.write_all(format!("{line}\n").as_bytes()).map_err(|error| Failure::io(&self.path, &error))?;
        self.replies.insert(key.to_owned(), reply.clone());
        Ok(())
    }
}

fn read(line: &str) -> Option<(String, Reply)> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text_at = |name: &str| value.get(name).and_then(Value::as_str);
    let reply = Reply { text: text_at("reply")?.to_owned(), finish: Finish::named(text_at("finish")?) };
    Some((text_at("key")?.to_owned(), reply))
}
