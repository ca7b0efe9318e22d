//! A word: text without a space in it, on one line, with its box.

use document::{Caveat, Rect};
use ecow::EcoString;

/// Text without a space, on one line, in one type size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Word {
    /// NFC, ligatures expanded; a soft hyphen only at the end. Up to fifteen bytes of it lie in the word itself.
    pub text: EcoString,
    pub rect: Rect,
    pub baseline: f32,
    /// Type size in points.
    pub size: f32,
    pub style: WordStyle,
    /// Number of its font in the file; those from 65,535 on count as one font.
    pub font: u16,
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

/// Style of a word: bold, italic, small capitals, a bit each. All words of a document are in memory at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordStyle(u8);

impl WordStyle {
    const BOLD: u8 = 1;
    const ITALIC: u8 = 2;
    const SMALL_CAPS: u8 = 4;

    /// The style with these properties.
    pub(crate) fn new(bold: bool, italic: bool, small_caps: bool) -> Self {
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        Self(bit(bold, Self::BOLD) | bit(italic, Self::ITALIC) | bit(small_caps, Self::SMALL_CAPS))
    }

    /// The properties that both styles have.
    pub(crate) fn shared_with(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn is_bold(self) -> bool {
        self.0 & Self::BOLD != 0
    }

    pub(crate) fn is_italic(self) -> bool {
        self.0 & Self::ITALIC != 0
    }

    pub(crate) fn is_small_caps(self) -> bool {
        self.0 & Self::SMALL_CAPS != 0
    }
}

impl Word {
    /// Number of characters.
    pub(crate) fn n_chars(&self) -> usize {
        self.text.chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_fifteen_bytes_takes_48_in_all() {
        // A document of 5,000 pages has two million words in memory at once.
        assert_eq!(size_of::<Word>(), 48);
    }

    #[test]
    fn a_style_has_the_properties_that_it_was_made_of() {
        for bits in 0..8 {
            let of = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
            let style = WordStyle::new(of[0], of[1], of[2]);
            assert_eq!([style.is_bold(), style.is_italic(), style.is_small_caps()], of);
            assert_eq!(style.shared_with(WordStyle::new(true, false, false)).is_bold(), of[0]);
            assert!(!style.shared_with(WordStyle::new(true, false, true)).is_italic());
        }
    }
}
