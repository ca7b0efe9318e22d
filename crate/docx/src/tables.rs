//! Tables: rows of cells, what is merged counted once; and which tables are only a way to place paragraphs.

use crate::error::Error;
use crate::items::{Item, Para, Piece};
use crate::story::Reader;
use crate::xml::Xml;

/// Most columns that a cell may span; more is damage.
const MAX_SPAN: usize = 64;
/// Mean length of the cells, in bytes, from which a table holds running text.
const RUNNING: usize = 400;

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// A cell of a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) items: Vec<Item>,
    /// Columns that it takes, at least 1.
    pub(crate) span: usize,
}

impl Reader<'_> {
    /// Reads a `w:tbl`.
    pub(crate) fn table(&mut self, xml: &mut Xml<'_>) -> Result<Table, Error> {
        let mut table = Table::default();
        self.rows(xml, &mut table)?;
        Ok(table)
    }

    fn rows(&mut self, xml: &mut Xml<'_>, table: &mut Table) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            match child.word() {
                "tr" => {
                    let mut row = Vec::new();
                    let mut is_deleted = false;
                    self.cells(xml, &mut row, &mut is_deleted)?;
                    if !is_deleted && !row.is_empty() {
                        table.rows.push(row);
                    }
                }
                "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo" => self.rows(xml, table)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    fn cells(&mut self, xml: &mut Xml<'_>, row: &mut Vec<Cell>, is_deleted: &mut bool) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            match child.word() {
                "trPr" => {
                    while let Some(property) = xml.child()? {
                        *is_deleted |= property.word() == "del";
                        self.seen.tracked |= matches!(property.word(), "del" | "ins");
                        xml.skip()?;
                    }
                }
                "tc" if !*is_deleted => row.extend(self.cell(xml)?),
                "sdt" | "sdtContent" | "customXml" => self.cells(xml, row, is_deleted)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    /// A cell; `None` for one that was deleted.
    fn cell(&mut self, xml: &mut Xml<'_>) -> Result<Option<Cell>, Error> {
        let mut cell = Cell { span: 1, items: Vec::new() };
        let mut goes_on = false;
        let mut is_deleted = false;
        // Properties come first; what follows them is read as in the body.
        let mut first = true;
        while let Some(child) = xml.child()? {
            if std::mem::take(&mut first) && child.word() == "tcPr" {
                while let Some(property) = xml.child()? {
                    match property.word() {
                        "gridSpan" => {
                            let span = property.number("val").and_then(|span| usize::try_from(span).ok());
                            cell.span = span.unwrap_or(1).clamp(1, MAX_SPAN);
                        }
                        "vMerge" => goes_on = property.val().as_deref() != Some("restart"),
                        "hMerge" => is_deleted |= property.val().as_deref() != Some("restart"),
                        "cellDel" => is_deleted = true,
                        _ => {}
                    }
                    xml.skip()?;
                }
            } else {
                self.block(xml, &child, &mut cell.items)?;
            }
        }
        if goes_on {
            cell.items.clear();
        }
        Ok((!is_deleted).then_some(cell))
    }
}

impl Table {
    /// Whether the table only places paragraphs: it has one column, or holds headings, or running text.
    pub(crate) fn is_frame(&self) -> bool {
        let cells = || self.rows.iter().flatten();
        let filled = || cells().filter(|cell| !cell.items.is_empty());
        let bytes: usize = filled().map(|cell| text_len(&cell.items)).sum();
        self.rows.iter().all(|row| row.len() <= 1)
            || cells().any(|cell| cell.items.iter().any(is_heading))
            || bytes > RUNNING * filled().count()
    }
}

fn is_heading(item: &Item) -> bool {
    matches!(item, Item::Para(para) if para.heading.is_some())
}

fn text_len(items: &[Item]) -> usize {
    items
        .iter()
        .map(|item| match item {
            Item::Para(para) => para_len(para),
            Item::Table(table) => table.rows.iter().flatten().map(|cell| text_len(&cell.items)).sum(),
            Item::Contents => 0,
        })
        .sum()
}

fn para_len(para: &Para) -> usize {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text, _) => text.len(),
        Piece::Call(_) => 0,
    };
    para.pieces.iter().map(piece).sum()
}
