//! The extracting step: a model quotes the relevant words of the text around the passages (LCLF-QA, long-context
//! extractor). A quotation that is not in the text is dropped.

use document::TextRange;
use serde_json::Value;

use crate::parse::{Complaint, items, object, tagged, unfenced};
use crate::profile::Profile;
use crate::prompt::{Prompt, PromptContext};
use crate::prompt_passage::PromptPassage;
use crate::request::{Message, Step};
use citations::QuotationFinder;

/// JSON schema of a reply on `count` passages.
pub(crate) fn schema(count: usize) -> String {
    format!(
        r#"{{"type":"object","properties":{{"quotes":{{"type":"array","items":{{"type":"object","properties":{{"p":{{"type":"integer","minimum":1,"maximum":{count}}},"text":{{"type":"string"}}}},"required":["p","text"],"additionalProperties":false}}}}}},"required":["quotes"],"additionalProperties":false}}"#
    )
}

/// Most quotations of one reply.
const MAX_QUOTES: usize = 40;

/// The messages that ask for quotations.
pub(crate) fn prompt(profile: &Profile, context: &PromptContext, sources: &[PromptPassage]) -> Vec<Message> {
    Prompt::new(Step::Extract, profile, context, sources, &[]).messages()
}

/// The quotations of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extracts {
    /// Index of the passage among those sent, and the range of its text; in order, overlaps joined.
    pub found: Vec<(usize, TextRange)>,
    /// Number of quotations that are in no passage.
    pub n_dropped: usize,
}

/// Reads a reply. An empty list is valid: nothing is relevant.
pub(crate) fn read(reply: &str, sources: &[PromptPassage]) -> Result<Extracts, Complaint> {
    let quotes: Vec<(Option<usize>, String)> = match object(reply, &["quotes"]) {
        Some(object) => match object.get("quotes") {
            Some(Value::Array(quotes)) => quotes.iter().filter_map(quote).collect(),
            _ => return Err("\"quotes\" is no list".to_owned()),
        },
        None if reply.contains('{') => return Err("it is no complete JSON object with \"quotes\"".to_owned()),
        None => {
            let body = ["quotes", "information"].iter().find_map(|tag| tagged(reply, tag));
            items(body.unwrap_or_else(|| unfenced(reply))).into_iter().map(|text| (None, text)).collect()
        }
    };
    let mut extracts = Extracts::default();
    let shelved: Vec<citations::SourceText<'_>> = (1..)
        .zip(sources)
        .map(|(id, source)| citations::SourceText { id, text: &source.text, context: "" })
        .collect();
    let finder = QuotationFinder::new(&shelved);
    for (named, text) in quotes.iter().take(MAX_QUOTES) {
        let piece = finder.find(text, named.and_then(|at| u32::try_from(at + 1).ok()));
        let place = piece.and_then(|piece| Some(((piece.source as usize).checked_sub(1)?, piece.range)));
        match place {
            Some(place) => extracts.found.push(place),
            None => extracts.n_dropped += 1,
        }
    }
    if extracts.found.is_empty() && extracts.n_dropped > 0 {
        return Err("none of its quotations stands word for word in a passage".to_owned());
    }
    extracts.found.sort_unstable();
    extracts.found.dedup_by(|next, kept| {
        let joins = next.0 == kept.0 && next.1.start <= kept.1.end;
        if joins {
            kept.1.end = kept.1.end.max(next.1.end);
        }
        joins
    });
    Ok(extracts)
}

fn quote(value: &Value) -> Option<(Option<usize>, String)> {
    if let Value::String(text) = value {
        return Some((None, text.clone()));
    }
    let text = value.get("text").or_else(|| value.get("quote"))?.as_str()?.trim();
    let number = match value.get("p") {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(name)) => name.trim_start_matches(['P', 'p']).parse().ok(),
        _ => None,
    };
    let at = number.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
    (!text.is_empty()).then(|| (at, text.to_owned()))
}

#[cfg(test)]
mod tests {
    use document::{DocumentIdx, SectionId};

    use super::*;

    fn sources() -> Vec<PromptPassage> {
        let source = |text| PromptPassage::of_words(DocumentIdx(0), SectionId(0), "a.pdf", text);
        vec![source("The firm must notify. It may appeal."), source("Fees are due. Fees are refunded.")]
    }

    #[test]
    fn quotations_are_placed_and_joined() {
        let reply = r#"{"quotes": [{"p": 2, "text": "Fees are refunded."}, {"p": 1, "text": "It may appeal."},
            {"p": "P1", "text": "The firm must  notify. It may"}, {"p": 1, "text": "Fees are due."}]}"#;
        let extracts = read(reply, &sources()).unwrap();
        let words: Vec<&str> = extracts
            .found
            .iter()
            .map(|&(at, range)| &sources()[at].text[range.to_usize()].to_owned().leak()[..])
            .collect();
        assert_eq!(words, ["The firm must notify. It may appeal.", "Fees are due.", "Fees are refunded."]);
        assert_eq!(extracts.n_dropped, 0);
    }

    #[test]
    fn a_raised_mark_is_no_figure_and_a_slip_is_mended_by_the_source() {
        let text = "Records are kept for 6³ years after the end of the contract. An application shall be made in writing to the Regulator by the firm.";
        let sources = [PromptPassage::of_words(DocumentIdx(0), SectionId(0), "a.pdf", text)];
        let reply = |quote: &str| format!(r#"{{"quotes": [{{"p": 1, "text": "{quote}"}}]}}"#);
        assert!(read(&reply("Records are kept for 63 years"), &sources).is_err());
        let mended =
            read(&reply("An application shall be made in writing to Regulator by the firm."), &sources)
                .unwrap();
        assert_eq!(
            &text[mended.found[0].1.to_usize()],
            "An application shall be made in writing to the Regulator by the firm"
        );
    }

    #[test]
    fn what_does_not_stand_there_is_dropped_and_nothing_is_an_answer() {
        let some =
            r#"{"quotes": [{"p": 1, "text": "The firm may notify."}, {"p": 1, "text": "It may appeal."}]}"#;
        let extracts = read(some, &sources()).unwrap();
        assert_eq!((extracts.found.len(), extracts.n_dropped), (1, 1));
        assert_eq!(read(r#"{"quotes": []}"#, &sources()).unwrap(), Extracts::default());
        assert!(read(r#"{"quotes": ["Made up."]}"#, &sources()).unwrap_err().contains("word for word"));
        assert!(read(r#"{"quotes": [{"p": 1, "te"#, &sources()).is_err());
        assert_eq!(read("<information>It may appeal.</information>", &sources()).unwrap().found.len(), 1);
    }
}
