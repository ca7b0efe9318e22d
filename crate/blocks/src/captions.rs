//! Captions: the line above or below a table that names it ("Table 3: …", "TABLE 2.—", "表1").
//!
//! What begins like a caption and stands next to a table is one, however it is set; it heads no section. The title
//! of a bare number ("Table 2" on a line of its own) belongs to it. Cost: linear in the paragraphs.

use document::{BlockKind, Role};

use crate::paragraphs::Paragraph;

/// Longest caption, in lines.
const MAX_LINES: usize = 6;
/// Most paragraphs between a caption and its table.
const MAX_BETWEEN: usize = 2;

/// Names the captions of the tables among these paragraphs.
pub(crate) fn settle(paragraphs: &mut [Paragraph]) {
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
            if is_caption_start(&text) || back == 1 && is_schedule(&text) {
                found = Some(at - back);
                break;
            }
            if paragraph.lines.len() > 3 || text.ends_with(['.', ':', ';']) {
                break;
            }
        }
        if let Some(from) = found {
            for paragraph in paragraphs.get_mut(from..at).unwrap_or_default() {
                name(paragraph);
            }
            continue;
        }
        // Below.
        if let Some(paragraph) = paragraphs.get_mut(at + 1).filter(|p| near(p) && is_caption_start(&p.text()))
        {
            name(paragraph);
        }
    }
}

fn name(paragraph: &mut Paragraph) {
    paragraph.kind = BlockKind::Paragraph;
    paragraph.role = Role::Caption;
    paragraph.marker = None;
}

/// Whether a text begins as captions do: a word for tables and a number.
pub(crate) fn is_caption_start(text: &str) -> bool {
    let text = text.trim_start();
    if let Some(rest) =
        text.strip_prefix('表').or_else(|| text.strip_prefix("附表")).or_else(|| text.strip_prefix('图'))
    {
        return rest
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || "一二三四五六七八九十".contains(c));
    }
    let mut words = text.split_whitespace();
    let keyword = words.next().unwrap_or_default();
    let is_capital = keyword.starts_with(char::is_uppercase);
    let keyword = keyword.to_lowercase();
    let is_keyword =
        matches!(keyword.as_str(), "table" | "figure" | "fig." | "chart" | "tabelle" | "tableau");
    let number = words.next().unwrap_or_default();
    let bare = number.trim_end_matches(|c: char| matches!(c, '.' | ':' | '—' | '–' | '-' | ')'));
    let bare = bare.split(['—', '–', ':']).next().unwrap_or_default();
    let is_number = !bare.is_empty()
        && bare.len() <= 8
        && (bare.starts_with(|c: char| c.is_ascii_digit())
            || crate::page_number::roman(&bare.to_lowercase()).is_some()
            || bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_uppercase())
            || bare
                .split_once(['-', '.'])
                .is_some_and(|(a, b)| a.len() <= 2 && b.starts_with(|c: char| c.is_ascii_digit())));
    // "Table 3 shows …" is a sentence.
    let goes_on =
        words.next().is_some_and(|next| next.starts_with(char::is_lowercase)) && bare.len() == number.len();
    is_keyword && is_capital && is_number && !goes_on
}

/// "Schedule of fees" right above a table. "Schedule 2" is a division of the document.
fn is_schedule(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.starts_with("schedule of ") && text.split_whitespace().count() <= 12 && !text.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_told_from_sentences_and_divisions() {
        let cases = [
            ("Table 3: Fees", true),
            ("TABLE 2.—RATES", true),
            ("Table A-1 Rates by year", true),
            ("Table IV", true),
            ("表1 费用", true),
            ("Figure 2", true),
            ("Table 3 shows the fees of the year.", false),
            ("Schedule 2 Fees", false),
            ("Table of contents", false),
            ("table 3: fees", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_caption_start(text), expected, "{text}");
        }
    }
}
