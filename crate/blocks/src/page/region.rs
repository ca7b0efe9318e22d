//! A region: the words of a page that are read together, as those of a column.

use crate::page::word::Word;

/// Words that are read together, line by line.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub words: Vec<Word>,
    /// Left edge of the column; the page's text edge for a region across columns.
    pub x0: f32,
    /// Right edge, likewise.
    pub x1: f32,
    /// True if it is one block in the margin, beside the text that follows it.
    pub in_margin: bool,
}

/// A strip of white between columns: its left and right edge, in points.
pub(crate) type Gutter = (f32, f32);
