//! Paragraph and run properties (`w:pPr`, `w:rPr`), as styles and direct formatting give them.

use crate::error::Error;
use crate::xml::XmlReader;

/// Run properties; `None` means inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunProperties {
    pub(crate) style: Option<String>,
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) caps: Option<bool>,
    pub(crate) small_caps: Option<bool>,
    pub(crate) underlined: Option<bool>,
    /// Type size in half points.
    pub(crate) size: Option<u16>,
    pub(crate) hidden: Option<bool>,
    /// On a paragraph mark: true for a style separator (`w:specVanish`).
    pub(crate) style_separator: bool,
    /// On a paragraph mark: true if a tracked change deleted it.
    pub(crate) deleted: bool,
    /// True if a tracked change is recorded.
    pub(crate) tracked: bool,
}

impl RunProperties {
    /// Reads a `w:rPr` to its end.
    pub(crate) fn read(xml: &mut XmlReader<'_>) -> Result<Self, Error> {
        let mut properties = Self::default();
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "rStyle" => properties.style = child.val(),
                "b" => properties.bold = Some(child.is_on()),
                "i" => properties.italic = Some(child.is_on()),
                "caps" => properties.caps = Some(child.is_on()),
                "smallCaps" => properties.small_caps = Some(child.is_on()),
                "u" => properties.underlined = Some(child.is_on()),
                "sz" => properties.size = child.number("val").and_then(|size| u16::try_from(size).ok()),
                "vanish" => properties.hidden = Some(child.is_on()),
                "specVanish" => properties.style_separator = child.is_on(),
                "del" | "moveFrom" => (properties.deleted, properties.tracked) = (true, true),
                "ins" | "moveTo" => properties.tracked = true,
                _ => {}
            }
            xml.skip()?;
        }
        Ok(properties)
    }

    /// These properties, overridden by those of a derived style or of direct formatting.
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
            style_separator: over.style_separator || self.style_separator,
            deleted: over.deleted,
            tracked: over.tracked,
        }
    }

    /// These properties of a paragraph style with those of a character style. Toggle properties set by both
    /// cancel each other (ECMA-376 part 1, 17.7.3).
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

/// Paragraph properties; `None` means inherited.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParagraphProperties {
    pub(crate) style: Option<String>,
    /// Numbering instance; 0 removes the numbering of the style.
    pub(crate) list: Option<i64>,
    /// Numbering level, from 0.
    pub(crate) level: Option<usize>,
    /// Outline level: 0 to 8 for headings, 9 for body text.
    pub(crate) outline_level: Option<u8>,
    /// Left indent in twentieths of a point.
    pub(crate) indent: Option<i32>,
    /// First-line indent in twentieths of a point; negative for a hanging indent.
    pub(crate) first_line: Option<i32>,
    pub(crate) centered: Option<bool>,
    /// Space above in twentieths of a point.
    pub(crate) space_before: Option<i32>,
    pub(crate) keep_next: Option<bool>,
    /// Properties of the paragraph mark.
    pub(crate) mark: RunProperties,
}

impl ParagraphProperties {
    /// Reads a `w:pPr` to its end; calls `section` for the `w:sectPr` of a section that ends here.
    pub(crate) fn read(
        xml: &mut XmlReader<'_>,
        section: &mut dyn FnMut(&mut XmlReader<'_>) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut properties = Self::default();
        let twips = |number: Option<i64>| number.and_then(|number| i32::try_from(number).ok());
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "pStyle" => properties.style = child.val(),
                "outlineLvl" => {
                    properties.outline_level = child.number("val").and_then(|level| u8::try_from(level).ok());
                }
                "ind" => {
                    properties.indent = twips(child.number("left").or_else(|| child.number("start")));
                    let hanging = twips(child.number("hanging")).map(i32::saturating_neg);
                    properties.first_line = hanging.or_else(|| twips(child.number("firstLine")));
                }
                "jc" => {
                    properties.centered =
                        Some(child.val().is_some_and(|justification| justification == "center"));
                }
                "spacing" => properties.space_before = twips(child.number("before")),
                "keepNext" => properties.keep_next = Some(child.is_on()),
                "numPr" => {
                    while let Some(part) = xml.child()? {
                        match part.wml_name() {
                            "numId" => properties.list = part.number("val"),
                            "ilvl" => {
                                properties.level =
                                    part.number("val").and_then(|level| usize::try_from(level).ok());
                            }
                            _ => {}
                        }
                        xml.skip()?;
                    }
                    continue;
                }
                "rPr" => {
                    properties.mark = RunProperties::read(xml)?;
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
        Ok(properties)
    }

    /// These properties, overridden by those of a derived style or of direct formatting.
    pub(crate) fn overlaid(&self, over: &Self) -> Self {
        Self {
            style: over.style.clone().or_else(|| self.style.clone()),
            list: over.list.or(self.list),
            level: over.level.or(self.level),
            outline_level: over.outline_level.or(self.outline_level),
            indent: over.indent.or(self.indent),
            first_line: over.first_line.or(self.first_line),
            centered: over.centered.or(self.centered),
            space_before: over.space_before.or(self.space_before),
            keep_next: over.keep_next.or(self.keep_next),
            mark: over.mark.clone(),
        }
    }
}
