//! Claims as nested triples: subject, predicate, object, where subject and object may be triples themselves.

use std::fmt;

use serde_json::Value;

use crate::reply::Complaint;

/// Deepest nesting; conditions of conditions end at three in practice.
const MAX_DEPTH: usize = 5;
/// Longest part, in characters.
const MAX_PART: usize = 500;

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triple {
    /// The subject.
    pub subject: Term,
    /// The predicate.
    pub predicate: String,
    /// The object.
    pub object: Term,
}

/// Subject or object of a triple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Words.
    Words(String),
    /// A triple.
    Nested(Box<Triple>),
}

impl Triple {
    /// Reads `["subject", "predicate", "object"]`.
    pub(crate) fn read(value: &Value) -> Result<Self, Complaint> {
        read_at(value, MAX_DEPTH)
    }

    /// The triple as JSON.
    pub fn to_json(&self) -> Value {
        let of = |term: &Term| match term {
            Term::Words(words) => Value::String(words.clone()),
            Term::Nested(triple) => triple.to_json(),
        };
        Value::Array(vec![of(&self.subject), Value::String(self.predicate.clone()), of(&self.object)])
    }
}

impl fmt::Display for Triple {
    /// `(subject | predicate | object)`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, predicate, object } = self;
        write!(f, "({subject} | {predicate} | {object})")
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(words),
            Self::Nested(triple) => triple.fmt(f),
        }
    }
}

fn read_at(value: &Value, depth: usize) -> Result<Triple, Complaint> {
    let wrong = || "a claim is no list of subject, predicate and object".to_owned();
    let Some([subject, predicate, object]) = value.as_array().map(Vec::as_slice) else { return Err(wrong()) };
    let Some(inside) = depth.checked_sub(1) else {
        return Err(format!("a claim is nested deeper than {MAX_DEPTH} triples"));
    };
    let term = |value: &Value| match value {
        Value::String(text) => words(text).map(Term::Words),
        _ => read_at(value, inside).map(|triple| Term::Nested(Box::new(triple))),
    };
    Ok(Triple {
        subject: term(subject)?,
        predicate: words(predicate.as_str().ok_or_else(wrong)?)?,
        object: term(object)?,
    })
}

/// A part of a triple on one line.
fn words(text: &str) -> Result<String, Complaint> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.chars().count() {
        0 => Err("a part of a claim is empty".to_owned()),
        n if n > MAX_PART => Err(format!("a part of a claim is longer than {MAX_PART} characters")),
        _ => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn triples_nest_and_are_written_as_they_were_read() {
        let value =
            json!([["a firm", "learns of", "a breach"], "obliges to", ["it", "tells", "the regulator"]]);
        let triple = Triple::read(&value).unwrap();
        assert_eq!(triple.to_json(), value);
        assert_eq!(
            triple.to_string(),
            "((a firm | learns of | a breach) | obliges to | (it | tells | the regulator))"
        );
    }

    #[test]
    fn what_is_no_triple_is_refused() {
        let mut deep = json!(["a", "b", "c"]);
        for _ in 0..MAX_DEPTH {
            deep = json!([deep, "b", "c"]);
        }
        for value in [
            json!("a claim"),
            json!(["a", "b"]),
            json!(["a", "b", "c", "d"]),
            json!(["a", ["x", "y", "z"], "c"]),
            json!(["a", "b", " "]),
            json!(["a", "b", 3]),
            json!(["x".repeat(MAX_PART + 1), "b", "c"]),
            deep,
        ] {
            assert!(Triple::read(&value).is_err(), "{value}");
        }
    }
}
