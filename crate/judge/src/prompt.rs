//! Prompts of the judge: an item's texts in fences, filled into a prompt file.

use answer::{Fence, Message, Values, fill, messages};

use crate::item::Item;

/// Builder of a prompt about an item.
pub(crate) struct Prompt {
    fence: Fence,
    values: Values,
}

impl Prompt {
    /// A prompt about an item; `others` are further texts that it will contain.
    pub(crate) fn new(item: &Item, others: &[String]) -> Self {
        let mut texts: Vec<&str> = item.texts().collect();
        texts.extend(others.iter().map(String::as_str));
        let fence = Fence::around(&texts);
        let nonce = Values::from([("nonce", fence.nonce().to_owned())]);
        let rules = fill(include_str!("prompts/fence.txt"), &nonce).trim_end().to_owned();
        let mut prompt = Self { fence, values: Values::from([("fence", rules)]) };
        prompt.fenced("question", "QUESTION", &item.question);
        prompt.fenced("reference", "REFERENCE", &item.reference);
        prompt.fenced("answer", "ANSWER", &item.answer);
        let wrap = |(n, passage): (usize, &String)| prompt.fence.wrap(&format!("P{n}"), passage);
        let passages: String = (1..).zip(&item.passages).map(wrap).collect();
        prompt.set("passages", passages);
        prompt.set("count", item.passages.len().to_string());
        prompt
    }

    /// Fills a place.
    pub(crate) fn set(&mut self, place: &'static str, value: String) {
        self.values.insert(place, value);
    }

    /// Fills a place with a text in a fence.
    pub(crate) fn fenced(&mut self, place: &'static str, name: &str, text: &str) {
        let fenced = self.fence.wrap(name, text);
        self.set(place, fenced);
    }

    /// Fills a place with numbered lines in a fence.
    pub(crate) fn numbered(&mut self, place: &'static str, name: &str, lines: &[String]) {
        let lines: Vec<String> = (1..).zip(lines).map(|(n, line)| format!("{n}. {line}")).collect();
        self.fenced(place, name, &lines.join("\n"));
    }

    /// The messages of a prompt file.
    pub(crate) fn messages(&self, file: &str) -> Vec<Message> {
        messages(file, &self.values)
    }
}
