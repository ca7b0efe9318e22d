//! Style sheet: the properties of each style with those it inherits, and its role.
//!
//! Word processors in all languages write the names of built-in styles in English ("heading 1"); a few write their own
//! language, so the commonest of those names are known too. An outline level makes a style a heading, whatever its
//! name. Cost: linear in the styles, times the depth of inheritance, which has a cap.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::properties::{ParagraphProperties, RunProperties};
use crate::xml::XmlReader;

/// Maximum styles.
const MAX_STYLES: usize = 20_000;
/// Maximum depth of inheritance.
const MAX_BASES: usize = 32;
/// Default type size in half points.
const DEFAULT_SIZE: u16 = 20;

/// Role of a paragraph style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StyleRole {
    #[default]
    Body,
    Title,
    Caption,
    Quotation,
    /// Entry of a table of contents.
    TableOfContents,
}

/// Style as written in the style sheet.
#[derive(Clone, Debug, Default)]
struct Style {
    name: String,
    base: Option<String>,
    paragraph: ParagraphProperties,
    run: RunProperties,
}

/// Style with its inherited properties.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedStyle {
    pub(crate) role: StyleRole,
    /// Heading level, from 1 to 9.
    pub(crate) heading: Option<u8>,
    pub(crate) paragraph: ParagraphProperties,
    pub(crate) run: RunProperties,
    /// Id of the style, itself or inherited, that sets the numbering instance.
    pub(crate) list_style: Option<String>,
}

/// Style sheet of a file.
#[derive(Debug, Default)]
pub(crate) struct StyleSheet {
    resolved: BTreeMap<String, ResolvedStyle>,
    /// Style of paragraphs that name none.
    plain: ResolvedStyle,
    /// Document defaults.
    defaults: RunProperties,
}

impl StyleSheet {
    /// Reads the styles part.
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

    /// Style of a paragraph that names this style; the default style if it is unknown.
    pub(crate) fn paragraph(&self, style: Option<&str>) -> &ResolvedStyle {
        style.and_then(|id| self.resolved.get(id)).unwrap_or(&self.plain)
    }

    /// Resolved properties of a run: direct formatting over its character style over the paragraph style.
    pub(crate) fn run(&self, paragraph: &ResolvedStyle, own: &RunProperties) -> RunProperties {
        let character = own.style.as_deref().and_then(|id| self.resolved.get(id));
        let styled = match character {
            Some(character) => paragraph.run.toggled(&character.run),
            None => paragraph.run.clone(),
        };
        self.defaults.overlaid(&styled).overlaid(own)
    }

    /// Numbering instance of a numbering style.
    pub(crate) fn list_of(&self, style: &str) -> Option<i64> {
        self.resolved.get(style)?.paragraph.list
    }
}

/// Type size of a run in points.
pub(crate) fn points(run: &RunProperties) -> f32 {
    f32::from(run.size.unwrap_or(DEFAULT_SIZE)) / 2.0
}

/// Reads a `w:style` to its end.
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

/// Resolves the inheritance of a style.
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
    // The nearest name with a role counts: a style based on a heading is a heading.
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

/// Role of a style name.
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

/// Heading level of a style name: "heading 1", "Heading1", "Überschrift 1", "标题 1".
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
