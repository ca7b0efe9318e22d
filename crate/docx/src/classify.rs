//! Which paragraphs are headings, items of lists, captions, the title.
//!
//! The rules of [`text::heading`] say which are headings; what a style declares stands at their top. The title and the
//! lines around it are found here, by size and place. Levels by looks are the business of sections. Cost: linear in
//! the paragraphs.

use document::{BlockKind, Role};

use text::heading::{LARGE_TYPE, MAX_CHARS};
use text::rules::Rules;
use text::wording::{Numbering, ends_sentence, is_caption, is_closing, list_marker, marker_kind, numbering};

use crate::headings::{self, BodyFormat};
use crate::normalize::NormalizedParagraph;
use crate::styles::StyleRole;

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

/// Classes of the paragraphs; `followed` marks those with text below that they can head.
pub(crate) fn classify(
    paragraphs: &[&NormalizedParagraph],
    followed: &[bool],
    rules: &Rules,
) -> Vec<BlockClass> {
    let body = BodyFormat::of(paragraphs);
    let decisions = headings::judge(paragraphs, followed, body, rules);
    let mut classes: Vec<BlockClass> = paragraphs
        .iter()
        .zip(&decisions)
        .map(|(p, decision)| {
            let role = match p.style_role {
                StyleRole::Title => Role::Title,
                StyleRole::Caption => Role::Caption,
                StyleRole::Quotation => Role::BlockQuote,
                StyleRole::Body | StyleRole::TableOfContents => Role::Body,
            };
            if decision.is_heading() {
                return BlockClass { kind: BlockKind::Heading, role, level: p.heading, marker: None };
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
