//! Stories and their block-level elements: paragraphs, tables, and the elements that wrap them.

use std::collections::BTreeMap;

use crate::content::{BlockElement, NoteKind};
use crate::error::Error;
use crate::xml::{Element, XmlReader};

use super::note::read_note_numbering;
use super::reader::StoryReader;

impl StoryReader<'_> {
    /// Reads the body of the main document part.
    pub(crate) fn body(&mut self, source: &str) -> Result<Vec<BlockElement>, Error> {
        let mut body = Vec::new();
        let mut xml = XmlReader::new(source, "its text", self.max_depth);
        xml.child()?;
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "body" => self.blocks(&mut xml, &mut body)?,
                _ => xml.skip()?,
            }
        }
        Ok(body)
    }

    /// Reads the footnotes or endnotes part: notes by kind and id. Separators are notes of other types and skipped.
    pub(crate) fn notes(
        &mut self,
        source: &str,
        kind: NoteKind,
    ) -> Result<BTreeMap<(NoteKind, i64), Vec<BlockElement>>, Error> {
        let element = match kind {
            NoteKind::Footnote => "footnote",
            NoteKind::Endnote => "endnote",
        };
        let mut notes = BTreeMap::new();
        let mut xml = XmlReader::new(source, "its notes", self.max_depth);
        xml.child()?;
        while let Some(child) = xml.child()? {
            let is_note = child.wml_name() == element && child.attr("type").is_none_or(|of| of == "normal");
            match child.number("id").filter(|_| is_note) {
                Some(id) => {
                    let mut content = Vec::new();
                    self.blocks(&mut xml, &mut content)?;
                    notes.insert((kind, id), content);
                }
                None => xml.skip()?,
            }
        }
        Ok(notes)
    }

    /// Reads the block-level children of the current element.
    pub(super) fn blocks(
        &mut self,
        xml: &mut XmlReader<'_>,
        out: &mut Vec<BlockElement>,
    ) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            self.block(xml, &child, out)?;
        }
        Ok(())
    }

    /// Reads one block-level element.
    pub(super) fn block(
        &mut self,
        xml: &mut XmlReader<'_>,
        element: &Element<'_>,
        out: &mut Vec<BlockElement>,
    ) -> Result<(), Error> {
        match element.wml_name() {
            // What is left out is not read either.
            "p" | "tbl" if self.notices.truncated => xml.skip(),
            "p" => self.paragraph(xml, out),
            "tbl" => {
                let table = self.table(xml)?;
                out.push(BlockElement::Table(table));
                self.after_empty = false;
                Ok(())
            }
            "sdt" => self.content_control(xml, &mut |reader, xml| reader.blocks(xml, out)),
            "ins" | "moveTo" => {
                self.notices.tracked_changes = true;
                self.n_insertions += 1;
                let read = self.blocks(xml, out);
                self.n_insertions -= 1;
                read
            }
            "customXml" | "smartTag" => self.blocks(xml, out),
            "del" | "moveFrom" => {
                self.notices.tracked_changes = true;
                self.is_cut = true;
                xml.skip()
            }
            "sectPr" => self.section_properties(xml),
            _ if element.is_alternate_content() => xml.alternate_content(&mut |xml| self.blocks(xml, out)),
            _ => xml.skip(),
        }
    }

    /// Reads a content control (`w:sdt`). Placeholder text and tables of contents are skipped.
    pub(super) fn content_control(
        &mut self,
        xml: &mut XmlReader<'_>,
        read_content: &mut dyn FnMut(&mut Self, &mut XmlReader<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut is_shown = true;
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "sdtPr" => xml.descend(&mut |_, property| {
                    let gallery = property.wml_name() == "docPartGallery";
                    is_shown &= !(property.wml_name() == "showingPlcHdr" && property.is_on());
                    is_shown &= !(gallery && property.val().as_deref() == Some("Table of Contents"));
                    Ok(())
                })?,
                "sdtContent" if is_shown => read_content(self, xml)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    /// Reads the note numbering of a `w:sectPr`.
    pub(super) fn section_properties(&mut self, xml: &mut XmlReader<'_>) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "footnotePr" => read_note_numbering(xml, &mut self.footnotes)?,
                "endnotePr" => read_note_numbering(xml, &mut self.endnotes)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }
}
