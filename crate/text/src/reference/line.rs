//! A line as its tokens: what the scanners look at.

use super::lex::{Kind, Token};
use crate::chars::is_invisible;

/// A line under the eyes of the scanner.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
}

impl<'t> Line<'t> {
    pub(super) fn token(self, at: usize) -> Option<Token> {
        self.tokens.get(at).copied()
    }

    pub(super) fn kind(self, at: usize) -> Option<Kind> {
        self.token(at).map(|token| token.kind)
    }

    pub(super) fn str(self, at: usize) -> &'t str {
        self.token(at).and_then(|token| self.text.get(token.start..token.end)).unwrap_or_default()
    }

    /// The word at `at`; empty for other tokens.
    pub(super) fn word(self, at: usize) -> &'t str {
        if self.kind(at) == Some(Kind::Word) { self.str(at) } else { "" }
    }

    /// True if a token follows the one before it without a space.
    pub(super) fn adjacent(self, at: usize) -> bool {
        self.token(at).is_some_and(|token| !token.gap)
    }

    /// The words of tokens `from..to` with single spaces, invisible characters and quotation marks left out.
    pub(super) fn printed(self, from: usize, to: usize) -> String {
        let start = self.token(from).map_or(0, |token| token.start);
        let end = to.checked_sub(1).and_then(|last| self.token(last)).map_or(start, |token| token.end);
        printed(self.text.get(start..end).unwrap_or_default())
    }
}

/// A name as printed, with single spaces, without invisible characters.
pub(super) fn printed(text: &str) -> String {
    let visible: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}
