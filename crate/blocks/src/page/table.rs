//! A table among the lines of a region: its cells row by row.

use std::ops::Range;

use crate::page::line::Line;

/// The cells of a row from the left, each as its lines.
pub(crate) type TableRow = Vec<Vec<Line>>;

/// A table among the lines of a region.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Positions of its lines in the region.
    pub lines: Range<usize>,
    pub rows: Vec<TableRow>,
    /// Number of rows of its head.
    pub n_head: usize,
}

/// Shape of a table, kept in its paragraph to join its parts over pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TableShape {
    pub n_columns: usize,
    /// Left edge in points.
    pub x0: f32,
    /// Right edge in points.
    pub x1: f32,
    /// Position in the paragraph's lines where the head ends.
    pub head_end: usize,
    /// Number of separators of cells before that.
    pub head_cells: usize,
}
