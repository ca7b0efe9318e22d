//! Quoted spans: what an answer sets between quotation marks or as a block quotation.
//!
//! Curly quotation marks, guillemets and corner brackets pair by themselves. Straight and single ones are also inches
//! and apostrophes: they open behind a space and close behind a letter, within a paragraph. Of nested quotations the
//! outermost counts. Consecutive lines that begin with `>` are one quotation. Linear.

use std::ops::Range;

use document::Slice as _;
use text::{is_cjk, steps};

use crate::normalized::is_word_char;

/// Quoted span in bytes of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuotedSpan {
    /// With its quotation marks.
    pub(crate) outer: Range<usize>,
    /// Without quotation marks and the space beside them.
    pub(crate) inner: Range<usize>,
    /// True for a block quotation, whose lines begin with `>`.
    pub(crate) is_block: bool,
}

/// Maximum length between single quotation marks, in bytes. Beyond it they are apostrophes.
const MAX_SINGLE: usize = 600;

/// Quoted spans of an answer, in order and disjoint.
pub(crate) fn quoted_spans(answer: &str) -> Vec<QuotedSpan> {
    let mut found = block_quotations(answer);
    found.extend(double_quotations(answer));
    found.extend(single_quotations(answer));
    found.retain(|quote| !quote.inner.is_empty());
    found.sort_by_key(|quote| (quote.outer.start, usize::MAX - quote.outer.end));
    let mut kept: Vec<QuotedSpan> = Vec::with_capacity(found.len());
    for quote in found {
        if kept.last().is_none_or(|last| last.outer.end <= quote.outer.start) {
            kept.push(quote);
        }
    }
    kept
}

/// A span whose inner range is trimmed.
fn span(answer: &str, outer: Range<usize>, inner: Range<usize>) -> QuotedSpan {
    let body = answer.slice(inner.clone());
    let start = inner.start + (body.len() - body.trim_start().len());
    QuotedSpan { outer, inner: start..start + body.trim().len(), is_block: false }
}

/// Block quotations: runs of lines that begin with `>`.
fn block_quotations(answer: &str) -> Vec<QuotedSpan> {
    let mut found: Vec<QuotedSpan> = Vec::new();
    let mut at = 0;
    let mut open = false;
    for line in answer.split_inclusive('\n') {
        let body = line.trim_start_matches([' ', '\t']);
        if let Some(words) = body.strip_prefix('>') {
            let end = at + line.trim_end().len();
            let start = at + (line.len() - words.trim_start_matches(' ').len());
            match found.last_mut().filter(|_| open) {
                Some(last) => (last.outer.end, last.inner.end) = (end, end.max(last.inner.start)),
                None => {
                    let outer = at + (line.len() - body.len())..end;
                    found.push(QuotedSpan { outer, inner: start.min(end)..end, is_block: true });
                }
            }
            open = true;
        } else {
            open = false;
        }
        at += line.len();
    }
    found
}

/// Quotations between double quotation marks of all kinds.
fn double_quotations(answer: &str) -> Vec<QuotedSpan> {
    let mut found = Vec::new();
    let mut paired = PairedMarks::default();
    let mut straight = StraightMarks::default();
    let mut last = ' ';
    let mut chars = answer.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        steps::count(1);
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        if let Some((start, opening)) = paired.read(at, c) {
            found.push(span(answer, start..at + c.len_utf8(), start + opening.len_utf8()..at));
        }
        if let Some(start) = straight.read(at, c, last, next) {
            found.push(span(answer, start..at + 1, start + 1..at));
        }
        last = c;
    }
    found
}

/// Open quotation marks of the kinds that pair by themselves.
#[derive(Default)]
struct PairedMarks {
    /// Opening mark and its byte, outermost first.
    open: Vec<(char, usize)>,
}

impl PairedMarks {
    /// Maximum depth of nesting.
    const MAX_DEPTH: usize = 64;

