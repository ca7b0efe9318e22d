//! The heading that names a place.

use document::{Document, SectionId, TextRange};

use crate::question::PlaceAsked;

/// Longest heading that is quoted, in bytes. A longer one is running text that looks like one.
const MAX_HEADING_BYTES: usize = 300;

/// The section around `section` whose heading names the place asked for, and that heading. A heading that opens with the
/// division that the question names comes first, then the innermost one with a word: "11.5.1" alone tells nobody where.
pub(crate) fn heading_of(
    source: &Document,
    section: SectionId,
    place: PlaceAsked,
) -> Option<(SectionId, TextRange)> {
    let path = source.tree.path(section);
    let headed = path.iter().rev().filter_map(|&id| {
        let heading = source.tree.sections.get(id.idx())?.heading?;
        let words = source.layout.slice(heading).trim();
        (!words.is_empty() && heading.len() <= MAX_HEADING_BYTES).then_some((id, heading, words))
    });
    let headed: Vec<(SectionId, TextRange, &str)> = headed.collect();
    let is_named = |words: &str| {
        let opening = words.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        place.division.is_some_and(|division| opening.eq_ignore_ascii_case(division))
    };
    let named = headed.iter().find(|(_, _, words)| is_named(words));
    let has_word = |words: &str| {
        words.split_whitespace().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
    };
    let worded = || headed.iter().find(|(_, _, words)| text::is_mostly_cjk(words) || has_word(words));
    named.or_else(worded).map(|&(id, heading, _)| (id, heading))
}
