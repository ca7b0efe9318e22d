//! A quotation made of pieces: words left out, words put in, or sentences of several places run together.
//!
//! What stands between the pieces in the source is not quoted, and may be a "not"; so such a quotation is never
//! verified, however honest its dots: it is shown with the places of its pieces. Cost: each piece is looked for like a
//! quotation of its own; runs are grown only from where their rarest word stands.

use super::key::Key;
use super::shelf::{Found, Shelf};

/// Fewest words of a piece that no dots set apart; Chinese has about two characters to a word.
const MIN_RUN: usize = 4;
/// Most pieces of a quotation.
const MAX_PIECES: usize = 32;
/// Most places that are looked at for one piece.
const MAX_PLACES: usize = 1_024;

/// The pieces of a quotation that is cut by its own dots or brackets, where each stands word for word.
pub(super) fn elided(shelf: &Shelf<'_>, parts: &[String], named: &[usize]) -> Option<Vec<Found>> {
    if parts.len() > MAX_PIECES {
        return None;
    }
    let found = |part: &String| shelf.verbatim(&Key::new(part), named);
    let pieces: Vec<Found> = parts.iter().map(found).collect::<Option<_>>()?;
    (!pieces.is_empty()).then_some(pieces)
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
    let mut at = 0;
    while at < terms.len() {
        if shelf.is_spent() || pieces.len() >= MAX_PIECES {
            return None;
        }
        match longest(shelf, terms.get(at..)?, min_run, named) {
            Some((first, len)) => {
                let (start, end) = (shelf.words.get(first)?, shelf.words.get(first + len - 1)?);
                let range = start.start as usize..end.end as usize;
                pieces.push(Found { item: start.item as usize, range });
                at += len;
            }
            None => {
                joints = joints.checked_sub(1)?;
                at += 1;
            }
        }
    }
    (pieces.len() > 1).then_some(pieces)
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
