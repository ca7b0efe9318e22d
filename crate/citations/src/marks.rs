//! The marks by which an answer names its passages: `[P1]`, `[P1, P3]`, `【P1】`, `(P1)`, `[p 1]`, "P1–P3".
//!
//! Models are asked for `[P1]` and write all of these. A bracket that holds anything else is no mark. Linear: a
//! bracket is looked into for [`MAX_MARK`] bytes.

use std::ops::Range;

/// Longest mark in bytes.
const MAX_MARK: usize = 200;

/// A mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Where, brackets included.
    pub(super) range: Range<usize>,
    /// First and last number of each range that it names; the same for a single one.
    pub(super) ids: Vec<(u32, u32)>,
}

/// The marks of an answer, in its order.
pub(super) fn marks(answer: &str) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (at, c) in answer.char_indices() {
        if matches!(c, '[' | '【' | '(' | '（' | '［')
            && let Some((ids, len)) = read(answer.get(at + c.len_utf8()..).unwrap_or_default())
        {
            marks.push(Mark { range: at..at + c.len_utf8() + len, ids });
        }
    }
    marks
}

/// Most passages that one range of a mark names.
const MAX_RANGE: usize = 64;

/// The passages that an answer names, in its order, repetitions kept.
pub fn named(answer: &str) -> Vec<u32> {
    let ids = marks(answer).into_iter().flat_map(|mark| mark.ids);
    ids.flat_map(|(first, last)| (first..=last).take(MAX_RANGE)).collect()
}

/// A sentence without its marks, and without the space and the second full stop that they leave behind.
pub fn without(sentence: &str) -> String {
    let mut bare = String::with_capacity(sentence.len());
    let mut end = 0;
    for mark in marks(sentence) {
        bare.push_str(sentence.get(end..mark.range.start).unwrap_or_default().trim_end());
        end = mark.range.end;
    }
    let rest = sentence.get(end..).unwrap_or_default().trim_end();
    let ended = bare.trim_end_matches(['"', '”', '’', '」', '』', '»', ')']);
    let is_ended = end > 0 && ended.ends_with(['.', '。', '!', '?', '！', '？']);
    if !(is_ended && matches!(rest, "." | "。")) {
        bare.push_str(rest);
    }
    bare.trim().to_owned()
}

/// What stands between the brackets, and its length with the closing one.
fn read(rest: &str) -> Option<(Vec<(u32, u32)>, usize)> {
    let mut reader = Reader { rest, at: 0 };
    let mut ids = Vec::new();
    loop {
        reader.space();
        let named = reader.letter();
        if !named && ids.is_empty() {
            return None;
        }
        let first = reader.number()?;
        reader.space();
        let last = if reader.one_of(&["–", "—", "-", "~", "至", "到", "to "]) {
            reader.space();
            reader.letter();
            let last = reader.number()?;
            reader.space();
            last
        } else {
            first
        };
        ids.push((first, last.max(first)));
        if reader.one_of(&["]", "】", ")", "）", "］"]) {
            return Some((ids, reader.at));
        }
        if reader.at > MAX_MARK {
            return None;
        }
        let _ = reader.one_of(&[",", ";", "、", "，", "；", "&", "and ", "和"]);
        reader.space();
        reader.one_of(&["and ", "&", "和"]);
    }
}

struct Reader<'t> {
    rest: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn tail(&self) -> &str {
        self.rest.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let tail = self.tail();
        let len = tail.len() - tail.trim_start_matches([' ', '\u{a0}']).len();
        // A long gap is no part of a mark.
        self.at += len.min(MAX_MARK);
    }

    fn letter(&mut self) -> bool {
        let found = self.one_of(&["P", "p", "Ｐ", "ｐ"]);
        if found {
            self.space();
            self.one_of(&["#"]);
        }
        found
    }

    fn number(&mut self) -> Option<u32> {
        let tail = self.tail();
        let len = tail.bytes().take(MAX_MARK).take_while(u8::is_ascii_digit).count();
        let digits = tail.get(..len).filter(|digits| !digits.is_empty())?;
        let number = digits.parse().unwrap_or(u32::MAX);
        self.at += len;
        Some(number)
    }

    fn one_of(&mut self, words: &[&str]) -> bool {
        let len = words.iter().find(|word| self.tail().starts_with(**word)).map(|word| word.len());
        self.at += len.unwrap_or(0);
        len.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_without_its_marks_ends_once() {
        let cases = [
            ("The firm must notify [P1].", "The firm must notify."),
            ("It says “notify the Authority.” [P1].", "It says “notify the Authority.”"),
            ("Notify.[P1][P2]", "Notify."),
            ("- Fees [P1] are due [P2]", "- Fees are due"),
            ("No marks (a) here.", "No marks (a) here."),
        ];
        for (sentence, bare) in cases {
            assert_eq!(without(sentence), bare);
        }
        assert_eq!(named("a [P1, P3–P5] b [P1]"), [1, 3, 4, 5, 1]);
    }

    #[test]
    fn marks_are_read_in_all_their_forms() {
        let cases: [(&str, &[(u32, u32)]); 14] = [
            ("[P1]", &[(1, 1)]),
            ("[P1, P3]", &[(1, 1), (3, 3)]),
            ("[P1, 3]", &[(1, 1), (3, 3)]),
            ("[P1 P3 and P5]", &[(1, 1), (3, 3), (5, 5)]),
            ("[p 1]", &[(1, 1)]),
            ("【P1】", &[(1, 1)]),
            ("(P1; P2)", &[(1, 1), (2, 2)]),
            ("（P1、P2）", &[(1, 1), (2, 2)]),
            ("[P1–P3]", &[(1, 3)]),
            ("[P1-3]", &[(1, 3)]),
            ("[P9999999999]", &[(u32::MAX, u32::MAX)]),
            ("[1]", &[]),
            ("[Part 1]", &[]),
            ("[P1: see]", &[]),
        ];
        for (text, ids) in cases {
            let found: Vec<(u32, u32)> = marks(text).into_iter().flat_map(|mark| mark.ids).collect();
            assert_eq!(found, ids, "{text}");
        }
        let two = marks("a [P1][P2].");
        assert_eq!(two.iter().map(|mark| mark.range.clone()).collect::<Vec<_>>(), [2..6, 6..10]);
    }

    #[test]
    fn brackets_without_end_are_read_in_linear_time() {
        for text in ["[P1,".repeat(50_000), "[P".to_owned() + &" ".repeat(200_000), "[P1".repeat(60_000)] {
            assert_eq!(marks(&text), []);
        }
    }
}
