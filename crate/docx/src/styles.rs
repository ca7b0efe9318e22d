//! The style sheet: what each style says, with what it is based on, and what it means.
//!
//! Programs in every language write the names of built-in styles in English ("heading 1"), whatever they show;
//! a few write their own language, so the commonest of those names are known too. An outline level makes a
//! style a heading whatever its name. Cost: linear in the styles, times the depth of what they are based on,
//! which has a cap.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::properties::{ParaProps, RunProps};
use crate::xml::Xml;

/// Most styles that are kept.
const MAX_STYLES: usize = 20_000;
/// How far what a style is based on is followed.
const MAX_BASES: usize = 32;
/// Size of type in half points where nothing says another.
const USUAL_SIZE: u16 = 20;

/// What a paragraph style means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Meaning {
    #[default]
    Text,
    Title,
    Caption,
    Quotation,
    /// A line of a table of contents, or its heading.
    Contents,
}

#[derive(Clone, Debug, Default)]
struct Style {
    name: String,
    base: Option<String>,
    para: ParaProps,
    run: RunProps,
}

/// A style with all that it is based on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) meaning: Meaning,
    /// Its level as a heading, from 1.
    pub(crate) heading: Option<u8>,
    pub(crate) para: ParaProps,
    pub(crate) run: RunProps,
    /// The style, it or one it is based on, that says which list it belongs to.
    pub(crate) list_style: Option<String>,
}

/// The style sheet of a file.
#[derive(Debug, Default)]
pub(crate) struct Styles {
    resolved: BTreeMap<String, Resolved>,
    /// What a paragraph has that names no style.
    plain: Resolved,
    defaults: RunProps,
}

impl Styles {
    /// Reads the style sheet.
    pub(crate) fn read(source: &str, max_depth: usize) -> Result<Self, Error> {
        let mut styles: BTreeMap<String, Style> = BTreeMap::new();
        let mut sheet = Self::default();
        let mut default_style = None;
        let mut default_para = ParaProps::default();
        let mut xml = Xml::new(source, "its style sheet", max_depth);
        xml.child()?;
        while let Some(child) = xml.child()? {
            match child.word() {
                "docDefaults" => sheet.defaults(&mut xml, &mut default_para)?,
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
        sheet.resolved = styles.keys().map(|id| (id.clone(), resolve(id, &styles, &default_para))).collect();
        sheet.plain = default_style
            .and_then(|id| sheet.resolved.get(&id).cloned())
            .unwrap_or_else(|| Resolved { para: default_para, ..Resolved::default() });
        Ok(sheet)
    }

    fn defaults(&mut self, xml: &mut Xml<'_>, para: &mut ParaProps) -> Result<(), Error> {
        while let Some(part) = xml.child()? {
            let in_run = part.word() == "rPrDefault";
            while let Some(props) = xml.child()? {
                match props.word() {
                    "rPr" if in_run => self.defaults = RunProps::read(xml)?,
                    "pPr" => *para = ParaProps::read(xml, &mut |xml| xml.skip())?,
                    _ => xml.skip()?,
                }
            }
        }
        Ok(())
    }

    /// The style of a paragraph that names this one.
    pub(crate) fn paragraph(&self, style: Option<&str>) -> &Resolved {
        style.and_then(|id| self.resolved.get(id)).unwrap_or(&self.plain)
    }

    /// The looks of a run: its own over those of its character style over those of the paragraph.
    pub(crate) fn run(&self, paragraph: &Resolved, own: &RunProps) -> RunProps {
        let character = own.style.as_deref().and_then(|id| self.resolved.get(id));
        let styled = match character {
            Some(character) => paragraph.run.toggled(&character.run),
            None => paragraph.run.clone(),
        };
        self.defaults.overlaid(&styled).overlaid(own)
    }

    /// The list that a numbering style stands for.
    pub(crate) fn list_of(&self, style: &str) -> Option<i64> {
        self.resolved.get(style)?.para.list
    }
}

/// The size of type of a run in points.
pub(crate) fn points(run: &RunProps) -> f32 {
    f32::from(run.size.unwrap_or(USUAL_SIZE)) / 2.0
}

fn style(xml: &mut Xml<'_>) -> Result<Style, Error> {
    let mut style = Style::default();
    while let Some(child) = xml.child()? {
        match child.word() {
            "name" => style.name = child.val().unwrap_or_default(),
            "basedOn" => style.base = child.val(),
            "pPr" => {
                style.para = ParaProps::read(xml, &mut |xml| xml.skip())?;
                continue;
            }
            "rPr" => {
                style.run = RunProps::read(xml)?;
                continue;
            }
            _ => {}
        }
        xml.skip()?;
    }
    Ok(style)
}

fn resolve(id: &str, styles: &BTreeMap<String, Style>, defaults: &ParaProps) -> Resolved {
    let mut chain: Vec<(&str, &Style)> = Vec::new();
    let mut next = Some(id);
    while let Some((id, style)) = next.and_then(|id| Some((id, styles.get(id)?))) {
        if chain.len() >= MAX_BASES {
            break;
        }
        chain.push((id, style));
        next = style.base.as_deref();
    }
    let mut resolved = Resolved { para: defaults.clone(), ..Resolved::default() };
    for (id, style) in chain.iter().rev() {
        resolved.para = resolved.para.overlaid(&style.para);
        resolved.run = resolved.run.overlaid(&style.run);
        if style.para.list.is_some() {
            resolved.list_style = Some((*id).to_owned());
        }
    }
    // The nearest name that means something; a style based on a heading is a heading still.
    let meanings = || chain.iter().map(|(_, style)| meaning(&style.name));
    resolved.meaning = meanings().find(|meaning| *meaning != Meaning::Text).unwrap_or_default();
    let by_outline = resolved.para.outline.map(|level| (level < 9).then_some(level + 1));
    let by_name =
        || chain.iter().find_map(|(id, style)| heading_level(&style.name).or_else(|| heading_level(id)));
    resolved.heading = by_outline.unwrap_or_else(by_name);
    if resolved.meaning != Meaning::Text {
        resolved.heading = None;
    }
    resolved
}

fn meaning(name: &str) -> Meaning {
    match name.to_lowercase().as_str() {
        "title" | "titel" | "título" | "标题" | "표제" | "document title" => Meaning::Title,
        "caption" | "beschriftung" | "légende" | "题注" => Meaning::Caption,
        "quote" | "intense quote" | "block text" | "block quote" | "block quotation" | "quotation"
        | "quotations" | "zitat" | "citation" | "引用" | "明显引用" => Meaning::Quotation,
        name if name.starts_with("toc ") || name == "table of figures" || name == "table of authorities" => {
            Meaning::Contents
        }
        _ => Meaning::Text,
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
