//! A short services agreement: definitions, Articles and Sections, lettered lists, a schedule with a table.

use super::sample::Sample;
use crate::typeset::{Face, Family, HeadingStyle, Spacing, Style};

/// An agreement between two companies, A4, Helvetica, ragged right.
pub(super) fn sample() -> Sample {
    Sample {
        id: "contract",
        title: "Services Agreement: Thornbury Analytics and Ravelin Water",
        description: "A short services agreement with definitions, a liability cap and service levels.",
        questions: &[
            "How much notice must the Customer give to terminate for convenience?",
            "What is the cap on liability?",
            "What interest is payable on late payments?",
            "What does Confidential Information not include?",
        ],
        quotations: &[
            "means all information, in any form, that one party discloses to the other",
            "unless either party gives notice of non-renewal at least 90 days before the end of the Initial Term",
            "The Customer may terminate this Agreement for any reason, by notice given within the first 60 days",
            "the data protection legislation in force in the United Kingdom; and",
            "If the service fails the tests a second time, the Customer may terminate this Agreement and recover \
             all Charges that it has paid.",
            "The Customer must pay each valid invoice within 30 days after receiving it.",
            "at 4 per cent a year above the base rate of the Bank of England.",
            "must notify the Customer of any unauthorised access to it within 36 hours",
            "and for five years after it ends.",
            "must not exceed 125 per cent of the Charges payable for that year.",
            "The cost of water lost through a leak that the Services should have detected is not excluded by this \
             Section.",
            "the Customer may terminate this Agreement at any time by giving at least 60 days’ notice.",
            "incurs Service Credits in three consecutive months or in any five months out of twelve.",
            "a Service Credit of 4 per cent of one twelfth of the annual fee, up to 20 per cent in any month.",
        ],
        manuscript: include_str!("contract.txt"),
        style: style(),
        scheme: &[("decimal", "Article %1.", true), ("decimal", "Section %1.%2", true)],
    }
}

fn style() -> Style {
    let heading = |size, before, after, hang| HeadingStyle { face: Face::Bold, size, before, after, hang };
    Style {
        page: (595.28, 841.89),
        margins: [85.0, 80.0, 85.0, 80.0],
        family: Family::Helvetica,
        size: 9.8,
        leading: 13.6,
        justify: false,
        spacing: Spacing::Characters,
        skip: 6.0,
        first_indent: 0.0,
        tabs: [0.0, 24.0, 46.0, 68.0, 90.0, 112.0],
        title_size: 18.0,
        headings: [
            heading(12.0, 18.0, 7.0, Some(78.0)),
            heading(9.8, 10.0, 4.0, Some(66.0)),
            heading(9.8, 9.0, 4.0, Some(66.0)),
            heading(9.8, 8.0, 4.0, Some(66.0)),
        ],
        notes: (8.0, 10.0),
        columns: &[0.0, 200.0, 340.0],
        head: ["", ""],
        foot: ["Services Agreement", "", "Page {page}"],
        head_on_first: false,
        label_prefix: None,
        outline: true,
    }
}
