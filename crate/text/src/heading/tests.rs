//! Rules of headings: evidence and the rule that decides.

use super::HeadingVerdict::{NotHeading, Strong, Weak};
use super::*;
use crate::rules::Options;

/// A plain paragraph of a page above text.
fn page(text: &str) -> HeadingEvidence<'_> {
    HeadingEvidence {
        wording: HeadingWording::of(text),
        declared: None,
        n_lines: 1,
        size: 10.0,
        body_size: 10.0,
        style: HeadingStyle::default(),
        centered: false,
        white: 1.2,
        keeps_with_next: false,
        is_whole: false,
        is_bulleted: false,
        is_contents_entry: false,
        below: Below::Text,
        next: Some("The master of a vessel pays the dues."),
        opens_list: false,
    }
}

/// The same of a Word file.
fn word(text: &str) -> HeadingEvidence<'_> {
    HeadingEvidence { is_whole: true, ..page(text) }
}

fn bold(evidence: HeadingEvidence<'_>) -> HeadingEvidence<'_> {
    HeadingEvidence { style: HeadingStyle { bold: true, ..evidence.style }, ..evidence }
}

fn decided(evidence: &HeadingEvidence<'_>) -> (HeadingVerdict, &'static str) {
    let decision = judge(evidence, &Rules::new(&Options::default()));
    (decision.verdict, decision.rule.map_or("-", |rule| rule.name))
}

#[test]
fn one_table_decides_for_pages_and_word_files() {
    for of in [page, word] {
        for (evidence, expected) in [
            (of("PART 3"), (Strong, "division")),
            (of("Article 2 Duties of the Board"), (Strong, "article")),
            (of("The master pays."), (NotHeading, "-")),
            (bold(of("Dues and charges")), (Strong, "bold")),
            (bold(of("Dated: August 5, 2016")), (NotHeading, "date")),
            (bold(of("Table 2: Dues by tonnage")), (NotHeading, "caption")),
            (bold(of("Case Number: 21-2728")), (NotHeading, "label")),
            (bold(of("dues and charges")), (NotHeading, "lower-case")),
            (
                HeadingEvidence { next: Some("By: ________"), ..bold(of("Harbour Trust plc")) },
                (NotHeading, "signature"),
            ),
            (of("一、总体要求"), (Strong, "enumerated-title")),
            (HeadingEvidence { size: 14.0, ..of("Dues and charges") }, (Strong, "large-type")),
            (HeadingEvidence { size: 8.0, ..bold(of("Dues and charges")) }, (NotHeading, "small-type")),
            (HeadingEvidence { centered: true, white: 2.0, ..of("Harbour Dues") }, (Weak, "centred")),
            (of("3.1 Development and Registration"), (Weak, "decimal")),
        ] {
            assert_eq!(decided(&evidence), expected, "{evidence:?}");
        }
    }
}

#[test]
fn what_a_style_declares_comes_first() {
    let heading = |text, is_clause| {
        let declared = Some(DeclaredRole::Heading { is_clause });
        HeadingEvidence { declared, ..word(text) }
    };
    let declared = |role, text| HeadingEvidence { declared: Some(role), ..word(text) };
    let long = "The master of a vessel that enters the harbour pays the dues of the harbour to the authority of the \
                port on the day on which it enters.";
    for (evidence, expected) in [
        (heading("of dues", false), (Strong, "style-heading")),
        (heading("The master pays.", true), (NotHeading, "style-clause")),
        (heading(long, false), (NotHeading, "style-clause")),
        (declared(DeclaredRole::Title, "harbour dues"), (Strong, "style-title")),
        (bold(declared(DeclaredRole::Other, "Dues and charges")), (NotHeading, "style-other")),
    ] {
        assert_eq!(decided(&evidence), expected, "{evidence:?}");
    }
}

#[test]
fn what_a_format_marks_is_believed_more() {
    // A line of a page may be the end of a sentence, or the number of the page.
    assert_eq!(decided(&page("Part 19.")), (NotHeading, "end-of-sentence"));
    assert_eq!(decided(&word("Part 19.")), (Strong, "division"));
    let centred = |evidence| HeadingEvidence { centered: true, ..evidence };
    assert_eq!(decided(&centred(page("3"))), (NotHeading, "few-letters"));
    assert_eq!(decided(&centred(word("3"))), (Strong, "lone-number"));
    // A document may go on behind the end of a page, not behind its own.
    let ends = |below| HeadingEvidence { below, next: None, ..bold(word("Harbour Master")) };
    assert_eq!(decided(&ends(Below::PageEnd)), (Strong, "bold"));
    assert_eq!(decided(&ends(Below::Nothing)), (NotHeading, "document-end"));
}

#[test]
fn clauses_of_any_script_read_as_text() {
    for text in
        ["The master pays the dues.", "供应商应当按照合同约定交付货物。", "The parties agree as follows:"]
    {
        assert!(HeadingWording::of(text).reads_as_text(), "{text}");
    }
    for text in ["Dues and Charges", "Scope.", "总则", "第一章 总则", "Duties of the Harbour Master."]
    {
        assert!(!HeadingWording::of(text).reads_as_text(), "{text}");
    }
}

#[test]
fn quiet_headings_in_a_row_are_a_list() {
    let rules = Rules::new(&Options::default());
    let weak = HeadingDecision { verdict: Weak, rule: None };
    let mut decisions = [weak, weak, HeadingDecision::NONE, weak, weak, weak];
    drop_quiet_lists(&mut decisions, &rules);
    assert_eq!(decisions.map(HeadingDecision::is_heading), [true, true, false, false, false, false]);
}
