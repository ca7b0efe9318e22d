//! Inline content of paragraphs: runs, fields, note references, formulas, text boxes.

use document::Slice as _;

use crate::content::{ChangeMark, CharacterFormat, Inline, LINE_END, NoteKind, NoteReference, ReferenceMark};
use crate::error::Error;
use crate::properties::RunProperties;
use crate::styles::ResolvedStyle;
use crate::symbols;
use crate::xml::{Element, XmlNamespace, XmlReader};

use super::paragraph::{ParagraphBuilder, character_format};
use super::reader::StoryReader;

/// Reference to a note whose mark is the text of the run that holds it.
struct CustomReference {
    kind: NoteKind,
    id: i64,
    mark: String,
}

impl<'a> StoryReader<'a> {
    /// Reads one inline element.
    pub(super) fn inline(
        &mut self,
        xml: &mut XmlReader<'_>,
        element: &Element<'_>,
        style: &'a ResolvedStyle,
        paragraph: &mut ParagraphBuilder,
    ) -> Result<(), Error> {
        match element.wml_name() {
            "r" => self.run(xml, style, paragraph),
            "hyperlink" | "smartTag" | "customXml" | "dir" | "bdo" | "rubyBase" => {
                self.inlines(xml, style, paragraph)
            }
            "ins" | "moveTo" => {
                self.notices.tracked_changes = true;
                paragraph.inlines.push(Inline::Change(ChangeMark::Begin));
                self.inlines(xml, style, paragraph)?;
                paragraph.inlines.push(Inline::Change(ChangeMark::End));
                Ok(())
            }
            "del" | "moveFrom" => {
                self.notices.tracked_changes = true;
                paragraph.inlines.push(Inline::Change(ChangeMark::Cut));
                xml.skip()
            }
            "fldSimple" => {
                self.fields.begin();
                self.fields.instruct(&element.attr("instr").unwrap_or_default());
                self.fields.separate();
                self.inlines(xml, style, paragraph)?;
                self.end_field(paragraph);
                Ok(())
            }
            "sdt" => self.content_control(xml, &mut |reader, xml| reader.inlines(xml, style, paragraph)),
            _ if element.namespace == XmlNamespace::Math => self.formula(xml, style, paragraph),
            _ if element.is_alternate_content() => {
                xml.alternate_content(&mut |xml| self.inlines(xml, style, paragraph))
            }
            _ => xml.skip(),
        }
    }

