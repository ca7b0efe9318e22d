//! The style sheet: what each style says, with what it is based on, and what it means.
//!
//! Programs in every language write the names of built-in styles in English ("heading 1"), whatever they show;
//! a few write their own language, so the commonest of those names are known too. An outline level makes a
//! style a heading whatever its name. Cost: linear in the styles, times the depth of what they are based on,
//! which has a cap.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::properties::{ParagraphProperties, RunProperties};
use crate::xml::XmlReader;

/// Most styles that are kept.
const MAX_STYLES: usize = 20_000;
/// How far what a style is based on is followed.
const MAX_BASES: usize = 32;
/// Size of type in half points where nothing says another.
const USUAL_SIZE: u16 = 20;

/// What a paragraph style means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StyleRole {
    #[default]
    Body,
    Title,
    Caption,
    Quotation,
    /// A line of a table of contents, or its heading.
    TableOfContents,
}

#[derive(Clone, Debug, Default)]
struct Style {
    name: String,
    base: Option<String>,
    paragraph: ParagraphProperties,
    run: RunProperties,
}

/// A style with all that it is based on.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedStyle {
    pub(crate) role: StyleRole,
    /// Its level as a heading, from 1.
    pub(crate) heading: Option<u8>,
    pub(crate) paragraph: ParagraphProperties,
    pub(crate) run: RunProperties,
    /// The style, it or one it is based on, that says which list it belongs to.
    pub(crate) list_style: Option<String>,
}

/// The style sheet of a file.
#[derive(Debug, Default)]
pub(crate) struct StyleSheet {
    resolved: BTreeMap<String, ResolvedStyle>,
    /// What a paragraph has that names no style.
    plain: ResolvedStyle,
    defaults: RunProperties,
}

impl StyleSheet {
    /// Reads the style sheet.
    pub(crate) fn read(source: &str, max_depth: usize) -> Result<Self, Error> {
        let mut styles: BTreeMap<String, Style> = BTreeMap::new();
        let mut sheet = Self::default();
        let mut default_style = None;
        let mut default_paragraph = ParagraphProperties::default();
        let mut xml = XmlReader::new(source, "its style sheet", max_depth);
        xml.child()?;
        while let Some(child) = xml.child()? {
            match child.wml_name() {
                "docDefaults" => sheet.defaults(&mut xml, &mut default_paragraph)?,
                "style" if styles.len() < MAX_STYLES => {
                    let id = child.attr("styleId").unwrap_or_default();
                    let is_default = matches!(child.attr("default").as_deref(), Some("1" | "true" | "on"));
                    if is_default && child.attr("type").as_deref() == Some("paragraph") {
                        default_style = Some(id.clone());
                    }
                    let style = style(&mut xml)?;
                    styles.insert(id, style);
                }
                _ => xml.skip()?,
            }
        }
        sheet.resolved =
            styles.keys().map(|id| (id.clone(), resolve(id, &styles, &default_paragraph))).collect();
        sheet.plain = default_style
            .and_then(|id| sheet.resolved.get(&id).cloned())
            .unwrap_or_else(|| ResolvedStyle { paragraph: default_paragraph, ..ResolvedStyle::default() });
        Ok(sheet)
    }

    fn defaults(&mut self, xml: &mut XmlReader<'_>, para: &mut ParagraphProperties) -> Result<(), Error> {
        while let Some(part) = xml.child()? {
            let in_run = part.wml_name() == "rPrDefault";
            while let Some(properties) = xml.child()? {
                match properties.wml_name() {
                    "rPr" if in_run => self.defaults = RunProperties::read(xml)?,
                    "pPr" => *para = ParagraphProperties::read(xml, &mut |xml| xml.skip())?,
                    _ => xml.skip()?,
                }
            }
        }
        Ok(())
    }

    /// The style of a paragraph that names this one.
    pub(crate) fn paragraph(&self, style: Option<&str>) -> &ResolvedStyle {
        style.and_then(|id| self.resolved.get(id)).unwrap_or(&self.plain)
    }

