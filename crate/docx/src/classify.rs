//! Which paragraphs are headings, items of lists, captions, the title.
//!
//! A style that is a heading's decides, unless its paragraphs read as sentences: many templates set their
//! numbered clauses in heading styles, and those are provisions, not headings. Where no style says so, a
//! paragraph is a heading as it is on a page: short, no sentence, and larger than the text, bold, in capitals,
//! centred, or numbered in a way that only headings are. Levels by looks are the business of sections. Cost:
//! linear in the paragraphs.

use std::collections::BTreeMap;

use document::{BlockKind, Role};

use text::heading::{
    HeadingWording, LARGE_TYPE, MAX_CENTRED_WORDS, MAX_CHARS, MAX_LOUD_WORDS, MAX_NUMBERED_WORDS,
    MAX_SENTENCE_WORDS, MAX_SLANTED_WORDS, SMALL_TYPE,
};
use text::wording::{
    Numbering, ends_sentence, is_caption, is_closing, is_title_case, list_marker, marker_kind, numbering,
};

use crate::normalize::NormalizedParagraph;
use crate::styles::StyleRole;

/// Longest number or letter that may be centred alone, in characters.
const MAX_LONE_NUMBER: usize = 5;
/// Most words of a sentence that is a heading because its style says so.
const MAX_STYLED_WORDS: usize = 20;
/// Paragraphs at the start among which a title that no style names is looked for.
const MAX_TITLE_PLACE: usize = 24;
/// Most lines of a signature that are set as a heading.
const MAX_SIGNED: usize = 3;

/// Class of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockClass {
    pub(crate) kind: BlockKind,
    pub(crate) role: Role,
    /// Its level, where its style says it.
    pub(crate) level: Option<u8>,
    pub(crate) marker: Option<String>,
}

/// Dominant format of the text.
#[derive(Clone, Copy, Debug)]
struct BodyFormat {
    size: f32,
    bold: bool,
    caps: bool,
}

/// Classes of the paragraphs; `followed` marks those with text below that they can head.
pub(crate) fn classify(paragraphs: &[&NormalizedParagraph], followed: &[bool]) -> Vec<BlockClass> {
    let body = body(paragraphs);
    let clauses = clause_styles(paragraphs);
    let is_clause =
        |p: &NormalizedParagraph| clauses.get(&(p.style.as_str(), p.heading)).copied().unwrap_or(false);
    let is_title = |p: &NormalizedParagraph| {
        let is_long =
            p.text.split_whitespace().count() > MAX_STYLED_WORDS || p.text.chars().count() > MAX_CHARS;
        !(is_clause(p) || is_long && reads_as_text(p))
    };
    let styled = |p: &NormalizedParagraph| p.heading.filter(|_| is_title(p));
    let mut weak: Vec<Option<HeadingStrength>> = paragraphs
        .iter()
        .zip(followed)
        .map(|(p, &followed)| if p.heading.is_none() { strength(p, followed, body) } else { None })
        .collect();
    // Three lines in a row that only might be headings are a list.
    for run in
        weak.chunk_by_mut(|a, b| *a == Some(HeadingStrength::Weak) && *b == Some(HeadingStrength::Weak))
    {
        if run.len() >= 3 {
            run.fill(None);
        }
    }
    let mut classes: Vec<BlockClass> = paragraphs
        .iter()
        .zip(&weak)
        .map(|(p, strength)| {
            let level = styled(p);
            let is_heading = p.style_role == StyleRole::Title || level.is_some() || strength.is_some();
            let role = match p.style_role {
                StyleRole::Title => Role::Title,
                StyleRole::Caption => Role::Caption,
                StyleRole::Quotation => Role::BlockQuote,
                StyleRole::Body | StyleRole::TableOfContents => Role::Body,
            };
            if is_heading {
                return BlockClass { kind: BlockKind::Heading, role, level, marker: None };
            }
            plain(p, role)
        })
        .collect();
    // One title; further lines in its style belong to it.
    let mut has_title = false;
    for class in classes.iter_mut().filter(|class| class.role == Role::Title) {
        if std::mem::replace(&mut has_title, true) {
            (class.kind, class.role) = (BlockKind::Paragraph, Role::Body);
        }
    }
    settle_title(paragraphs, &mut classes, body);
    take_back_signatures(paragraphs, &mut classes);
    classes
}

