//! A word: text without a space in it, on one line, with its box.

use document::{Caveat, Rect};

/// Text without a space, on one line, in one type size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Word {
    /// NFC, ligatures expanded; a soft hyphen only at the end.
    pub text: String,
    pub rect: Rect,
    pub baseline: f32,
    /// Type size in points.
    pub size: f32,
    pub style: WordStyle,
    /// Number of its font in the file.
    pub font: u32,
    /// True if the file writes a space before it.
    pub spaced: bool,
    /// True if it follows the word before it without a space. Set with the lines.
    pub glued: bool,
    /// True if it stands above its line, as note marks do. Set with the lines; set with the words for superscript
    /// characters.
    pub raised: bool,
    /// Why it may not be what a reader sees: the worst reason of its characters.
    pub caveat: Option<Caveat>,
}

/// Style of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordStyle {
    pub bold: bool,
    pub italic: bool,
    pub small_caps: bool,
}

impl Word {
    /// Number of characters.
    pub(crate) fn n_chars(&self) -> usize {
        self.text.chars().count()
    }
}
