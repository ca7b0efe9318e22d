//! Automatic list numbers as a reader sees them: "Article 3", "2.1", "(a)", "•" (ECMA-376 part 1, 17.9).
//!
//! A paragraph names a numbering instance and a level. The abstract numbering says how each level counts, from where,
//! when it restarts and which text surrounds the numbers. Counters belong to the abstract numbering, so instances that
//! share one continue each other unless they override the start. Cost: constant per paragraph.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::numerals::NumberFormat;
use crate::styles::StyleSheet;
use crate::symbols;
use crate::xml::{Element, XmlReader};

/// Levels of an abstract numbering.
const N_LEVELS: usize = 9;
/// Maximum numbering definitions and instances.
const MAX_DEFINITIONS: usize = 50_000;
/// Maximum length of a level text in characters.
const MAX_TEXT: usize = 200;

/// Content between a list number and the text (`w:suff`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LevelSuffix {
    /// A tab or a space.
    #[default]
    Separated,
    Nothing,
}

/// Level of a numbering (`w:lvl`).
#[derive(Clone, Debug)]
struct NumberingLevel {
    start: u32,
    format: NumberFormat,
    /// Level text; `%1` to `%9` stand for the numbers of the levels.
    text: String,
    /// Level, from 1, that restarts this one; 0 for none, `None` for any level above.
    restart: Option<u32>,
    /// True if all numbers are shown in decimal (`w:isLgl`).
    is_legal: bool,
    suffix: LevelSuffix,
    /// Paragraph style that belongs to the level.
    style: Option<String>,
    /// Left indent in twentieths of a point.
    indent: Option<i32>,
}

impl Default for NumberingLevel {
    fn default() -> Self {
        Self {
            start: 1,
            format: NumberFormat::Decimal,
            text: String::new(),
            restart: None,
            is_legal: false,
            suffix: LevelSuffix::Separated,
            style: None,
            indent: None,
        }
    }
}

/// Abstract numbering definition (`w:abstractNum`).
#[derive(Clone, Debug, Default)]
struct AbstractNumbering {
    levels: Vec<NumberingLevel>,
    /// Numbering style that defines the levels instead.
    link: Option<String>,
}

/// Numbering definition instance (`w:num`).
#[derive(Clone, Debug, Default)]
struct NumberingInstance {
    definition: i64,
    /// Overridden start numbers by level.
    starts: BTreeMap<usize, u32>,
    /// Overridden levels.
    levels: BTreeMap<usize, NumberingLevel>,
}

/// Numbering of a file, with its counters.
#[derive(Debug, Default)]
pub(crate) struct ListNumbering {
    definitions: BTreeMap<i64, AbstractNumbering>,
    lists: BTreeMap<i64, NumberingInstance>,
    /// Last numbers of the levels by abstract numbering.
    counters: BTreeMap<i64, [Option<u32>; N_LEVELS]>,
    /// Instances and levels whose overridden start has been used.
    started: BTreeSet<(i64, usize)>,
}

/// List number in front of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListMarker {
    pub(crate) text: String,
    pub(crate) suffix: LevelSuffix,
    /// Left indent of the level in twentieths of a point.
    pub(crate) indent: Option<i32>,
}

impl ListNumbering {
    /// Reads the numbering part.
    pub(crate) fn read(source: &str, max_depth: usize) -> Result<Self, Error> {
        let mut numbering = Self::default();
        let mut xml = XmlReader::new(source, "its numbering", max_depth);
        xml.child()?;
        while let Some(child) = xml.child()? {
            let full = numbering.definitions.len() + numbering.lists.len() >= MAX_DEFINITIONS;
            match (child.wml_name(), full) {
                ("abstractNum", false) => {
                    let id = child.number("abstractNumId").unwrap_or(-1);
                    let definition = definition(&mut xml)?;
                    numbering.definitions.insert(id, definition);
                }
                ("num", false) => {
                    let id = child.number("numId").unwrap_or(-1);
                    let list = list(&mut xml)?;
                    numbering.lists.insert(id, list);
                }
                _ => xml.skip()?,
            }
        }
        Ok(numbering)
    }

    /// Level of an instance that belongs to a paragraph style.
    pub(crate) fn level_of_style(&self, list: i64, style: &str, styles: &StyleSheet) -> Option<usize> {
        let (_, definition) = self.definition(list, styles)?;
        definition.levels.iter().position(|level| level.style.as_deref() == Some(style))
    }

    /// Counts the next paragraph of this instance and level.
    pub(crate) fn next(&mut self, list_id: i64, level: usize, styles: &StyleSheet) -> Option<ListMarker> {
        let level = level.min(N_LEVELS - 1);
        let (definition_id, definition) = self.definition(list_id, styles)?;
        let list = self.lists.get(&list_id)?;
        let of = |at: usize| {
            list.levels.get(&at).or_else(|| definition.levels.get(at)).cloned().unwrap_or_default()
        };
        let levels: Vec<NumberingLevel> = (0..N_LEVELS).map(of).collect();
        let own_start = list.starts.get(&level).copied();
        let own = levels.get(level)?;
        let counters = self.counters.entry(definition_id).or_default();
        let before = counters.get(level).copied().flatten();
        let n = match own_start {
            Some(start) if self.started.insert((list_id, level)) => start,
            start => before.map_or(start.unwrap_or(own.start), |n| n.saturating_add(1)),
        };
        for (at, (counter, level_at)) in counters.iter_mut().zip(&levels).enumerate() {
            let above = u32::try_from(at).unwrap_or(0);
            let restart = level_at.restart.unwrap_or(above);
            if at == level {
                *counter = Some(n);
            } else if at > level && restart != 0 && u32::try_from(level + 1).unwrap_or(0) <= restart {
                *counter = None;
            }
        }
        let values: Vec<u32> =
            counters.iter().zip(&levels).map(|(counter, level)| counter.unwrap_or(level.start)).collect();
        let text = if own.format == NumberFormat::Bullet {
            symbols::bullet(&own.text)
        } else {
            fill(&own.text, own.is_legal, &levels, &values)
        };
        Some(ListMarker { text, suffix: own.suffix, indent: own.indent })
    }

