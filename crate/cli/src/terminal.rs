//! Text on a terminal. What documents, servers and models wrote is printed without what would steer the terminal or
//! reorder a line: control characters (and so escape sequences) and bidirectional overrides. In JSON the same characters
//! are escaped, so nothing is lost.
//!
//! The macros of the standard library are denied in this crate; `say!` and `note!` print a line to stdout and stderr.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use engine::Progress;
use native::plain_text::{one_line, plain, steers};
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

/// Formatter of JSON that escapes what steers a terminal.
pub(crate) struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(steers) {
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
    fn json_escapes_it_and_loses_nothing() {
        let mut out = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, Escaping);
        HOSTILE.serialize(&mut serializer).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert!(!written.contains(steers), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), HOSTILE);
    }
}
