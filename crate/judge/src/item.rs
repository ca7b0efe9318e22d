//! An item: the texts that are judged.

use answer::head;
use document::Slice as _;

/// Longest question, reference or answer that a judge is sent, in bytes.
const MAX_TEXT: usize = 24_000;
/// Longest passage, in bytes.
const MAX_PASSAGE: usize = 8_000;
/// Most bytes of all passages.
const MAX_PASSAGES: usize = 64_000;

/// A question with what is judged about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The question.
    pub question: String,
    /// The reference answer; empty where there is none.
    pub reference: String,
    /// The answer to judge, without citation marks; empty for a refusal.
    pub answer: String,
    /// Passages that the answer was written from; for a connection the one in question.
    pub passages: Vec<String>,
}

impl Item {
    /// The item within the sizes that a judge is sent, and true if something was cut.
    pub(crate) fn within_limits(mut self) -> (Self, bool) {
        let mut is_cut = false;
        let mut cut = |text: &mut String, most: usize| {
            let kept = head(text, most).len();
            is_cut |= kept < text.len();
            text.truncate(kept);
        };
        for text in [&mut self.question, &mut self.reference, &mut self.answer] {
            cut(text, MAX_TEXT);
        }
        let mut left = MAX_PASSAGES;
        for passage in &mut self.passages {
            cut(passage, MAX_PASSAGE.min(left));
            left -= passage.len();
        }
        self.passages.retain(|passage| !passage.is_empty());
        (self, is_cut)
    }

    /// All texts of it.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let own = [self.question.as_str(), self.reference.as_str(), self.answer.as_str()];
        own.into_iter().chain(self.passages.iter().map(String::as_str))
    }
}

/// Sentences of a text, each on one line.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let one_line = |range| text.slice(range).split_whitespace().collect::<Vec<_>>().join(" ");
    let sentences = text::sentences(text).into_iter().map(one_line);
    sentences.filter(|sentence| sentence.contains(char::is_alphanumeric)).collect()
}
