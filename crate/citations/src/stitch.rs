//! Stitched quotations: words left out, words put in, or parts of several places run together.
//!
//! The words between the parts are not quoted and may hold a "not", so such a quotation is never verified: it is shown
//! with the places of its parts. Without dots, a quotation that leaves out a guarded word nearby is not found at all.
//! Cost: each part is looked up like a quotation of its own; runs are grown only from occurrences of their rarest word.

use std::ops::Range;

use document::{OrNever as _, Slice as _};

use crate::guarded::is_guarded;
use crate::normalized::Normalized;
use crate::source_index::{IndexedWord, Match, SourceIndex, truncate};

/// Minimum number of words of a part that no dots set apart. Chinese has about two characters to a word.
const MIN_RUN: usize = 4;
/// Maximum number of parts of a quotation.
const MAX_PARTS: usize = 32;
/// Maximum number of bytes that dots leave out within one source.
const MAX_GAP: usize = 3_000;
/// Maximum number of occurrences that are looked at for one part.
const MAX_OCCURRENCES: usize = 1_024;
/// One word in so many may join the parts of a quotation that is run together.
const WORDS_PER_JOINT: usize = 8;

/// Parts of a quotation that is cut by its own dots or brackets: in order in one source, no further apart than
/// [`MAX_GAP`]; else, if each is long enough to be recognised, each where it stands.
pub(crate) fn elided(index: &SourceIndex<'_>, parts: &[String], cited: &[usize]) -> Option<Vec<Match>> {
    if parts.len() > MAX_PARTS {
        return None;
    }
    let parts: Vec<Normalized> = parts.iter().map(|part| Normalized::new(part)).collect();
    let longest = (0..parts.len()).max_by_key(|&at| parts.get(at).map_or(0, |part| part.text.len()))?;
    let anchor = index.occurrence(parts.get(longest)?, cited)?;
    if let Some(found) = in_order(index, &parts, longest, &anchor) {
        return Some(found);
    }
    let is_distinctive = |part: &Normalized| {
        let words = part.words();
        let n_cjk = words.iter().filter(|word| part.slice((*word).clone()).chars().all(text::is_cjk)).count();
        words.len() * 2 - n_cjk >= 2 * MIN_RUN
    };
    parts.iter().map(|part| if is_distinctive(part) { index.occurrence(part, cited) } else { None }).collect()
}

/// The parts in order before and after the one that is the anchor, each the nearest.
fn in_order(index: &SourceIndex<'_>, parts: &[Normalized], at: usize, anchor: &Match) -> Option<Vec<Match>> {
    let source = &index.sources.get(anchor.source)?.normalized;
    let is_whole = |range: &Range<usize>| source.may_begin(range.start) && source.may_end(range.end);
    let mut after: Vec<Range<usize>> = Vec::new();
    let mut end = anchor.range.end;
    for part in parts.get(at + 1..)? {
        let window = truncate(source.text.get(end..)?, MAX_GAP + part.text.len());
        index.spend(window.len());
        let mut places = window.match_indices(part.text.as_str());
        let range = places.find_map(|(n, text)| Some(end + n..end + n + text.len()).filter(is_whole))?;
        end = range.end;
        after.push(range);
    }
    let mut before: Vec<Range<usize>> = Vec::new();
    let mut start = anchor.range.start;
    for part in parts.get(..at)?.iter().rev() {
        let from = source.text.ceil_char_boundary(start.saturating_sub(MAX_GAP + part.text.len()));
        let window = source.text.get(from..start)?;
        index.spend(window.len());
        let mut places = window.rmatch_indices(part.text.as_str());
        let range = places.find_map(|(n, text)| Some(from + n..from + n + text.len()).filter(is_whole))?;
        start = range.start;
        before.push(range);
    }
    let ranges = before.into_iter().rev().chain([anchor.range.clone()]).chain(after);
    Some(ranges.map(|range| Match { source: anchor.source, range }).collect())
}