    fn inlines(
        &mut self,
        xml: &mut XmlReader<'_>,
        style: &'a ResolvedStyle,
        paragraph: &mut ParagraphBuilder,
    ) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            self.inline(xml, &child, style, paragraph)?;
        }
        Ok(())
    }

    /// Reads the text of a formula (`m:t`).
    fn formula(
        &mut self,
        xml: &mut XmlReader<'_>,
        style: &ResolvedStyle,
        paragraph: &mut ParagraphBuilder,
    ) -> Result<(), Error> {
        let mut formula = String::new();
        xml.descend(&mut |xml, part| {
            if part.namespace == XmlNamespace::Math && part.name() == "t" {
                formula.push_str(&xml.text()?);
            }
            Ok(())
        })?;
        self.push(paragraph, &formula, character_format(&style.run));
        Ok(())
    }

    /// Reads a `w:r`.
    fn run(
        &mut self,
        xml: &mut XmlReader<'_>,
        style: &'a ResolvedStyle,
        paragraph: &mut ParagraphBuilder,
    ) -> Result<(), Error> {
        let mut properties: Option<RunProperties> = None;
        let mut custom: Option<CustomReference> = None;
        while let Some(child) = xml.child()? {
            if child.wml_name() == "rPr" {
                properties = Some(self.styles.run(style, &RunProperties::read(xml)?));
                continue;
            }
            let text = self.run_content(xml, &child, style, paragraph, &mut custom)?;
            match (text, &mut custom) {
                (None, _) => {}
                (Some(text), Some(custom)) => custom.mark.push_str(&text),
                (Some(text), None) => {
                    let plain = || self.styles.run(style, &RunProperties::default());
                    let properties = properties.get_or_insert_with(plain);
                    self.text(paragraph, &text, properties);
                }
            }
        }
        if let Some(CustomReference { kind, id, mark }) = custom
            && self.fields.is_shown()
        {
            let mark = ReferenceMark::Custom(mark.trim().to_owned());
            paragraph.inlines.push(Inline::NoteReference(NoteReference::Note { kind, id, mark }));
        }
        Ok(())
    }

    /// Reads one child of a run; its text, if it has any.
    fn run_content(
        &mut self,
        xml: &mut XmlReader<'_>,
        child: &Element<'_>,
        style: &'a ResolvedStyle,
        paragraph: &mut ParagraphBuilder,
        custom: &mut Option<CustomReference>,
    ) -> Result<Option<String>, Error> {
        match child.wml_name() {
            "t" => return Ok(Some(xml.text()?)),
            "instrText" => self.fields.instruct(&xml.text()?),
            "drawing" | "pict" | "object" => text_boxes(self, xml, paragraph)?,
            "ruby" => {
                while let Some(part) = xml.child()? {
                    if part.wml_name() == "rubyBase" {
                        self.inlines(xml, style, paragraph)?;
                    } else {
                        xml.skip()?;
                    }
                }
            }
            _ if child.is_alternate_content() => xml.alternate_content(&mut |xml| {
                while let Some(part) = xml.child()? {
                    if let Some(text) = self.run_content(xml, &part, style, paragraph, custom)? {
                        self.text(paragraph, &text, &style.run);
                    }
                }
                Ok(())
            })?,
            _ => {
                let text = self.empty_element(child, paragraph, custom);
                xml.skip()?;
                return Ok(text);
            }
        }
        Ok(None)
    }

    /// Reads a child of a run whose attributes say everything; its text, if it stands for any.
    fn empty_element(
        &mut self,
        child: &Element<'_>,
        paragraph: &mut ParagraphBuilder,
        custom: &mut Option<CustomReference>,
    ) -> Option<String> {
        match child.wml_name() {
            "tab" | "ptab" => return Some("\t".to_owned()),
            "br" | "cr" => return Some(LINE_END.to_string()),
            "noBreakHyphen" => return Some("-".to_owned()),
            "sym" => {
                let code = child.attr("char").and_then(|code| u32::from_str_radix(code.trim(), 16).ok())?;
                let font = child.attr("font").unwrap_or_default();
                return symbols::symbol(&font, code).map(String::from);
            }
            "footnoteReference" => self.note_reference(paragraph, child, NoteKind::Footnote, custom),
            "endnoteReference" => self.note_reference(paragraph, child, NoteKind::Endnote, custom),
            "fldChar" => match child.attr("fldCharType").as_deref() {
                Some("begin") => self.fields.begin(),
                Some("separate") => self.fields.separate(),
                Some("end") => self.end_field(paragraph),
                _ => {}
            },
            "delText" => self.notices.tracked_changes = true,
            _ => {}
        }
        None
    }

    fn note_reference(
        &mut self,
        paragraph: &mut ParagraphBuilder,
        element: &Element<'_>,
        kind: NoteKind,
        custom: &mut Option<CustomReference>,
    ) {
        let id = element.number("id").unwrap_or(-1);
        let is_custom =
            element.attr("customMarkFollows").is_some_and(|on| matches!(on.as_str(), "1" | "true" | "on"));
        if !self.fields.is_shown() {
            return;
        }
        if is_custom {
            *custom = Some(CustomReference { kind, id, mark: String::new() });
            return;
        }
        let n = match kind {
            NoteKind::Footnote => &mut self.n_footnotes,
            NoteKind::Endnote => &mut self.n_endnotes,
        };
        *n = n.saturating_add(1);
        let mark = ReferenceMark::Automatic(*n);
        paragraph.inlines.push(Inline::NoteReference(NoteReference::Note { kind, id, mark }));
    }

    fn end_field(&mut self, paragraph: &mut ParagraphBuilder) {
        if let Some(mark) = self.fields.end() {
            paragraph.inlines.push(Inline::NoteReference(NoteReference::CrossReference(mark)));
        }
    }

    /// Adds the text of a run with these resolved properties, unless it is hidden.
    fn text(&mut self, paragraph: &mut ParagraphBuilder, text: &str, properties: &RunProperties) {
        if properties.hidden == Some(true) {
            self.notices.hidden_text |= !text.trim().is_empty() && self.fields.is_shown();
            return;
        }
        let format = character_format(properties);
        if properties.caps == Some(true) {
            self.push(paragraph, &text.to_uppercase(), format);
        } else {
            self.push(paragraph, text, format);
        }
    }

    /// Adds visible text, unless a field takes it or the limit is reached.
    fn push(&mut self, paragraph: &mut ParagraphBuilder, text: &str, format: CharacterFormat) {
        if self.fields.capture(text) || self.notices.truncated {
            return;
        }
        let left = self.max_bytes.saturating_sub(self.n_bytes);
        self.notices.truncated |= text.len() > left;
        let text = text.slice(..text.floor_char_boundary(left));
        self.n_bytes += text.len();
        paragraph.has_text |= !text.trim().is_empty();
        match paragraph.inlines.last_mut() {
            Some(Inline::Text(last, its)) if *its == format => last.push_str(text),
            _ => paragraph.inlines.push(Inline::Text(text.to_owned(), format)),
        }
    }
}

/// Reads the text boxes of a drawing. Of alternate content the fallback is skipped.
fn text_boxes(
    reader: &mut StoryReader<'_>,
    xml: &mut XmlReader<'_>,
    paragraph: &mut ParagraphBuilder,
) -> Result<(), Error> {
    xml.descend(&mut |xml, part| match part.wml_name() {
        "txbxContent" => reader.blocks(xml, &mut paragraph.text_boxes),
        _ if part.namespace == XmlNamespace::Compatibility && part.name() == "Fallback" => xml.skip(),
        _ => Ok(()),
    })
}
