//! Verdicts on all paragraphs: the rules of each by itself, then what its neighbours and its repetitions say.

use std::collections::BTreeMap;

use text::wording::{Numbering, numbering};

use crate::headings::evidence::HeadingEvidence;
use crate::headings::rules::{HeadingVerdict, RULES};
use crate::page::{BodyStyle, Line, LineStyle, Paragraph};
use crate::rules::{RuleInfo, Rules};

/// Fewest pages at whose edge a line of one wording is no heading.
const MIN_RUNNING: usize = 4;
/// Lines in a row that only may be headings and are a list.
const MIN_LIST: usize = 3;
/// Difference of sizes within which type is the same, as a share of it.
const SAME_SIZE: f32 = 0.03;

const ITALIC_LINES: RuleInfo = RuleInfo {
    name: "italic-lines",
    decides: "heading",
    reason: "a line of italics below others is one of them",
    example: "Coming into force in accordance with regulation 1(2)",
};
const PAGE_END: RuleInfo = RuleInfo {
    name: "page-end",
    decides: "heading",
    reason: "a line at the end of a page that is set like two headings is one",
    example: "B. Promissory Estoppel (at the end of a page)",
};
const RUNNING_LINE: RuleInfo = RuleInfo {
    name: "running-line",
    decides: "heading",
    reason: "the same words at the edge of four pages are a running line",
    example: "SIGNATURE PAGE – 2024 CREDIT AGREEMENT",
};
const QUIET_LIST: RuleInfo = RuleInfo {
    name: "quiet-list",
    decides: "heading",
    reason: "three lines in a row that only may be headings are a list",
    example: "three names in italics below each other",
};

/// The rules about neighbours, in the order in which they are asked.
pub(super) const NEIGHBOUR_RULES: [RuleInfo; 4] = [ITALIC_LINES, PAGE_END, RUNNING_LINE, QUIET_LIST];

/// A verdict that stands, and the rule that gave it.
#[derive(Clone, Copy)]
pub(super) struct Judged {
    pub verdict: HeadingVerdict,
    pub rule: Option<RuleInfo>,
}

impl Judged {
    const NONE: Self = Self { verdict: HeadingVerdict::NotHeading, rule: None };

    fn not_by(rule: RuleInfo) -> Self {
        Self { verdict: HeadingVerdict::NotHeading, rule: Some(rule) }
    }

    pub(super) fn is_heading(self) -> bool {
        self.verdict != HeadingVerdict::NotHeading
    }

    fn is_weak(self) -> bool {
        self.verdict == HeadingVerdict::Weak
    }
}

/// The verdict on each paragraph. Those set aside are no headings.
pub(super) fn judge(
    paragraphs: &[Paragraph],
    set_aside: &[bool],
    body: BodyStyle,
    rules: &Rules,
) -> Vec<Judged> {
    let mut judged: Vec<Judged> = Vec::with_capacity(paragraphs.len());
    let mut above: Option<&Paragraph> = None;
    for (i, (paragraph, aside)) in paragraphs.iter().zip(set_aside).enumerate() {
        let next = paragraphs.get(i + 1);
        let opens_body = next.is_some_and(|next| next.page() == paragraph.page());
        let own = match aside {
            true => Judged::NONE,
            false => by_itself(paragraph, next, opens_body, body, rules),
        };
        let below_text = judged.last().is_some_and(|last| !last.is_heading());
        let after = above.replace(paragraph).filter(|_| below_text && own.is_heading());
        judged.push(match after {
            Some(after) if own.is_weak() && rules.has(&ITALIC_LINES) && are_italic(after, paragraph) => {
                Judged::not_by(ITALIC_LINES)
            }
            _ => own,
        });
    }
    if rules.has(&PAGE_END) {
        at_page_ends(paragraphs, &mut judged, set_aside, body, rules);
    }
    if rules.has(&RUNNING_LINE) {
        drop_running_lines(paragraphs, &mut judged);
    }
    if rules.has(&QUIET_LIST) {
        for run in judged.chunk_by_mut(|a, b| a.is_weak() && b.is_weak()) {
            if run.len() >= MIN_LIST {
                run.fill(Judged::not_by(QUIET_LIST));
            }
        }
    }
    judged
}

