//! A quotation made of pieces: words left out, words put in, or sentences of several places run together.
//!
//! What stands between the pieces in the source is not quoted, and may be a "not"; so such a quotation is never
//! verified, however honest its dots: it is shown with the places of its pieces. Without dots, a quotation that only
//! leaves out a guarded word nearby is not found at all. Cost: each piece is looked for like a
//! quotation of its own; runs are grown only from where their rarest word stands.

use super::key::Key;
use super::repair::is_guarded;
use super::shelf::{Found, Shelf};

/// Fewest words of a piece that no dots set apart; Chinese has about two characters to a word.
const MIN_RUN: usize = 4;
/// Most pieces of a quotation.
const MAX_PIECES: usize = 32;
/// Most bytes that dots leave out.
const MAX_GAP: usize = 3_000;
/// Most places that are looked at for one piece.
const MAX_PLACES: usize = 1_024;

/// The pieces of a quotation that is cut by its own dots or brackets: all in order in one source, no further apart
/// than [`MAX_GAP`]; or, when each is long enough to be recognised, wherever each stands.
pub(super) fn elided(shelf: &Shelf<'_>, parts: &[String], named: &[usize]) -> Option<Vec<Found>> {
    if parts.len() > MAX_PIECES {
        return None;
    }
    let keys: Vec<Key> = parts.iter().map(|part| Key::new(part)).collect();
    let longest = (0..keys.len()).max_by_key(|&at| keys.get(at).map_or(0, |key| key.text.len()))?;
    let anchor = shelf.verbatim(keys.get(longest)?, named)?;
    if let Some(pieces) = around(shelf, &keys, longest, &anchor) {
        return Some(pieces);
    }
    let is_known = |key: &Key| {
        let words = key.words();
        let n_cjk = words.iter().filter(|word| key.slice((*word).clone()).chars().all(text::is_cjk)).count();
        words.len() * 2 - n_cjk >= 2 * MIN_RUN
    };
    keys.iter().map(|key| if is_known(key) { shelf.verbatim(key, named) } else { None }).collect()
}

/// The pieces in order before and behind the one that was found.
fn around(shelf: &Shelf<'_>, keys: &[Key], at: usize, anchor: &Found) -> Option<Vec<Found>> {
    let source = &shelf.items.get(anchor.item)?.key;
    let fits = |range: &std::ops::Range<usize>| source.may_begin(range.start) && source.may_end(range.end);
    let mut pieces = vec![anchor.clone()];
    let mut end = anchor.range.end;
    for key in keys.get(at + 1..)? {
        let window = super::shelf::head(source.text.get(end..)?, MAX_GAP + key.text.len());
        shelf.spend(window.len());
        let places = window.match_indices(key.text.as_str());
        let range = places.map(|(n, text)| end + n..end + n + text.len()).find(fits)?;
        end = range.end;
        pieces.push(Found { item: anchor.item, range });
    }
    let mut start = anchor.range.start;
    for key in keys.get(..at)?.iter().rev() {
        let mut from = start.saturating_sub(MAX_GAP + key.text.len());
        while !source.text.is_char_boundary(from) {
            from += 1;
        }
        let window = source.text.get(from..start)?;
        shelf.spend(window.len());
        let places = window.rmatch_indices(key.text.as_str());
        let range = places.map(|(n, text)| from + n..from + n + text.len()).find(fits)?;
        start = range.start;
        pieces.insert(0, Found { item: anchor.item, range });
    }
    Some(pieces)
}

/// The pieces of a quotation that was run together from several places, in its order: together all of its words but a
/// few that join them.
pub(super) fn run_together(shelf: &Shelf<'_>, wanted: &Key, named: &[usize]) -> Option<Vec<Found>> {
    let ranges = wanted.words();
    let terms: Vec<Option<u32>> =
        ranges.iter().map(|range| shelf.term(wanted.slice(range.clone()))).collect();
    let is_cjk =
        ranges.iter().filter(|range| wanted.slice((*range).clone()).chars().all(text::is_cjk)).count();
    let min_run = if is_cjk * 2 > ranges.len() { 2 * MIN_RUN } else { MIN_RUN };
    let mut joints = ranges.len() / 8;
    let mut pieces: Vec<Found> = Vec::new();
    let mut last: Option<usize> = None;
    let mut at = 0;
    while at < terms.len() {
        if shelf.is_spent() || pieces.len() >= MAX_PIECES {
            return None;
        }
        match longest(shelf, terms.get(at..)?, min_run, named) {
            Some((first, len)) => {
                let (start, end) = (shelf.words.get(first)?, shelf.words.get(first + len - 1)?);
                let range = start.start as usize..end.end as usize;
                if last.is_some_and(|last| turns(shelf, last, first)) {
                    return None;
                }
                last = Some(first + len - 1);
                pieces.push(Found { item: start.item as usize, range });
                at += len;
            }
            None => {
                let joint = ranges.get(at).map_or("", |range| wanted.slice(range.clone()));
                if is_guarded(joint) && !joint.eq_ignore_ascii_case("and") {
                    return None;
                }
                joints = joints.checked_sub(1)?;
                at += 1;
            }
        }
    }
    (pieces.len() > 1).then_some(pieces)
}

/// Whether the words left out between two places near each other may turn the provision around: then the quotation is
/// no stitching, but says something else.
fn turns(shelf: &Shelf<'_>, last: usize, next: usize) -> bool {
    /// Most words of a gap within one provision.
    const NEAR: usize = 16;
    let gap = shelf.words.get(last + 1..next).unwrap_or_default();
    let text = |word: &super::shelf::Word| {
        shelf
            .items
            .get(word.item as usize)
            .map_or("", |item| item.key.slice(word.start as usize..word.end as usize))
    };
    let item = |at: usize| shelf.words.get(at).map(|word| word.item);
    gap.len() <= NEAR && item(last) == item(next) && gap.iter().any(|word| is_guarded(text(word)))
}

/// The longest run of words with which a source goes along from the head of `terms`: its first place in
/// [`Shelf::words`] and its length, named sources before others.
fn longest(
    shelf: &Shelf<'_>,
    terms: &[Option<u32>],
    min_run: usize,
    named: &[usize],
) -> Option<(usize, usize)> {
    let head = terms.get(..min_run)?;
    let (rarest, term) = head.iter().enumerate().min_by_key(|(_, term)| shelf.postings(**term).len())?;
    let mut best: Option<(usize, usize, bool)> = None;
    for &place in shelf.postings(*term).iter().take(MAX_PLACES) {
        let Some(first) = (place as usize).checked_sub(rarest) else { continue };
        let Some(item) = shelf.words.get(place as usize).map(|word| word.item) else { continue };
        let same = |(word, term): &(&super::shelf::Word, &Option<u32>)| {
            word.item == item && Some(word.term) == **term
        };
        let len = shelf.words.get(first..).unwrap_or_default().iter().zip(terms).take_while(same).count();
        shelf.spend(len + 1);
        let is_named = named.contains(&(item as usize));
        if len >= min_run && best.is_none_or(|(_, most, was_named)| (len, is_named) > (most, was_named)) {
            best = Some((first, len, is_named));
        }
    }
    best.map(|(first, len, _)| (first, len))
}
