//! Title blocks: lines around a document's title and below its closing that look like headings and head nothing. They
//! are the letterhead, the issuing body, the parties, and the name that signs a letter.
//!
//! The title is the largest heading of the first page. Above it, names in type no larger than the body's are
//! letterhead, as long as no running text has begun. Below it, centred lines close to each other belong to it.
//! Numbered headings are never touched. Cost: linear in the paragraphs.

use document::{BlockKind, Role};

use text::heading::is_instrument_number;
use text::wording::{Numbering, ends_sentence, is_contents_title, numbering};

use crate::page::{BodyStyle, Paragraph};
use crate::typography::is_prose;

/// Most lines that a line of a letterhead or address is set on.
const MAX_LETTERHEAD_LINES: usize = 3;
/// Most white above a line of the title block, in multiples of its size; a heading that opens the text has more.
const MAX_WHITE: f32 = 2.5;
/// Most paragraphs above a title that is not set larger than the body.
const MAX_ABOVE_TITLE: usize = 3;
/// Most white above a subtitle.
const MAX_SUBTITLE_WHITE: f32 = 1.8;
/// Most lines of a signature that are set as a heading.
const MAX_SIGNED: usize = 3;
/// Names the title and takes back the headings around it and below a closing.
pub(crate) fn mark(paragraphs: &mut [Paragraph], body: BodyStyle) {
    if let Some(title) = title(paragraphs, body) {
        let (above, rest) = paragraphs.split_at_mut(title);
        take_back_above(above, body);
        if let Some((title, below)) = rest.split_first_mut() {
            title.role = Role::Title;
            take_back_below(title, below, body);
        }
    }
    take_back_signatures(paragraphs);
}

/// The largest heading of the first page, if it is larger than the body.
fn title(paragraphs: &[Paragraph], body: BodyStyle) -> Option<usize> {
    let first_page = paragraphs.first()?.page();
    let mut title: Option<(usize, f32)> = None;
    let mut is_instrument = false;
    let on_first = paragraphs.iter().enumerate().take_while(|(_, paragraph)| paragraph.page() == first_page);
    for (at, paragraph) in on_first.filter(|(_, paragraph)| paragraph.kind == BlockKind::Heading) {
        // A Part or a numbered section is one of a document that began elsewhere, or has no title; a table of
        // contents names what follows.
        let text = paragraph.text();
        let is_section = match numbering(&text) {
            Numbering::None => false,
            Numbering::Decimal => text.split(' ').next().is_some_and(|first| first.contains('.')),
            Numbering::Division | Numbering::Article => true,
        };
        if is_section || is_contents_title(&text) {
            continue;
        }
        let size = paragraph.size();
        let is_larger = title.is_none_or(|(_, best)| size > best + 0.2);
        // The number of an instrument and its subject stand above its title.
        let is_last = is_instrument && title.is_some_and(|(_, best)| size > best - 0.2);
        if size > 1.15 * body.size && (is_larger || is_last) {
            title = Some((at, size));
        }
        is_instrument |= is_instrument_number(&paragraph.text());
    }
    title.map(|(at, _)| at).or_else(|| plain_title(paragraphs))
}

/// A title in type of the body's size: the first heading of the document, centred near its top, unlike all others,
/// above numbered ones.
fn plain_title(paragraphs: &[Paragraph]) -> Option<usize> {
    let heads = |paragraph: &&Paragraph| paragraph.kind == BlockKind::Heading;
    let at = paragraphs.iter().take(MAX_ABOVE_TITLE + 1).position(|paragraph| heads(&paragraph))?;
    let title = paragraphs.get(at)?;
    let rest = paragraphs.get(at + 1..)?;
    let look = |paragraph: &Paragraph| paragraph.lines.first().map(|line| (line.style.bold, line.style.caps));
    let is_like = |other: &Paragraph| {
        is_unnumbered_heading(other)
            && other.centered
            && (other.size() - title.size()).abs() < 0.03 * title.size()
            && look(other) == look(title)
    };
    let next = rest.iter().find(heads)?;
    let is_first = title.page() == paragraphs.first()?.page()
        && paragraphs.get(..at)?.iter().all(|above| above.lines.len() <= MAX_LETTERHEAD_LINES);
    (is_first
        && title.centered
        && is_unnumbered_heading(title)
        && numbering(&next.text()) != Numbering::None
        && !rest.iter().any(is_like))
    .then_some(at)
}

fn take_back_above(above: &mut [Paragraph], body: BodyStyle) {
    let is_short = |paragraph: &Paragraph| {
        paragraph.lines.len() <= MAX_LETTERHEAD_LINES && !ends_sentence(&paragraph.text())
    };
    if !above.iter().all(is_short) {
        return;
    }
    for paragraph in above.iter_mut().filter(|paragraph| is_unnumbered_heading(paragraph)) {
        if paragraph.size() <= 1.03 * body.size {
            paragraph.kind = BlockKind::Paragraph;
        }
    }
}

fn take_back_below(title: &Paragraph, below: &mut [Paragraph], body: BodyStyle) {
    let mut after_plain = false;
    for at in 0..below.len() {
        let is_followed = below.get(at + 1).is_some_and(|next| {
            next.kind == BlockKind::Heading || is_prose(next) || next.page() != title.page()
        });
        let Some(paragraph) = below.get_mut(at) else { return };
        let belongs = paragraph.page() == title.page()
            && paragraph.centered
            && paragraph.white < MAX_WHITE
            && paragraph.size() < title.size()
            && numbering(&paragraph.text()) == Numbering::None;
        if !belongs {
            return;
        }
        let is_light = paragraph.size() <= 1.12 * body.size
            && !paragraph.lines.iter().any(|line| line.style.bold || line.style.caps);
        // Right below the title, and no heading of anything: a subtitle.
        let is_subtitle = paragraph.white < MAX_SUBTITLE_WHITE && !is_followed;
        if paragraph.kind == BlockKind::Heading && (is_light || after_plain || is_subtitle) {
            paragraph.kind = BlockKind::Paragraph;
        }
        after_plain |= paragraph.kind == BlockKind::Paragraph;
    }
}

fn take_back_signatures(paragraphs: &mut [Paragraph]) {
    let mut n_signed = MAX_SIGNED;
    for paragraph in paragraphs {
        if n_signed < MAX_SIGNED && is_unnumbered_heading(paragraph) {
            paragraph.kind = BlockKind::Paragraph;
            n_signed += 1;
        } else {
            n_signed = if is_closing(paragraph) { 0 } else { MAX_SIGNED };
        }
    }
}

fn is_closing(paragraph: &Paragraph) -> bool {
    if paragraph.lines.len() != 1 {
        return false;
    }
    text::wording::is_closing(&paragraph.text())
}

fn is_unnumbered_heading(paragraph: &Paragraph) -> bool {
    paragraph.kind == BlockKind::Heading && numbering(&paragraph.text()) == Numbering::None
}