/// Class of a paragraph that is no heading.
fn plain(p: &NormalizedParagraph, role: Role) -> BlockClass {
    let counted = p.marker.as_deref().filter(|marker| marker_kind(marker).is_some());
    let marker = counted.or_else(|| list_marker(&p.text)).map(str::to_owned);
    let role = match role {
        Role::Body if marker.is_none() && p.text.len() <= 300 && is_caption(&p.text) => Role::Caption,
        role => role,
    };
    let kind =
        if marker.is_some() && role == Role::Body { BlockKind::ListItem } else { BlockKind::Paragraph };
    BlockClass { kind, role, level: None, marker: marker.filter(|_| kind == BlockKind::ListItem) }
}

/// For each heading style and level whether its paragraphs are clauses: most of them read as sentences.
fn clause_styles<'a>(paragraphs: &[&'a NormalizedParagraph]) -> BTreeMap<(&'a str, Option<u8>), bool> {
    let mut counts: BTreeMap<(&str, Option<u8>), (usize, usize)> = BTreeMap::new();
    for p in paragraphs.iter().filter(|p| p.heading.is_some()) {
        let (n, n_text) = counts.entry((p.style.as_str(), p.heading)).or_default();
        *n += 1;
        *n_text += usize::from(reads_as_text(p));
    }
    counts.into_iter().map(|(style, (n, n_text))| (style, n_text * 2 > n)).collect()
}

fn reads_as_text(p: &NormalizedParagraph) -> bool {
    let n_words = p.text.split_whitespace().count();
    p.text.chars().count() > MAX_CHARS
        || n_words > 4
            && (ends_sentence(&p.text) || p.text.ends_with([';', ':', '；', '：']))
            && !is_title_case(&p.text)
}

fn body(paragraphs: &[&NormalizedParagraph]) -> BodyFormat {
    let (mut total, mut bold, mut caps) = (0, 0, 0);
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for p in paragraphs.iter().filter(|p| p.heading.is_none() && p.style_role == StyleRole::Body) {
        let n = p.text.len();
        total += n;
        bold += if p.uniform.bold { n } else { 0 };
        caps += if p.uniform.caps { n } else { 0 };
        *sizes.entry((p.dominant.size * 2.0) as u32).or_default() += n;
    }
    let size = sizes.into_iter().max_by_key(|&(_, n)| n).map_or(10.0, |(halves, _)| halves as f32 / 2.0);
    BodyFormat { size, bold: bold * 2 > total, caps: caps * 2 > total }
}

/// Confidence that a paragraph is a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeadingStrength {
    /// By its place or number alone.
    Weak,
    /// By its type, or a number that only headings have.
    Strong,
}

/// Heading confidence of a paragraph without a heading style: by its wording, else by wording and format.
fn strength(p: &NormalizedParagraph, followed: bool, body: BodyFormat) -> Option<HeadingStrength> {
    if p.style_role != StyleRole::Body || p.text.chars().nth(MAX_CHARS).is_some() {
        return None;
    }
    let wording = HeadingWording::of(&p.text);
    if p.centered && is_lone_number(&wording) && followed {
        return Some(HeadingStrength::Strong);
    }
    if is_no_title(&wording) {
        return None;
    }
    if wording.names_division() {
        return Some(HeadingStrength::Strong);
    }
    if wording.is_like_article(false) {
        return (!wording.is_cjk_provision()).then_some(HeadingStrength::Strong);
    }
    by_format(p, &wording, followed, body)
}

/// True if a text is a number or letter and nothing else.
fn is_lone_number(wording: &HeadingWording<'_>) -> bool {
    wording.n_chars <= MAX_LONE_NUMBER
        && wording.text.split_whitespace().count() == 1
        && marker_kind(&format!("{}.", wording.text.trim_end_matches('.'))).is_some()
}

/// True if the wording shows that a paragraph is no heading: figures, a blank to fill in, an item, a sentence that
/// goes on.
fn is_no_title(wording: &HeadingWording<'_>) -> bool {
    let HeadingWording { text, n_chars, n_letters, .. } = *wording;
    let is_form = text.contains("___") || text.contains(" =") || text.contains("....");
    let is_bullet = list_marker(text).is_some_and(|marker| marker.chars().count() == 1);
    n_letters * 2 < n_chars.min(40)
        || n_letters < 2
        || is_form
        || is_bullet
        || wording.starts_lower()
        || wording.is_open()
}

