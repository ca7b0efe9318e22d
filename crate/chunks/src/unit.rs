//! Units: the text directly under one heading, in parts. Parents are merged from units.
//!
//! A heading without text of its own ("PART 3" before "3.1") belongs to the unit of the text that follows, so that no
//! chunk ends in a heading. A unit far over a parent's size is cut between paragraphs, then between sentences.

use std::ops::Range;

use document::{BlockKind, Layout, Role, SectionId, Slice as _, Tree};
use text::TokenCount;

use crate::budget::{SentencePart, TokenLimits, sentences};
use crate::header;
use crate::options::Options;

/// The text under one heading, or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its section. Headings of outer sections may precede its text.
    pub(crate) section: SectionId,
    /// Its parts, as indices.
    pub(crate) parts: Range<usize>,
    /// Size in tokens.
    pub(crate) n_tokens: usize,
    /// True if it is cut from a longer unit.
    pub(crate) is_cut: bool,
    /// Maximum size of a child in tokens, without the headings in front of it.
    pub(crate) child_tokens: usize,
}

/// Ratio of a unit to a parent's size from which it is cut: 5 / 4.
const FAR_OVER: (usize, usize) = (5, 4);

/// All parts of the body in reading order, and their units.
pub(crate) fn collect(
    layout: &Layout,
    tree: &Tree,
    tokens: &dyn TokenCount,
    options: &Options,
) -> (Vec<SentencePart>, Vec<Unit>) {
    let mut parts: Vec<SentencePart> = Vec::new();
    let mut units: Vec<Unit> = Vec::new();
    let mut start = 0;
    // Tokens of headings whose text has not come yet.
    let mut lead = 0;
    for (at, section) in (0u32..).zip(&tree.sections) {
        let id = SectionId(at);
        let room = room(tree, id, tokens, options);
        let mut has_text = false;
        for block in section.blocks.iter().filter_map(|block| layout.blocks.get(block.idx())) {
            let head_end = section.heading.map_or(0, |heading| heading.end);
            let is_head = block.kind == BlockKind::Heading || block.role == Role::Title;
            let first = if lead < room { (room - lead).max(room / 4) } else { room };
            let mut starts_block = true;
            sentences(
                layout.slice(block.range),
                block.range.start as usize,
                TokenLimits { first, rest: room },
                tokens,
                &mut |range, n_tokens| {
                    let is_heading = is_head || range.end <= head_end;
                    parts.push(SentencePart { range, n_tokens, section: id, is_heading, starts_block });
                    starts_block = false;
                    lead = if is_heading { lead + n_tokens } else { 0 };
                    has_text |= !is_heading;
                },
            );
        }
        // Headings that fill half a child are a unit of their own.
        if has_text || lead * 2 > room {
            push(&parts, start..parts.len(), id, room, options, &mut units);
            (start, lead) = (parts.len(), 0);
        }
    }
    let rest = parts.slice(start..);
    match units.last_mut() {
        _ if rest.is_empty() => {}
        Some(last) if !last.is_cut => {
            last.n_tokens += n_tokens(rest);
            last.parts.end = parts.len();
        }
        _ => {
            let section = parts.last().map_or(SectionId(0), |part| part.section);
            let room = room(tree, section, tokens, options);
            push(&parts, start..parts.len(), section, room, options, &mut units);
        }
    }
    (parts, units)
}

fn n_tokens(parts: &[SentencePart]) -> usize {
    parts.iter().map(|part| part.n_tokens).sum()
}

/// Tokens left for the text of a child by the headings above it.
fn room(tree: &Tree, section: SectionId, tokens: &dyn TokenCount, options: &Options) -> usize {
    let tagged = header::tagged(&header::path(tree, section, &[]));
    options.child_tokens.saturating_sub(tokens.count(&tagged)).max(options.child_tokens / 2)
}

fn push(
    parts: &[SentencePart],
    range: Range<usize>,
    section: SectionId,
    child_tokens: usize,
    options: &Options,
    units: &mut Vec<Unit>,
) {
    let members = parts.slice(range.clone());
    let n_tokens = n_tokens(members);
    let limit = options.parent_tokens;
    if n_tokens * FAR_OVER.1 <= limit * FAR_OVER.0 {
        units.push(Unit { section, parts: range, n_tokens, is_cut: false, child_tokens });
        return;
    }
    let target = n_tokens.div_ceil(n_tokens.div_ceil(limit));
    let (mut start, mut total) = (range.start, 0);
    let mut headed = false;
    for (at, part) in range.clone().zip(members) {
        let full = total + part.n_tokens > limit || total >= target && part.starts_block;
        if total > 0 && full && !headed {
            units.push(Unit { section, parts: start..at, n_tokens: total, is_cut: true, child_tokens });
            (start, total) = (at, 0);
        }
        total += part.n_tokens;
        headed = part.is_heading;
    }
    units.push(Unit { section, parts: start..range.end, n_tokens: total, is_cut: true, child_tokens });
}
