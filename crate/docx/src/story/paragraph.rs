//! Paragraphs: properties first, then inline content; the list number is counted at the end of the element.

use crate::content::{BlockElement, ChangeMark, CharacterFormat, Inline, MergeReason, Paragraph};
use crate::error::Error;
use crate::numbering::ListMarker;
use crate::properties::{ParagraphProperties, RunProperties};
use crate::styles::{ResolvedStyle, StyleRole, points};
use crate::xml::XmlReader;

use super::reader::StoryReader;

/// Twips in a point: Word measures in twentieths of a point.
const TWIPS: f32 = 20.0;
/// Height of an empty paragraph, in points: one line of usual type.
const EMPTY_PARAGRAPH: f32 = 12.0;
/// Outline level of body text; headings are 0 to 8.
const BODY_OUTLINE_LEVEL: u8 = 9;

/// Inline content of a paragraph that is being read.
#[derive(Default)]
pub(super) struct ParagraphBuilder {
    pub(super) inlines: Vec<Inline>,
    /// Content of the text boxes that are anchored in the paragraph.
    pub(super) text_boxes: Vec<BlockElement>,
    /// True if some text is not blank.
    pub(super) has_text: bool,
}

impl<'a> StoryReader<'a> {
    /// Reads a `w:p`.
    pub(super) fn paragraph(
        &mut self,
        xml: &mut XmlReader<'_>,
        out: &mut Vec<BlockElement>,
    ) -> Result<(), Error> {
        let styles = self.styles;
        let mut own = ParagraphProperties::default();
        let mut style = styles.paragraph(None);
        let mut builder = ParagraphBuilder::default();
        while let Some(child) = xml.child()? {
            if child.wml_name() == "pPr" {
                own = ParagraphProperties::read(xml, &mut |xml| self.section_properties(xml))?;
                style = styles.paragraph(own.style.as_deref());
                self.close_contents_at_heading(style, &own);
            } else {
                self.inline(xml, &child, style, &mut builder)?;
            }
        }
        let in_contents = self.fields.in_contents() || style.role == StyleRole::TableOfContents;
        self.fields.end_of_paragraph();
        self.notices.tracked_changes |= own.mark.tracked;
        let fits = self.count_paragraph();
        let ParagraphBuilder { inlines, text_boxes, has_text } = builder;
        let has_content = inlines.iter().any(|inline| !matches!(inline, Inline::Change(_)));
        let inlines = self.with_changes(inlines, own.mark.tracked);
        if in_contents {
            if !matches!(out.last(), Some(BlockElement::TableOfContents)) {
                out.push(BlockElement::TableOfContents);
            }
        } else if fits {
            let paragraph = self.finish_paragraph(style, &own, inlines, has_text);
            let is_numbered_heading = paragraph.marker.is_some() && paragraph.heading.is_some();
            self.after_empty = !(has_text || is_numbered_heading || has_content);
            if self.after_empty {
                self.is_cut |= !paragraph.inlines.is_empty();
            } else {
                out.push(BlockElement::Paragraph(paragraph));
            }
        }
        out.extend(text_boxes);
        Ok(())
    }

    /// Inline content with the changes before it, around it, and of its mark.
    fn with_changes(&mut self, mut inlines: Vec<Inline>, is_mark_tracked: bool) -> Vec<Inline> {
        let mut before = Vec::new();
        if std::mem::take(&mut self.is_cut) {
            before.push(Inline::Change(ChangeMark::Cut));
        }
        if self.n_insertions > 0 {
            before.push(Inline::Change(ChangeMark::Begin));
            inlines.push(Inline::Change(ChangeMark::End));
        }
        if is_mark_tracked {
            inlines.push(Inline::Change(ChangeMark::Cut));
        }
        inlines.splice(0..0, before);
        inlines
    }

    /// Paragraph with this content, its properties resolved and its list number counted.
    fn finish_paragraph(
        &mut self,
        style: &ResolvedStyle,
        own: &ParagraphProperties,
        inlines: Vec<Inline>,
        has_text: bool,
    ) -> Paragraph {
        let properties = style.paragraph.overlaid(own);
        let mark = self.styles.run(style, &own.mark);
        // A paragraph whose mark was deleted begins the next paragraph, which has the number.
        let is_counted = !own.mark.deleted && (has_text || mark.hidden != Some(true));
        let marker = if is_counted { self.list_marker(style, own) } else { None };
        let heading = match own.outline_level {
            Some(level) => (level < BODY_OUTLINE_LEVEL).then_some(level.min(8) + 1),
            None => style.heading,
        };
        let indent = own.indent.or_else(|| marker.as_ref().and_then(|marker| marker.indent));
        let first_line = properties.first_line.unwrap_or(0).max(0);
        let indent = indent.or(properties.indent).unwrap_or(0).saturating_add(first_line);
        Paragraph {
            inlines,
            marker,
            style_role: style.role,
            heading,
            style: own.style.clone().unwrap_or_default(),
            indent: indent as f32 / TWIPS,
            centered: properties.centered == Some(true),
            keep_next: properties.keep_next == Some(true),
            space_above: properties.space_before.unwrap_or(0).max(0) as f32 / TWIPS
                + if self.after_empty { EMPTY_PARAGRAPH } else { 0.0 },
            merges_with_next: match (own.mark.deleted, mark.style_separator) {
                (true, _) => Some(MergeReason::DeletedMark),
                (false, true) => Some(MergeReason::StyleSeparator),
                _ => None,
            },
            mark_format: character_format(&mark),
        }
    }

    /// Closes a table of contents whose end is missing: a heading cannot stand in one.
    fn close_contents_at_heading(&mut self, style: &ResolvedStyle, own: &ParagraphProperties) {
        if style.heading.is_some() && own.outline_level != Some(BODY_OUTLINE_LEVEL) {
            self.fields.close_contents();
        }
    }

    /// Counts the paragraph in its list; `None` if it is in none.
    fn list_marker(&mut self, style: &ResolvedStyle, own: &ParagraphProperties) -> Option<ListMarker> {
        let list = own.list.or(style.paragraph.list).filter(|&list| list != 0)?;
        let styles = self.styles;
        let of_style = || {
            let name = style.list_style.as_deref()?;
            style.paragraph.level.or_else(|| self.numbering.level_of_style(list, name, styles))
        };
        let level = match own.list {
            Some(_) => own.level.or(style.paragraph.level),
            None => own.level.or_else(of_style),
        };
        self.numbering.next(list, level.unwrap_or(0), styles)
    }
}

/// Character format of a run with these resolved properties.
pub(super) fn character_format(properties: &RunProperties) -> CharacterFormat {
    CharacterFormat {
        bold: properties.bold == Some(true),
        italic: properties.italic == Some(true),
        caps: properties.caps == Some(true) || properties.small_caps == Some(true),
        underlined: properties.underlined == Some(true),
        size: points(properties),
    }
}
