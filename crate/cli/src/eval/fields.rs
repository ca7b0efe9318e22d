//! Fields of questions and answers in JSON lines, as several verbs read them.

use std::collections::BTreeSet;

use evaluate::answers::{Gold, Listed};
use evaluate::ranking::Judgments;
use serde_json::{Map, Value};

/// A line as an object.
pub(crate) fn object(line: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(line).map_err(|error| error.to_string())
}

/// The question's id: `qid` or `id`.
pub(crate) fn id_of(fields: &Map<String, Value>) -> Result<String, String> {
    match fields.get("qid").or_else(|| fields.get("id")) {
        Some(Value::String(id)) => Ok(id.clone()),
        Some(Value::Number(id)) => Ok(id.to_string()),
        _ => Err("expected a question's `qid` or `id`".to_owned()),
    }
}

/// The gold of a question: what there is of `answer`; `title`, `document` or `documents`; `passages` or `ev_units`;
/// `answerable`; and the passages judged relevant.
pub(crate) fn gold(fields: &Map<String, Value>, judgments: Option<&Judgments>) -> Gold {
    let mut documents = BTreeSet::new();
    for name in ["title", "document", "documents"] {
        strings(fields.get(name), &mut |name| documents.extend([name.to_owned()]));
    }
    let mut passages = BTreeSet::new();
    for name in ["passages", "ev_units"] {
        strings(fields.get(name), &mut |passage| passages.extend([passage.to_owned()]));
    }
    for (passage, gain) in judgments.into_iter().flatten() {
        passages.extend((*gain > 0).then(|| passage.clone()));
    }
    let answer = fields.get("answer").and_then(Value::as_str).map(str::to_owned);
    let answerable = fields.get("answerable").and_then(Value::as_bool).unwrap_or(true);
    Gold { answer, documents, passages, answerable }
}

/// Every string in a value, in lists of any depth.
pub(crate) fn strings(value: Option<&Value>, found: &mut dyn FnMut(&str)) {
    match value {
        Some(Value::String(text)) => found(text),
        Some(Value::Array(items)) => items.iter().for_each(|item| strings(Some(item), found)),
        _ => {}
    }
}

/// Documents and passages of a list of ids or objects. A passage without an id is named by its document and page.
pub(crate) fn listed(items: Option<&Value>) -> Listed {
    let mut listed = Listed::default();
    for item in items.and_then(Value::as_array).into_iter().flatten() {
        let field = |names: &[&str]| names.iter().find_map(|name| item.get(*name)?.as_str());
        let passage = item.as_str().or_else(|| field(&["passage", "passage_id", "chunk"]));
        let document = field(&["document", "title", "document_id"]).unwrap_or_default();
        let page = item.get("page").and_then(Value::as_u64);
        let place = || page.map_or_else(|| document.to_owned(), |page| format!("{document}#{page}"));
        listed.passages.push(passage.map_or_else(place, str::to_owned));
        listed.documents.push(document.to_owned());
    }
    listed
}

/// An answer without its marks: ` [P1]`.
pub(crate) fn without_marks(answer: &str) -> String {
    let mut out = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some((before, after)) = rest.split_once("[P") {
        let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
        match digits.strip_prefix(']').filter(|_| digits.len() < after.len()) {
            Some(after) => {
                out.push_str(before.trim_end_matches(' '));
                rest = after;
            }
            None => {
                out.push_str(before);
                out.push_str("[P");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marks_are_no_words_of_an_answer() {
        let cases = [
            ("One. [P1]\nTwo [P2] [P13]", "One.\nTwo"),
            ("[P] and [Px] stay, [P", "[P] and [Px] stay, [P"),
            ("", ""),
        ];
        for (answer, expected) in cases {
            assert_eq!(without_marks(answer), expected);
        }
    }

    #[test]
    fn items_are_ids_objects_or_pages() {
        let items = json!(["a", { "passage": "b", "document": "D" }, { "document": "E", "page": 3 }, { "document": "F" }]);
        let found = listed(Some(&items));
        assert_eq!(found.passages, ["a", "b", "E#3", "F"]);
        assert_eq!(found.documents, ["", "D", "E", "F"]);
    }
}
