//! JSON of the command line: the shapes of the engine with keys in snake_case.

use document::{Layout, TextRange};
use engine::{Answer, PageSpan};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;

/// A value of the engine with its keys in snake_case. No shape of the engine has keys that are data.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<Value, Failure> {
    let value = serde_json::to_value(value).map_err(|error| Failure::Failed(format!("output: {error}")))?;
    Ok(snake_case_keys(value))
}

fn snake_case_keys(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(snake_case_keys).collect(),
        Value::Object(entries) => {
            entries.into_iter().map(|(key, value)| (snake_case(&key), snake_case_keys(value))).collect()
        }
        other => other,
    }
}

fn snake_case(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 4);
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// An answer to a question. What was retrieved, missing and in conflict is part of the trace.
pub(crate) fn answer(question: &str, answer: &Answer) -> Result<Value, Failure> {
    let mut value = to_json(answer)?;
    value["question"] = question.into();
    value["trace"]["retrieved"] = to_json(&answer.retrieved)?;
    for key in ["missing", "conflicts"] {
        value["trace"][key] = value[key].take();
        if let Some(entries) = value.as_object_mut() {
            entries.remove(key);
        }
    }
    Ok(value)
}

/// Locations of some ranges: `[{page, range, quads}]`.
pub(crate) fn spans(layout: &Layout, ranges: &[TextRange]) -> Result<Value, Failure> {
    let spans = ranges.iter().flat_map(|&range| layout.spans(range)).map(PageSpan::from);
    to_json(&spans.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_snake_case_at_every_depth_and_values_are_left_alone() {
        let value = json!({ "documentId": "aB", "spans": [{ "pageLabel": null, "nPages": 2 }] });
        let expected = json!({ "document_id": "aB", "spans": [{ "page_label": null, "n_pages": 2 }] });
        assert_eq!(snake_case_keys(value), expected);
    }
}