    /// Reads the character `c` at byte `at`. If it closes a quotation, returns where that opened and with which mark.
    fn read(&mut self, at: usize, c: char) -> Option<(usize, char)> {
        let is_open = |opening: char| self.open.last().is_some_and(|&(mark, _)| mark == opening);
        let wanted = match c {
            '“' if is_open('„') => '„',
            // Guillemets point inwards in German and Danish: the first one says which way.
            '«' if is_open('»') => '»',
            '»' if !self.open.iter().any(|&(mark, _)| mark == '«') => {
                if self.open.len() < Self::MAX_DEPTH {
                    self.open.push((c, at));
                }
                return None;
            }
            '“' | '„' | '«' | '「' | '『' => {
                if self.open.len() < Self::MAX_DEPTH {
                    self.open.push((c, at));
                }
                return None;
            }
            '”' => '“',
            '»' => '«',
            '」' => '「',
            '』' => '『',
            _ => return None,
        };
        steps::count(self.open.len());
        let depth = self.open.iter().rposition(|&(mark, _)| mark == wanted)?;
        let &(mark, start) = self.open.get(depth)?;
        self.open.truncate(depth);
        Some((start, mark))
    }
}

/// Straight double quotation marks, which look the same at both ends.
struct StraightMarks {
    open: Option<usize>,
    /// True if the line so far is blank.
    is_blank: bool,
}

impl Default for StraightMarks {
    fn default() -> Self {
        Self { open: None, is_blank: true }
    }
}

impl StraightMarks {
    /// Reads the character `c` at byte `at` between its neighbours. If it closes a quotation, returns where that opened.
    fn read(&mut self, at: usize, c: char, last: char, next: char) -> Option<usize> {
        let mut closed = None;
        if c == '"' {
            match self.open {
                Some(_) if !last.is_whitespace() && !is_word_char(next) => closed = self.open.take(),
                None if !next.is_whitespace() && !is_word_char(last) => self.open = Some(at),
                _ => {}
            }
        }
        // A blank line ends the paragraph, and with it what straight marks left open.
        if c == '\n' {
            if self.is_blank {
                self.open = None;
            }
            self.is_blank = true;
        } else if !c.is_whitespace() {
            self.is_blank = false;
        }
        closed
    }
}

/// Quotations between single quotation marks.
fn single_quotations(answer: &str) -> Vec<QuotedSpan> {
    let mut found = Vec::new();
    let mut last = ' ';
    let mut resume = 0;
    for (at, c) in answer.char_indices() {
        steps::count(1);
        let opens = matches!(c, '‘' | '\'') && at >= resume && !last.is_alphanumeric();
        if opens && let Some(end) = close_single(answer, at, c) {
            let close = if c == '‘' { '’' } else { '\'' };
            found.push(span(answer, at..end, at + c.len_utf8()..end - close.len_utf8()));
            resume = end;
        }
        last = c;
    }
    found
}

