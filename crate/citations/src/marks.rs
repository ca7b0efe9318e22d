//! Citation marks, by which an answer names its sources: `[P1]`, `[P1, P3]`, `【P1】`, `(P1)`, `[p 1]`, `[P1–P3]`.
//!
//! Models are asked for `[P1]` and write all of these. A bracket with anything else in it is no mark. Linear: at most
//! [`MAX_MARK`] bytes are read behind a bracket.

use std::collections::BTreeSet;
use std::ops::Range;

use document::Slice as _;
use text::steps;

/// Maximum length of a mark, in bytes.
const MAX_MARK: usize = 200;

/// Citation mark in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CitationMark {
    /// Bytes of the answer, brackets included.
    pub(crate) range: Range<usize>,
    /// First and last number of each range of sources; equal for a single source.
    pub(crate) ids: Vec<(u32, u32)>,
}

/// Citation marks of an answer, in order.
pub(crate) fn citation_marks(answer: &str) -> Vec<CitationMark> {
    let mut marks: Vec<CitationMark> = Vec::new();
    for (at, c) in answer.char_indices() {
        steps::count(1);
        if matches!(c, '[' | '【' | '(' | '（' | '［')
            && let Some((ids, len)) = read(answer.slice(at + c.len_utf8()..))
        {
            marks.push(CitationMark { range: at..at + c.len_utf8() + len, ids });
        }
    }
    marks
}

/// The marks that begin in a range of the answer.
pub(crate) fn marks_in<'m>(marks: &'m [CitationMark], range: &Range<usize>) -> &'m [CitationMark] {
    let first = marks.partition_point(|mark| mark.range.start < range.start);
    let last = marks.partition_point(|mark| mark.range.start < range.end);
    marks.slice(first..last.max(first))
}

/// Numbers that marks cite, without repetition.
pub(crate) struct CitedIds {
    /// Those of existing sources, in the order of the marks.
    pub(crate) known: Vec<u32>,
    /// The others, at most [`MAX_UNKNOWN`].
    pub(crate) unknown: Vec<u32>,
}

/// Maximum number of unknown numbers that are listed.
const MAX_UNKNOWN: usize = 8;

impl CitedIds {
    /// Splits the numbers that marks cite by the numbers of existing sources.
    pub(crate) fn new(marks: &[CitationMark], ids: &BTreeSet<u32>) -> Self {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for &(first, last) in marks.iter().flat_map(|mark| &mark.ids) {
            let existing: Vec<u32> = ids.range(first..=last).copied().collect();
            // Of a long range, only as many numbers as can be listed need a look.
            let missing = (first..=last).take(MAX_UNKNOWN + existing.len()).filter(|id| !ids.contains(id));
            for id in missing {
                if unknown.len() < MAX_UNKNOWN && !unknown.contains(&id) {
                    unknown.push(id);
                }
            }
            known.extend(existing.into_iter().filter(|&id| seen.insert(id)));
        }
        Self { known, unknown }
    }

    /// True if the marks cite nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.unknown.is_empty()
    }
}

/// Maximum number of sources that one range of a mark stands for.
const MAX_RANGE: usize = 64;

/// Numbers of the sources that an answer cites, in its order, repetitions kept.
pub fn cited_ids(answer: &str) -> Vec<u32> {
    let ids = citation_marks(answer).into_iter().flat_map(|mark| mark.ids);
    ids.flat_map(|(first, last)| (first..=last).take(MAX_RANGE)).collect()
}

/// The sentence without its citation marks, and without the space and the second full stop that they leave behind.
pub fn strip_marks(sentence: &str) -> String {
    let mut bare = String::with_capacity(sentence.len());
    let mut end = 0;
    for mark in citation_marks(sentence) {
        bare.push_str(sentence.slice(end..mark.range.start).trim_end());
        end = mark.range.end;
    }
    let rest = sentence.slice(end..).trim_end();
    let ended = bare.trim_end_matches(['"', '”', '’', '」', '』', '»', ')']);
    let is_ended = end > 0 && ended.ends_with(['.', '。', '!', '?', '！', '？']);
    if !(is_ended && matches!(rest, "." | "。")) {
        bare.push_str(rest);
    }
    bare.trim().to_owned()
}

