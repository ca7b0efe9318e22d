//! Articles: sections that are one numbered provision by itself.
//!
//! A rulebook numbers its chapters (3), its sections (3.2) and its rules (3.2.1) alike; a contract its
//! ARTICLE VII and its Section 7.1. What the reader cites is the level at which the text lives. So each
//! numbering class is asked how much of its text stands directly in its sections rather than in numbered
//! sections below them: where that is most of it, its sections are articles, and nothing inside them is
//! another. Parts, chapters and the headings of an argument ("I.", "A.") are none; neither is a section of
//! many pages. Cost: linear in sections.

use document::{Layout, OrNever as _, Section};

use crate::heading::Heading;
use crate::heading_class::HeadingPosition;
use crate::numbering::Kind;

/// Longest article in bytes: some six pages of English. Longer provisions are found by their subsections.
const MAX_ARTICLE: usize = 24_000;
/// A class is one of articles when this share (in percent) of its text stands in its sections directly.
const DIRECT_SHARE: u64 = 50;

/// Marks the articles among `sections`.
pub(crate) fn mark(
    layout: &Layout,
    headings: &[Heading],
    places: &[HeadingPosition],
    sections: &mut [Section],
) {
    let provision: Vec<bool> =
        headings.iter().zip(places).map(|(heading, place)| is_provision(heading, place, headings)).collect();
    let body = bytes_with_subsections(layout, headings, places, sections, None);
    let direct = bytes_with_subsections(layout, headings, places, sections, Some(&provision));
    let n_classes = places.iter().map(|place| place.class + 1).max().unwrap_or(0);
    let mut all_of = vec![0u64; n_classes];
    let mut direct_of = vec![0u64; n_classes];
    for (place, (all, direct)) in places.iter().zip(body.iter().zip(&direct)) {
        let of_class = (all_of.get_mut(place.class), direct_of.get_mut(place.class));
        let (Some(all_of_class), Some(direct_of_class)) = of_class else { continue };
        *all_of_class += all;
        *direct_of_class += direct;
    }
    let mut inside = vec![false; places.len()];
    for (at, place) in places.iter().enumerate() {
        let in_article =
            place.parent.is_some_and(|parent| inside.get(parent).copied().or_never("the section above"));
        let class = place.class;
        let of_class = all_of.get(class).copied().zip(direct_of.get(class).copied());
        let (all, own) = of_class.or_never("the bytes of a class");
        let length = body.get(at).copied().or_never("the bytes of a section");
        let lives_here = own * 100 >= all * DIRECT_SHARE || direct.get(at).copied() == Some(length);
        let is_article = !in_article
            && provision.get(at).copied().or_never("a heading of a section")
            && lives_here
            && length > 0
            && length <= MAX_ARTICLE as u64;
        if let Some(slot) = inside.get_mut(at) {
            *slot = in_article || is_article;
        }
        if let Some(section) = sections.get_mut(at + 1) {
            section.is_article = is_article;
        }
    }
}

/// True if the number of a heading is one that provisions bear. A bare number ("7.") is one at the outermost
/// level or directly under a Part or Chapter, where it numbers clauses; under "I." or "A." it numbers steps of
/// an argument.
fn is_provision(heading: &Heading, place: &HeadingPosition, headings: &[Heading]) -> bool {
    let Some(number) = &heading.number else { return false };
    match number.kind {
        Kind::Section | Kind::Article | Kind::Rule | Kind::Sign | Kind::Tiao | Kind::Decimal => true,
        Kind::Arabic if !number.closed => false,
        Kind::Arabic => {
            let above = place.parent.and_then(|parent| headings.get(parent)).map(|parent| &parent.number);
            match above {
                None | Some(None) => true,
                Some(Some(above)) => above.kind.is_container() || above.kind == Kind::Article,
            }
        }
        _ => false,
    }
}

/// Bytes of body text below the headings of each section and its subsections; with `skip`, those of the
/// subsections it marks left out.
fn bytes_with_subsections(
    layout: &Layout,
    headings: &[Heading],
    places: &[HeadingPosition],
    sections: &[Section],
    skip: Option<&[bool]>,
) -> Vec<u64> {
    let mut bytes: Vec<u64> = headings
        .iter()
        .enumerate()
        .map(|(at, heading)| {
            let blocks = sections.get(at + 1).map(|section| section.blocks.as_slice());
            let blocks = blocks.or_never("the section of a heading");
            let all: usize = blocks
                .iter()
                .filter_map(|id| layout.blocks.get(id.idx()))
                .map(|block| block.range.len())
                .sum();
            all.saturating_sub(heading.range.len()) as u64
        })
        .collect();
    for at in (0..places.len()).rev() {
        let skipped = skip.is_some_and(|skip| skip.get(at).copied().or_never("a heading of a section"));
        let own = bytes.get(at).copied().or_never("the bytes of a section");
        if let (false, Some(parent)) = (skipped, places.get(at).and_then(|place| place.parent))
            && let Some(slot) = bytes.get_mut(parent)
        {
            *slot += own;
        }
    }
    bytes
}
