//! A line with its tokens: what the scanners read.

use std::ops::Range;

use document::{OrNever as _, Slice as _};

use super::lex::{Token, TokenKind};
use crate::chars::is_invisible;
use crate::steps;

/// A line of the text with its tokens.
#[derive(Clone, Copy)]
pub(super) struct TokenizedLine<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
}

impl<'t> TokenizedLine<'t> {
    pub(super) fn token(self, at: usize) -> Option<Token> {
        steps::count(1);
        self.tokens.get(at).copied()
    }

    pub(super) fn kind(self, at: usize) -> Option<TokenKind> {
        self.token(at).map(|token| token.kind)
    }

    /// The text of the token at `at`; empty behind the last one.
    pub(super) fn str(self, at: usize) -> &'t str {
        self.token(at).map_or("", |token| self.text.slice(token.start..token.end))
    }

    /// The word at `at`; empty for other tokens.
    pub(super) fn word(self, at: usize) -> &'t str {
        if self.kind(at) == Some(TokenKind::Word) { self.str(at) } else { "" }
    }

    /// True if a token follows the one before it without a space.
    pub(super) fn adjacent(self, at: usize) -> bool {
        self.token(at).is_some_and(|token| !token.gap)
    }

    /// The bytes of tokens `from..to`, one at least.
    pub(super) fn range(self, from: usize, to: usize) -> Range<usize> {
        let tokens = self.tokens.slice(from..to);
        let ends = tokens.first().zip(tokens.last());
        ends.map(|(first, last)| first.start..last.end).or_never("the tokens of a range")
    }

    /// The words of tokens `from..to`, one at least, with single spaces, invisible characters and quotation marks left out.
    pub(super) fn printed(self, from: usize, to: usize) -> String {
        printed(self.text.slice(self.range(from, to)))
    }
}

/// A name as printed, with single spaces, without invisible characters.
pub(super) fn printed(text: &str) -> String {
    let visible: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}