    /// The looks of a run: its own over those of its character style over those of the paragraph.
    pub(crate) fn run(&self, paragraph: &ResolvedStyle, own: &RunProperties) -> RunProperties {
        let character = own.style.as_deref().and_then(|id| self.resolved.get(id));
        let styled = match character {
            Some(character) => paragraph.run.toggled(&character.run),
            None => paragraph.run.clone(),
        };
        self.defaults.overlaid(&styled).overlaid(own)
    }

    /// The list that a numbering style stands for.
    pub(crate) fn list_of(&self, style: &str) -> Option<i64> {
        self.resolved.get(style)?.paragraph.list
    }
}

/// The size of type of a run in points.
pub(crate) fn points(run: &RunProperties) -> f32 {
    f32::from(run.size.unwrap_or(USUAL_SIZE)) / 2.0
}

fn style(xml: &mut XmlReader<'_>) -> Result<Style, Error> {
    let mut style = Style::default();
    while let Some(child) = xml.child()? {
        match child.wml_name() {
            "name" => style.name = child.val().unwrap_or_default(),
            "basedOn" => style.base = child.val(),
            "pPr" => {
                style.paragraph = ParagraphProperties::read(xml, &mut |xml| xml.skip())?;
                continue;
            }
            "rPr" => {
                style.run = RunProperties::read(xml)?;
                continue;
            }
            _ => {}
        }
        xml.skip()?;
    }
    Ok(style)
}

fn resolve(id: &str, styles: &BTreeMap<String, Style>, defaults: &ParagraphProperties) -> ResolvedStyle {
    let mut chain: Vec<(&str, &Style)> = Vec::new();
    let mut next = Some(id);
    while let Some((id, style)) = next.and_then(|id| Some((id, styles.get(id)?))) {
        if chain.len() >= MAX_BASES {
            break;
        }
        chain.push((id, style));
        next = style.base.as_deref();
    }
    let mut resolved = ResolvedStyle { paragraph: defaults.clone(), ..ResolvedStyle::default() };
    for (id, style) in chain.iter().rev() {
        resolved.paragraph = resolved.paragraph.overlaid(&style.paragraph);
        resolved.run = resolved.run.overlaid(&style.run);
        if style.paragraph.list.is_some() {
            resolved.list_style = Some((*id).to_owned());
        }
    }
    // The nearest name that means something; a style based on a heading is a heading still.
    let roles = || chain.iter().map(|(_, style)| style_role(&style.name));
    resolved.role = roles().find(|role| *role != StyleRole::Body).unwrap_or_default();
    let by_outline = resolved.paragraph.outline_level.map(|level| (level < 9).then_some(level + 1));
    let by_name =
        || chain.iter().find_map(|(id, style)| heading_level(&style.name).or_else(|| heading_level(id)));
    resolved.heading = by_outline.unwrap_or_else(by_name);
    if resolved.role != StyleRole::Body {
        resolved.heading = None;
    }
    resolved
}

fn style_role(name: &str) -> StyleRole {
    match name.to_lowercase().as_str() {
        "title" | "titel" | "título" | "标题" | "표제" | "document title" => StyleRole::Title,
        "caption" | "beschriftung" | "légende" | "题注" => StyleRole::Caption,
        "quote" | "intense quote" | "block text" | "block quote" | "block quotation" | "quotation"
        | "quotations" | "zitat" | "citation" | "引用" | "明显引用" => StyleRole::Quotation,
        name if name.starts_with("toc ") || name == "table of figures" || name == "table of authorities" => {
            StyleRole::TableOfContents
        }
        _ => StyleRole::Body,
    }
}

/// The level of a heading style by its name: "heading 1", "Heading1", "Überschrift 1", "标题 1".
fn heading_level(name: &str) -> Option<u8> {
    const NAMES: [&str; 10] = [
        "heading",
        "überschrift",
        "berschrift",
        "titre",
        "título",
        "titolo",
        "kop",
        "заголовок",
        "标题",
        "見出し",
    ];
    let name = name.to_lowercase();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let level: u8 = name.get(stem.len()..)?.parse().ok()?;
    (NAMES.contains(&stem.trim_end()) && (1..=9).contains(&level)).then_some(level)
}
