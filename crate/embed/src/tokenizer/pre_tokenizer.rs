//! Text to words: split at white space, around punctuation and around ideographs.

use std::ops::{ControlFlow, Range};

use super::normalizer::{Casing, CharClass, char_class, is_punctuation, normalise};

/// A normalised word, with the source bytes of each character.
#[derive(Debug, Default)]
pub(super) struct Word {
    /// The normalised characters; of an overlong word the first [`Self::MAX_CHARS`] only.
    pub(super) text: String,
    /// For each character, its offset in `text` and its source bytes.
    origins: Vec<(usize, Range<usize>)>,
    /// The source bytes of the whole word.
    pub(super) source: Range<usize>,
    /// True if it has more than [`Self::MAX_CHARS`] characters.
    pub(super) is_overlong: bool,
}

impl Word {
    /// Longest word that is looked up, in characters; longer ones are `[UNK]`.
    pub(super) const MAX_CHARS: usize = 100;

    fn push(&mut self, c: char, source: &Range<usize>) {
        if self.origins.is_empty() {
            self.source = source.clone();
        }
        self.source.end = source.end;
        if self.origins.len() >= Self::MAX_CHARS {
            self.is_overlong = true;
            return;
        }
        self.origins.push((self.text.len(), source.clone()));
        self.text.push(c);
    }

    fn clear(&mut self) {
        self.text.clear();
        self.origins.clear();
        self.is_overlong = false;
    }

    /// The source bytes of a byte range of `text`.
    pub(super) fn source_of(&self, range: Range<usize>) -> Range<usize> {
        let first = self.origins.partition_point(|(at, _)| *at < range.start);
        let last = self.origins.partition_point(|(at, _)| *at < range.end);
        match self.origins.get(first..last) {
            Some([(_, only)]) => only.clone(),
            Some([(_, a), .., (_, b)]) => a.start..b.end,
            _ => self.source.clone(),
        }
    }
}

/// Passes the words of `text` in order to `give` until it breaks, in one reused buffer.
pub(super) fn words(
    text: &str,
    casing: Casing,
    mut give: impl FnMut(&Word) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut word = Word::default();
    for (start, c) in text.char_indices() {
        let source = start..start + c.len_utf8();
        match char_class(c) {
            CharClass::Dropped => {}
            CharClass::Space => flush(&mut word, &mut give)?,
            CharClass::Ideograph => {
                flush(&mut word, &mut give)?;
                normalise(c, casing, |part| word.push(part, &source));
                flush(&mut word, &mut give)?;
            }
            CharClass::Other => {
                // A character may become several of which some are punctuation; `?` does not reach out of
                // the closure, so the outcome is carried.
                let mut flow = ControlFlow::Continue(());
                normalise(c, casing, |part| {
                    if flow.is_break() {
                        return;
                    }
                    if is_punctuation(part) {
                        flow = flush(&mut word, &mut give);
                        word.push(part, &source);
                        if flow.is_continue() {
                            flow = flush(&mut word, &mut give);
                        }
                    } else {
                        word.push(part, &source);
                    }
                });
                flow?;
            }
        }
    }
    flush(&mut word, &mut give)
}

fn flush(word: &mut Word, give: &mut impl FnMut(&Word) -> ControlFlow<()>) -> ControlFlow<()> {
    if word.origins.is_empty() {
        return ControlFlow::Continue(());
    }
    let flow = give(word);
    word.clear();
    flow
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        let _ = words(text, Casing::Folded, |word| {
            found.push((word.text.clone(), &text[word.source.clone()]));
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn words_are_normalised_and_know_their_source() {
        for (text, expected) in [
            ("", &[][..]),
            (" \t\r\n\u{2003}", &[]),
            ("Café  NAÏVE", &[("cafe", "Café"), ("naive", "NAÏVE")]),
            ("e\u{301}tat", &[("etat", "e\u{301}tat")]),
            ("s.4(2)", &[("s", "s"), (".", "."), ("4", "4"), ("(", "("), ("2", "2"), (")", ")")]),
            ("第十条a", &[("第", "第"), ("十", "十"), ("条", "条"), ("a", "a")]),
            ("zero\u{200b}width\u{ad}", &[("zerowidth", "zero\u{200b}width")]),
            ("\u{37e}", &[(";", "\u{37e}")]),
            ("$5+x", &[("$", "$"), ("5", "5"), ("+", "+"), ("x", "x")]),
            ("€5", &[("€5", "€5")]),
            ("\u{301}", &[]),
        ] {
            let expected: Vec<(String, &str)> =
                expected.iter().map(|&(word, source)| (word.to_string(), source)).collect();
            assert_eq!(split(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_overlong_word_is_bounded() {
        let text = "x".repeat(1_000_000);
        let _ = words(&text, Casing::Folded, |word| {
            assert!(word.is_overlong);
            assert_eq!((word.text.len(), word.source.clone()), (Word::MAX_CHARS, 0..1_000_000));
            ControlFlow::Continue(())
        });
    }
}
