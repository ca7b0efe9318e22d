//! The words of a quoted span, and variants without what an answer may have put there: the signs of a block quotation,
//! dots at its ends, a comma before the closing quotation mark, a bracketed letter, a line that names the provision.
//!
//! A variant is tried only if the words as they are stand in no source, and the range that is called verified ends
//! where the variant ends. Linear.

use std::ops::Range;

use document::Slice as _;

use crate::marks::{CitationMark, marks_in};
use crate::modals::{modals, negations};
use crate::quotes::QuotedSpan;

/// Quotation marks that a block quotation may have around it.
const MARKS: [char; 5] = ['“', '”', '"', '「', '」'];

/// Words and their bytes in the answer.
pub(crate) type WordsInAnswer = (String, Range<usize>);
/// Words and their bytes in [`QuotedWords::text`].
pub(crate) type WordsInText = (String, Range<usize>);

/// Words of a quoted span.
pub(crate) struct QuotedWords {
    /// The words, without the signs of a block quotation and without citation marks at either end.
    pub(crate) text: String,
    /// Their bytes in the answer.
    pub(crate) range: Range<usize>,
    /// Starts of the lines before anything was cut off at the ends, and in the answer. One, but in a block quotation.
    lines: Vec<(usize, usize)>,
    /// Bytes that were cut off before the text.
    n_before: usize,
    /// True if a citation mark ends the last line of a block quotation.
    has_marked_line: bool,
}

impl QuotedWords {
    /// Reads the words of a span. `marks` are those of the answer.
    pub(crate) fn new(answer: &str, span: &QuotedSpan, marks: &[CitationMark]) -> Self {
        let range = without_outer_marks(answer, &span.inner, marks_in(marks, &span.inner));
        let shown = answer.slice(range.clone());
        let last_line = shown.rfind('\n').map(|at| range.start + at);
        let tail = answer.slice(range.end..span.inner.end);
        let has_marked_line =
            span.is_block && last_line.is_some() && !tail.is_empty() && !tail.contains('\n');
        if !span.is_block {
            let (text, lines) = (shown.to_owned(), vec![(0, range.start)]);
            return Self { text, range, lines, n_before: 0, has_marked_line };
        }
        let (mut joined, mut lines, mut at) = (String::new(), Vec::new(), range.start);
        for line in shown.split_inclusive('\n') {
            let body = line.lines().next().unwrap_or_default();
            let words = body.trim_start().strip_prefix('>').map_or(body, str::trim_start);
            if !lines.is_empty() {
                joined.push('\n');
            }
            lines.push((joined.len(), at + body.len() - words.len()));
            joined.push_str(words);
            at += line.len();
        }
        let behind = joined.trim_start().trim_start_matches(MARKS).trim_start();
        let text = joined.trim().trim_matches(MARKS).trim().to_owned();
        let n_before = joined.len() - behind.len();
        let mut words = Self { text, range, lines, n_before, has_marked_line };
        if !words.text.is_empty() {
            words.range = words.in_answer(0..words.text.len());
        }
        words
    }