/// Parts of a quotation that runs several places together, in its order: all of its words but a few joints.
pub(crate) fn run_together(
    index: &SourceIndex<'_>,
    wanted: &Normalized,
    cited: &[usize],
) -> Option<Vec<Match>> {
    let words: Vec<&str> = wanted.words().into_iter().map(|range| wanted.slice(range)).collect();
    let terms: Vec<Option<u32>> = words.iter().map(|word| index.term(word)).collect();
    let n_cjk = words.iter().filter(|word| word.chars().all(text::is_cjk)).count();
    let min_run = if n_cjk * 2 > words.len() { 2 * MIN_RUN } else { MIN_RUN };
    let mut joints_left = words.len() / WORDS_PER_JOINT;
    let mut parts: Vec<Match> = Vec::new();
    let mut last: Option<usize> = None;
    let mut at = 0;
    while at < terms.len() {
        if index.is_spent() || parts.len() >= MAX_PARTS {
            return None;
        }
        if let Some((first, len)) = longest_run(index, terms.get(at..)?, min_run, cited) {
            let (start, end) = (index.words.get(first)?, index.words.get(first + len - 1)?);
            if last.is_some_and(|last| skips_guarded_word(index, last, first)) {
                return None;
            }
            last = Some(first + len - 1);
            let range = start.start as usize..end.end as usize;
            parts.push(Match { source: start.source as usize, range });
            at += len;
        } else {
            let joint = words.get(at).copied().or_never("the word of a term");
            if is_guarded(joint) && !joint.eq_ignore_ascii_case("and") {
                return None;
            }
            joints_left = joints_left.checked_sub(1)?;
            at += 1;
        }
    }
    (parts.len() > 1).then_some(parts)
}

/// True if the words left out between two places near each other may reverse the provision: then the quotation is not
/// stitched but says something else. Both are positions in [`SourceIndex::words`].
fn skips_guarded_word(index: &SourceIndex<'_>, last: usize, next: usize) -> bool {
    /// Maximum number of words of a gap within one provision.
    const MAX_WORDS: usize = 16;
    // The next part may stand earlier in the sources: then nothing is left out between them.
    let Some(gap) = index.words.get(last + 1..next) else { return false };
    let source = |at: usize| index.words.get(at).map(|word| word.source);
    gap.len() <= MAX_WORDS
        && source(last) == source(next)
        && gap.iter().any(|word| is_guarded(index.word_text(word)))
}

/// The longest run of source words that equals a head of `terms`, cited sources first: its first position in
/// [`SourceIndex::words`] and its length, at least `min_run`.
fn longest_run(
    index: &SourceIndex<'_>,
    terms: &[Option<u32>],
    min_run: usize,
    cited: &[usize],
) -> Option<(usize, usize)> {
    let head = terms.get(..min_run)?;
    let (rarest, term) = head.iter().enumerate().min_by_key(|(_, term)| index.postings(**term).len())?;
    let mut best: Option<(usize, usize, bool)> = None;
    for &position in index.postings(*term).iter().take(MAX_OCCURRENCES) {
        let Some(first) = (position as usize).checked_sub(rarest) else { continue };
        let Some(source) = index.words.get(position as usize).map(|word| word.source) else { continue };
        let is_equal =
            |(word, term): &(&IndexedWord, &Option<u32>)| word.source == source && Some(word.term) == **term;
        let len = index.words.slice(first..).iter().zip(terms).take_while(is_equal).count();
        index.spend(len + 1);
        let is_cited = cited.contains(&(source as usize));
        if len >= min_run && best.is_none_or(|(_, longest, was_cited)| (len, is_cited) > (longest, was_cited))
        {
            best = Some((first, len, is_cited));
        }
    }
    best.map(|(first, len, _)| (first, len))
}

#[cfg(test)]
mod tests {
    use crate::{SourceText, Status, check};

    const RULE: &str = "A firm must keep a register of every complaint. It must answer each complaint within eight weeks, \
                        and it must tell the complainant of the ombudsman.";
    const NOTE: &str = "The ombudsman may ask a firm for its register of complaints at any time of the year.";