/// End of the quotation that the single mark at byte `at` opens, closing mark included.
fn close_single(answer: &str, at: usize, mark: char) -> Option<usize> {
    let start = at + mark.len_utf8();
    let rest = answer.get(start..)?;
    let opens = |c: char| match mark {
        '‘' => !c.is_whitespace() && !matches!(c, '’' | ',' | ';' | ')'),
        _ => c.is_alphanumeric() || matches!(c, '[' | '(' | '…' | '.' | '$' | '£' | '€' | '§'),
    };
    if !rest.starts_with(opens) {
        return None;
    }
    let close = if mark == '‘' { '’' } else { '\'' };
    let mut possessive = None;
    let mut last = ' ';
    for (offset, c) in rest.char_indices() {
        steps::count(1);
        if offset > MAX_SINGLE || c == '‘' || c == '\n' && last == '\n' {
            break;
        }
        let end = start + offset + c.len_utf8();
        if c == close && !last.is_whitespace() {
            let mut ahead = answer.get(end..)?.chars();
            let (next, second) = (ahead.next().unwrap_or(' '), ahead.next().unwrap_or(' '));
            if last == 's' && next == ' ' && second.is_lowercase() {
                // "the firms’ duty" is a genitive: it ends the quotation only if nothing else does.
                possessive = possessive.or(Some(end));
            } else if !next.is_alphanumeric() || is_cjk(next) {
                return Some(end);
            }
        }
        last = c;
    }
    possessive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_quotation_marks_are_read() {
        let cases: [(&str, &[&str]); 18] = [
            ("It says ‘must\nnotify’ at once", &["must\nnotify"]),
            ("It says “must notify”.", &["must notify"]),
            ("It says \"must notify\" and \"may not\".", &["must notify", "may not"]),
            ("« doit notifier » et „muss melden“", &["doit notifier", "muss melden"]),
            ("es gilt »muss melden« und «muss melden»", &["muss melden", "muss melden"]),
            ("规定「应当」和『可以』", &["应当", "可以"]),
            ("规定\"应当报告\"的", &["应当报告"]),
            ("It says ‘must notify’ the firm’s client", &["must notify"]),
            ("It says ‘the firms’ duty to act’ is", &["the firms’ duty to act"]),
            ("'must notify' isn't 'may'", &["must notify", "may"]),
            ("the firm’s and the firms’ duty", &[]),
            ("“The ‘Fund’ must \"act\"”", &["The ‘Fund’ must \"act\""]),
            ("a 5\" pipe and a 6\" pipe", &[]),
            ("“open and “closed” here", &["closed"]),
            ("\"open\n\n\"closed\" here", &["closed"]),
            ("Says:\n> must notify\n> the Authority [P1]\n\nso", &["must notify\n> the Authority [P1]"]),
            ("“”", &[]),
            ("“two\nlines”", &["two\nlines"]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> =
                quoted_spans(text).iter().map(|quote| &text[quote.inner.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn marks_that_do_not_pair_quote_nothing() {
        let long = format!("‘{}’", "a".repeat(MAX_SINGLE + 1));
        let longest = format!("‘{}’", "a".repeat(MAX_SINGLE));
        let cases: [(&str, &[&str]); 22] = [
            ("a ”closed” that was not open", &[]),
            ("“outer ‘inner’ outer” ‘after’", &["outer ‘inner’ outer", "after"]),
            ("『规定「应当」』", &["规定「应当」"]),
            ("„a «b» c“", &["a «b» c"]),
            ("say \"a\"b\" now", &["a\"b"]),
            ("say \" a\" now", &[]),
            ("say\"a\" now", &[]),
            ("say \"a \"b\" now", &["a \"b"]),
            ("\"a\n \n b\" now", &[]),
            ("\"a\nb\" now", &["a\nb"]),
            ("‘, and’ so", &[]),
            ("‘ a’ so", &[]),
            ("'!a' so", &[]),
            ("'[a]' so", &["[a]"]),
            ("it's 'so'", &["so"]),
            ("the ‘firms’ duty", &["firms"]),
            ("the ‘firms’ Duty", &["firms"]),
            ("‘a ’ b’ c", &["a ’ b"]),
            ("‘a\n\nb’ c", &[]),
            ("‘应当’报告", &["应当"]),
            (&long, &[]),
            (&longest, &[&longest["‘".len()..longest.len() - "’".len()]]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> =
                quoted_spans(text).iter().map(|quote| &text[quote.inner.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn the_outer_range_holds_the_marks() {
        let cases: [(&str, &str, bool); 6] = [
            ("say “ a b ” now", "“ a b ”", false),
            ("say \"a\" now", "\"a\"", false),
            ("say ‘a’ now", "‘a’", false),
            ("say 'a' now", "'a'", false),
            ("so\n  > a\n> b \nthen", "> a\n> b", true),
            ("> a\n\nthen", "> a", true),
        ];
        for (text, outer, is_block) in cases {
            let spans = quoted_spans(text);
            assert_eq!(spans.len(), 1, "{text}");
            assert_eq!((&text[spans[0].outer.clone()], spans[0].is_block), (outer, is_block), "{text}");
        }
        let two = quoted_spans("> a\nb\n> c");
        assert_eq!(two.len(), 2, "a line between makes two block quotations");
    }

    #[test]
    fn repeated_marks_take_steps_in_proportion_to_their_number() {
        for unit in ["“", "‘a ", "'s ", "\"a ", "“a”", "> "] {
            let [once, twice] = steps::of_doubled(unit, 4_000, |text| {
                let _ = quoted_spans(text);
            });
            assert!(once > 4_000 && twice * 10 <= once * 21, "{unit:?}: {once} steps, then {twice}");
        }
    }
}
