//! Headings and list items: what a paragraph is, by type, numbering and place.
//!
//! A heading is short, stands alone and stands out: larger than the body, bold, in capitals, italic or
//! underlined on a line of its own, centred, or numbered in a way that only headings are ("PART 3", "第二章").
//! A run-in heading stays in its paragraph. Levels are the business of sections.

mod contents;
mod front;
mod title_block;
mod wording;

use std::collections::BTreeMap;

use document::{BlockKind, Role};

use text::wording::{Numbering, ends_sentence, is_caption, is_title_case, marker_kind, numbering};

use crate::headings::wording::{
    goes_on, is_bare_number, is_date, is_enumerated_title, is_form, is_instrument_number, is_label,
    is_one_sentence, starts_like_title,
};
use crate::page::{BodyStyle, Line, LineStyle, Paragraph};
use crate::typography::{ends_in_page_number, is_lone_number, is_section_number, list_marker};

/// Fewest pages at whose edge a line of one wording is no heading.
const MIN_RUNNING: usize = 4;
/// Longest heading, in characters.
const MAX_CHARS: usize = 240;

/// Sets the kinds of these paragraphs and joins headings that were set on several lines.
pub(crate) fn classify(paragraphs: Vec<Paragraph>, body: BodyStyle) -> Vec<Paragraph> {
    let (front, contents) = (front::find(&paragraphs), contents::find(&paragraphs));
    let set_aside = |i: usize| [&front, &contents].iter().any(|set| set.get(i).copied().unwrap_or(false));
    let mut strengths: Vec<Option<Strength>> = Vec::with_capacity(paragraphs.len());
    for (i, paragraph) in paragraphs.iter().enumerate() {
        let (before, next) = (i.checked_sub(1).and_then(|i| paragraphs.get(i)), paragraphs.get(i + 1));
        let opens_body = next.is_some_and(|next| next.page() == paragraph.page());
        let strength = if set_aside(i) { None } else { strength(paragraph, next, opens_body, body) };
        // A line of italics below others is one of them.
        let is_one_of_many = strength == Some(Strength::Weak)
            && strengths.last().is_some_and(Option::is_none)
            && before.is_some_and(|before| is_like(before, paragraph));
        let is_rest = strengths.last().is_some_and(Option::is_none)
            && before.is_some_and(|before| before.text().ends_with(',') && is_close(before, paragraph));
        strengths.push(strength.filter(|_| !is_one_of_many && !is_rest));
    }
    at_page_ends(&paragraphs, &mut strengths, set_aside, body);
    drop_running(&paragraphs, &mut strengths);
    // Three lines in a row that only might be headings are a list.
    for run in strengths.chunk_by_mut(|a, b| *a == Some(Strength::Weak) && *b == Some(Strength::Weak)) {
        if run.len() >= 3 {
            run.fill(None);
        }
    }
    let mut out: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    for (i, (mut paragraph, strength)) in paragraphs.into_iter().zip(strengths).enumerate() {
        if paragraph.kind != BlockKind::Paragraph || front.get(i).copied().unwrap_or(false) {
            out.push(paragraph);
            continue;
        }
        let is_title = || out.last().is_some_and(|last| is_title_of(last, &paragraph));
        if strength.is_some() || !set_aside(i) && is_title() {
            paragraph.kind = BlockKind::Heading;
            // The number, or the date of the text and the number above it.
            let n = (1..=2).find(|&n| {
                is_side_number(out.get(out.len().saturating_sub(n)..).unwrap_or_default(), &paragraph)
            });
            if let Some(n) = n {
                let number = out.split_off(out.len().saturating_sub(n));
                paragraph.lines =
                    number.into_iter().flat_map(|part| part.lines).chain(paragraph.lines).collect();
            }
            match out.last_mut() {
                Some(last) if last.kind == BlockKind::Heading && is_one_heading(last, &paragraph) => {
                    last.lines.append(&mut paragraph.lines);
                    last.centered &= paragraph.centered;
                }
                _ => out.push(paragraph),
            }
            continue;
        }
        if let Some(marker) = paragraph.lines.first().and_then(list_marker) {
            paragraph.kind = BlockKind::ListItem;
            paragraph.marker = Some(marker.text);
        } else if paragraph.lines.len() <= 3 && is_caption(&paragraph.text()) {
            paragraph.role = Role::Caption;
        }
        out.push(paragraph);
    }
    title_block::mark(&mut out, body);
    out
}

