//! Tables: the grids of a page, from its rules or from the way its lines stand in cells.
//!
//! A table is found in one of two ways. Rules that cross make a grid ([`ruled`]): a cell is what they enclose,
//! over several rows or columns where a rule is missing, and its text stands in the table once. Else lines whose
//! pieces stand under each other ([`aligned`]) are one when something says that they are meant to be
//! ([`mod@rules`]): figures, rules above and below, a caption. A table that goes on over the page is one block
//! ([`mod@join`]).
//!
//! Cost: linear in the lines but for a sort of the pieces of each table; crossings of rules are capped.

mod aligned;
mod columns;
mod join;
mod other_cells;
mod rows;
mod ruled;
mod rules;
mod segments;

use document::{BlockKind, RuleInfo};
use text::rules::Rules;

pub(crate) use crate::tables::join::join;

use crate::page::{Line, PageLines, Paragraph, Table, TableShape};

/// The rules by which lines in cells are a table, in the order in which they are asked.
pub(crate) fn rules() -> impl Iterator<Item = RuleInfo> {
    rules::RULES.iter().map(|rule| rule.info)
}

/// The tables among these lines, which are of one region, from top to bottom.
pub(crate) fn find(lines: &[Line], page: &PageLines, rules: &Rules) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut from = 0;
    for grid in ruled::find(lines, page) {
        aligned::find(lines, from..grid.lines.start, &page.rules, rules, &mut tables);
        from = grid.lines.end;
        tables.push(grid);
    }
    aligned::find(lines, from..lines.len(), &page.rules, rules, &mut tables);
    tables
}

/// A table as a paragraph: its cells row by row.
pub(crate) fn paragraph(table: Table) -> Paragraph {
    let mut paragraph = Paragraph::of(Vec::new());
    paragraph.kind = BlockKind::Table;
    let mut shape = TableShape { x0: f32::MAX, x1: f32::MIN, ..TableShape::default() };
    for (r, row) in table.rows.into_iter().enumerate() {
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
        if r < table.n_head {
            shape.head_end = paragraph.lines.len();
            shape.head_cells = paragraph.cells.len();
        }
    }
    paragraph.table = Some(shape);
    paragraph
}
