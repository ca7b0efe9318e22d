//! Children: units cut at sentences to what the encoder reads.
//!
//! A child lies in one section, so that the headings in front of it are true of all its words; only sections
//! of a line or two are put together with their neighbours. It never crosses the edge of a parent, so a child
//! in an overlap is one child with two parents. The pieces of a unit are spread evenly over the children it
//! needs: no tail of three words.

use std::ops::Range;

use document::{Chunk, ChunkId, ChunkKind, Layout, SectionId, Tree};

use crate::budget::Piece;
use crate::tree::{Outline, chunk, common};
use crate::unit::Unit;

/// Units smaller than this (in tokens) are put together with their neighbours.
const TINY: usize = 48;

/// The children, in reading order. Each has its parents; its article is set when the articles are made.
pub(crate) fn cut(
    layout: &Layout,
    tree: &Tree,
    pieces: &[Piece],
    units: &[Unit],
    parents: &[Range<usize>],
    outline: &Outline,
) -> Vec<Chunk> {
    let mut children = Vec::new();
    let mut first_parent = 0;
    for segment in segments(parents) {
        while parents.get(first_parent).is_some_and(|parent| parent.end <= segment.start) {
            first_parent += 1;
        }
        let above: Vec<ChunkId> = parents
            .iter()
            .enumerate()
            .skip(first_parent)
            .take_while(|(_, parent)| parent.start <= segment.start)
            .map(|(at, _)| ChunkId::from_idx(at))
            .collect();
        for group in groups(tree, units, segment, outline) {
            for range in spread(pieces, &group) {
                let members = pieces.get(range).unwrap_or_default();
                let mut child = chunk(layout, ChunkKind::Child, group.section, members);
                child.parents.clone_from(&above);
                children.push(child);
            }
        }
    }
    children
}

/// The runs of units between the edges of parents.
fn segments(parents: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut edges: Vec<usize> = parents.iter().flat_map(|parent| [parent.start, parent.end]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.iter().zip(edges.iter().skip(1)).map(|(&start, &end)| start..end).collect()
}

/// Units that are cut into children together.
struct Group {
    section: SectionId,
    pieces: Range<usize>,
    n_tokens: usize,
    limit: usize,
}

fn groups(tree: &Tree, units: &[Unit], segment: Range<usize>, outline: &Outline) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for unit in units.get(segment).unwrap_or_default() {
        let own = Group {
            section: unit.section,
            pieces: unit.pieces.clone(),
            n_tokens: unit.n_tokens,
            limit: unit.child_tokens,
        };
        match groups.last_mut().filter(|last| goes_with(tree, last, &own, outline)) {
            Some(last) => {
                last.section = common(tree, last.section, own.section);
                last.pieces.end = own.pieces.end;
                last.n_tokens += own.n_tokens;
                last.limit = last.limit.min(own.limit);
            }
            None => groups.push(own),
        }
    }
    groups
}

/// Whether two neighbours are so short that they make one child: sisters, or a section and its first
/// subsection, of the same article or of none.
fn goes_with(tree: &Tree, last: &Group, next: &Group, outline: &Outline) -> bool {
    let above = common(tree, last.section, next.section);
    let parent_of = |section: SectionId| tree.sections.get(section.idx()).and_then(|section| section.parent);
    let close = |section: SectionId| section == above || parent_of(section) == Some(above);
    // At the root anything is a sister of anything: a cover of one-line blocks, a list of names.
    last.n_tokens.min(next.n_tokens) < TINY
        && last.n_tokens + next.n_tokens <= last.limit.min(next.limit)
        && outline.article(last.section) == outline.article(next.section)
        && close(last.section)
        && close(next.section)
}

/// Cuts the pieces of a group into children of about the same size.
fn spread(pieces: &[Piece], group: &Group) -> Vec<Range<usize>> {
    let members = pieces.get(group.pieces.clone()).unwrap_or_default();
    let limit = group.limit.max(1);
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let (mut start, mut total) = (group.pieces.start, 0);
    // What is left from the beginning of the open child on, and how large the child should be.
    let mut left = group.n_tokens;
    let mut seen = 0;
    // Where the headings begin that the open child would end with, and their size.
    let mut heads: Option<(usize, usize)> = None;
    for (at, piece) in group.pieces.clone().zip(members) {
        let n_children = left.div_ceil(limit).max(1);
        let target = left.div_ceil(n_children);
        let over = total + piece.n_tokens > limit;
        // At the end of a paragraph a child may be shorter, if that does not make one child more.
        let at_end =
            piece.opens && total * 4 >= target * 3 && left.saturating_sub(total).div_ceil(limit) < n_children;
        let enough = total >= target || at_end;
        if total > 0 && (over || enough) {
            // Headings at the end go with what follows, unless the child is nothing else.
            let (end, taken) = heads.filter(|&(from, _)| from > start).unwrap_or((at, 0));
            let fits = taken + piece.n_tokens <= limit;
            let only_heads = heads.is_some_and(|(from, _)| from == start);
            if only_heads && !over {
                // Its text is still to come.
            } else if fits {
                cuts.push(start..end);
                (start, total) = (end, taken);
                left = group.n_tokens.saturating_sub(seen - taken);
            } else {
                cuts.push(start..at);
                (start, total) = (at, 0);
                left = group.n_tokens.saturating_sub(seen);
            }
        }
        total += piece.n_tokens;
        seen += piece.n_tokens;
        heads = match (piece.heads, heads) {
            (true, Some((from, size))) if from >= start => Some((from, size + piece.n_tokens)),
            (true, _) => Some((at, piece.n_tokens)),
            (false, _) => None,
        };
    }
    if start < group.pieces.end {
        cuts.push(start..group.pieces.end);
    }
    cuts
}
