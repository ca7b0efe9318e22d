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

/// Words and their bytes in the answer.
pub(crate) type WordsInAnswer = (String, Range<usize>);

/// Words of a quoted span.
pub(crate) struct QuotedWords {
    /// The words, without the signs of a block quotation and without citation marks at either end.
    pub(crate) text: String,
    /// Their bytes in the answer.
    pub(crate) range: Range<usize>,
    /// True if text and range agree byte by byte.
    is_plain: bool,
    /// True if a citation mark ends the last line of a block quotation.
    has_marked_line: bool,
}

impl QuotedWords {
    /// Reads the words of a span. `marks` are those of the answer.
    pub(crate) fn new(answer: &str, span: &QuotedSpan, marks: &[CitationMark]) -> Self {
        let mut range = without_outer_marks(answer, &span.inner, marks_in(marks, &span.inner));
        let mut text = answer.slice(range.clone()).to_owned();
        let mut is_plain = true;
        let last_line = text.rfind('\n').map(|at| range.start + at);
        let tail = answer.slice(range.end..span.inner.end);
        let has_marked_line =
            span.is_block && last_line.is_some() && !tail.is_empty() && !tail.contains('\n');
        if span.is_block {
            let lines: Vec<&str> = text
                .lines()
                .map(|line| line.trim_start().strip_prefix('>').map_or(line, str::trim_start))
                .collect();
            let joined = lines.join("\n");
            let bare = joined.trim().trim_matches(['“', '”', '"', '「', '」']).trim();
            match text.find(bare).filter(|_| lines.len() < 2 && !bare.is_empty()) {
                Some(at) => range = range.start + at..range.start + at + bare.len(),
                None => is_plain = false,
            }
            text = bare.to_owned();
        }
        Self { text, range, is_plain, has_marked_line }
    }

    /// Bytes of the answer for bytes of the text.
    fn in_answer(&self, range: Range<usize>) -> Range<usize> {
        if self.is_plain {
            self.range.start + range.start..self.range.start + range.end
        } else {
            self.range.clone()
        }
    }

    /// Parts between dots and bracketed words, and true if the answer put words of its own in brackets. A bracketed
    /// letter at the head of a word is part of the word: `[T]he`. Dots at an end leave nothing out of what is shown,
    /// `[not] required` does.
    pub(crate) fn parts(&self) -> (Vec<WordsInAnswer>, bool) {
        let mut has_insertion = false;
        let mut parts: Vec<WordsInAnswer> = Vec::new();
        let mut current = String::new();
        let mut start = 0;
        let mut at = 0;
        let mut close = |current: &mut String, start: usize, end: usize| {
            let lead = current.len() - current.trim_start().len();
            let words = current.trim();
            if words.contains(char::is_alphanumeric) {
                let trail = current.len() - current.trim_end().len();
                parts.push((words.to_owned(), self.in_answer(start + lead..(end - trail).max(start + lead))));
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
    pub(crate) fn without_dots(&self, parts: &[WordsInAnswer]) -> Option<WordsInAnswer> {
        let [part] = parts else { return None };
        (part.0 != self.text).then(|| part.clone())
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
    pub(crate) fn without_comma(&self, parts: &[WordsInAnswer]) -> Option<WordsInAnswer> {
        let [(part, range)] = parts else { return None };
        let bare = part.strip_suffix([',', '，', '、', ';', '；', ':', '：'])?.trim_end();
        let cut = if self.is_plain { part.len() - bare.len() } else { 0 };
        Some((bare.to_owned(), range.start..range.end.saturating_sub(cut).max(range.start)))
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