/// Whether paragraphs are the number of the heading below them in a margin, perhaps with the date of its text:
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
        && heading.white < 1.6
}

/// Whether a paragraph stands right below another one that is set like it.
fn is_close(a: &Paragraph, b: &Paragraph) -> bool {
    let (Some(above), Some(below)) = (a.lines.last(), b.lines.first()) else { return false };
    (above.page, above.region) == (below.page, below.region)
        && above.style == below.style
        && (above.size - below.size).abs() < 0.03 * above.size
        && b.white < 1.6
}

/// Headings that a page break parts from their text: those that are set like two others which are not.
fn at_page_ends(
    paragraphs: &[Paragraph],
    strengths: &mut [Option<Strength>],
    set_aside: impl Fn(usize) -> bool,
    body: BodyStyle,
) {
    let looks = |paragraph: &Paragraph| {
        let line = paragraph.lines.first()?;
        let quarters = (line.size * 4.0).round() as i32;
        let LineStyle { bold, italic, caps, underlined, starts_underlined: _ } = line.style;
        let style = u8::from(bold) | u8::from(italic) << 1 | u8::from(caps) << 2 | u8::from(underlined) << 3;
        let is_numbered = numbering(&paragraph.text()) != Numbering::None;
        Some((quarters, style, paragraph.centered, is_numbered))
    };
    let mut n_like: BTreeMap<_, usize> = BTreeMap::new();
    for (paragraph, _) in paragraphs.iter().zip(&*strengths).filter(|(_, strength)| strength.is_some()) {
        if let Some(looks) = looks(paragraph) {
            *n_like.entry(looks).or_default() += 1;
        }
    }
    for (i, pair) in paragraphs.windows(2).enumerate() {
        let [paragraph, next] = pair else { continue };
        if paragraph.page() == next.page() || paragraph.lines.len() > 3 || set_aside(i) {
            continue;
        }
        let is_like = looks(paragraph).is_some_and(|looks| n_like.get(&looks).is_some_and(|&n| n >= 2));
        if let Some(slot) = strengths.get_mut(i).filter(|slot| slot.is_none() && is_like) {
            *slot = strength(paragraph, Some(next), true, body);
        }
    }
}

/// Takes back what stands at the edge of many pages in the same words: a running line, not a heading.
fn drop_running(paragraphs: &[Paragraph], strengths: &mut [Option<Strength>]) {
    let page = |i: usize| paragraphs.get(i).map(Paragraph::page);
    let at_edge = |i: usize| i.checked_sub(1).and_then(page) != page(i) || page(i + 1) != page(i);
    let mut n_of: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let candidates = || paragraphs.iter().enumerate().filter(|(_, paragraph)| paragraph.lines.len() <= 2);
    for (i, paragraph) in candidates().filter(|(i, _)| strengths.get(*i).is_some_and(Option::is_some)) {
        let (n, n_at_edge) = n_of.entry(paragraph.text()).or_default();
        *n += 1;
        *n_at_edge += usize::from(at_edge(i));
    }
    for (i, paragraph) in candidates() {
        if strengths.get(i).is_none_or(Option::is_none) {
            continue;
        }
        let runs = n_of
            .get(&paragraph.text())
            .is_some_and(|&(n, n_at_edge)| n_at_edge >= MIN_RUNNING && n_at_edge * 4 >= n * 3);
        if let Some(slot) = strengths.get_mut(i).filter(|_| runs) {
            *slot = None;
        }
    }
}

/// Whether two paragraphs next to each other are set alike in italics or underlined.
fn is_like(a: &Paragraph, b: &Paragraph) -> bool {
    let (Some(above), Some(below)) = (a.lines.last(), b.lines.first()) else { return false };
    let slants = |line: &Line| line.style.italic || line.words.first().is_some_and(|word| word.style.italic);
    a.page() == b.page()
        && below.style.italic
        && slants(above)
        && a.lines.len() <= 2
        && (above.size - below.size).abs() < 0.03 * above.size
}

/// Whether a paragraph is the title of the bare number above it ("Chapter 1"), both centred.
fn is_title_of(number: &Paragraph, paragraph: &Paragraph) -> bool {
    let (Some(a), Some(b)) = (number.lines.last(), paragraph.lines.first()) else { return false };
    number.kind == BlockKind::Heading
        && (a.page, a.region) == (b.page, b.region)
        && number.centered
        && (paragraph.centered || (a.rect.x_mid() - b.rect.x_mid()).abs() < b.size)
        && paragraph.lines.len() <= 3
        && paragraph.white < 3.2
        && is_bare_number(&number.text())
        && !ends_sentence(&paragraph.text())
}

