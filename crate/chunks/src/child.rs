//! Children: units cut between sentences to the encoder's input size.
//!
//! A child lies in one section, so that the headings in front of it apply to all its words; only sections of a line or
//! two are merged with their neighbours. A child never crosses the edge of a parent, so one in an overlap has two
//! parents. The parts of a unit are spread evenly over its children, so that none is a tail of a few words.

use std::ops::Range;

use document::{Chunk, ChunkId, ChunkKind, Layout, SectionId, Slice as _, Tree};

use crate::budget::SentencePart;
use crate::tree::{SectionIndex, chunk, common};
use crate::unit::Unit;

/// Size in tokens below which a unit is merged with its neighbours.
const TINY: usize = 48;

/// The children in reading order, with their parents. [`crate::article::chunks`] sets their articles.
pub(crate) fn cut(
    layout: &Layout,
    tree: &Tree,
    parts: &[SentencePart],
    units: &[Unit],
    parents: &[Range<usize>],
    section_index: &SectionIndex,
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
        for group in groups(tree, units, segment, section_index) {
            for range in spread(parts, &group) {
                let members = parts.slice(range);
                let mut child = chunk(layout, ChunkKind::Child, group.section, members);
                child.parents.clone_from(&above);
                children.push(child);
            }
        }
    }
    children
}

/// The ranges of units between the edges of parents.
fn segments(parents: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut edges: Vec<usize> = parents.iter().flat_map(|parent| [parent.start, parent.end]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.iter().zip(edges.iter().skip(1)).map(|(&start, &end)| start..end).collect()
}

/// Neighbouring units that are cut into children together.
struct Group {
    section: SectionId,
    parts: Range<usize>,
    n_tokens: usize,
    limit: usize,
}

fn groups(tree: &Tree, units: &[Unit], segment: Range<usize>, section_index: &SectionIndex) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for unit in units.slice(segment) {
        let own = Group {
            section: unit.section,
            parts: unit.parts.clone(),
            n_tokens: unit.n_tokens,
            limit: unit.child_tokens,
        };
        match groups.last_mut().filter(|last| goes_with(tree, last, &own, section_index)) {
            Some(last) => {
                last.section = common(tree, last.section, own.section);
                last.parts.end = own.parts.end;
                last.n_tokens += own.n_tokens;
                last.limit = last.limit.min(own.limit);
            }
            None => groups.push(own),
        }
    }
    groups
}

/// True if two neighbours are short enough for one child: siblings, or a section and its first subsection, of the same
/// article or of none.
fn goes_with(tree: &Tree, last: &Group, next: &Group, section_index: &SectionIndex) -> bool {
    let above = common(tree, last.section, next.section);
    let parent_of = |section: SectionId| tree.sections.get(section.idx()).and_then(|section| section.parent);
    let close = |section: SectionId| section == above || parent_of(section) == Some(above);
    // At the root all are siblings: a cover of one-line blocks, a list of names.
    last.n_tokens.min(next.n_tokens) < TINY
        && last.n_tokens + next.n_tokens <= last.limit.min(next.limit)
        && section_index.article(last.section) == section_index.article(next.section)
        && close(last.section)
        && close(next.section)
}

/// Cuts a group into children of similar size, as ranges of parts.
fn spread(parts: &[SentencePart], group: &Group) -> Vec<Range<usize>> {
    let members = parts.slice(group.parts.clone());
    let limit = group.limit.max(1);
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let (mut start, mut total) = (group.parts.start, 0);
    // Tokens from the start of the open child to the end of the group.
    let mut left = group.n_tokens;
    let mut seen = 0;
    // Start and size of the headings at the end of the open child.
    let mut headings: Option<(usize, usize)> = None;
    for (at, part) in group.parts.clone().zip(members) {
        let n_children = left.div_ceil(limit).max(1);
        let target = left.div_ceil(n_children);
        let over = total + part.n_tokens > limit;
        // A child may end early at the end of a paragraph, unless that makes one child more.
        let at_end = part.starts_block
            && total * 4 >= target * 3
            && left.saturating_sub(total).div_ceil(limit) < n_children;
        let enough = total >= target || at_end;
        if total > 0 && (over || enough) {
            // Headings at the end go with the text that follows, unless the child is headings alone.
            let (end, taken) = headings.filter(|&(from, _)| from > start).unwrap_or((at, 0));
            let fits = taken + part.n_tokens <= limit;
            let only_heads = headings.is_some_and(|(from, _)| from == start);
            if only_heads && !over {
                // Its text follows.
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
        total += part.n_tokens;
        seen += part.n_tokens;
        headings = match (part.is_heading, headings) {
            (true, Some((from, size))) if from >= start => Some((from, size + part.n_tokens)),
            (true, _) => Some((at, part.n_tokens)),
            (false, _) => None,
        };
    }
    if start < group.parts.end {
        cuts.push(start..group.parts.end);
    }
    cuts
}
