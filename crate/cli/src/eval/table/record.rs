//! Results of a table, kept between runs: a file for each ranking and for each run of a row's answers, a JSON line a question,
//! written whole or not at all.
//!
//! The first line has the identity of all that the results follow from. A file of another identity, or one that cannot be
//! read, is made again.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::eval::output::write_lines;
use crate::eval::retrieval::corpus::for_lines;
use crate::failure::Failure;

/// A passage that a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    /// Judged places that it stands for, or one of its own.
    pub(super) places: Vec<String>,
    /// Name of its document.
    pub(super) document: String,
    /// Its size in tokens, by estimate.
    pub(super) tokens: usize,
    /// Its score, comparable within one search.
    pub(super) score: f64,
}

/// A question's ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ranked {
    /// The question's id.
    pub(super) id: String,
    /// Passages found, best first.
    pub(super) found: Vec<Found>,
    /// Seconds of the search.
    pub(super) seconds: f64,
}

/// A question's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Answered {
    /// The question's id.
    pub(super) id: String,
    /// Its text, without marks.
    pub(super) text: String,
    /// False for a refusal.
    pub(super) sufficient: bool,
    /// Places cited, best first, each with its document.
    pub(super) cited: Vec<(String, String)>,
    /// Passages found for the question and its rewrites together, best first.
    pub(super) found: Vec<Found>,
    /// Texts of the first passages found, for a judge.
    pub(super) read: Vec<String>,
    /// Requests to a model.
    pub(super) calls: usize,
    /// Requests without a reply.
    pub(super) failed: usize,
    /// Tokens of the requests, by estimate.
    pub(super) sent: usize,
    /// Tokens of the replies, by estimate.
    pub(super) received: usize,
    /// Seconds of our own part, without the model's.
    pub(super) seconds: f64,
}

/// The results in a file, if they are of that identity.
pub(super) fn read<T: DeserializeOwned>(path: &Path, identity: &str) -> Option<Vec<T>> {
    let (mut results, mut is_ours) = (Vec::new(), false);
    let read = for_lines(path, |line| {
        if is_ours {
            results.push(serde_json::from_str(line).map_err(|error| error.to_string())?);
            return Ok(());
        }
        let head: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        is_ours = head.get("identity").and_then(Value::as_str) == Some(identity);
        if is_ours { Ok(()) } else { Err("results of something else".to_owned()) }
    });
    read.ok().filter(|()| is_ours).map(|()| results)
}

/// Keeps results in a file.
pub(super) fn write<T: Serialize>(path: &Path, identity: &str, results: &[T]) -> Result<(), Failure> {
    let head = json!({ "identity": identity });
    let values: Result<Vec<Value>, _> = results.iter().map(serde_json::to_value).collect();
    let values = values.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    write_lines(path, std::iter::once(head).chain(values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_again_if_they_are_of_the_same_and_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("ranking.jsonl");
        let found = Found { places: vec!["a".to_owned()], document: "D".to_owned(), tokens: 3, score: 0.5 };
        let ranked = vec![Ranked { id: "q".to_owned(), found: vec![found], seconds: 0.25 }];
        assert_eq!(read::<Ranked>(&path, "one"), None, "there is no file");
        write(&path, "one", &ranked).unwrap();
        assert_eq!(read::<Ranked>(&path, "one"), Some(ranked));
        assert_eq!(read::<Ranked>(&path, "two"), None);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        assert_eq!(read::<Ranked>(&path, "one"), None, "the last line is cut");
    }
}
