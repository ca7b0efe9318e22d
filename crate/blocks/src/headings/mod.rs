//! Headings and list items: what a paragraph is, by type, numbering and place.
//!
//! A heading is short, stands alone and stands out: larger than the body, bold, in capitals, italic or
//! underlined on a line of its own, centred, or numbered in a way that only headings are ("PART 3", "第二章"): see
//! [`text::heading`], whose rules Word files share. A run-in heading stays in its paragraph. Levels are the business
//! of sections.

mod contents;
mod evidence;
mod front;
mod join;
mod neighbours;
mod title_block;

use document::{BlockKind, Place, Role, RuleInfo};

use text::heading::HeadingDecision;
use text::rules::Rules;
use text::wording::is_caption;

use crate::page::{BodyStyle, Paragraph};
use crate::typography::list_marker;

/// Most lines of a caption.
const MAX_CAPTION_LINES: usize = 3;

/// The rules that decide about headings, in the order in which they are asked.
pub(crate) fn rules() -> impl Iterator<Item = RuleInfo> {
    text::heading::rules().chain(neighbours::NEIGHBOUR_RULES)
}

/// Sets the kinds of these paragraphs and joins headings that were set on several lines.
pub(crate) fn classify(paragraphs: Vec<Paragraph>, body: BodyStyle, rules: &Rules) -> Vec<Paragraph> {
    let (front, contents) = (front::find(&paragraphs), contents::find(&paragraphs));
    let is_known = paragraphs.iter().map(|paragraph| paragraph.kind != BlockKind::Paragraph);
    let aside = front.iter().zip(&contents).map(|(front, contents)| *front || *contents);
    let set_aside: Vec<bool> = aside.zip(is_known).map(|(aside, is_known)| aside || is_known).collect();
    let judged = neighbours::judge(&paragraphs, &set_aside, body, rules);
    let mut out: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    for (((mut paragraph, judged), is_front), aside) in
        paragraphs.into_iter().zip(judged).zip(front).zip(set_aside)
    {
        if paragraph.kind != BlockKind::Paragraph || is_front {
            out.push(paragraph);
            continue;
        }
        record(&paragraph, judged, rules);
        let is_title = || out.last().is_some_and(|last| join::is_title_of(last, &paragraph));
        if judged.is_heading() || !aside && is_title() {
            paragraph.kind = BlockKind::Heading;
            join::push(&mut out, paragraph);
            continue;
        }
        if let Some(marker) = paragraph.lines.first().and_then(list_marker) {
            paragraph.kind = BlockKind::ListItem;
            paragraph.marker = Some(marker.text);
        } else if paragraph.lines.len() <= MAX_CAPTION_LINES && is_caption(&paragraph.text()) {
            paragraph.role = Role::Caption;
        }
        out.push(paragraph);
    }
    title_block::mark(&mut out, body);
    out
}

fn record(paragraph: &Paragraph, judged: HeadingDecision, rules: &Rules) {
    let subject = || (Place::Page(paragraph.page()), paragraph.text());
    rules.record("heading", judged.verdict.words(), judged.rule, subject);
}
