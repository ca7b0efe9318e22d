//! Properties of paragraphs and runs, as styles and the text itself give them.

use crate::error::Error;
use crate::xml::Xml;

/// What is said about a run; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunProps {
    pub(crate) style: Option<String>,
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) caps: Option<bool>,
    pub(crate) small_caps: Option<bool>,
    pub(crate) underlined: Option<bool>,
    /// In half points.
    pub(crate) size: Option<u16>,
    pub(crate) hidden: Option<bool>,
    /// For the mark of a paragraph: the next one goes on on its line.
    pub(crate) runs_on: bool,
    /// For the mark of a paragraph: it was deleted.
    pub(crate) deleted: bool,
    /// Whether some change of it was tracked.
    pub(crate) tracked: bool,
}

impl RunProps {
    /// Reads a `w:rPr` to its end.
    pub(crate) fn read(xml: &mut Xml<'_>) -> Result<Self, Error> {
        let mut props = Self::default();
        while let Some(child) = xml.child()? {
            match child.word() {
                "rStyle" => props.style = child.val(),
                "b" => props.bold = Some(child.is_on()),
                "i" => props.italic = Some(child.is_on()),
                "caps" => props.caps = Some(child.is_on()),
                "smallCaps" => props.small_caps = Some(child.is_on()),
                "u" => props.underlined = Some(child.is_on()),
                "sz" => props.size = child.number("val").and_then(|size| u16::try_from(size).ok()),
                "vanish" => props.hidden = Some(child.is_on()),
                "specVanish" => props.runs_on = child.is_on(),
                "del" | "moveFrom" => (props.deleted, props.tracked) = (true, true),
                "ins" | "moveTo" => props.tracked = true,
                _ => {}
            }
            xml.skip()?;
        }
        Ok(props)
    }

    /// These properties with those of a style that is based on them.
    pub(crate) fn overlaid(&self, over: &Self) -> Self {
        Self {
            style: over.style.clone().or_else(|| self.style.clone()),
            bold: over.bold.or(self.bold),
            italic: over.italic.or(self.italic),
            caps: over.caps.or(self.caps),
            small_caps: over.small_caps.or(self.small_caps),
            underlined: over.underlined.or(self.underlined),
            size: over.size.or(self.size),
            hidden: over.hidden.or(self.hidden),
            runs_on: over.runs_on || self.runs_on,
            deleted: over.deleted,
            tracked: over.tracked,
        }
    }

    /// These properties, of a paragraph style, with those of a character style: what can be switched is switched
    /// back by a second style.
    pub(crate) fn toggled(&self, character: &Self) -> Self {
        let toggle = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(a), Some(b)) => Some(a != b),
            (a, b) => a.or(b),
        };
        Self {
            bold: toggle(self.bold, character.bold),
            italic: toggle(self.italic, character.italic),
            caps: toggle(self.caps, character.caps),
            small_caps: toggle(self.small_caps, character.small_caps),
            hidden: toggle(self.hidden, character.hidden),
            ..self.overlaid(character)
        }
    }
}

/// How a paragraph is set between the margins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Side,
    Center,
}

/// What is said about a paragraph; `None` where nothing is said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParaProps {
    pub(crate) style: Option<String>,
    /// Its list; 0 takes the list of its style away.
    pub(crate) list: Option<i64>,
    pub(crate) level: Option<usize>,
    /// Its depth in the outline, 0 for the outermost, 9 for text.
    pub(crate) outline: Option<u8>,
    /// In twentieths of a point.
    pub(crate) indent: Option<i32>,
    /// Less than 0 where it hangs.
    pub(crate) first_line: Option<i32>,
    pub(crate) align: Option<Align>,
    pub(crate) before: Option<i32>,
    pub(crate) keep_next: Option<bool>,
    /// The looks of its mark.
    pub(crate) mark: RunProps,
}

impl ParaProps {
    /// Reads a `w:pPr` to its end. A section that ends with the paragraph is given to `section`.
    pub(crate) fn read(
        xml: &mut Xml<'_>,
        section: &mut dyn FnMut(&mut Xml<'_>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut props = Self::default();
        let twips = |number: Option<i64>| number.and_then(|number| i32::try_from(number).ok());
        while let Some(child) = xml.child()? {
            match child.word() {
                "pStyle" => props.style = child.val(),
                "outlineLvl" => {
                    props.outline = child.number("val").and_then(|level| u8::try_from(level).ok());
                }
                "ind" => {
                    props.indent = twips(child.number("left").or_else(|| child.number("start")));
                    let hanging = twips(child.number("hanging")).map(i32::saturating_neg);
                    props.first_line = hanging.or_else(|| twips(child.number("firstLine")));
                }
                "jc" => {
                    let center = child.val().is_some_and(|align| align == "center");
                    props.align = Some(if center { Align::Center } else { Align::Side });
                }
                "spacing" => props.before = twips(child.number("before")),
                "keepNext" => props.keep_next = Some(child.is_on()),
                "numPr" => {
                    while let Some(part) = xml.child()? {
                        match part.word() {
                            "numId" => props.list = part.number("val"),
                            "ilvl" => {
                                props.level =
                                    part.number("val").and_then(|level| usize::try_from(level).ok());
                            }
                            _ => {}
                        }
                        xml.skip()?;
                    }
                    continue;
                }
                "rPr" => {
                    props.mark = RunProps::read(xml)?;
                    continue;
                }
                "sectPr" => {
                    section(xml)?;
                    continue;
                }
                _ => {}
            }
            xml.skip()?;
        }
        Ok(props)
    }

    /// These properties with those of a style, or a paragraph, that is based on them.
    pub(crate) fn overlaid(&self, over: &Self) -> Self {
        Self {
            style: over.style.clone().or_else(|| self.style.clone()),
            list: over.list.or(self.list),
            level: over.level.or(self.level),
            outline: over.outline.or(self.outline),
            indent: over.indent.or(self.indent),
            first_line: over.first_line.or(self.first_line),
            align: over.align.or(self.align),
            before: over.before.or(self.before),
            keep_next: over.keep_next.or(self.keep_next),
            mark: over.mark.clone(),
        }
    }
}
