//! Tables: the grids of a page, from its rules or from the way its lines stand in cells.
//!
//! A table is found in one of two ways. Rules that cross make a grid ([`ruled`]): a cell is what they enclose,
//! over several rows or columns where a rule is missing, and its text stands in the table once. Else lines whose
//! pieces stand under each other ([`aligned`]) are one when something says that they are meant to be
//! ([`meant`]): figures, rules above and below, a caption. A table that goes on over the page is one block
//! ([`mod@join`]).
//!
//! Cost: linear in the lines but for a sort of the pieces of each table; crossings of rules are capped.

mod aligned;
mod columns;
mod join;
mod meant;
mod rows;
pub(crate) mod ruled;
mod segments;

use document::BlockKind;

pub(crate) use crate::tables::join::join;

use crate::footnotes::PageLines;
use crate::lines::Line;
use crate::paragraphs::Paragraph;

/// The cells of a row from the left, each as its lines.
pub(crate) type Row = Vec<Vec<Line>>;

/// A table among the lines of a region.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Positions of its first line and one past its last.
    pub lines: std::ops::Range<usize>,
    rows: Vec<Row>,
    /// How many of the rows are its head.
    n_head: usize,
}

/// What is kept of a table's shape in its paragraph, to put its parts together over pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    /// Number of columns.
    pub n_columns: usize,
    /// Left and right edge.
    pub x0: f32,
    pub x1: f32,
    /// Positions in the lines where the head ends.
    pub head_end: usize,
    /// How many separators of cells lie before that.
    pub head_cells: usize,
}

/// The tables among these lines, which are of one region, from top to bottom.
pub(crate) fn find(lines: &[Line], page: &PageLines) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut from = 0;
    for grid in ruled::find(lines, page) {
        aligned::find(lines, from..grid.lines.start, &page.rules, &mut tables);
        from = grid.lines.end;
        tables.push(grid);
    }
    aligned::find(lines, from..lines.len(), &page.rules, &mut tables);
    tables
}

impl Table {
    /// The table as a block: its cells row by row.
    pub(crate) fn into_paragraph(self) -> Paragraph {
        let mut paragraph = Paragraph::of(Vec::new());
        paragraph.kind = BlockKind::Table;
        let mut shape = Shape { x0: f32::MAX, x1: f32::MIN, ..Shape::default() };
        for (r, row) in self.rows.into_iter().enumerate() {
            shape.n_columns = shape.n_columns.max(row.len());
            for (at, cell) in row.into_iter().enumerate() {
                if r > 0 || at > 0 {
                    let separator = if at == 0 { '\n' } else { '\t' };
                    paragraph.cells.push((paragraph.lines.len(), separator));
                }
                for line in cell {
                    shape.x0 = shape.x0.min(line.rect.x0);
                    shape.x1 = shape.x1.max(line.rect.x1);
                    paragraph.lines.push(line);
                }
            }
            if r < self.n_head {
                shape.head_end = paragraph.lines.len();
                shape.head_cells = paragraph.cells.len();
            }
        }
        paragraph.table = Some(shape);
        paragraph
    }
}