/// Ranges of source numbers in a mark, and its length with the closing bracket.
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

/// Cursor over the text behind an opening bracket.
struct Reader<'t> {
    rest: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn tail(&self) -> &str {
        steps::count(1);
        self.rest.slice(self.at..)
    }

    fn space(&mut self) {
        let tail = self.tail();
        let len = tail.len() - tail.trim_start_matches([' ', '\u{a0}']).len();
        steps::count(len);
        // A longer gap is not skipped, so the mark is refused.
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
        steps::count(len);
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
    fn a_stripped_sentence_ends_once() {
        let cases = [
            ("The firm must notify [P1].", "The firm must notify."),
            ("It says “notify the Authority.” [P1].", "It says “notify the Authority.”"),
            ("Notify.[P1][P2]", "Notify."),
            ("- Fees [P1] are due [P2]", "- Fees are due"),
            ("No marks (a) here.", "No marks (a) here."),
        ];
        for (sentence, bare) in cases {
            assert_eq!(strip_marks(sentence), bare);
        }
        assert_eq!(cited_ids("a [P1, P3–P5] b [P1]"), [1, 3, 4, 5, 1]);
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
            let found: Vec<(u32, u32)> = citation_marks(text).into_iter().flat_map(|mark| mark.ids).collect();
            assert_eq!(found, ids, "{text}");
        }
        let two = citation_marks("a [P1][P2].");
        assert_eq!(two.iter().map(|mark| mark.range.clone()).collect::<Vec<_>>(), [2..6, 6..10]);
    }

    #[test]
    fn marks_with_signs_and_words_between_their_numbers_are_read() {
        let cases: [(&str, &[(u32, u32)]); 13] = [
            ("［Ｐ1］", &[(1, 1)]),
            ("[P #1]", &[(1, 1)]),
            ("[P1 至 P3]", &[(1, 3)]),
            ("[P1 to P3, P5]", &[(1, 3), (5, 5)]),
            ("[P3–P1]", &[(3, 3)]),
            ("[P1, and P2]", &[(1, 1), (2, 2)]),
            ("[P1和P2]", &[(1, 1), (2, 2)]),
            ("[P1 2]", &[(1, 1), (2, 2)]),
            ("[P]", &[]),
            ("[P1", &[]),
            ("[P1–]", &[]),
            ("[]", &[]),
            ("P1]", &[]),
        ];
        for (text, ids) in cases {
            let found: Vec<(u32, u32)> = citation_marks(text).into_iter().flat_map(|mark| mark.ids).collect();
            assert_eq!(found, ids, "{text}");
        }
        let long = |n: usize| format!("[P1{}]", ", P1".repeat(n));
        assert_eq!(citation_marks(&long(45)).len(), 1, "183 bytes");
        assert_eq!(citation_marks(&long(60)).len(), 0, "243 bytes");
    }

    #[test]
    fn numbers_are_split_by_whether_their_source_exists() {
        let ids = BTreeSet::from([1, 2, 5]);
        let split = |text: &str| {
            let cited = CitedIds::new(&citation_marks(text), &ids);
            (cited.is_empty(), cited.known, cited.unknown)
        };
        assert_eq!(split("no mark"), (true, vec![], vec![]));
        assert_eq!(split("[P2][P1, P2]"), (false, vec![2, 1], vec![]));
        assert_eq!(split("[P7] [P7]"), (false, vec![], vec![7]));
        assert_eq!(split("[P1–P6]"), (false, vec![1, 2, 5], vec![3, 4, 6]));
        assert_eq!(split("[P10–P90]").2, [10, 11, 12, 13, 14, 15, 16, 17]);
        assert_eq!(cited_ids("[P1–P200]").len(), MAX_RANGE);
    }

    #[test]
    fn unclosed_brackets_are_no_marks_and_cost_steps_in_proportion_to_their_number() {
        assert_eq!(citation_marks(&("[P".to_owned() + &" ".repeat(200_000))), []);
        for unit in ["[P1,", "[P", "[P   ", "[P1", "[P1 to "] {
            let [once, twice] = steps::of_doubled(unit, 4_000, |text| assert_eq!(citation_marks(text), []));
            assert!(once > 4_000 && twice * 10 <= once * 21, "{unit:?}: {once} steps, then {twice}");
        }
    }
}
