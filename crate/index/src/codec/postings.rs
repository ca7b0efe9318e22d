//! Stored form of postings.
//!
//! ```text
//! n_units       n_units × ( length of the text, length of the header )
//! n_terms       n_bytes   what each term does not share with the one before, UTF-8 [n_bytes]
//! n_terms × ( bytes shared with the term before, bytes not shared, n_entries, n_entries × entry )
//! ```
//!
//! An entry is three bytes in nearly all cases: units between it and the one before, and its frequencies. Numbers of a length
//! that varies would take a third less room and longer to read: which length comes next, no processor can tell.

use std::ops::Range;

use document::cursor::{Cursor, put_count, put_varint};
use document::{Pace, Slice as _};

use super::GROWTH;
use crate::lexical::posting_list::{LARGE_FREQS, MAX_UNITS, PackedPostings, PostingList};
use crate::lexical::postings::narrow;
use crate::lexical::term_slots::TermSlots;
use crate::{Posting, Postings, UnitLength};

/// Mark of a gap that comes after the entry.
const LONG_GAP: u16 = u16::MAX;
/// Bytes of an entry.
const ENTRY: usize = 3;

/// Appends the stored form.
pub(super) fn put_postings(out: &mut Vec<u8>, postings: &Postings) {
    put_count(out, postings.lengths.len());
    for length in &postings.lengths {
        put_varint(out, length.text);
        put_varint(out, length.header);
    }
    let terms = || (0..postings.n_terms()).map(|at| postings.term(at));
    let shared: Vec<usize> = std::iter::once("").chain(terms()).zip(terms()).map(shared_bytes).collect();
    let rests = || terms().zip(&shared).map(|(term, &shared)| term.slice(shared..));
    put_count(out, postings.n_terms());
    put_count(out, rests().map(str::len).sum());
    rests().for_each(|rest| out.extend_from_slice(rest.as_bytes()));
    for (at, (rest, &shared)) in rests().zip(&shared).enumerate() {
        put_count(out, shared);
        put_count(out, rest.len());
        put_entries(out, postings.entries_of(at));
    }
}

/// Bytes that postings take when stored, nearly.
pub(super) fn bytes_of_postings(postings: &Postings) -> usize {
    let entries = (0..postings.n_terms()).flat_map(|at| postings.entries_of(at).iter());
    let n_large = entries.filter(|entry| entry.small_freqs().is_none()).count();
    let of_entries = postings.entries.len() * ENTRY + n_large * 3;
    of_entries + postings.terms.len() + postings.n_terms() * 3 + postings.lengths.len() * 4 + 16
}

/// Reads the stored form; `None` if it is damaged.
pub(super) async fn decode_postings(bytes: &[u8], pace: &Pace) -> Option<Postings> {
    let mut cursor = Cursor::new(bytes);
    let n_units = cursor.count()?;
    let mut postings = Postings { lengths: Vec::with_capacity(n_units), ..Postings::default() };
    for _ in 0..n_units {
        postings.lengths.push(UnitLength { text: cursor.varint()?, header: cursor.varint()? });
    }
    let n_terms = cursor.count()?;
    let n_bytes = cursor.count()?;
    let mut rests = str::from_utf8(cursor.take(n_bytes)?).ok()?;
    postings.ends.reserve(n_terms);
    postings.slots = TermSlots::with_capacity(n_terms);
    // Making room as they come would copy all of them again and again.
    postings.entries.reserve(cursor.n_left() / ENTRY);
    let mut before = 0..0;
    for _ in 0..n_terms {
        let n_before = cursor.n_left() + rests.len();
        before = read_term(&mut cursor, &mut rests, before, &mut postings)?;
        // Shared beginnings make short bytes long: cap what they can grow to.
        if before.start > bytes.len().saturating_mul(GROWTH) {
            return None;
        }
        pace.spend(n_before - cursor.n_left() - rests.len()).await;
    }
    postings.entries.shrink_to_fit();
    postings.terms.shrink_to_fit();
    (cursor.n_left() == 0 && rests.is_empty()).then_some(postings)
}

