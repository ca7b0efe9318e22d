//! The text of a part (the body, a note) as paragraphs and tables, in order, as a reader sees it.
//!
//! Changes that were tracked are taken as accepted, hidden text and instructions of fields are left out, results
//! of fields are kept, except tables of contents: what they list stands in the text itself. The number of a
//! paragraph is counted here, because counting follows the text. Text boxes follow the paragraph that holds
//! them; where a part offers the same in two forms, the first is taken. Cost: linear in the part.

use crate::Limits;
use crate::error::Error;
use crate::fields::Fields;
use crate::items::{Call, Item, Joint, LINE_END, Look, Mark, NoteKind, NoteNumbers, Para, Piece};
use crate::numbering::{Marker, Numbering};
use crate::numerals::Format;
use crate::properties::{Align, ParaProps, RunProps};
use crate::styles::{Meaning, Resolved, Styles, points};
use crate::symbols;
use crate::xml::{Element, Ns, Xml};

/// What was met on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) tracked: bool,
    pub(crate) hidden: bool,
    pub(crate) cut: bool,
}

/// A reader of stories, and what it carries from one to the next.
pub(crate) struct Reader<'a> {
    pub(crate) styles: &'a Styles,
    pub(crate) numbering: Numbering,
    pub(crate) foot: NoteNumbers,
    pub(crate) end: NoteNumbers,
    pub(crate) seen: Seen,
    limits: Limits,
    fields: Fields,
    n_foot: u32,
    n_end: u32,
    n_paragraphs: usize,
    n_bytes: usize,
    /// An empty paragraph was read last.
    gap: bool,
}

/// A paragraph in the making.
#[derive(Default)]
struct Draft {
    para: Para,
    /// What floats beside it.
    boxes: Vec<Item>,
    has_text: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(styles: &'a Styles, numbering: Numbering, limits: &Limits) -> Self {
        Self {
            styles,
            numbering,
            foot: NoteNumbers { format: Format::Decimal, start: 1 },
            end: NoteNumbers { format: Format::LowerRoman, start: 1 },
            seen: Seen::default(),
            limits: *limits,
            fields: Fields::default(),
            n_foot: 0,
            n_end: 0,
            n_paragraphs: 0,
            n_bytes: 0,
            gap: false,
        }
    }

