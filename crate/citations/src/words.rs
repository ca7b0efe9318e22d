//! The words of a quotation, and what of them the answer may have put there itself: the signs of a block quotation, the
//! dots at its ends, a comma before the closing mark, a bracketed letter, the line that says whose words they are.
//!
//! Each is taken away only where the words with it do not stand in a source, and what is taken away is outside the range
//! that is called verified. Linear.

use std::ops::Range;

use super::checker::marks_in;
use super::marks::Mark;
use super::modals;
use super::quotes::Quote;

/// The words of a quotation as they are looked for.
pub(super) struct Words {
    /// The words, without the signs of a block quotation and without marks at their ends.
    pub(super) text: String,
    /// Their bytes in the answer.
    pub(super) range: Range<usize>,
    /// Whether text and range agree byte by byte.
    is_plain: bool,
    /// Whether a mark stood on the last line of a block quotation.
    has_marked_line: bool,
}

impl Words {
    pub(super) fn new(answer: &str, quote: &Quote, marks: &[Mark]) -> Self {
        let mut range = quote.inner.clone();
        let marks = marks_in(marks, &range);
        let trim = |range: &Range<usize>| {
            let body = answer.get(range.clone()).unwrap_or_default();
            let start = range.start + (body.len() - body.trim_start().len());
            start..start + body.trim().len()
        };
        // Marks at either end are not quoted.
        while let Some(mark) = marks.iter().rev().find(|mark| mark.range.end == range.end) {
            range = trim(&(range.start..mark.range.start.max(range.start)));
        }
        while let Some(mark) = marks.iter().find(|mark| mark.range.start == range.start && !range.is_empty())
        {
            range = trim(&(mark.range.end.min(range.end)..range.end));
        }
        let mut text = answer.get(range.clone()).unwrap_or_default().to_owned();
        let mut is_plain = true;
        let last_line =
            answer.get(range.clone()).and_then(|body| body.rfind('\n')).map(|at| range.start + at);
        let tail = answer.get(range.end..quote.inner.end).unwrap_or_default();
        let has_marked_line =
            quote.is_block && last_line.is_some() && !tail.is_empty() && !tail.contains('\n');
        if quote.is_block {
            let lines: Vec<&str> = text
                .lines()
                .map(|line| line.trim_start().strip_prefix('>').map_or(line, str::trim_start))
                .collect();
            is_plain = lines.len() < 2 && text.lines().count() < 2;
            let joined = lines.join("\n");
            let bare = joined.trim().trim_matches(['“', '”', '"', '「', '」']);
            is_plain &= bare == text;
            text = bare.trim().to_owned();
        }
        Self { text, range, is_plain, has_marked_line }
    }

    /// The bytes of the answer for bytes of the text.
    fn place(&self, range: Range<usize>) -> Range<usize> {
        if self.is_plain {
            self.range.start + range.start..self.range.start + range.end
        } else {
            self.range.clone()
        }
    }

    /// The parts between dots, bracketed words and marks, with the answer's bytes for each. A bracketed letter at the
    /// head of a word is the word's own: `[T]he`. And whether the answer put words of its own in brackets: dots at an
    /// end leave nothing out of what is shown, `[not] required` does.
    pub(super) fn parts(&self) -> (Vec<(String, Range<usize>)>, bool) {
        let mut inserts = false;
        let mut parts: Vec<(String, Range<usize>)> = Vec::new();
        let mut current = String::new();
        let mut start = 0;
        let mut at = 0;
        let mut close = |current: &mut String, start: usize, end: usize| {
            let lead = current.len() - current.trim_start().len();
            let words = current.trim();
            if words.contains(char::is_alphanumeric) {
                let trail = current.len() - current.trim_end().len();
                parts.push((words.to_owned(), self.place(start + lead..(end - trail).max(start + lead))));
            }
            current.clear();
        };
        while let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = self.text.get(at..).unwrap_or_default();
            if let Some(len) = dots(rest) {
                close(&mut current, start, at);
                at += len;
                start = at;
            } else if c == '['
                && let Some(len) = bracketed(rest)
            {
                let inside = rest.get(1..len - 1).unwrap_or_default();
                let is_letter = inside.chars().count() == 1 && inside.chars().all(char::is_alphabetic);
                let joins = rest.get(len..).is_some_and(|tail| tail.starts_with(char::is_alphabetic));
                if is_letter && joins {
                    current.push_str(inside);
                } else {
                    close(&mut current, start, at);
                    start = at + len;
                    inserts = true;
                }
                at += len;
            } else {
                current.push(c);
                at += c.len_utf8();
            }
        }
        let end = self.text.len();
        close(&mut current, start, end);
        (parts, inserts)
    }

    /// The only part, where there is one and it is not the whole.
    pub(super) fn only(&self, parts: &[(String, Range<usize>)]) -> Option<(String, Range<usize>)> {
        let [part] = parts else { return None };
        (part.0 != self.text).then(|| part.clone())
    }

    /// Without the last line of a block quotation, where that says after a dash whose words these are. Only a short
    /// line with a mark does so: any other may be words that the source lacks, and leaving them out would verify what
    /// is left.
    pub(super) fn without_attribution(&self, answer: &str) -> Option<(String, Range<usize>)> {
        /// Longest line that names a provision.
        const MAX: usize = 80;
        let (words, last) = self.text.rsplit_once('\n')?;
        let last = last.trim_start();
        let is_attribution = self.has_marked_line
            && (last.starts_with(['—', '–']) || last.starts_with("-- "))
            && last.len() <= MAX
            && modals::modals(last).is_empty()
            && modals::negations(last).is_empty();
        let (shown, _) = answer.get(self.range.clone())?.rsplit_once('\n')?;
        let end = self.range.start + shown.trim_end().len();
        is_attribution.then(|| (words.trim().to_owned(), self.range.start..end))
    }

    /// The only part, without the comma that stands before a closing mark for the sake of the answer's own sentence.
    pub(super) fn without_comma(&self, parts: &[(String, Range<usize>)]) -> Option<(String, Range<usize>)> {
        let [(part, range)] = parts else { return None };
        let bare = part.strip_suffix([',', '，', '、', ';', '；', ':', '：'])?.trim_end();
        let cut = if self.is_plain { part.len() - bare.len() } else { 0 };
        Some((bare.to_owned(), range.start..range.end.saturating_sub(cut).max(range.start)))
    }
}

/// The length of the dots at the head of a text that say that something is left out.
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

/// The length of a bracket at the head of a text, when it is short and closed.
fn bracketed(rest: &str) -> Option<usize> {
    const MAX: usize = 120;
    let end = rest.char_indices().take(MAX).find(|&(_, c)| c == ']')?.0;
    (end > 1).then_some(end + 1)
}