/// Reads the next term, whose own bytes `rests` begins with, and its entries. Gives its place among the terms, from that of
/// the one before.
fn read_term(
    cursor: &mut Cursor<'_>,
    rests: &mut &str,
    before: Range<usize>,
    postings: &mut Postings,
) -> Option<Range<usize>> {
    let n_shared = cursor.varint()? as usize;
    let (rest, others) = rests.split_at_checked(cursor.varint()? as usize)?;
    *rests = others;
    if n_shared > before.len() {
        return None;
    }
    let (at, start) = (postings.n_terms(), postings.terms.len());
    let shared = before.start..before.start + n_shared;
    // Both begin alike, so that what follows orders them. No half character is shared.
    if postings.terms.get(shared.end..before.end)? >= rest && at > 0 {
        return None;
    }
    postings.terms.extend_from_within(shared);
    postings.terms.push_str(rest);
    let term = start..postings.terms.len();
    postings.slots.insert(postings.terms.get(term.clone())?, at);
    read_entries(cursor, postings.n_units(), &mut postings.entries)?;
    postings.push_ends();
    Some(term)
}

/// Bytes of the characters that two terms begin with.
fn shared_bytes((a, b): (&str, &str)) -> usize {
    let other = b.char_indices().zip(a.chars()).find(|((_, b), a)| a != b);
    other.map_or_else(|| a.len().min(b.len()), |((at, _), _)| at)
}

fn put_entries(out: &mut Vec<u8>, entries: PostingList<'_>) {
    put_count(out, entries.len());
    let mut next = 0;
    for posting in entries.iter() {
        let gap = posting.unit - next;
        let short = u16::try_from(gap).unwrap_or(LONG_GAP);
        let freqs = posting.small_freqs();
        let [low, high] = short.to_le_bytes();
        out.extend_from_slice(&[low, high, freqs.unwrap_or(LARGE_FREQS)]);
        if short == LONG_GAP {
            put_varint(out, gap);
        }
        if freqs.is_none() {
            put_varint(out, posting.text_freq.into());
            put_varint(out, posting.header_freq.into());
        }
        next = posting.unit + 1;
    }
}

/// Reads the entries of a term.
fn read_entries(cursor: &mut Cursor<'_>, n_units: usize, entries: &mut PackedPostings) -> Option<()> {
    let n_units = narrow(n_units).min(MAX_UNITS);
    let mut next = 0_u32;
    for _ in 0..cursor.count()? {
        let [low, high, freqs] = cursor.array()?;
        let gap = match u16::from_le_bytes([low, high]) {
            LONG_GAP => cursor.varint()?,
            gap => gap.into(),
        };
        let unit = next.checked_add(gap).filter(|&unit| unit < n_units)?;
        if !entries.push_small(unit, freqs) {
            let text_freq = u16::try_from(cursor.varint()?).ok()?;
            let header_freq = u16::try_from(cursor.varint()?).ok()?;
            entries.push(Posting { unit, text_freq, header_freq });
        }
        next = unit + 1;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use document::at_once;

    use super::*;
    use crate::lexical::postings::TermEnds;

    #[test]
    fn entries_for_which_three_bytes_are_too_few_come_back() {
        let entries = [
            (0, 1, 0),
            (1, 31, 6),
            (2, 32, 0),
            (3, 0, 7),
            (4, u16::MAX, u16::MAX),
            (4 + u32::from(LONG_GAP), 1, 1),
            (5 + 2 * u32::from(LONG_GAP), 1, 0),
            (199_999, 126, 1),
        ];
        let mut postings = Postings {
            terms: "record".to_owned(),
            ends: vec![TermEnds { term: 6, entries: narrow(entries.len()) }],
            lengths: vec![UnitLength { text: 1, header: 0 }; 200_000],
            slots: TermSlots::with_capacity(1),
            ..Postings::default()
        };
        postings.slots.insert("record", 0);
        for (unit, text_freq, header_freq) in entries {
            postings.entries.push(Posting { unit, text_freq, header_freq });
        }
        let mut bytes = Vec::new();
        put_postings(&mut bytes, &postings);
        let back = at_once(async |pace| decode_postings(&bytes, pace).await);
        assert_eq!(back, Some(postings));
    }
}
