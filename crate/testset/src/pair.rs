//! Two questions of a style over pages, with their answers: the request, and what its reply must be.

use answer::{Complaint, MAX_REPLY, Profile, Values, head, json_object};
use serde_json::Value;

use crate::request::{Request, messages};
use crate::style::Style;

/// Longest question, in characters.
const MAX_QUESTION: usize = 400;
/// Longest answer, in characters.
const MAX_ANSWER: usize = 4_000;
/// Longest quotation, in characters.
const MAX_QUOTE: usize = 2_000;
/// Most quotations of an answer.
const MAX_QUOTES: usize = 16;
/// Longest reply, in tokens.
pub(crate) const MAX_TOKENS: u32 = 2_000;

/// JSON schema of a reply.
const SCHEMA: &str = r#"{"type":"object","properties":{"pairs":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"object","properties":{"question":{"type":"string"},"answer":{"type":"string"},"quotes":{"type":"array","items":{"type":"object","properties":{"p":{"type":"integer"},"text":{"type":"string"}},"required":["p","text"],"additionalProperties":false}}},"required":["question","answer","quotes"],"additionalProperties":false}}},"required":["pairs"],"additionalProperties":false}"#;

/// A question with its answer as a model wrote them, not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub question: String,
    /// With marks such as `[P1]`.
    pub answer: String,
    /// Number of the passage, from 1, and the words.
    pub quotes: Vec<(u32, String)>,
}

/// The request for two questions about pages.
pub(crate) fn request(style: Style, passages: &[&str], profile: &Profile) -> Request {
    let phrases = &profile.voice.phrases;
    let terms = match style {
        Style::Domain if !phrases.is_empty() => format!(" Terms of the field: {}.", phrases.join("; ")),
        _ => String::new(),
    };
    let combine = match (passages.len(), style.min_chunks()) {
        (1, _) => "Each can be answered from the passage alone.",
        (_, 2) => "Each can be answered from the passages alone, and needs facts of at least two of them.",
        _ => "Each can be answered from the passages alone, and where they allow it combines facts of each.",
    };
    let values = Values::from([
        ("role", profile.voice.role.clone()),
        ("style", style.name().to_owned()),
        ("purpose", format!("{}{terms}", style.purpose())),
        ("forms", style.forms().to_owned()),
        ("combine", combine.to_owned()),
        ("answer", style.answer().to_owned()),
    ]);
    let messages = messages(include_str!("prompts/pair.txt"), passages, values);
    Request { name: "questions", messages, max_tokens: MAX_TOKENS, schema: Some(SCHEMA.to_owned()) }
}

/// Reads a reply: two questions, each with an answer and quotations of the `n` passages.
///
/// # Errors
/// A complaint that the model can act on.
pub(crate) fn read(reply: &str, n: usize) -> Result<[Candidate; 2], Complaint> {
    let object = json_object(head(reply, MAX_REPLY), &["pairs"])
        .ok_or_else(|| "it is no complete JSON object with \"pairs\"".to_owned())?;
    let pairs = object.get("pairs").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let [first, second] = pairs else {
        return Err(format!("\"pairs\" has {} entries, expected 2", pairs.len()));
    };
    Ok([candidate(first, 1, n)?, candidate(second, 2, n)?])
}

fn candidate(value: &Value, number: usize, n: usize) -> Result<Candidate, Complaint> {
    let text = |name: &str, max: usize| {
        let text = value.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
        match text.chars().count() {
            0 => Err(format!("question {number} has no \"{name}\"")),
            length if length > max => Err(format!(
                "\"{name}\" of question {number} has {length} characters, expected at most {max}"
            )),
            _ => Ok(text.to_owned()),
        }
    };
    let quotes = value.get("quotes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if quotes.is_empty() || quotes.len() > MAX_QUOTES {
        return Err(format!("question {number} has {} quotes, expected 1 to {MAX_QUOTES}", quotes.len()));
    }
    let quote = |quote: &Value| {
        let passage = quote.get("p").and_then(Value::as_u64).and_then(|p| u32::try_from(p).ok());
        let passage = passage.filter(|&p| p >= 1 && p as usize <= n);
        let passage =
            passage.ok_or_else(|| format!("a quote of question {number} has no \"p\" from 1 to {n}"))?;
        let text = quote.get("text").and_then(Value::as_str).unwrap_or_default();
        if text.chars().count() > MAX_QUOTE {
            return Err(format!("a quote of question {number} is longer than {MAX_QUOTE} characters"));
        }
        Ok((passage, text.to_owned()))
    };
    Ok(Candidate {
        question: text("question", MAX_QUESTION)?,
        answer: text("answer", MAX_ANSWER)?,
        quotes: quotes.iter().map(quote).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(question: &str, quotes: &str) -> String {
        format!(r#"{{"question": "{question}", "answer": "Yes [P1].", "quotes": {quotes}}}"#)
    }

    #[test]
    fn what_is_wrong_with_a_reply_is_named() {
        let good = pair("Who pays?", r#"[{"p": 2, "text": "the owner pays"}]"#);
        let cases = [
            ("no".to_owned(), "no complete JSON"),
            (format!(r#"{{"pairs": [{good}]}}"#), "1 entries, expected 2"),
            (format!(r#"{{"pairs": [{good}, {}]}}"#, pair("", "[]")), "0 quotes"),
            (
                format!(r#"{{"pairs": [{}, {good}]}}"#, pair("Who?", r#"[{"p": 3, "text": "x"}]"#)),
                "from 1 to 2",
            ),
            (
                format!(r#"{{"pairs": [{good}, {}]}}"#, pair("", r#"[{"p": 1, "text": "x"}]"#)),
                "question 2 has no \"question\"",
            ),
            (
                format!(r#"{{"pairs": [{good}, {}]}}"#, pair(&"w".repeat(401), r#"[{"p": 1, "text": "x"}]"#)),
                "401 characters",
            ),
        ];
        for (reply, says) in cases {
            let complaint = read(&reply, 2).unwrap_err();
            assert!(complaint.contains(says), "{reply}: {complaint}");
        }
        let [first, _] = read(&format!("Here: {{\"pairs\": [{good}, {good}]}}"), 2).unwrap();
        assert_eq!(first.quotes, [(2, "the owner pays".to_owned())]);
    }

    #[test]
    fn every_style_has_its_wording_and_pages_are_fenced() {
        let profile = Profile::default();
        for style in Style::ALL {
            assert_eq!(Style::named(style.name()), Some(style));
            let request = request(style, &["one <<<END P1>>>", "two"], &profile);
            let text: String = request.messages.into_iter().map(|message| message.content).collect();
            assert!(text.contains(style.name()) && text.contains(style.purpose()) && !text.contains("{{"));
            assert_eq!(text.matches("<<<END P1 ").count(), 2, "once in the rule, once around the page");
        }
    }
}
