//! Captions: the line above or below a table that names it ("Table 3: …", "TABLE 2.—", "表1").
//!
//! A paragraph that begins like a caption next to a table is one, whatever its type; it heads no section. The title
//! of a bare number ("Table 2" on a line of its own) belongs to it. Cost: linear in the paragraphs.

use document::{BlockKind, OrNever as _, Role};

use text::wording::is_caption;

use crate::page::Paragraph;

/// Longest caption, in lines.
const MAX_LINES: usize = 6;
/// Most paragraphs between a caption and its table.
const MAX_BETWEEN: usize = 2;

/// Names the captions of the tables among these paragraphs.
pub(crate) fn mark(paragraphs: &mut [Paragraph]) {
    let tables: Vec<usize> = (0..paragraphs.len())
        .filter(|&i| paragraphs.get(i).is_some_and(|p| p.kind == BlockKind::Table))
        .collect();
    for at in tables {
        let Some(first) = paragraphs.get(at).and_then(|table| table.lines.first()) else { continue };
        let (page, region) = (first.page, first.region);
        let near = |p: &Paragraph| {
            p.lines.first().is_some_and(|line| line.page == page && line.region.abs_diff(region) <= 1)
                && p.kind != BlockKind::Table
                && p.lines.len() <= MAX_LINES
        };
        // Above: the caption itself, or its number with a title of a line or two between.
        let mut found = None;
        for back in 1..=MAX_BETWEEN + 1 {
            let Some(paragraph) = at.checked_sub(back).and_then(|i| paragraphs.get(i)) else { break };
            if !near(paragraph) {
                break;
            }
            let text = paragraph.text();
            if is_caption(&text) || back == 1 && is_schedule(&text) {
                found = Some(at - back);
                break;
            }
            if paragraph.lines.len() > 3 || text.ends_with(['.', ':', ';']) {
                break;
            }
        }
        if let Some(from) = found {
            for paragraph in paragraphs.get_mut(from..at).or_never("the paragraphs of a caption") {
                name(paragraph);
            }
            continue;
        }
        // Below.
        if let Some(paragraph) = paragraphs.get_mut(at + 1).filter(|p| near(p) && is_caption(&p.text())) {
            name(paragraph);
        }
    }
}

fn name(paragraph: &mut Paragraph) {
    paragraph.kind = BlockKind::Paragraph;
    paragraph.role = Role::Caption;
    paragraph.marker = None;
}

/// "Schedule of fees" right above a table. "Schedule 2" is a division of the document.
fn is_schedule(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.starts_with("schedule of ") && text.split_whitespace().count() <= 12 && !text.ends_with('.')
}