/// Whether the second heading continues the first: a bare number and its title, or two lines of one look.
fn is_one_heading(first: &Paragraph, second: &Paragraph) -> bool {
    let (Some(a), Some(b)) = (first.lines.last(), second.lines.first()) else { return false };
    if a.page != b.page || a.region != b.region || second.white > 3.2 {
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
    let same_looks = (a.size - b.size).abs() < 0.03 * a.size
        && a.style.bold == b.style.bold
        && a.style.caps == b.style.caps
        && a.style.italic == b.style.italic
        && a.style.underlined == b.style.underlined;
    let last_word = a.words.last().map(|word| word.text.to_lowercase()).unwrap_or_default();
    let is_open = matches!(
        last_word.as_str(),
        "and" | "by" | "for" | "in" | "of" | "on" | "or" | "the" | "to" | "with"
    ) || last_word.ends_with(',');
    same_looks
        && (is_open || first.centered == second.centered && first.centered)
        && second.white < 1.5
        && numbering(&second.text()) == Numbering::None
        && first.text().chars().count() + second.text().chars().count() < MAX_CHARS
}

/// How surely a paragraph is a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// By its place or number alone.
    Weak,
    /// By its type, or a number that only headings have.
    Strong,
}

fn strength(
    paragraph: &Paragraph,
    next: Option<&Paragraph>,
    opens_body: bool,
    body: BodyStyle,
) -> Option<Strength> {
    let n_lines = paragraph.lines.len();
    let first = paragraph.lines.first()?;
    if n_lines > 6 || paragraph.kind != BlockKind::Paragraph || ends_in_page_number(paragraph.lines.last()?) {
        return None;
    }
    let text = paragraph.text();
    let n_chars = text.chars().count();
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_number =
        is_lone_number(&text) || (n_chars <= 5 && text.ends_with('.') && marker_kind(&text).is_some());
    if paragraph.centered && is_number && opens_body {
        return Some(Strength::Strong);
    }
    if is_instrument_number(&text) && paragraph.centered {
        return Some(Strength::Strong);
    }
    let number =
        text.split(' ').next().filter(|word| word.starts_with(|c: char| c == '§' || c.is_ascii_digit()));
    let n_worded = n_chars - number.map_or(0, |number| number.chars().count());
    if n_chars > MAX_CHARS || n_letters * 2 < n_worded.min(40) || n_letters < 2 || is_form(&text) {
        return None;
    }
    let is_aside =
        text.starts_with(['(', '[']) && text.ends_with([')', ']']) && text.matches(['(', '[']).count() == 1;
    if is_aside
        || is_caption(&text)
        || is_date(&text)
        || next.is_some_and(|next| is_signature(paragraph, next))
    {
        return None;
    }
    if is_label(&text) || goes_on(&text) {
        return None;
    }
    // What stands above the number of an instrument names the series.
    if next.is_some_and(|next| is_instrument_number(&next.text())) {
        return None;
    }
    let numbering = numbering(&text);
    let is_cjk = text.chars().filter(|&c| text::is_cjk(c)).count() * 2 > n_letters;
    let is_bullet = list_marker(first).is_some_and(|marker| marker.is_bullet);
    let starts_lower = numbering == Numbering::None
        && text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    let is_open = [" and", " or", " the", " of"].iter().any(|end| text.ends_with(end))
        || text.ends_with([',', ';', '；', '，', '。', '、', '—']);
    if is_bullet || starts_lower || is_open {
        return None;
    }
    let all = |look: fn(&LineStyle) -> bool| paragraph.lines.iter().all(|line| look(&line.style));
    let (bold, italic) = (all(|looks| looks.bold) && !body.bold, all(|looks| looks.italic));
    let (caps, underlined) = (all(|looks| looks.caps) && !body.caps, all(|looks| looks.underlined));
    let size = paragraph.lines.iter().map(|line| line.size).fold(f32::MAX, f32::min);
    let ends_sentence = ends_sentence(&text);
    let n_words = if is_cjk { n_chars / 2 } else { text.split_whitespace().count() };
    let is_title = is_title_case(&text);
    let is_plain = !(bold || caps || underlined || paragraph.centered);
    // Numbered in a way that only headings are.
    match numbering {
        // A number with a stop and nothing more in plain type is the end of a sentence: "Part 19."
        Numbering::Division if is_plain && ends_sentence && n_words == 2 => return None,
        Numbering::Division
            if n_words <= 25 && n_lines <= 3 && (!ends_sentence || n_words <= 3 || is_title) =>
        {
            return Some(Strength::Strong);
        }
        Numbering::Article
            if n_words <= 14
                && n_lines <= 2
                && !text.ends_with(':')
                && (!ends_sentence || is_title || is_section_title(paragraph, next)) =>
        {
            return (!is_cjk || n_chars <= 24).then_some(Strength::Strong);
        }
        _ => {}
    }
    // "2.3 A firm must", above "(a)", is the beginning of a sentence.
    let opens_list = || {
        let marker = next.and_then(|next| next.lines.first()).and_then(list_marker);
        marker.is_some_and(|marker| marker.text.starts_with('('))
    };
    if is_plain && !is_cjk && !is_title && numbering == Numbering::Decimal && opens_list() {
        return None;
    }
    // The points of an argument are whole sentences.
    let is_point = numbering == Numbering::Decimal && (bold || caps || underlined) && is_one_sentence(&text);
    if is_cjk
        && n_lines == 1
        && is_enumerated_title(&text)
        && next.is_some_and(|next| !is_enumerated_title(&next.text()))
    {
        return Some(Strength::Strong);
    }
    if ends_sentence && n_words > 3 && !(numbering != Numbering::None && n_words <= 12 || is_point) {
        return None;
    }
    if size > 1.12 * body.size && n_lines <= 5 {
        return Some(Strength::Strong);
    }
    // Capitals may be set small, and still stand out when they are bold and numbered.
    let is_small_capitals = bold && caps && numbering != Numbering::None && size > 0.7 * body.size;
    if size < 0.9 * body.size && !is_small_capitals {
        return None;
    }
    // Capitals that lead in what follows, as enacting words do.
    if caps && !bold && !paragraph.centered && !underlined && text.ends_with([':', '：']) {
        return None;
    }
    let is_apart = paragraph.white > 1.4;
    let stands_out = bold && n_words <= 30 && n_lines <= 4
        || caps
            && n_words <= 30
            && (paragraph.centered || underlined || numbering != Numbering::None || is_apart);
    if stands_out {
        return Some(Strength::Strong);
    }
    if !opens_body || n_lines > 3 {
        return None;
    }
    let by_face = (italic || underlined)
        && n_words <= 18
        && n_lines <= 2
        && (is_apart || paragraph.centered)
        && (!text.ends_with(':') || underlined);
    let by_number = numbering == Numbering::Decimal
        && n_words <= 12
        && n_lines == 1
        && !text.ends_with(':')
        && text.split(' ').next().is_some_and(|word| word.contains('.') && !word.starts_with('('))
        && starts_like_title(&text)
        && if ends_sentence { is_title && n_words > 1 } else { is_apart || is_title };
    let by_place = paragraph.centered && n_lines <= 2 && n_words <= 14 && is_apart && is_title;
    let is_dated = text
        .split(' ')
        .next_back()
        .is_some_and(|last| last.len() == 4 && last.bytes().all(|b| b.is_ascii_digit()));
    (!is_dated && (by_face || by_number || by_place)).then_some(Strength::Weak)
}

/// Whether "§ 3 Scope of this part." is the title of a section: a line by itself with its text in the next
/// paragraph, which is not another section.
fn is_section_title(paragraph: &Paragraph, next: Option<&Paragraph>) -> bool {
    let text = paragraph.text();
    let is_apart = paragraph.white > 1.3 && next.is_some_and(|next| !next.text().starts_with('§'));
    text.starts_with('§') && is_apart && text.split_whitespace().count() <= 10
}

/// Whether `next` is where somebody signs for the name in `paragraph`.
fn is_signature(paragraph: &Paragraph, next: &Paragraph) -> bool {
    let text = next.text();
    let first = text.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase();
    let is_line =
        text.contains("____") || matches!(first.as_str(), "by" | "by:" | "name:" | "per:" | "its:" | "/s/");
    is_line
        && text.len() < 160
        && numbering(&paragraph.text()) == Numbering::None
        && next.page() == paragraph.page()
}
