//! A tax opinion letter: levels of comfort, facts, analysis, and notes at the foot, one of which runs on.

use super::sample::Sample;
use crate::typeset::{Face, Family, HeadingStyle, Spacing, Style};

/// A letter on a merger, US letter paper, filled lines, movements in place of spaces as TeX writes them.
pub(super) fn sample() -> Sample {
    Sample {
        id: "opinion",
        title: "Tax Opinion: Merger of Halden Instruments, Inc.",
        description: "A tax opinion letter on a merger, with levels of comfort and footnotes.",
        questions: &[
            "What level of comfort is given on the Contingent Shares, and why?",
            "What does “should” mean in this letter?",
            "Is the Pre-Closing Dividend part of the merger consideration?",
            "Who may rely on this opinion?",
        ],
        quotations: &[
            "the Merger will qualify as a reorganization within the meaning of section 368(a)(1)(A) of the Code,",
            "it is more likely than not that the Pre-Closing Dividend will be treated as a distribution to which \
             section 301 applies,",
            "we believe that there is no material risk that the Internal Revenue Service",
            "the likelihood that it would be sustained is substantially greater than even,",
            "No holder owns more than 11 percent.",
            "so that stock made up about 58 percent of the total.",
            "The Contingent Shares must be issued, if at all, no later than March 31, 2029.",
            "It will not borrow to do so,",
            "On that measure stock makes up about 58 percent of the consideration issued at closing.",
            "A Target holder who realizes a gain will recognize it, but only up to the amount of cash received.",
            "it is for this reason that our opinion on the Contingent Shares is given at a “should” level.",
            "In Litton Industries, a dividend declared before any buyer had been found was respected,",
            "no authority deals with an extraordinary dividend that was declared between signing and closing",
            "It may not be relied on by any other person, or for any other purpose, without our prior written \
             consent.",
            "Minutes of that meeting, which we have read, are consistent with this account.",
            "A revenue procedure states the conditions on which the Service will issue a ruling.",
            "Acquiror has no plan or intention to redeem any of the stock issued in the Merger;",
            "There is substantial authority for each of the positions described in Part I.",
            "that no understanding, written or oral, exists between Acquiror and any Target holder about the \
             dividend or about the price.",
        ],
        manuscript: include_str!("opinion.txt"),
        style: style(),
        scheme: &[("upperRoman", "%1.", true), ("upperLetter", "%2.", true), ("decimal", "%3.", true)],
    }
}

fn style() -> Style {
    let heading = |face, size, before, after, hang| HeadingStyle { face, size, before, after, hang };
    Style {
        page: (612.0, 792.0),
        margins: [90.0, 84.0, 90.0, 84.0],
        family: Family::Times,
        size: 11.5,
        leading: 15.0,
        justify: true,
        spacing: Spacing::Movements,
        skip: 7.0,
        first_indent: 0.0,
        tabs: [18.0, 42.0, 64.0, 86.0, 108.0, 130.0],
        title_size: 13.5,
        headings: [
            heading(Face::Bold, 12.5, 18.0, 7.0, Some(26.0)),
            heading(Face::Bold, 11.5, 13.0, 6.0, Some(26.0)),
            heading(Face::BoldItalic, 11.5, 10.0, 5.0, Some(26.0)),
            heading(Face::Italic, 11.5, 10.0, 4.0, Some(26.0)),
        ],
        notes: (9.0, 11.0),
        columns: &[],
        head: ["Corvid Systems, Inc.", "June 12, 2026"],
        foot: ["", "{page}", ""],
        head_on_first: false,
        label_prefix: None,
        outline: false,
    }
}