    /// Status, and the number of the source and the words of each part.
    fn found(quotation: &str) -> (Status, Vec<(u32, &'static str)>) {
        let answer = format!("“{quotation}” [P1]");
        let sources = [(1, RULE), (2, NOTE)].map(|(id, text)| SourceText { id, text, context: "" });
        let quotation = check(&answer, &sources).remove(0).quotations.remove(0);
        let text = |id: u32| if id == 1 { RULE } else { NOTE };
        let parts =
            quotation.found.iter().map(|part| (part.source, &text(part.source)[part.range.to_usize()]));
        (quotation.status, parts.collect())
    }

    #[test]
    fn parts_between_dots_stand_in_order_or_are_long_enough_to_be_recognised() {
        let cases: [(&str, &[(u32, &str)]); 4] = [
            (
                "A firm must keep a register … within eight weeks",
                &[(1, "A firm must keep a register"), (1, "within eight weeks")],
            ),
            (
                "A firm … keep a register … complaint within",
                &[(1, "A firm"), (1, "keep a register"), (1, "complaint within")],
            ),
            (
                "every complaint … It must answer … eight weeks",
                &[(1, "every complaint"), (1, "It must answer"), (1, "eight weeks")],
            ),
            (
                "A firm must keep a register … ask a firm for its register",
                &[(1, "A firm must keep a register"), (2, "ask a firm for its register")],
            ),
        ];
        for (quotation, parts) in cases {
            assert_eq!(found(quotation), (Status::Stitched, parts.to_vec()), "{quotation}");
        }
        for quotation in ["eight weeks … A firm must keep a register of", "eight weeks … A firm"] {
            assert_eq!(found(quotation), (Status::NotFound, Vec::new()), "{quotation}");
        }
    }

    #[test]
    fn parts_run_together_leave_out_no_guarded_word_nearby_and_are_joined_by_one_word_in_eight() {
        let register = (1, "keep a register of every complaint");
        let cases: [(&str, (u32, &str)); 3] = [
            (
                "keep a register of every complaint and ask a firm for its register",
                (2, "ask a firm for its register"),
            ),
            (
                "keep a register of every complaint ask a firm for its register",
                (2, "ask a firm for its register"),
            ),
            (
                "keep a register of every complaint gladly ask a firm for its register of complaints at any time",
                (2, "ask a firm for its register of complaints at any time"),
            ),
        ];
        for (quotation, second) in cases {
            assert_eq!(found(quotation), (Status::Stitched, vec![register, second]), "{quotation}");
        }
        for quotation in [
            "keep a register of every complaint not ask a firm for its register of complaints at any time",
            "keep a register of every complaint very gladly ask a firm for its register",
            "keep a register of every complaint ask a firm",
            "A firm must keep a register of every complaint tell the complainant of the ombudsman",
            "It must answer each complaint it must tell the complainant of the ombudsman",
        ] {
            assert_eq!(found(quotation), (Status::NotFound, Vec::new()), "{quotation}");
        }
    }

    #[test]
    fn a_quotation_has_thirty_two_parts_at_most() {
        let status = |n: usize| {
            let words: Vec<String> = (0..2 * n).map(|at| format!("word{at}x")).collect();
            let (text, quoted) = (words.join(" "), words.iter().step_by(2).cloned().collect::<Vec<_>>());
            let answer = format!("“{}” [P1]", quoted.join(" … "));
            check(&answer, &[SourceText { id: 1, text: &text, context: "" }])[0].quotations[0].status
        };
        assert_eq!(status(32), Status::Stitched);
        assert_eq!(status(33), Status::NotFound);
    }

    #[test]
    fn dots_leave_out_three_thousand_bytes_at_most() {
        let status = |n: usize| {
            let text = format!("the first part {}the second part", "and other words ".repeat(n));
            let sources = [SourceText { id: 1, text: &text, context: "" }];
            check("“the first part … the second part” [P1]", &sources).remove(0).quotations.remove(0).status
        };
        assert_eq!(status(180), Status::Stitched, "2,880 bytes");
        assert_eq!(
            status(190),
            Status::NotFound,
            "3,040 bytes, and the parts are too short to be recognised"
        );
    }
}
