//! Headings that enclose nothing although others follow them: the words of a cover, the head of a paper that
//! names its authors and its subject, an abstract before section 1, recitals, tables of contents.
//!
//! They stand on the outermost level, and what follows them does too. Cost: linear in headings.

use std::collections::HashMap;

use crate::heading::Heading;
use crate::heading_class::{ClassKey, HeadingPosition};
use crate::numbering::Kind;

/// Most headings at the start of a document that can be the words of its cover.
pub(crate) const MAX_COVER: usize = 6;
/// Fewest headings inside one that is taken for the title.
const MIN_INSIDE: usize = 3;
/// Most bytes of text between two words of a cover.
const MAX_COVER_TEXT: u32 = 150;
/// Fewest headings of a head that recurs.
const MIN_HEAD: usize = 3;

/// For each heading, whether it encloses nothing.
pub(crate) fn find(headings: &[Heading], keys: &[ClassKey]) -> Vec<bool> {
    const WORDS: [&str; 11] = [
        "abstract",
        "background and recitals",
        "contents",
        "preamble",
        "recital",
        "recitals",
        "table of contents",
        "this page intentionally left blank",
        "whereas",
        "witnesseth",
        "目录",
    ];
    let cover = cover(headings, keys);
    let mut flat: Vec<bool> = headings
        .iter()
        .enumerate()
        .map(|(at, heading)| {
            let title = heading.title.trim_matches(|c: char| !c.is_alphanumeric());
            at < cover || title.len() <= 40 && WORDS.contains(&title.to_lowercase().as_str())
        })
        .collect();
    heads(headings, keys, &mut flat);
    if let Some(slot) = before_the_first(headings, keys).and_then(|at| flat.get_mut(at)) {
        *slot = true;
    }
    flat
}

/// Bytes of text between a heading and the next one.
fn gap(headings: &[Heading], at: usize) -> Option<u32> {
    let (heading, next) = (headings.get(at)?, headings.get(at + 1)?);
    Some(next.range.start.saturating_sub(heading.range.end))
}

/// The head of each paper in a file that holds several, as an issue of a gazette does: the unnumbered headings
/// with which the file begins, hardly a word between them, wherever they recur as a sequence.
fn heads(headings: &[Heading], keys: &[ClassKey], flat: &mut [bool]) {
    let in_head = |at: &usize| {
        keys.get(*at).is_some_and(|key| key.is_styled() && !key.announces())
            && gap(headings, *at).is_some_and(|gap| gap <= MAX_COVER_TEXT)
    };
    let n = (0..headings.len()).take(MAX_COVER).take_while(in_head).count();
    let Some(&first) = keys.first().filter(|_| n >= MIN_HEAD - 1) else { return };
    let starts: Vec<usize> = (0..keys.len()).filter(|&at| keys.get(at) == Some(&first)).collect();
    // The first heading is that of a head alone: others set like it begin heads too.
    let is_head = |start: &usize| (0..n).all(|i| in_head(&(start + i)));
    if starts.len() * 4 > headings.len() || !starts.iter().all(is_head) {
        return;
    }
    for start in starts {
        for slot in flat.iter_mut().skip(start).take(n) {
            *slot = true;
        }
    }
}

/// The unnumbered heading right above "1." or "I." when all of that numbering stands below it and no heading like
/// it has text of its own before: an abstract, or the title of an opinion.
fn before_the_first(headings: &[Heading], keys: &[ClassKey]) -> Option<usize> {
    let is_first = |heading: &Heading| {
        heading.number.as_ref().is_some_and(|number| {
            matches!(number.kind, Kind::Arabic | Kind::Roman) && number.last() == 1 && !heading.run_in
        })
    };
    let first = headings.iter().position(is_first)?;
    let above = first.checked_sub(1)?;
    let (numbered, key) = (*keys.get(first)?, *keys.get(above)?);
    let last = keys.iter().rposition(|&other| other == numbered)?;
    let recurs = keys.get(first..last)?.contains(&key);
    let has_text = (0..above)
        .any(|at| keys.get(at) == Some(&key) && gap(headings, at).is_some_and(|gap| gap > MAX_COVER_TEXT));
    (key.is_styled() && !key.announces() && !recurs && !has_text && last > first).then_some(above)
}

/// A heading on the first page that encloses nearly all others, alone of its kind: the title of the document,
/// not a section of it.
pub(crate) fn title(headings: &[Heading], keys: &[ClassKey], places: &[HeadingPosition]) -> Option<usize> {
    let first_page = headings.first().and_then(|heading| heading.page);
    let roots: Vec<usize> = (0..places.len())
        .filter(|&at| places.get(at).is_some_and(|place| place.parent.is_none()))
        .chain([places.len()])
        .collect();
    roots.iter().zip(roots.iter().skip(1)).map(|(&at, &end)| (at, end)).find_map(|(at, end)| {
        let (heading, key) = (headings.get(at)?, keys.get(at)?);
        let is_word = heading.number.as_ref().is_none_or(|number| number.kind == Kind::Schedule);
        let inside = end - at - 1;
        let holds_all = inside >= MIN_INSIDE && inside * 10 >= places.len() * 8;
        let alone = || keys.iter().filter(|other| *other == key).count() == 1;
        (is_word
            && !key.announces()
            && holds_all
            && (heading.page == first_page || at < MAX_COVER)
            && alone())
        .then_some(at)
    })
}

/// Number of headings at the start that are the words of a cover: on the first page, set once, unnumbered (or the
/// number of the file as an exhibit), with hardly a word of text between them and the next.
fn cover(headings: &[Heading], keys: &[ClassKey]) -> usize {
    let mut n_of: HashMap<ClassKey, usize> = HashMap::new();
    for &key in keys {
        *n_of.entry(key).or_default() += 1;
    }
    let first_page = headings.first().and_then(|heading| heading.page);
    let zipped = headings.iter().zip(keys).zip(headings.iter().skip(1));
    zipped
        .enumerate()
        .take(MAX_COVER)
        .take_while(|(at, ((heading, key), next))| {
            // "A." needs something to stand in.
            let leads = next
                .number
                .as_ref()
                .is_some_and(|number| matches!(number.kind, Kind::Letter | Kind::ParenLetter));
            let word = key.is_styled() && !key.announces() && !leads;
            let exhibit =
                *at == 0 && heading.number.as_ref().is_some_and(|number| number.kind == Kind::Schedule);
            let gap = next.range.start.saturating_sub(heading.range.end);
            (word && n_of.get(key) == Some(&1) || exhibit)
                && heading.page == first_page
                && gap <= MAX_COVER_TEXT
        })
        .count()
}
