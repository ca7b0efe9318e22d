//! A page on its way: first as words, then as lines.

use document::{PageId, Rect};

use crate::page::frame::Frame;
use crate::page::grid::Grid;
use crate::page::line::Line;
use crate::page::word::Word;

/// A page as words, in a frame in which its text runs left to right.
#[derive(Clone, Debug)]
pub(crate) struct PageWords {
    pub page: PageId,
    pub frame: Frame,
    pub words: Vec<Word>,
    /// Horizontal rules from top to bottom.
    pub rules: Vec<Rect>,
    /// Vertical rules.
    pub uprights: Vec<Rect>,
    /// Grids that crossing rules make, from the top. Found before columns, so that no gutter cuts a table.
    pub grids: Vec<Grid>,
    /// Text that runs in another direction than the page's: text and box as shown.
    pub aside: Vec<(String, Rect)>,
    /// True if glyphs over the limit were left out.
    pub cut: bool,
}

/// A page as lines, in reading order.
#[derive(Clone, Debug)]
pub(crate) struct PageLines {
    pub page: PageId,
    /// Height of the page in its frame, in points.
    pub height: f32,
    pub lines: Vec<Line>,
    /// Positions of the regions that are blocks in the margin.
    pub margin: Vec<usize>,
    /// Horizontal rules from top to bottom.
    pub rules: Vec<Rect>,
    pub grids: Vec<Grid>,
}
