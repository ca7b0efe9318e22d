//! The rules of the layout as `pincite layout` prints them: all of them, how often each decided, and which decided
//! the lines and paragraphs of a page.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use engine::{IngestOptions, LayoutDecision, LayoutRule, layout_rules};
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

/// The decisions by which a file is laid out; none for a Word file.
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

/// The decisions about a page, counted from 1.
pub(crate) fn on_page(decisions: &[LayoutDecision], page: u32) -> Value {
    let own = decisions.iter().filter(|decision| decision.page.0 + 1 == page);
    own.map(|LayoutDecision { page, decides, text, verdict, rule }| {
        json!({
            "page": page.0 + 1,
            "decides": decides,
            "text": text,
            "verdict": verdict,
            "rule": rule.map(|rule| rule.name),
            "reason": rule.map(|rule| rule.reason),
        })
    })
    .collect()
}

/// Prints the decisions about a page, counted from 1: the beginning of the text, the verdict, the rule, its reason.
pub(crate) fn print_page(decisions: &[LayoutDecision], page: u32) {
    for decision in decisions.iter().filter(|decision| decision.page.0 + 1 == page) {
        let LayoutDecision { decides, text, verdict, rule, page: _ } = decision;
        let (name, reason) = rule.map_or(("-", "no rule applies"), |rule| (rule.name, rule.reason));
        say!("{decides:8} {verdict:18} {name:20} {text}\n{:28} {reason}", "");
    }
}
