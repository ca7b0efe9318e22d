//! Headings that were set on several lines or beside their number become one.

use document::{BlockKind, Slice as _};

use text::heading::{MAX_CHARS, is_bare_number};
use text::wording::{Numbering, ends_sentence, is_lone_number, numbering};

use crate::page::Paragraph;
use crate::typography::is_section_number;

/// Most white between a number and its heading at its side, in multiples of the type size.
const BESIDE: f32 = 1.6;
/// Most white between a number and its title below it.
const BELOW: f32 = 3.2;
/// Most white between two lines of one heading.
const CLOSE: f32 = 1.5;
/// Difference of sizes within which type is the same, as a share of it.
const SAME_SIZE: f32 = 0.03;
/// Words after which a heading goes on in the next line.
const OPEN_WORDS: [&str; 10] = ["and", "by", "for", "in", "of", "on", "or", "the", "to", "with"];

/// Adds a heading, joined with its number at its side and with the heading that it goes on with.
pub(super) fn push(out: &mut Vec<Paragraph>, mut heading: Paragraph) {
    // The number, or the date of the text and the number above it.
    let n_beside = (1..=2).find(|&n| is_side_number(out.slice(out.len().saturating_sub(n)..), &heading));
    if let Some(n) = n_beside {
        let number = out.split_off(out.len().saturating_sub(n));
        heading.lines = number.into_iter().flat_map(|part| part.lines).chain(heading.lines).collect();
    }
    match out.last_mut() {
        Some(last) if last.kind == BlockKind::Heading && is_one_heading(last, &heading) => {
            last.lines.append(&mut heading.lines);
            last.centered &= heading.centered;
        }
        _ => out.push(heading),
    }
}

/// True if paragraphs are the number of the heading below them in a margin, perhaps with the date of its text:
/// "2.3.59.2 (01-20-2003)".
fn is_side_number(number: &[Paragraph], heading: &Paragraph) -> bool {
    let Some(b) = heading.lines.first() else { return false };
    let in_place = |part: &Paragraph| {
        part.kind == BlockKind::Paragraph
            && part.lines.iter().all(|a| (a.page, a.region) == (b.page, b.region))
    };
    let text = number.iter().map(Paragraph::text).collect::<Vec<_>>().join(" ");
    let mut words = text.split_whitespace();
    number.iter().all(in_place)
        && words.next().is_some_and(is_section_number)
        && words.all(|word| word.starts_with('(') && word.ends_with(')'))
        && heading.white < BESIDE
}

/// True if a paragraph is the title of the bare number above it ("Chapter 1"), both centred.
pub(super) fn is_title_of(number: &Paragraph, paragraph: &Paragraph) -> bool {
    let (Some(a), Some(b)) = (number.lines.last(), paragraph.lines.first()) else { return false };
    number.kind == BlockKind::Heading
        && (a.page, a.region) == (b.page, b.region)
        && number.centered
        && (paragraph.centered || (a.rect.x_mid() - b.rect.x_mid()).abs() < b.size)
        && paragraph.lines.len() <= 3
        && paragraph.white < BELOW
        && is_bare_number(&number.text())
        && !ends_sentence(&paragraph.text())
}

/// True if the second heading continues the first: a bare number and its title, or two lines of one look.
fn is_one_heading(first: &Paragraph, second: &Paragraph) -> bool {
    let (Some(a), Some(b)) = (first.lines.last(), second.lines.first()) else { return false };
    if a.page != b.page || a.region != b.region || second.white > BELOW {
        return false;
    }
    if is_lone_number(&first.text()) || is_lone_number(&second.text()) {
        return false;
    }
    let same_place = first.centered && second.centered
        || (a.rect.x0 - b.rect.x0).abs() < 2.0
        || (a.rect.x_mid() - b.rect.x_mid()).abs() < 0.8 * b.size;
    if is_bare_number(&first.text()) {
        return same_place && numbering(&second.text()) == Numbering::None;
    }
    let same_style = (a.size - b.size).abs() < SAME_SIZE * a.size
        && a.style.bold == b.style.bold
        && a.style.caps == b.style.caps
        && a.style.italic == b.style.italic
        && a.style.underlined == b.style.underlined;
    let last_word = a.words.last().map(|word| word.text.to_lowercase()).unwrap_or_default();
    let is_open = OPEN_WORDS.contains(&last_word.as_str()) || last_word.ends_with(',');
    same_style
        && (is_open || first.centered == second.centered && first.centered)
        && second.white < CLOSE
        && numbering(&second.text()) == Numbering::None
        && first.text().chars().count() + second.text().chars().count() < MAX_CHARS
}