    /// Bytes of the answer for bytes of the text.
    fn in_answer(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let at = at + self.n_before;
            let before = self.lines.partition_point(|&(line, _)| line <= at).saturating_sub(1);
            self.lines.get(before).map_or(at, |&(line, in_answer)| in_answer + at - line)
        };
        let start = place(range.start);
        // The end of a line is not the start of the next.
        let end = if range.is_empty() { start } else { place(range.end - 1) + 1 };
        start..end
    }

    /// Parts between dots and bracketed words, and true if the answer put words of its own in brackets. A bracketed
    /// letter at the head of a word is part of the word: `[T]he`. Dots at an end leave nothing out of what is shown,
    /// `[not] required` does.
    pub(crate) fn parts(&self) -> (Vec<WordsInText>, bool) {
        let mut has_insertion = false;
        let mut parts: Vec<WordsInText> = Vec::new();
        let mut current = String::new();
        let mut start = 0;
        let mut at = 0;
        let mut close = |current: &mut String, start: usize, end: usize| {
            let lead = current.len() - current.trim_start().len();
            let words = current.trim();
            if words.contains(char::is_alphanumeric) {
                let trail = current.len() - current.trim_end().len();
                parts.push((words.to_owned(), start + lead..(end - trail).max(start + lead)));
            }
            current.clear();
        };
        while let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = self.text.slice(at..);
            if let Some(len) = dots(rest) {
                close(&mut current, start, at);
                at += len;
                start = at;
            } else if c == '['
                && let Some(len) = bracketed(rest)
            {
                let inside = rest.slice(1..len - 1);
                let is_letter = inside.chars().count() == 1 && inside.chars().all(char::is_alphabetic);
                let joins = rest.get(len..).is_some_and(|tail| tail.starts_with(char::is_alphabetic));
                if is_letter && joins {
                    current.push_str(inside);
                } else {
                    close(&mut current, start, at);
                    start = at + len;
                    has_insertion = true;
                }
                at += len;
            } else {
                current.push(c);
                at += c.len_utf8();
            }
        }
        let end = self.text.len();
        close(&mut current, start, end);
        (parts, has_insertion)
    }

    /// The only part, if there is just one and it is not the whole: the words without dots at their ends.
    pub(crate) fn without_dots(&self, parts: &[WordsInText]) -> Option<WordsInAnswer> {
        let [(part, range)] = parts else { return None };
        (*part != self.text).then(|| (part.clone(), self.in_answer(range.clone())))
    }

    /// The words without the last line of a block quotation, if that names the provision behind a dash. It must be
    /// short and end with a citation mark: any other line may be words that the source lacks, and dropping them would
    /// verify the rest.
    pub(crate) fn without_attribution(&self, answer: &str) -> Option<WordsInAnswer> {
        /// Maximum length of the line, in bytes.
        const MAX: usize = 80;
        let (words, last) = self.text.rsplit_once('\n')?;
        let last = last.trim_start();
        let is_attribution = self.has_marked_line
            && (last.starts_with(['—', '–']) || last.starts_with("-- "))
            && last.len() <= MAX
            && modals(last).is_empty()
            && negations(last).is_empty();
        let (shown, _) = answer.get(self.range.clone())?.rsplit_once('\n')?;
        let end = self.range.start + shown.trim_end().len();
        is_attribution.then(|| (words.trim().to_owned(), self.range.start..end))
    }

    /// The only part, without the punctuation before the closing quotation mark that belongs to the answer's sentence.
    pub(crate) fn without_comma(&self, parts: &[WordsInText]) -> Option<WordsInAnswer> {
        let [(part, range)] = parts else { return None };
        let bare = part.strip_suffix([',', '，', '、', ';', '；', ':', '：'])?.trim_end();
        let end = range.end.saturating_sub(part.len() - bare.len()).max(range.start);
        Some((bare.to_owned(), self.in_answer(range.start..end)))
    }
}

/// A range of the answer without citation marks and white space at either end. `marks` are those in the range.
fn without_outer_marks(answer: &str, range: &Range<usize>, marks: &[CitationMark]) -> Range<usize> {
    let trim = |range: Range<usize>| {
        let body = answer.slice(range.clone());
        let start = range.start + (body.len() - body.trim_start().len());
        start..start + body.trim().len()
    };
    let mut range = range.clone();
    while let Some(mark) = marks.iter().rev().find(|mark| mark.range.end == range.end) {
        range = trim(range.start..mark.range.start.max(range.start));
    }
    while let Some(mark) = marks.iter().find(|mark| mark.range.start == range.start && !range.is_empty()) {
        range = trim(mark.range.end.min(range.end)..range.end);
    }
    range
}

/// Length in bytes of an ellipsis at the head of a text: three dots or more, with spaces, perhaps in brackets.
fn dots(rest: &str) -> Option<usize> {
    let bracket = rest.starts_with(['[', '(', '（', '［']);
    let body = if bracket { rest.get(rest.chars().next()?.len_utf8()..)? } else { rest };
    let mut n = 0;
    let mut len = 0;
    for (at, c) in body.char_indices().take(24) {
        match c {
            '…' => n += 3,
            '.' => n += 1,
            ' ' if n > 0 => continue,
            _ => break,
        }
        len = at + c.len_utf8();
    }
    if n < 3 {
        return None;
    }
    if !bracket {
        return Some(len);
    }
    let tail = body.get(len..)?.trim_start();
    let close = tail.strip_prefix([']', ')', '）', '］'])?;
    Some(rest.len() - close.len())
}

/// Length in bytes of a bracket at the head of a text, if it is closed and shorter than 120 characters.
fn bracketed(rest: &str) -> Option<usize> {
    const MAX: usize = 120;
    let end = rest.char_indices().take(MAX).find(|&(_, c)| c == ']')?.0;
    (end > 1).then_some(end + 1)
}