    /// Reads what stands in the element that was opened last.
    pub(crate) fn blocks(&mut self, xml: &mut Xml<'_>, out: &mut Vec<Item>) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            self.block(xml, &child, out)?;
        }
        Ok(())
    }

    /// Reads one block.
    pub(crate) fn block(
        &mut self,
        xml: &mut Xml<'_>,
        element: &Element<'_>,
        out: &mut Vec<Item>,
    ) -> Result<(), Error> {
        match element.word() {
            "p" => self.paragraph(xml, out),
            "tbl" => {
                let table = self.table(xml)?;
                out.push(Item::Table(table));
                self.gap = false;
                Ok(())
            }
            "sdt" => self.control(xml, &mut |reader, xml| reader.blocks(xml, out)),
            "ins" | "moveTo" => {
                self.seen.tracked = true;
                self.blocks(xml, out)
            }
            "customXml" | "smartTag" => self.blocks(xml, out),
            "del" | "moveFrom" => {
                self.seen.tracked = true;
                xml.skip()
            }
            "sectPr" => self.section(xml),
            _ if is_alternate(element) => alternate(xml, &mut |xml| self.blocks(xml, out)),
            _ => xml.skip(),
        }
    }

    /// A content control: its content, unless it only says what to enter, or is a table of contents.
    fn control(
        &mut self,
        xml: &mut Xml<'_>,
        content: &mut dyn FnMut(&mut Self, &mut Xml<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut is_shown = true;
        while let Some(child) = xml.child()? {
            match child.word() {
                "sdtPr" => xml.descend(&mut |_, property| {
                    let gallery = property.word() == "docPartGallery";
                    is_shown &= !(property.word() == "showingPlcHdr" && property.is_on());
                    is_shown &= !(gallery && property.val().as_deref() == Some("Table of Contents"));
                    Ok(())
                })?,
                "sdtContent" if is_shown => content(self, xml)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    fn section(&mut self, xml: &mut Xml<'_>) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            match child.word() {
                "footnotePr" => note_numbers(xml, &mut self.foot)?,
                "endnotePr" => note_numbers(xml, &mut self.end)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    fn paragraph(&mut self, xml: &mut Xml<'_>, out: &mut Vec<Item>) -> Result<(), Error> {
        let styles: &'a Styles = self.styles;
        let mut own = ParaProps::default();
        let mut style = styles.paragraph(None);
        let mut draft = Draft::default();
        while let Some(child) = xml.child()? {
            if child.word() == "pPr" {
                own = ParaProps::read(xml, &mut |xml| self.section(xml))?;
                style = styles.paragraph(own.style.as_deref());
                self.leave_contents(style, &own);
            } else {
                self.inline(xml, &child, style, &mut draft)?;
            }
        }
        let in_contents = self.fields.in_contents() || style.meaning == Meaning::Contents;
        self.fields.end_of_paragraph();
        self.seen.tracked |= own.mark.tracked;
        self.n_paragraphs += 1;
        self.seen.cut |= self.n_paragraphs > self.limits.paragraphs;
        let Draft { mut para, boxes, has_text } = draft;
        if in_contents {
            if !matches!(out.last(), Some(Item::Contents)) {
                out.push(Item::Contents);
            }
        } else if !self.seen.cut {
            let props = style.para.overlaid(&own);
            let mark = styles.run(style, &own.mark);
            // A paragraph whose mark was deleted is the beginning of the next one, which has its own number.
            if !own.mark.deleted && (has_text || mark.hidden != Some(true)) {
                para.marker = self.marker(style, &own);
            }
            para.meaning = style.meaning;
            para.heading = match own.outline {
                Some(level) => (level < 9).then_some(level.min(8) + 1),
                None => style.heading,
            };
            para.style = own.style.clone().unwrap_or_default();
            let indent = own.indent.or_else(|| para.marker.as_ref().and_then(|marker| marker.indent));
            let first =
                indent.or(props.indent).unwrap_or(0).saturating_add(props.first_line.unwrap_or(0).max(0));
            para.indent = first as f32 / 20.0;
            para.centered = props.align == Some(Align::Center);
            para.keep_next = props.keep_next == Some(true);
            para.apart = self.gap || props.before.is_some_and(|before| before >= 120);
            para.runs_on = match (own.mark.deleted, mark.runs_on) {
                (true, _) => Some(Joint::Deleted),
                (false, true) => Some(Joint::Separator),
                _ => None,
            };
            para.look = look(&mark);
            let numbered_heading = para.marker.is_some() && para.heading.is_some();
            if has_text || numbered_heading || !para.pieces.is_empty() {
                out.push(Item::Para(para));
                self.gap = false;
            } else {
                self.gap = true;
            }
        }
        out.extend(boxes);
        Ok(())
    }

    /// A heading ends a table of contents whose own end is missing.
    fn leave_contents(&mut self, style: &Resolved, own: &ParaProps) {
        if style.heading.is_some() && own.outline != Some(9) {
            self.fields.leave_contents();
        }
    }

    fn marker(&mut self, style: &Resolved, own: &ParaProps) -> Option<Marker> {
        let list = own.list.or(style.para.list).filter(|&list| list != 0)?;
        let styles = self.styles;
        let of_style = || {
            let name = style.list_style.as_deref()?;
            style.para.level.or_else(|| self.numbering.level_of_style(list, name, styles))
        };
        let level = match own.list {
            Some(_) => own.level.or(style.para.level),
            None => own.level.or_else(of_style),
        };
        self.numbering.next(list, level.unwrap_or(0), styles)
    }

    /// One part of a paragraph.
    fn inline(
        &mut self,
        xml: &mut Xml<'_>,
        element: &Element<'_>,
        style: &'a Resolved,
        draft: &mut Draft,
    ) -> Result<(), Error> {
        match element.word() {
            "r" => self.run(xml, style, draft),
            "hyperlink" | "smartTag" | "customXml" | "dir" | "bdo" | "rubyBase" => {
                self.inlines(xml, style, draft)
            }
            "ins" | "moveTo" => {
                self.seen.tracked = true;
                self.inlines(xml, style, draft)
            }
            "del" | "moveFrom" => {
                self.seen.tracked = true;
                xml.skip()
            }
            "fldSimple" => {
                self.fields.begin();
                self.fields.instruct(&element.attr("instr").unwrap_or_default());
                self.fields.separate();
                self.inlines(xml, style, draft)?;
                self.end_field(draft);
                Ok(())
            }
            "sdt" => self.control(xml, &mut |reader, xml| reader.inlines(xml, style, draft)),
            _ if element.ns == Ns::Math => {
                let mut formula = String::new();
                xml.descend(&mut |xml, part| {
                    if part.ns == Ns::Math && part.name() == "t" {
                        formula.push_str(&xml.text()?);
                    }
                    Ok(())
                })?;
                self.push(draft, &formula, look(&style.run));
                Ok(())
            }
            _ if is_alternate(element) => alternate(xml, &mut |xml| self.inlines(xml, style, draft)),
            _ => xml.skip(),
        }
    }

    fn inlines(&mut self, xml: &mut Xml<'_>, style: &'a Resolved, draft: &mut Draft) -> Result<(), Error> {
        while let Some(child) = xml.child()? {
            self.inline(xml, &child, style, draft)?;
        }
        Ok(())
    }

    fn run(&mut self, xml: &mut Xml<'_>, style: &'a Resolved, draft: &mut Draft) -> Result<(), Error> {
        let mut props = RunProps::default();
        let mut is_set = false;
        // A mark of its own, which the text of this run is.
        let mut custom: Option<(NoteKind, i64, String)> = None;
        while let Some(child) = xml.child()? {
            if child.word() == "rPr" {
                props = self.styles.run(style, &RunProps::read(xml)?);
                is_set = true;
                continue;
            }
            if !std::mem::replace(&mut is_set, true) {
                props = self.styles.run(style, &props);
            }
            if let Some(text) = self.content(xml, &child, style, draft, &mut custom)? {
                match &mut custom {
                    Some((_, _, mark)) => mark.push_str(&text),
                    None => self.text(draft, text, &props),
                }
            }
        }
        if let Some((kind, id, mark)) = custom
            && self.fields.is_shown()
        {
            draft.para.pieces.push(Piece::Call(Call::Note {
                kind,
                id,
                mark: Mark::Own(mark.trim().to_owned()),
            }));
        }
        Ok(())
    }

    /// One part of a run: its text, where it has one.
    fn content(
        &mut self,
        xml: &mut Xml<'_>,
        child: &Element<'_>,
        style: &'a Resolved,
        draft: &mut Draft,
        custom: &mut Option<(NoteKind, i64, String)>,
    ) -> Result<Option<String>, Error> {
        let text = match child.word() {
            "t" => return Ok(Some(xml.text()?)),
            "tab" | "ptab" => Some("\t".to_owned()),
            "br" | "cr" => Some(LINE_END.to_string()),
            "noBreakHyphen" => Some("-".to_owned()),
            "sym" => {
                let code = child.attr("char").and_then(|code| u32::from_str_radix(code.trim(), 16).ok());
                let font = child.attr("font").unwrap_or_default();
                code.and_then(|code| symbols::symbol(&font, code)).map(String::from)
            }
            "footnoteReference" => {
                self.call(draft, child, NoteKind::Foot, custom);
                None
            }
            "endnoteReference" => {
                self.call(draft, child, NoteKind::End, custom);
                None
            }
            "fldChar" => {
                match child.attr("fldCharType").as_deref() {
                    Some("begin") => self.fields.begin(),
                    Some("separate") => self.fields.separate(),
                    Some("end") => self.end_field(draft),
                    _ => {}
                }
                None
            }
            "instrText" => {
                let instruction = xml.text()?;
                self.fields.instruct(&instruction);
                return Ok(None);
            }
            "drawing" | "pict" | "object" => {
                self.boxes(xml, draft)?;
                return Ok(None);
            }
            "ruby" => {
                while let Some(part) = xml.child()? {
                    if part.word() == "rubyBase" { self.inlines(xml, style, draft)? } else { xml.skip()? }
                }
                return Ok(None);
            }
            "delText" => {
                self.seen.tracked = true;
                None
            }
            _ if is_alternate(child) => {
                alternate(xml, &mut |xml| {
                    while let Some(part) = xml.child()? {
                        if let Some(text) = self.content(xml, &part, style, draft, custom)? {
                            self.text(draft, text, &style.run);
                        }
                    }
                    Ok(())
                })?;
                return Ok(None);
            }
            _ => None,
        };
        xml.skip()?;
        Ok(text)
    }

    /// Text boxes in a drawing.
    fn boxes(&mut self, xml: &mut Xml<'_>, draft: &mut Draft) -> Result<(), Error> {
        xml.descend(&mut |xml, part| match part.word() {
            "txbxContent" => self.blocks(xml, &mut draft.boxes),
            _ if part.ns == Ns::Compatibility && part.name() == "Fallback" => xml.skip(),
            _ => Ok(()),
        })
    }

    fn call(
        &mut self,
        draft: &mut Draft,
        element: &Element<'_>,
        kind: NoteKind,
        custom: &mut Option<(NoteKind, i64, String)>,
    ) {
        let id = element.number("id").unwrap_or(-1);
        let has_own =
            element.attr("customMarkFollows").is_some_and(|on| matches!(on.as_str(), "1" | "true" | "on"));
        if !self.fields.is_shown() {
            return;
        }
        if has_own {
            *custom = Some((kind, id, String::new()));
            return;
        }
        let n = match kind {
            NoteKind::Foot => &mut self.n_foot,
            NoteKind::End => &mut self.n_end,
        };
        *n = n.saturating_add(1);
        draft.para.pieces.push(Piece::Call(Call::Note { kind, id, mark: Mark::Nth(*n) }));
    }

    fn end_field(&mut self, draft: &mut Draft) {
        if let Some(mark) = self.fields.end() {
            draft.para.pieces.push(Piece::Call(Call::Again(mark)));
        }
    }

    fn text(&mut self, draft: &mut Draft, text: String, props: &RunProps) {
        if props.hidden == Some(true) {
            self.seen.hidden |= !text.trim().is_empty() && self.fields.is_shown();
            return;
        }
        if props.caps == Some(true) {
            self.push(draft, &text.to_uppercase(), look(props));
        } else {
            self.push(draft, &text, look(props));
        }
    }

    fn push(&mut self, draft: &mut Draft, text: &str, look: Look) {
        if self.fields.take(text) || self.seen.cut {
            return;
        }
        self.n_bytes += text.len();
        if self.n_bytes > self.limits.text_bytes {
            self.seen.cut = true;
            return;
        }
        draft.has_text |= !text.trim().is_empty();
        match draft.para.pieces.last_mut() {
            Some(Piece::Text(last, its)) if *its == look => last.push_str(text),
            _ => draft.para.pieces.push(Piece::Text(text.to_owned(), look)),
        }
    }
}

/// Reads how notes are numbered.
pub(crate) fn note_numbers(xml: &mut Xml<'_>, numbers: &mut NoteNumbers) -> Result<(), Error> {
    while let Some(child) = xml.child()? {
        match child.word() {
            "numFmt" => numbers.format = Format::of(&child.val().unwrap_or_default()),
            "numStart" => {
                numbers.start = child.number("val").and_then(|start| u32::try_from(start).ok()).unwrap_or(1);
            }
            _ => {}
        }
        xml.skip()?;
    }
    Ok(())
}

fn look(props: &RunProps) -> Look {
    Look {
        bold: props.bold == Some(true),
        italic: props.italic == Some(true),
        caps: props.caps == Some(true) || props.small_caps == Some(true),
        underlined: props.underlined == Some(true),
        size: points(props),
    }
}

fn is_alternate(element: &Element<'_>) -> bool {
    element.ns == Ns::Compatibility && element.name() == "AlternateContent"
}

/// The same in several forms: the first is read, which is the richest.
fn alternate(
    xml: &mut Xml<'_>,
    read: &mut dyn FnMut(&mut Xml<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut is_read = false;
    while let Some(child) = xml.child()? {
        let is_form = child.ns == Ns::Compatibility && matches!(child.name(), "Choice" | "Fallback");
        if is_form && !std::mem::replace(&mut is_read, true) { read(xml)? } else { xml.skip()? }
    }
    Ok(())
}
