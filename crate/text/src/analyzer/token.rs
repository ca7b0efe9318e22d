//! An index term with its range and position in the text.

use std::ops::Range;

/// A term and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The indexed form.
    pub term: &'a str,
    /// The bytes of the text that it stands for.
    pub range: Range<usize>,
    /// Its place in the sequence of words, stop words counted. Terms of one place share it: a bigram has the
    /// position of its first character, `401(k)` that of `401`.
    pub position: u32,
}
