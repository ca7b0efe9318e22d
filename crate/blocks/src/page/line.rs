//! A line: the words of a column that share a baseline, with what is raised above it.

use document::{PageId, Rect};

use crate::page::word::Word;

/// A line of a column.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub page: PageId,
    /// Position of its region in the reading order of its page.
    pub region: usize,
    /// Left and right edge of its column, in points.
    pub column: (f32, f32),
    pub words: Vec<Word>,
    pub rect: Rect,
    pub baseline: f32,
    /// Type size of most of its characters, in points.
    pub size: f32,
    pub style: LineStyle,
}

/// Style of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineStyle {
    /// All of it is bold.
    pub bold: bool,
    /// All of it is italic.
    pub italic: bool,
    /// All its letters are capitals or small capitals, and there are at least three.
    pub caps: bool,
    /// A rule runs under all of it but its number.
    pub underlined: bool,
    /// A rule runs under its first word.
    pub starts_underlined: bool,
}

impl Line {
    /// Its text, words separated by spaces where there are gaps.
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.words.iter().map(|word| word.text.len() + 1).sum());
        for (i, word) in self.words.iter().enumerate() {
            if i > 0 && !word.glued {
                text.push(' ');
            }
            text.push_str(word.text.trim_end_matches('\u{ad}'));
        }
        text
    }

    /// Number of characters, spaces left out.
    pub(crate) fn n_chars(&self) -> usize {
        self.words.iter().map(Word::n_chars).sum()
    }
}
