//! Tables as rows of cells. Merged cells keep their content in the first cell only.

use crate::content::{Cell, Table};
use crate::error::Error;
use crate::xml::XmlReader;

use super::reader::StoryReader;

/// Maximum grid columns that a cell may span; more is damage.
const MAX_SPAN: usize = 64;

impl StoryReader<'_> {
    /// Reads a `w:tbl`.
    pub(super) fn table(&mut self, xml: &mut XmlReader<'_>) -> Result<Table, Error> {
        let mut table = Table::default();
        self.rows(xml, &mut table)?;
        Ok(table)
    }

    fn rows(&mut self, xml: &mut XmlReader<'_>, table: &mut Table) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "tr" if self.notices.truncated => xml.skip()?,
                "tr" => {
                    let mut row = Vec::new();
                    let mut is_deleted = false;
                    let n_insertions = self.n_insertions;
                    let read = self.cells(xml, &mut row, &mut is_deleted);
                    self.n_insertions = n_insertions;
                    read?;
                    self.is_cut |= is_deleted;
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

    fn cells(
        &mut self,
        xml: &mut XmlReader<'_>,
        row: &mut Vec<Cell>,
        is_deleted: &mut bool,
    ) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "trPr" => {
                    while let Some(property) = xml.child()? {
                        *is_deleted |= property.wml_name() == "del";
                        self.n_insertions += usize::from(property.wml_name() == "ins");
                        self.notices.tracked_changes |= matches!(property.wml_name(), "del" | "ins");
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

    /// Reads a `w:tc`; `None` if the cell was deleted or is merged into its left neighbour.
    fn cell(&mut self, xml: &mut XmlReader<'_>) -> Result<Option<Cell>, Error> {
        let mut cell = Cell { span: 1, elements: Vec::new() };
        let _ = self.count_paragraph();
        let mut continues_above = false;
        let mut is_absent = false;
        // `w:tcPr` is the first child; later children are block-level elements.
        let mut is_first = true;
        let n_insertions = self.n_insertions;
        while let Some(child) = xml.child()? {
            if std::mem::take(&mut is_first) && child.wml_name() == "tcPr" {
                while let Some(property) = xml.child()? {
                    match property.wml_name() {
                        "gridSpan" => {
                            let span = property.number("val").and_then(|span| usize::try_from(span).ok());
                            cell.span = span.unwrap_or(1).clamp(1, MAX_SPAN);
                        }
                        "vMerge" => continues_above = property.val().as_deref() != Some("restart"),
                        "hMerge" => is_absent |= property.val().as_deref() != Some("restart"),
                        "cellDel" => {
                            is_absent = true;
                            self.notices.tracked_changes = true;
                        }
                        "cellIns" => {
                            self.n_insertions += 1;
                            self.notices.tracked_changes = true;
                        }
                        _ => {}
                    }
                    xml.skip()?;
                }
            } else {
                self.block(xml, &child, &mut cell.elements)?;
            }
        }
        self.n_insertions = n_insertions;
        self.is_cut |= is_absent;
        if continues_above {
            cell.elements.clear();
        }
        Ok((!is_absent).then_some(cell))
    }
}
