//! Reading order over the ends of columns and pages: a paragraph that was cut there is put together again.
//!
//! Regions come in reading order already, so order is a matter of joining. The last paragraph of a region
//! and the first of the next are one when the sentence goes on: the first ends without a full stop or its
//! last line is full, and the second begins in lower case or without the indent that paragraphs have here.

use document::BlockKind;

use crate::page::Paragraph;
use crate::typography::{is_unspaced, list_marker};

/// Puts paragraphs together that run over the end of a region.
pub(crate) fn join(paragraphs: Vec<Paragraph>) -> Vec<Paragraph> {
    let indents = uses_indents(&paragraphs);
    let mut out: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    // Between two parts of a paragraph nothing but a table or a caption may stand.
    for mut paragraph in paragraphs {
        let goes_on = out.last().is_some_and(|last| continues(last, &paragraph, indents));
        match out.last_mut() {
            Some(last) if goes_on => {
                last.ends_short = paragraph.ends_short;
                last.lines.append(&mut paragraph.lines);
            }
            _ => out.push(paragraph),
        }
    }
    out
}

/// True if most paragraphs of several lines begin with an indent.
fn uses_indents(paragraphs: &[Paragraph]) -> bool {
    let long = paragraphs
        .iter()
        .filter(|p| p.kind == BlockKind::Paragraph && p.lines.len() >= 2 && p.white.is_finite());
    let (mut n, mut n_indented) = (0usize, 0usize);
    for paragraph in long {
        n += 1;
        n_indented += usize::from(is_indented(paragraph));
    }
    n >= 3 && n_indented * 2 > n
}

fn is_indented(paragraph: &Paragraph) -> bool {
    match paragraph.lines.as_slice() {
        [first, second, ..] => first.rect.x0 > second.rect.x0 + 0.7 * first.size,
        _ => paragraph.indented,
    }
}

fn continues(last: &Paragraph, next: &Paragraph, indents: bool) -> bool {
    let is_text = |p: &Paragraph| matches!(p.kind, BlockKind::Paragraph | BlockKind::ListItem);
    let (Some(a), Some(b)) = (last.lines.last(), next.lines.first()) else { return false };
    if (a.page == b.page && a.region == b.region) || b.page.0 > a.page.0 + 2 {
        return false;
    }
    if !is_text(last) || next.kind != BlockKind::Paragraph || next.centered || last.centered {
        return false;
    }
    if (a.size - b.size).abs() > 0.1 * a.size || list_marker(b).is_some() {
        return false;
    }
    let end = a.text();
    let bare = end.trim_end_matches(['”', '"', '’', '\'', ')', ']', '）', '』', '」']);
    let is_ended = bare.ends_with(['.', '!', '?', ':', ';', '。', '；', '：', '！', '？']);
    // Court opinions print the page of another edition at the start of a line ("[*7]").
    let is_star_page = |word: &str| word.starts_with("[*") && word.ends_with(']');
    let first = b
        .words
        .iter()
        .skip_while(|word| matches!(word.text.as_str(), "[" | "*" | "[*") || is_star_page(&word.text));
    let first_char = first.flat_map(|word| word.text.chars()).next();
    let is_lower = first_char.is_some_and(char::is_lowercase);
    let is_cjk = first_char.is_some_and(is_unspaced);
    if is_lower {
        // No sentence begins in lower case: the stop is that of an abbreviation.
        let is_abbreviation = bare.ends_with('.') && !last.ends_short;
        return !is_ended || is_abbreviation || indents && !is_indented(next);
    }
    if is_cjk {
        return !is_ended;
    }
    let is_full = !last.ends_short;
    if indents { !is_indented(next) && (is_full || !is_ended) } else { is_full && !is_ended }
}
