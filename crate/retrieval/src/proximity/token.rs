//! A token of a candidate's text.

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The term of the question that it matches.
    pub term: Option<u16>,
    /// True if it is the first term at its position: a word, or a Han character.
    pub is_word: bool,
}