/// Heading confidence by size, weight and place.
fn by_format(
    p: &NormalizedParagraph,
    wording: &HeadingWording<'_>,
    followed: bool,
    body: BodyFormat,
) -> Option<HeadingStrength> {
    let (bold, caps) = (p.uniform.bold && !body.bold, p.uniform.caps && !body.caps);
    let (size, n_words, is_numbered) = (p.dominant.size, wording.n_words, wording.is_numbered());
    let is_numbered_title = is_numbered && n_words <= MAX_NUMBERED_WORDS && bold;
    if wording.ends_sentence && n_words > MAX_SENTENCE_WORDS && !is_numbered_title {
        return None;
    }
    if size > LARGE_TYPE * body.size {
        return Some(HeadingStrength::Strong);
    }
    if size < SMALL_TYPE * body.size || !followed {
        return None;
    }
    let is_apart = p.space_above || p.keep_next;
    let is_loud = bold || caps && (p.centered || p.uniform.underlined || is_numbered || is_apart);
    if is_loud && n_words <= MAX_LOUD_WORDS {
        return Some(HeadingStrength::Strong);
    }
    let ends_in_colon = wording.text.ends_with(':');
    let by_slant = (p.uniform.italic || p.uniform.underlined)
        && n_words <= MAX_SLANTED_WORDS
        && (is_apart || p.centered)
        && (!ends_in_colon || p.uniform.underlined);
    let by_number = wording.numbering == Numbering::Decimal
        && n_words <= MAX_NUMBERED_WORDS
        && !ends_in_colon
        && wording.first_word().trim_end_matches('.').contains('.')
        && !wording.ends_sentence
        && wording.is_title_case;
    let by_place = p.centered && n_words <= MAX_CENTRED_WORDS && p.space_above && wording.is_title_case;
    (!wording.ends_in_year() && (by_slant || by_number || by_place)).then_some(HeadingStrength::Weak)
}

/// Names the title where no style does, and takes back the headings around it: the letterhead above, the
/// parties and the date below.
fn settle_title(paragraphs: &[&NormalizedParagraph], classes: &mut [BlockClass], body: BodyFormat) {
    let named = classes.iter().position(|class| class.role == Role::Title);
    let Some(title) = named.or_else(|| largest(paragraphs, classes, body)) else { return };
    let Some(size) = paragraphs.get(title).map(|p| p.dominant.size) else { return };
    let by_looks = |p: &NormalizedParagraph, class: &BlockClass| {
        class.kind == BlockKind::Heading && class.level.is_none() && numbering(&p.text) == Numbering::None
    };
    let above = || paragraphs.iter().zip(classes.iter()).take(title);
    if above().all(|(p, _)| p.text.chars().count() <= MAX_CHARS && !ends_sentence(&p.text)) {
        for (p, class) in paragraphs.iter().zip(classes.iter_mut()).take(title) {
            if by_looks(p, class) && p.dominant.size <= 1.03 * body.size {
                *class = plain(p, Role::Body);
            }
        }
    }
    if let Some(class) = classes.get_mut(title) {
        class.role = Role::Title;
    }
    let mut after_plain = false;
    for (p, class) in paragraphs.iter().zip(classes.iter_mut()).skip(title + 1) {
        let belongs = p.centered
            && p.dominant.size < size
            && numbering(&p.text) == Numbering::None
            && class.level.is_none();
        if !belongs {
            break;
        }
        let is_light = p.dominant.size <= LARGE_TYPE * body.size && !p.uniform.bold && !p.uniform.caps;
        if class.kind == BlockKind::Heading && (is_light || after_plain) {
            *class = plain(p, Role::Body);
        }
        after_plain |= class.kind == BlockKind::Paragraph;
    }
}

/// The largest heading at the start, if it is larger than the text and no style makes it a section.
fn largest(paragraphs: &[&NormalizedParagraph], classes: &[BlockClass], body: BodyFormat) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    let start = paragraphs.iter().zip(classes).enumerate().take(MAX_TITLE_PLACE);
    for (at, (p, _)) in start
        .take_while(|(_, (_, class))| class.level.is_none())
        .filter(|(_, (_, class))| class.kind == BlockKind::Heading)
    {
        if p.dominant.size > 1.15 * body.size && best.is_none_or(|(_, size)| p.dominant.size > size + 0.2) {
            best = Some((at, p.dominant.size));
        }
    }
    best.map(|(at, _)| at)
}

/// The name that signs a letter is set like a heading and heads nothing.
fn take_back_signatures(paragraphs: &[&NormalizedParagraph], classes: &mut [BlockClass]) {
    let mut n_signed = MAX_SIGNED;
    for (p, class) in paragraphs.iter().zip(classes) {
        let is_signature = class.kind == BlockKind::Heading
            && class.level.is_none()
            && numbering(&p.text) == Numbering::None;
        if n_signed < MAX_SIGNED && is_signature {
            *class = plain(p, Role::Body);
            n_signed += 1;
        } else {
            n_signed = if is_closing(&p.text) { 0 } else { MAX_SIGNED };
        }
    }
}
