//! What an answer puts between quotation marks, or sets as a quotation.
//!
//! Curly marks, guillemets and corner brackets pair by themselves. Straight marks and single ones are also inches and
//! apostrophes: they open behind a space and close behind a letter, within a paragraph. Of nested quotations the
//! outermost counts; lines that begin with `>` are one. Linear.

use std::ops::Range;

use text::is_cjk;

/// A quotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Quote {
    /// With its marks.
    pub(super) outer: Range<usize>,
    /// Without marks and the space beside them.
    pub(super) inner: Range<usize>,
    /// Whether its lines are set with `>`.
    pub(super) is_block: bool,
}

/// Longest quotation between single marks, in bytes: past it they are apostrophes.
const MAX_SINGLE: usize = 600;

/// The quotations of an answer, in its order; they do not overlap.
pub(super) fn quotes(answer: &str) -> Vec<Quote> {
    let mut found = blocks(answer);
    paired(answer, &mut found);
    single(answer, &mut found);
    found.retain(|quote| !quote.inner.is_empty());
    found.sort_by_key(|quote| (quote.outer.start, usize::MAX - quote.outer.end));
    let mut kept: Vec<Quote> = Vec::with_capacity(found.len());
    for quote in found {
        if kept.last().is_none_or(|last| last.outer.end <= quote.outer.start) {
            kept.push(quote);
        }
    }
    kept
}

fn quote(answer: &str, outer: Range<usize>, inner: Range<usize>) -> Quote {
    let body = answer.get(inner.clone()).unwrap_or_default();
    let start = inner.start + (body.len() - body.trim_start().len());
    Quote { outer, inner: start..start + body.trim().len(), is_block: false }
}

/// Runs of lines that begin with `>`.
fn blocks(answer: &str) -> Vec<Quote> {
    let mut found: Vec<Quote> = Vec::new();
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
                    found.push(Quote { outer, inner: start.min(end)..end, is_block: true });
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

/// Quotations between double marks.
fn paired(answer: &str, found: &mut Vec<Quote>) {
    /// Deepest nesting that is followed.
    const MAX_DEPTH: usize = 64;
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut straight: Option<usize> = None;
    let mut last = ' ';
    let mut blank = true;
    let mut chars = answer.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |&(_, next)| next);
        let end = at + c.len_utf8();
        let closing = match c {
            '“' if open.last().is_some_and(|&(mark, _)| mark == '„') => Some('“'),
            '“' | '„' | '«' | '「' | '『' => {
                if open.len() < MAX_DEPTH {
                    let close = match c {
                        '„' => '„',
                        '“' => '”',
                        '«' => '»',
                        '「' => '」',
                        _ => '』',
                    };
                    open.push((close, at));
                }
                None
            }
            '”' | '»' | '」' | '』' => Some(c),
            _ => None,
        };
        if let Some(close) = closing {
            let wanted = if close == '“' { '„' } else { close };
            if let Some(depth) = open.iter().rposition(|&(mark, _)| mark == wanted)
                && let Some(&(_, start)) = open.get(depth)
            {
                open.truncate(depth);
                let first =
                    answer.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                found.push(quote(answer, start..end, start + first..at));
            }
        } else if c == '"' {
            let inside = |c: char| c.is_alphanumeric() && !is_cjk(c);
            match straight {
                Some(start) if !last.is_whitespace() && !inside(next) => {
                    found.push(quote(answer, start..end, start + 1..at));
                    straight = None;
                }
                None if !next.is_whitespace() && !inside(last) => straight = Some(at),
                _ => {}
            }
        }
        // A blank line ends the paragraph, and with it what straight marks left open.
        if c == '\n' {
            if blank {
                straight = None;
            }
            blank = true;
        } else if !c.is_whitespace() {
            blank = false;
        }
        last = c;
    }
}

/// Quotations between single marks.
fn single(answer: &str, found: &mut Vec<Quote>) {
    let mut last = ' ';
    let mut resume = 0;
    for (at, c) in answer.char_indices() {
        let opens = matches!(c, '‘' | '\'') && at >= resume && !last.is_alphanumeric();
        if opens && let Some(end) = close_single(answer, at, c) {
            let close = answer.get(..end).and_then(|head| head.chars().next_back()).map_or(1, char::len_utf8);
            found.push(quote(answer, at..end, at + c.len_utf8()..end - close));
            resume = end;
        }
        last = c;
    }
}

/// The end of the quotation that a single mark at `at` opens, mark included.
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
        if offset > MAX_SINGLE || c == '‘' || c == '\n' && last == '\n' {
            break;
        }
        let end = start + offset + c.len_utf8();
        if c == close && !last.is_whitespace() {
            let mut ahead = answer.get(end..)?.chars();
            let (next, second) = (ahead.next().unwrap_or(' '), ahead.next().unwrap_or(' '));
            if last == 's' && next == ' ' && second.is_lowercase() {
                // "the firms’ duty": an end only if there is no better one.
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
    fn quotations_are_found_between_all_kinds_of_marks() {
        let cases: [(&str, &[&str]); 16] = [
            ("It says “must notify”.", &["must notify"]),
            ("It says \"must notify\" and \"may not\".", &["must notify", "may not"]),
            ("« doit notifier » et „muss melden“", &["doit notifier", "muss melden"]),
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
            let found: Vec<&str> = quotes(text).iter().map(|quote| &text[quote.inner.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn hostile_marks_take_linear_time() {
        for text in ["“".repeat(60_000), "‘a ".repeat(40_000), "'s ".repeat(60_000), "\"a ".repeat(60_000)]
        {
            let _ = quotes(&text);
        }
    }
}
