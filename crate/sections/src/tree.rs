//! Headings with their places to a tree of sections that holds every block once.

use document::{Block, BlockId, BlockKind, Layout, Role, Section, SectionId, TextRange};

use crate::heading::Heading;
use crate::heading_class::HeadingPosition;

/// The sections in reading order, the root first. A heading's position in `headings` plus one is its id.
pub(crate) fn assemble(layout: &Layout, headings: &[Heading], places: &[HeadingPosition]) -> Vec<Section> {
    let end = layout.blocks.last().map_or(0, |block| block.range.end);
    let title =
        layout.blocks.iter().find(|block| block.role == Role::Title).map(|block| layout.slice(block.range));
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default(),
        heading: None,
        range: TextRange { start: 0, end },
        blocks: Vec::new(),
        is_article: false,
    };
    let mut sections = Vec::with_capacity(headings.len() + 1);
    sections.push(root);
    for (heading, place) in headings.iter().zip(places) {
        sections.push(Section {
            parent: Some(place.parent.map_or(SectionId(0), |parent| SectionId::from_idx(parent + 1))),
            level: place.level,
            label: heading.number.as_ref().map(|number| number.label.clone()),
            title: heading.title.clone(),
            heading: Some(heading.range),
            range: heading.range,
            blocks: Vec::new(),
            is_article: false,
        });
    }
    assign_blocks(layout, headings, &mut sections);
    set_ends(layout, headings, &mut sections);
    sections
}

/// Gives every block of body text to the last section that opened at or before it.
fn assign_blocks(layout: &Layout, headings: &[Heading], sections: &mut [Section]) {
    let mut current = 0;
    for (at, block) in layout.blocks.iter().enumerate() {
        while headings.get(current).is_some_and(|heading| heading.block <= at) {
            current += 1;
        }
        if is_body(block)
            && let Some(section) = sections.get_mut(current)
        {
            section.blocks.push(BlockId::from_idx(at));
        }
    }
}

/// Sets the ends: a section ends with the last block before the next heading that it does not enclose.
fn set_ends(layout: &Layout, headings: &[Heading], sections: &mut [Section]) {
    let end_before = |block: usize| {
        block.checked_sub(1).and_then(|last| layout.blocks.get(last)).map_or(0, |block| block.range.end)
    };
    // Backwards, the end of each section is known before its parent needs it.
    let mut next_block = layout.blocks.len();
    for id in (1..sections.len()).rev() {
        let own_end = end_before(next_block);
        next_block = headings.get(id - 1).map_or(next_block, |heading| heading.block);
        let Some(section) = sections.get_mut(id) else { continue };
        section.range.end = section.range.end.max(own_end);
        let (end, parent) = (section.range.end, section.parent);
        if let Some(parent) = parent.and_then(|parent| sections.get_mut(parent.idx())) {
            parent.range.end = parent.range.end.max(end);
        }
    }
}

/// True if a block belongs to the body, not to the notes.
pub(crate) fn is_body(block: &Block) -> bool {
    block.kind != BlockKind::Footnote
}