/// The verdict of the first rule that gives one.
fn by_itself(
    paragraph: &Paragraph,
    next: Option<&Paragraph>,
    opens_body: bool,
    body: BodyStyle,
    rules: &Rules,
) -> Judged {
    let text = paragraph.text();
    let Some(evidence) = HeadingEvidence::of(paragraph, &text, next, opens_body, body) else {
        return Judged::NONE;
    };
    let first = rules.first(&RULES, &evidence);
    first.map_or(Judged::NONE, |(verdict, rule)| Judged { verdict, rule: Some(rule) })
}

/// True if two paragraphs next to each other are set alike in italics.
fn are_italic(above: &Paragraph, paragraph: &Paragraph) -> bool {
    let (Some(a), Some(b)) = (above.lines.last(), paragraph.lines.first()) else { return false };
    let slants = |line: &Line| line.style.italic || line.words.first().is_some_and(|word| word.style.italic);
    above.page() == paragraph.page()
        && b.style.italic
        && slants(a)
        && above.lines.len() <= 2
        && (a.size - b.size).abs() < SAME_SIZE * a.size
}

/// Judges paragraphs again that a page break parts from their text, where they are set like two headings.
fn at_page_ends(
    paragraphs: &[Paragraph],
    judged: &mut [Judged],
    set_aside: &[bool],
    body: BodyStyle,
    rules: &Rules,
) {
    let style = |paragraph: &Paragraph| {
        let line = paragraph.lines.first()?;
        let quarters = (line.size * 4.0).round() as i32;
        let LineStyle { bold, italic, caps, underlined, starts_underlined: _ } = line.style;
        let is_numbered = numbering(&paragraph.text()) != Numbering::None;
        Some((quarters, [bold, italic, caps, underlined, paragraph.centered, is_numbered]))
    };
    let mut n_like: BTreeMap<_, usize> = BTreeMap::new();
    let headings = paragraphs.iter().zip(&*judged).filter(|(_, judged)| judged.is_heading());
    for style in headings.filter_map(|(paragraph, _)| style(paragraph)) {
        *n_like.entry(style).or_default() += 1;
    }
    let nexts = paragraphs.iter().skip(1);
    for (((paragraph, next), judged), aside) in paragraphs.iter().zip(nexts).zip(judged).zip(set_aside) {
        if paragraph.page() == next.page() || paragraph.lines.len() > 3 || *aside || judged.is_heading() {
            continue;
        }
        if style(paragraph).is_some_and(|style| n_like.get(&style).is_some_and(|&n| n >= 2)) {
            let again = by_itself(paragraph, Some(next), true, body, rules);
            *judged = match again.is_heading() {
                true => Judged { rule: Some(PAGE_END), ..again },
                false => again,
            };
        }
    }
}

/// Takes back what stands at the edge of many pages in the same words: a running line.
fn drop_running_lines(paragraphs: &[Paragraph], judged: &mut [Judged]) {
    let page = |i: usize| paragraphs.get(i).map(Paragraph::page);
    let at_edge = |i: usize| i.checked_sub(1).and_then(page) != page(i) || page(i + 1) != page(i);
    let mut n_of: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let is_short = |paragraph: &Paragraph, judged: &Judged| judged.is_heading() && paragraph.lines.len() <= 2;
    for (i, (paragraph, judged)) in paragraphs.iter().zip(&*judged).enumerate() {
        if is_short(paragraph, judged) {
            let (n, n_at_edge) = n_of.entry(paragraph.text()).or_default();
            *n += 1;
            *n_at_edge += usize::from(at_edge(i));
        }
    }
    for (paragraph, judged) in paragraphs.iter().zip(judged) {
        let is_running =
            |&(n, n_at_edge): &(usize, usize)| n_at_edge >= MIN_RUNNING && n_at_edge * 4 >= n * 3;
        if is_short(paragraph, judged) && n_of.get(&paragraph.text()).is_some_and(is_running) {
            *judged = Judged::not_by(RUNNING_LINE);
        }
    }
}
