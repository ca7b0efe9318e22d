//! The rules of the layout as `pincite layout` prints them: all of them, how often each decided, and which decided
//! the lines and paragraphs of some pages.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;

use engine::{IngestOptions, LayoutDecision, LayoutRule, Place, layout_rules};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input::ReadArgs;

/// All rules in the order in which they are asked.
pub(crate) fn all() -> Value {
    layout_rules()
        .iter()
        .map(|LayoutRule { name, decides, reason, example }| {
            json!({ "name": name, "decides": decides, "reason": reason, "example": example })
        })
        .collect()
}

/// These rules, each of which there must be.
pub(crate) fn named(names: &[String]) -> Result<BTreeSet<String>, Failure> {
    let rules = layout_rules();
    match names.iter().find(|name| !rules.iter().any(|rule| rule.name == name.as_str())) {
        Some(name) => Err(Failure::Usage(format!(
            "no rule of the layout is called {name} (`pincite layout --rules` lists them)"
        ))),
        None => Ok(names.iter().cloned().collect()),
    }
}

/// The decisions by which a file is laid out.
pub(crate) fn decisions(
    path: &Path,
    read: &ReadArgs,
    options: &IngestOptions,
) -> Result<Vec<LayoutDecision>, Failure> {
    let bytes = read.bytes(path)?;
    engine::explain_layout(&bytes, options, &mut |_| ControlFlow::Continue(()))
        .map_err(|error| Failure::about(path, &error))
}

/// Number of decisions of each rule.
pub(crate) fn firings(decisions: &[LayoutDecision]) -> Value {
    let mut counts: BTreeMap<&str, usize> = layout_rules().iter().map(|rule| (rule.name, 0)).collect();
    for rule in decisions.iter().filter_map(|decision| decision.rule) {
        *counts.entry(rule.name).or_default() += 1;
    }
    json!(counts)
}

/// The decisions about these pages or paragraphs.
pub(crate) fn to_json(decisions: &[LayoutDecision], wanted: NumberRange) -> Value {
    let own = decisions.iter().filter(|decision| wanted.has(decision.place.number()));
    own.map(|LayoutDecision { place, decides, text, verdict, rule }| {
        let (page, paragraph) = match place {
            Place::Page(_) => (Some(place.number()), None),
            Place::Paragraph(_) => (None, Some(place.number())),
        };
        json!({
            "page": page,
            "paragraph": paragraph,
            "decides": decides,
            "text": text,
            "verdict": verdict,
            "rule": rule.map(|rule| rule.name),
            "reason": rule.map(|rule| rule.reason),
        })
    })
    .collect()
}

/// Prints the decisions about these pages or paragraphs: its number, the beginning of the text, the verdict, the rule,
/// its reason.
pub(crate) fn print(decisions: &[LayoutDecision], wanted: NumberRange) {
    for decision in decisions.iter().filter(|decision| wanted.has(decision.place.number())) {
        let LayoutDecision { decides, text, verdict, rule, place } = decision;
        let (name, reason) = rule.map_or(("-", "no rule applies"), |rule| (rule.name, rule.reason));
        let number = place.number();
        say!("{number:4} {decides:8} {verdict:18} {name:20} {text}\n{:33} {reason}", "");
    }
}

/// Numbers of pages or paragraphs, from 1: "3", "3-5" or "all".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberRange {
    first: u32,
    last: u32,
}

impl NumberRange {
    fn has(self, number: u32) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl FromStr for NumberRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self { first: 1, last: u32::MAX });
        }
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(Self { first, last }),
            _ => Err(format!("{text:?} is no number from 1, no range such as \"3-5\", and not \"all\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_a_number_two_numbers_or_all() {
        let has = |text: &str, number| text.parse::<NumberRange>().map(|range| range.has(number));
        assert_eq!(has("3", 3), Ok(true));
        assert_eq!(has("3", 4), Ok(false));
        assert_eq!(has("3-5", 5), Ok(true));
        assert_eq!(has("all", 900), Ok(true));
        assert!(["0", "5-3", "x", "3-", ""].iter().all(|text| has(text, 1).is_err()));
    }
}
