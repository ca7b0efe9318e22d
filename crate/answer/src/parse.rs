//! Readers of model replies: lenient about talk around the requested form, strict about the form itself.
//!
//! A reply is untrusted: sizes are capped, and a malformed reply becomes a complaint that a model can act on.

use document::Slice as _;
use serde_json::Value;

/// Longest reply that is read, in bytes.
pub const MAX_REPLY: usize = 200_000;
/// Most positions at which a JSON object is tried.
const MAX_STARTS: usize = 64;

/// A fault of a reply, worded so that a model can correct it.
pub type Complaint = String;

/// The beginning of a text, at most `max_bytes` long, cut between characters.
pub fn head(text: &str, max_bytes: usize) -> &str {
    text.slice(..text.floor_char_boundary(max_bytes))
}

/// The first JSON object in a text with one of these keys; words around it and code fences are skipped.
pub fn object(reply: &str, keys: &[&str]) -> Option<serde_json::Map<String, Value>> {
    let starts = reply.match_indices('{').map(|(at, _)| at).take(MAX_STARTS);
    starts.into_iter().find_map(|at| {
        let mut values = serde_json::Deserializer::from_str(reply.get(at..)?).into_iter::<Value>();
        match values.next()?.ok()? {
            Value::Object(object) if keys.iter().any(|key| object.contains_key(*key)) => Some(object),
            _ => None,
        }
    })
}

/// The text between `<tag>` and `</tag>`, or after an unclosed `<tag>`.
pub(crate) fn tagged<'a>(reply: &'a str, tag: &str) -> Option<&'a str> {
    let (_, rest) = reply.split_once(&format!("<{tag}>"))?;
    Some(rest.split_once(&format!("</{tag}>")).map_or(rest, |(inside, _)| inside).trim())
}

/// A text without the code fence around it.
pub fn unfenced(reply: &str) -> &str {
    let trimmed = reply.trim();
    let Some(inside) = trimmed.strip_prefix("```") else { return trimmed };
    let inside = inside.split_once('\n').map_or(inside, |(_, rest)| rest);
    inside.strip_suffix("```").unwrap_or(inside).trim()
}

/// A truth value in any form that models write.
pub(crate) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(word) => truth_word(word),
        _ => None,
    }
}

/// The truth value of a word for yes or no.
pub(crate) fn truth_word(word: &str) -> Option<bool> {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    match bare.as_str() {
        "true" | "yes" | "是" | "真" => Some(true),
        "false" | "no" | "否" | "假" => Some(false),
        _ => None,
    }
}

/// The strings of a value that is a list of strings or one string.
pub(crate) fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(item)) if !item.trim().is_empty() => vec![item.clone()],
        _ => Vec::new(),
    }
}

/// The lines of a list without bullets, numbers and quotation marks around them.
pub(crate) fn items(reply: &str) -> Vec<String> {
    let bare = |line: &str| {
        let line = line.trim().trim_start_matches(['-', '*', '•', '·']).trim_start();
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let line = if numbered.len() < line.len() {
            numbered.strip_prefix(['.', ')', '、', ':', '：']).unwrap_or(line)
        } else {
            line
        };
        line.trim().trim_matches(['"', '“', '”', '「', '」']).trim().to_owned()
    };
    reply.lines().map(bare).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_found_in_talk_and_only_with_its_keys() {
        let found = |reply: &str| object(reply, &["keep"]).map(|object| object.len());
        assert_eq!(found("Sure! ```json\n{\"keep\": [true]}\n``` Hope it helps {"), Some(1));
        assert_eq!(found("{\"other\": {\"keep\": 1}}"), Some(1), "one inside another is found too");
        assert_eq!(found("{\"keep\": [true"), None);
        assert_eq!(found(&"{".repeat(100_000)), None);
        assert_eq!(found(&"{\"a\":".repeat(10_000)), None, "depth is bounded");
    }

    #[test]
    fn tags_fences_and_lists_are_taken_off() {
        assert_eq!(tagged("x <answer> a </answer> y", "answer"), Some("a"));
        assert_eq!(tagged("x <answer> a", "answer"), Some("a"));
        assert_eq!(tagged("x", "answer"), None);
        assert_eq!(unfenced("```text\nabc\n```"), "abc");
        assert_eq!(items("1. \"What?\"\n\n- How 2?\n2、何时？"), ["What?", "How 2?", "何时？"]);
        assert_eq!(truth_word(" True,"), Some(true));
        assert_eq!(truth_word("maybe"), None);
    }
}
