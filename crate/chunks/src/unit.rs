//! Units: what parents are merged from. The text directly under one heading, in pieces.
//!
//! A heading without text of its own ("PART 3" before "3.1") goes with the text that follows it, so that no
//! chunk ends in a heading. A unit far over a parent's size is cut at paragraphs, then sentences.

use std::ops::Range;

use document::{BlockKind, Layout, Role, SectionId, Tree};
use text::TokenCount;

use crate::Options;
use crate::budget::{Limits, Piece, sentences};
use crate::header;

/// The pieces under one heading, or a part of them.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// The section whose text it is. Headings above it may stand in front.
    pub(crate) section: SectionId,
    /// Its pieces.
    pub(crate) pieces: Range<usize>,
    /// Their size.
    pub(crate) n_tokens: usize,
    /// Whether it is a part of a longer unit.
    pub(crate) is_cut: bool,
    /// Most tokens of a child: what the headings leave.
    pub(crate) child_tokens: usize,
}

/// A unit is cut when it exceeds a parent's size by more than a quarter.
const FAR_OVER: (usize, usize) = (5, 4);

/// All pieces of the body in reading order, and the units they make.
pub(crate) fn collect(
    layout: &Layout,
    tree: &Tree,
    tokens: &dyn TokenCount,
    options: &Options,
) -> (Vec<Piece>, Vec<Unit>) {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut units: Vec<Unit> = Vec::new();
    let mut start = 0;
    // Tokens of the headings that wait for their text.
    let mut lead = 0;
    for (at, section) in (0u32..).zip(&tree.sections) {
        let id = SectionId(at);
        let room = room(tree, id, tokens, options);
        let mut has_text = false;
        for block in section.blocks.iter().filter_map(|block| layout.blocks.get(block.idx())) {
            let head_end = section.heading.map_or(0, |heading| heading.end);
            let is_head = block.kind == BlockKind::Heading || block.role == Role::Title;
            let first = if lead < room { (room - lead).max(room / 4) } else { room };
            let mut opens = true;
            sentences(
                layout.slice(block.range),
                block.range.start as usize,
                Limits { first, rest: room },
                tokens,
                &mut |range, n_tokens| {
                    let heads = is_head || range.end <= head_end;
                    pieces.push(Piece { range, n_tokens, section: id, heads, opens });
                    opens = false;
                    lead = if heads { lead + n_tokens } else { 0 };
                    has_text |= !heads;
                },
            );
        }
        // Headings that fill a child by themselves wait no longer.
        if has_text || lead * 2 > room {
            push(&pieces, start..pieces.len(), id, room, options, &mut units);
            (start, lead) = (pieces.len(), 0);
        }
    }
    if start < pieces.len() {
        match units.last_mut() {
            Some(last) if !last.is_cut => {
                last.n_tokens +=
                    pieces.get(start..).unwrap_or_default().iter().map(|piece| piece.n_tokens).sum::<usize>();
                last.pieces.end = pieces.len();
            }
            _ => {
                let section = pieces.last().map_or(SectionId(0), |piece| piece.section);
                let room = room(tree, section, tokens, options);
                push(&pieces, start..pieces.len(), section, room, options, &mut units);
            }
        }
    }
    (pieces, units)
}

/// What the headings above a child leave of its tokens.
fn room(tree: &Tree, section: SectionId, tokens: &dyn TokenCount, options: &Options) -> usize {
    let tagged = header::tagged(&header::path(tree, section, &[]));
    options.child_tokens.saturating_sub(tokens.count(&tagged)).max(options.child_tokens / 2)
}

fn push(
    pieces: &[Piece],
    range: Range<usize>,
    section: SectionId,
    child_tokens: usize,
    options: &Options,
    units: &mut Vec<Unit>,
) {
    let members = pieces.get(range.clone()).unwrap_or_default();
    let n_tokens: usize = members.iter().map(|piece| piece.n_tokens).sum();
    let limit = options.parent_tokens;
    if n_tokens * FAR_OVER.1 <= limit * FAR_OVER.0 {
        units.push(Unit { section, pieces: range, n_tokens, is_cut: false, child_tokens });
        return;
    }
    let target = n_tokens.div_ceil(n_tokens.div_ceil(limit));
    let (mut start, mut total) = (range.start, 0);
    let mut headed = false;
    for (at, piece) in range.clone().zip(members) {
        let full = total + piece.n_tokens > limit || total >= target && piece.opens;
        if total > 0 && full && !headed {
            units.push(Unit { section, pieces: start..at, n_tokens: total, is_cut: true, child_tokens });
            (start, total) = (at, 0);
        }
        total += piece.n_tokens;
        headed = piece.heads;
    }
    units.push(Unit { section, pieces: start..range.end, n_tokens: total, is_cut: true, child_tokens });
}