    /// Abstract numbering of an instance, with its id; a link to a numbering style is followed once.
    fn definition(&self, list: i64, styles: &StyleSheet) -> Option<(i64, &AbstractNumbering)> {
        let id = self.lists.get(&list)?.definition;
        let definition = self.definitions.get(&id)?;
        let linked = definition.link.as_ref().and_then(|style| styles.list_of(style));
        let linked = linked.and_then(|list| self.lists.get(&list)).map(|list| list.definition);
        match linked.and_then(|linked| self.definitions.get(&linked).map(|definition| (linked, definition))) {
            Some(linked) if definition.levels.is_empty() => Some(linked),
            _ => Some((id, definition)),
        }
    }
}

/// Level text with its numbers filled in.
fn fill(text: &str, is_legal: bool, levels: &[NumberingLevel], values: &[u32]) -> String {
    let mut out = String::new();
    let mut chars = text.chars().take(MAX_TEXT).peekable();
    while let Some(c) = chars.next() {
        let at = chars.peek().and_then(|digit| digit.to_digit(10)).filter(|digit| c == '%' && *digit > 0);
        let Some(at) = at.map(|digit| digit as usize - 1) else {
            out.push(c);
            continue;
        };
        chars.next();
        if let (Some(level), Some(&value)) = (levels.get(at), values.get(at)) {
            let format = match level.format {
                NumberFormat::Bullet => NumberFormat::None,
                format if is_legal && format != NumberFormat::None => NumberFormat::Decimal,
                format => format,
            };
            out.push_str(&format.print(value));
        }
    }
    out
}

/// Reads a `w:abstractNum` to its end.
fn definition(xml: &mut XmlReader<'_>) -> Result<AbstractNumbering, Error> {
    let mut definition = AbstractNumbering::default();
    while let Some(child) = xml.child()? {
        match child.wml_name() {
            "lvl" => {
                let at = level_index(&child);
                let level = level(xml)?;
                if definition.levels.len() <= at {
                    definition.levels.resize(at + 1, NumberingLevel::default());
                }
                if let Some(slot) = definition.levels.get_mut(at) {
                    *slot = level;
                }
            }
            "numStyleLink" => {
                definition.link = child.val();
                xml.skip()?;
            }
            _ => xml.skip()?,
        }
    }
    Ok(definition)
}

/// Reads a `w:num` to its end.
fn list(xml: &mut XmlReader<'_>) -> Result<NumberingInstance, Error> {
    let mut list = NumberingInstance { definition: -1, ..NumberingInstance::default() };
    while let Some(child) = xml.child()? {
        match child.wml_name() {
            "abstractNumId" => {
                list.definition = child.number("val").unwrap_or(-1);
                xml.skip()?;
            }
            "lvlOverride" => {
                let at = level_index(&child);
                while let Some(part) = xml.child()? {
                    match part.wml_name() {
                        "startOverride" => {
                            list.starts.insert(at, count(&part));
                            xml.skip()?;
                        }
                        "lvl" => {
                            let level = level(xml)?;
                            list.levels.insert(at, level);
                        }
                        _ => xml.skip()?,
                    }
                }
            }
            _ => xml.skip()?,
        }
    }
    Ok(list)
}

fn level_index(element: &Element<'_>) -> usize {
    let at = element.number("ilvl").and_then(|at| usize::try_from(at).ok());
    at.unwrap_or(0).min(N_LEVELS - 1)
}

fn count(element: &Element<'_>) -> u32 {
    element.number("val").and_then(|n| u32::try_from(n).ok()).unwrap_or(0)
}

/// Reads a `w:lvl` to its end.
fn level(xml: &mut XmlReader<'_>) -> Result<NumberingLevel, Error> {
    let mut level = NumberingLevel { start: 0, ..NumberingLevel::default() };
    while let Some(child) = xml.child()? {
        match child.wml_name() {
            "start" => level.start = count(&child),
            "numFmt" => level.format = NumberFormat::of(&child.val().unwrap_or_default()),
            "lvlText" => level.text = child.val().unwrap_or_default(),
            "lvlRestart" => level.restart = Some(count(&child)),
            "isLgl" => level.is_legal = child.is_on(),
            "suff" => {
                let nothing = child.val().as_deref() == Some("nothing");
                level.suffix = if nothing { LevelSuffix::Nothing } else { LevelSuffix::Separated };
            }
            "pStyle" => level.style = child.val(),
            "pPr" => {
                while let Some(property) = xml.child()? {
                    if property.wml_name() == "ind" {
                        let left = property.number("left").or_else(|| property.number("start"));
                        level.indent = left.and_then(|left| i32::try_from(left).ok());
                    }
                    xml.skip()?;
                }
                continue;
            }
            // A number format that older programs do not know comes with an alternative.
            _ if child.name() == "AlternateContent" => {
                xml.descend(&mut |_, part| {
                    if part.wml_name() == "numFmt" && level.format == NumberFormat::Decimal {
                        level.format = NumberFormat::of(&part.val().unwrap_or_default());
                    }
                    Ok(())
                })?;
                continue;
            }
            _ => {}
        }
        xml.skip()?;
    }
    Ok(level)
}
