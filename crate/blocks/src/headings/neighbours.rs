//! Verdicts on all paragraphs: the rules of each by itself, then what its neighbours and its repetitions say. The
//! rules here are of pages: lines of one style below each other, page ends, running lines.

use std::collections::BTreeMap;

use document::RuleInfo;
use text::heading::{Below, HeadingDecision, drop_quiet_lists, judge as judge_by};
use text::rules::Rules;
use text::wording::{Numbering, numbering};

use crate::headings::evidence::Placed;
use crate::page::{BodyStyle, Line, LineStyle, Paragraph};

/// Fewest pages at whose edge a line of one wording is no heading.
const MIN_RUNNING: usize = 4;
/// Most lines of a heading at the end of a page.
const MAX_PAGE_END_LINES: usize = 3;
/// Headings that a paragraph at the end of a page looks like.
const MIN_ALIKE: usize = 2;
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
/// The rules about neighbours, in the order in which they are asked.
pub(super) const NEIGHBOUR_RULES: [RuleInfo; 3] = [ITALIC_LINES, PAGE_END, RUNNING_LINE];

/// The verdict on each paragraph. Those set aside are no headings.
pub(super) fn judge(
    paragraphs: &[Paragraph],
    set_aside: &[bool],
    body: BodyStyle,
    rules: &Rules,
) -> Vec<HeadingDecision> {
    let texts: Vec<String> = paragraphs.iter().map(Paragraph::text).collect();
    let mut placed = paragraphs.iter().zip(&texts);
    let placed: Vec<Placed<'_>> = std::iter::from_fn(|| {
        let (paragraph, text) = placed.next()?;
        let next = placed.clone().next().map(|(next, text)| (next, text.as_str()));
        Some(Placed { paragraph, text, next, body })
    })
    .collect();
    let mut judged: Vec<HeadingDecision> = Vec::with_capacity(paragraphs.len());
    let mut above: Option<&Paragraph> = None;
    for (placed, aside) in placed.iter().zip(set_aside) {
        let paragraph = placed.paragraph;
        let own = match aside {
            true => HeadingDecision::NONE,
            false => by_itself(placed, placed.below(), rules),
        };
        let below_text = judged.last().is_some_and(|last| !last.is_heading());
        let after = above.replace(paragraph).filter(|_| below_text && own.is_heading());
        judged.push(match after {
            Some(after) if own.is_weak() && rules.has(&ITALIC_LINES) && are_italic(after, paragraph) => {
                HeadingDecision::not_by(ITALIC_LINES)
            }
            _ => own,
        });
    }
    if rules.has(&PAGE_END) {
        at_page_ends(&placed, &mut judged, set_aside, rules);
    }
    if rules.has(&RUNNING_LINE) {
        drop_running_lines(paragraphs, &mut judged);
    }
    drop_quiet_lists(&mut judged, rules);
    judged
}

/// The decision about a paragraph by what is known of it.
fn by_itself(placed: &Placed<'_>, below: Below, rules: &Rules) -> HeadingDecision {
    placed.evidence(below).map_or(HeadingDecision::NONE, |evidence| judge_by(&evidence, rules))
}

/// True if two paragraphs next to each other are set alike in italics.
fn are_italic(above: &Paragraph, paragraph: &Paragraph) -> bool {
    let (Some(a), Some(b)) = (above.lines.last(), paragraph.lines.first()) else { return false };
    let slants =
        |line: &Line| line.style.italic || line.words.first().is_some_and(|word| word.style.is_italic());
    above.page() == paragraph.page()
        && b.style.italic
        && slants(a)
        && above.lines.len() <= 2
        && (a.size - b.size).abs() < SAME_SIZE * a.size
}

/// Judges paragraphs again that a page break parts from their text, where they are set like two headings.
fn at_page_ends(all: &[Placed<'_>], judged: &mut [HeadingDecision], set_aside: &[bool], rules: &Rules) {
    let style = |placed: &Placed<'_>| {
        let paragraph = placed.paragraph;
        let line = paragraph.lines.first()?;
        let quarters = (line.size * 4.0).round() as i32;
        let LineStyle { bold, italic, caps, underlined, starts_underlined: _ } = line.style;
        let is_numbered = numbering(placed.text) != Numbering::None;
        Some((quarters, [bold, italic, caps, underlined, paragraph.centered, is_numbered]))
    };
    let mut n_like: BTreeMap<_, usize> = BTreeMap::new();
    let headings = all.iter().zip(&*judged).filter(|(_, judged)| judged.is_heading());
    for style in headings.filter_map(|(placed, _)| style(placed)) {
        *n_like.entry(style).or_default() += 1;
    }
    for ((placed, judged), aside) in all.iter().zip(judged).zip(set_aside) {
        let Some((next, _)) = placed.next else { continue };
        let is_short = placed.paragraph.lines.len() <= MAX_PAGE_END_LINES;
        if placed.paragraph.page() == next.page() || !is_short || *aside || judged.is_heading() {
            continue;
        }
        if style(placed).is_some_and(|style| n_like.get(&style).is_some_and(|&n| n >= MIN_ALIKE)) {
            let again = by_itself(placed, Below::TextOnNextPage, rules);
            *judged = match again.is_heading() {
                true => HeadingDecision { rule: Some(PAGE_END), ..again },
                false => again,
            };
        }
    }
}

/// Takes back what stands at the edge of many pages in the same words: a running line.
fn drop_running_lines(paragraphs: &[Paragraph], judged: &mut [HeadingDecision]) {
    let page = |i: usize| paragraphs.get(i).map(Paragraph::page);
    let at_edge = |i: usize| i.checked_sub(1).and_then(page) != page(i) || page(i + 1) != page(i);
    let mut n_of: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let is_short =
        |paragraph: &Paragraph, judged: &HeadingDecision| judged.is_heading() && paragraph.lines.len() <= 2;
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
            *judged = HeadingDecision::not_by(RUNNING_LINE);
        }
    }
}
