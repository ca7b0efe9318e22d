//! Text on a terminal. What documents, servers and models wrote is printed without what would steer the terminal or
//! reorder a line: control characters (and so escape sequences) and bidirectional overrides. In JSON the same characters
//! are escaped, so nothing is lost.
//!
//! The macros of the standard library are denied in this crate; `say!` and `note!` print a line to stdout and stderr.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use engine::Progress;
use serde_json::ser::{CompactFormatter, Formatter};

/// Prints a line to stdout.
macro_rules! say {
    ($($part:tt)*) => { $crate::terminal::print_out(format_args!($($part)*), "\n") };
}

/// Prints a part of a line to stdout.
macro_rules! say_part {
    ($($part:tt)*) => { $crate::terminal::print_out(format_args!($($part)*), "") };
}

/// Prints a line to stderr.
macro_rules! note {
    ($($part:tt)*) => { $crate::terminal::print_err(format_args!($($part)*)) };
}

/// Prints to stdout; for `say!`. A closed pipe is not an error.
pub(crate) fn print_out(text: fmt::Arguments<'_>, end: &str) {
    drop(write!(io::stdout().lock(), "{}{end}", plain(&text.to_string())));
}

/// Prints a line to stderr; for `note!`.
pub(crate) fn print_err(text: fmt::Arguments<'_>) {
    drop(writeln!(io::stderr().lock(), "{}", plain(&text.to_string())));
}

/// Shows the progress of a file on a line of stderr that is rewritten in place; nothing if stderr is no terminal.
pub(crate) fn show_progress(name: &str, Progress { stage, done, total }: Progress) {
    let mut out = io::stderr().lock();
    if out.is_terminal() {
        drop(write!(out, "\r\x1b[K{}: {} {done}/{total}", one_line(name), stage.name()));
        drop(out.flush());
    }
}

/// Clears the line of [`show_progress`].
pub(crate) fn clear_progress() {
    let mut out = io::stderr().lock();
    if out.is_terminal() {
        drop(write!(out, "\r\x1b[K"));
    }
}

/// A text of several lines without what steers a terminal: controls become spaces, overrides go.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c != '\n' && c != '\t' && (is_control(c) || is_override(c));
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let kept = text.chars().filter(|c| !is_override(*c));
    Cow::Owned(kept.map(|c| if steers(c) { ' ' } else { c }).collect())
}

/// The same on one line.
pub(crate) fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

/// C0, DEL, C1, and the separators that some terminals take for line breaks.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Marks that change the direction of the text around them.
fn is_override(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Formatter of JSON that escapes what steers a terminal.
pub(crate) struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| is_control(c) || is_override(c)) {
            let (before, from) = rest.split_at(at);
            CompactFormatter.write_string_fragment(writer, before)?;
            let mut chars = from.chars();
            // All of them are in the basic plane: four digits.
            write!(writer, "\\u{:04x}", chars.next().map_or(0, u32::from))?;
            rest = chars.as_str();
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\r\u{9b}c\u{202e}d\u{2028}e\u{7f}\n\tf";

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        assert_eq!(plain(HOSTILE), "a [2Jb  cd e \n\tf");
        assert_eq!(one_line("a\nb\tc\u{7}"), "a b c ");
        assert!(matches!(plain("第十九条 § 4 “é”\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_escapes_it_and_loses_nothing() {
        let mut out = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping);
        HOSTILE.serialize(&mut serializer).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert!(!written.contains(|c| is_control(c) || is_override(c)), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), HOSTILE);
    }
}
