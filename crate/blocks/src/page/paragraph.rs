//! A paragraph: lines that belong together, on their way to a block.

use document::{BlockKind, PageId, Role};

use crate::page::line::Line;
use crate::page::table::TableShape;

/// Lines that belong together; the later block.
#[derive(Clone, Debug)]
pub(crate) struct Paragraph {
    pub kind: BlockKind,
    pub role: Role,
    /// The list marker or note mark that it begins with.
    pub marker: Option<String>,
    pub lines: Vec<Line>,
    /// All its lines are centred between the edges of their column.
    pub centered: bool,
    /// White above its first line, in multiples of its type size; infinite at the top of a region.
    pub white: f32,
    /// Its last line ends although the next word would have fitted.
    pub ends_short: bool,
    /// Its first line is set in from the lines around it.
    pub indented: bool,
    /// For a table, whose lines are lines of its cells: what stands before the line at a position, `\n` before
    /// a row and `\t` before a cell.
    pub cells: Vec<(usize, char)>,
    /// For a table, its shape.
    pub table: Option<TableShape>,
}

impl Paragraph {
    /// The page on which it begins.
    pub(crate) fn page(&self) -> PageId {
        self.lines.first().map_or(PageId(0), |line| line.page)
    }

    /// Its text, lines separated by a space.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (i, line) in self.lines.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            text.push_str(&line.text());
        }
        text
    }

    /// Type size of its first line in points; 0 without lines.
    pub(crate) fn size(&self) -> f32 {
        self.lines.first().map_or(0.0, |line| line.size)
    }

    /// A paragraph of body text of these lines.
    pub(crate) fn of(lines: Vec<Line>) -> Self {
        Self {
            kind: BlockKind::Paragraph,
            role: Role::Body,
            marker: None,
            lines,
            centered: false,
            white: f32::INFINITY,
            ends_short: true,
            indented: false,
            cells: Vec::new(),
            table: None,
        }
    }

    /// A note of these lines.
    pub(crate) fn note(marker: String, lines: Vec<Line>) -> Self {
        Self { kind: BlockKind::Footnote, marker: Some(marker), ..Self::of(lines) }
    }
}
