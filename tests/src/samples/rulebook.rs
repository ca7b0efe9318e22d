//! An extract of a regulator's rulebook: nested rules, cross-references, defined terms, bookmarks, page labels.

use super::sample::Sample;
use crate::typeset::{Face, Family, HeadingStyle, Spacing, Style};

/// The rulebook of the Meridian Islands Financial Commission, A4, filled lines, space characters.
pub(super) fn sample() -> Sample {
    Sample {
        id: "rulebook",
        title: "Client Protection Rulebook",
        description: "A financial regulator’s rules on client classification, client money and complaints.",
        questions: &[
            "By when must a firm pay client money into a client account?",
            "How long does a firm have to send a final response to a complaint?",
            "When may an individual be classified as a Professional Client?",
            "Which incidents must be notified within 24 hours?",
        ],
        quotations: &[
            "This Rulebook applies to every Firm that carries on a Financial Service in or from the Meridian Islands,",
            "A Firm that delegates or outsources a function to another person remains responsible for compliance",
            "means money of any currency that a Firm receives from, or holds for or on behalf of, a Client",
            "must treat that person as a Retail Client.",
            "An individual whose assessment has not been repeated in time becomes a Retail Client",
            "a net annual turnover of at least USD 40 million;",
            "no later than the end of the first Business Day after it was received.",
            "the bank is not entitled to combine the account with any other account, or to exercise any right of \
             set-off or counterclaim against money in it;",
            "of set-off or counterclaim against money in it; and (c) the title of the account sufficiently \
             distinguishes it from any account that contains money of the Firm.",
            "more than 40 per cent of its total Client Money with banks that belong to the same group,",
            "the Firm must pay its own money into the Client Account to make the shortfall good by the close of \
             the Business Day on which it is found.",
            "all Client Money in the Client Accounts of the Firm is pooled, and must be distributed to Clients in \
             proportion to their valid claims,",
            "A Firm must send a final response within 30 Business Days after receiving the Complaint.",
            "The final response must in any event be sent within 60 Business Days after the Complaint was received.",
            "A Complaint that is resolved to the satisfaction of the Client by the close of the third Business Day",
            "A Firm must notify the Commission of an operational incident within 24 hours after becoming aware of it,",
            "for at least six years from the date on which the Complaint was received.",
        ],
        manuscript: include_str!("rulebook.txt"),
        style: style(),
        scheme: &[
            ("decimal", "PART %1 —", true),
            ("decimal", "Chapter %2", false),
            ("decimal", "%2.%3", true),
        ],
    }
}

fn style() -> Style {
    let heading = |size, before, after, hang| HeadingStyle { face: Face::Bold, size, before, after, hang };
    Style {
        page: (595.28, 841.89),
        margins: [79.0, 84.0, 79.0, 84.0],
        family: Family::Times,
        size: 10.5,
        leading: 13.4,
        justify: true,
        spacing: Spacing::Characters,
        skip: 5.5,
        first_indent: 0.0,
        tabs: [0.0, 42.0, 64.0, 86.0, 108.0, 130.0],
        title_size: 20.0,
        headings: [
            heading(15.0, 24.0, 8.0, None),
            heading(13.0, 18.0, 8.0, Some(76.0)),
            heading(11.0, 13.0, 6.0, Some(42.0)),
            heading(10.5, 8.0, 4.0, Some(42.0)),
        ],
        notes: (8.5, 10.2),
        columns: &[],
        head: ["Meridian Islands Financial Commission", "Client Protection Rulebook"],
        foot: ["Version 7 (1 March 2026)", "", "{page}"],
        head_on_first: false,
        label_prefix: Some("CPR-"),
        outline: true,
    }
}
