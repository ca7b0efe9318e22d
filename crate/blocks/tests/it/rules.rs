//! The tables of rules: their names, a run without one of them, and the record of a decision.

use std::collections::BTreeSet;

use blocks::Options;
use document::{BlockKind, PdfText};

use crate::doc::{Doc, PROSE};

/// A bold line above running text.
fn headed() -> PdfText {
    let doc = Doc::default().page().bold(72.0, 100.0, 10.0, "Notice Periods").lines(72.0, 130.0, &PROSE);
    PdfText { pages: doc.pages, ..PdfText::default() }
}

#[test]
fn every_rule_has_a_name_of_its_own_a_reason_and_an_example() {
    let mut names = BTreeSet::new();
    for rule in blocks::rules() {
        assert!(names.insert(rule.name), "{} is used twice", rule.name);
        assert!(rule.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", rule.name);
        assert!(!rule.reason.is_empty() && !rule.example.is_empty(), "{}", rule.name);
        assert!(matches!(rule.decides, "break" | "heading" | "table"), "{}", rule.name);
    }
}

#[test]
fn a_rule_that_is_left_out_does_not_decide() {
    let kind = |options: &Options| blocks::layout_with(&headed(), options).output.blocks[0].kind;
    assert_eq!(kind(&Options::default()), BlockKind::Heading);
    let without = Options { without: BTreeSet::from(["bold".to_owned()]) };
    assert_eq!(kind(&without), BlockKind::Paragraph);
}

#[test]
fn a_decision_names_its_rule() {
    let decisions = blocks::explain(&headed(), &Options::default());
    let heading = decisions.iter().find(|decision| decision.decides == "heading").unwrap();
    assert_eq!((heading.text.as_str(), heading.verdict), ("Notice Periods", "heading"));
    assert_eq!(heading.rule.unwrap().name, "bold");
}
