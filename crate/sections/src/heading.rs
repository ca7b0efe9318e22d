//! A heading: the text that opens a section, with its number and its type.

use document::{BlockStyle, PageId, TextRange};

use crate::numbering::Number;

/// The opening of a section.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    /// The position of its block, the first if it has two.
    pub(crate) block: usize,
    /// Bytes of the text.
    pub(crate) range: TextRange,
    /// As printed, on one line.
    pub(crate) title: String,
    /// Its number.
    pub(crate) number: Option<Number>,
    /// Its looks.
    pub(crate) style: BlockStyle,
    /// True if it is the beginning of a paragraph.
    pub(crate) run_in: bool,
    /// Its depth in the file's outline, where that has it.
    pub(crate) outline: Option<u8>,
    /// The page on which it stands.
    pub(crate) page: Option<PageId>,
}
