//! Repair of a quotation that differs from one clear place in the sources by a small edit.
//!
//! The quotation's rarest words vote for where it would begin; the best few places are aligned word by word. The
//! repaired quotation shows the source's wording. Refused is every edit that may reverse a provision: of a figure, a
//! modal, a negation, a connective, a limit. Cost: that of [`align`] for at most [`MAX_CANDIDATES`] places.

use std::collections::BTreeMap;

use crate::align::{QuotedTerms, align};
use crate::figures::figures;
use crate::modals::{Modal, modals, negations};
use crate::normalized::Normalized;
use crate::source_index::{Match, SourceIndex};

/// Maximum cost of the edits.
const MAX_EDITS: usize = 8;
/// Words of a quotation that allow one edit.
const WORDS_PER_EDIT: usize = 8;
/// Minimum number of words of a quotation that is repaired in more than case and punctuation. Chinese has about two
/// characters to a word.
const MIN_WORDS: usize = 5;
/// Maximum number of words of a quotation that is aligned.
const MAX_WORDS: usize = 2_000;
/// Maximum number of places that are aligned.
const MAX_CANDIDATES: usize = 6;
/// Number of the rarest words that vote.
const VOTERS: usize = 12;
/// Maximum number of votes of a word.
const MAX_VOTES: usize = 512;
/// Steps that a vote costs.
const STEPS_PER_VOTE: usize = 10;

/// The range of a source whose wording differs from `wanted` by a small edit, if there is one clear place in the cited
/// sources (in all, if none is cited). `cited` holds positions in [`SourceIndex::sources`].
pub(crate) fn repair(index: &SourceIndex<'_>, wanted: &Normalized, cited: &[usize]) -> Option<Match> {
    let words: Vec<&str> = wanted.words().into_iter().map(|range| wanted.slice(range)).collect();
    if words.is_empty() || words.len() > MAX_WORDS || index.is_spent() {
        return None;
    }
    let max_edits = max_edits(&words);
    let terms: Vec<Option<u32>> = words.iter().map(|word| index.term(word)).collect();
    let quotation = QuotedTerms { words, terms };
    let mut best: Option<(usize, Match)> = None;
    let mut is_clear = true;
    for (source, start) in candidates(index, &quotation.terms, cited, max_edits) {
        if index.is_spent() {
            return None;
        }
        let Some((cost, found)) = align(index, &quotation, source, start, max_edits) else { continue };
        match &best {
            Some((lowest, _)) if *lowest < cost => {}
            Some((lowest, first)) if *lowest == cost => is_clear &= has_same_words(index, first, &found),
            _ => (best, is_clear) = (Some((cost, found)), true),
        }
    }
    let (_, found) = best.filter(|_| is_clear)?;
    let source = &index.sources.get(found.source)?.normalized;
    let is_whole = source.may_begin(found.range.start) && source.may_end(found.range.end);
    (is_whole && has_same_meaning(&wanted.text, source.slice(found.range.clone()))).then_some(found)
}

fn max_edits(words: &[&str]) -> usize {
    let n_cjk = words.iter().filter(|word| word.chars().all(text::is_cjk)).count();
    let min_words = if n_cjk * 2 > words.len() { 2 * MIN_WORDS } else { MIN_WORDS };
    if words.len() < min_words { 0 } else { (words.len() / WORDS_PER_EDIT).clamp(1, MAX_EDITS) }
}

fn has_same_words(index: &SourceIndex<'_>, a: &Match, b: &Match) -> bool {
    let text = |found: &Match| {
        index.sources.get(found.source).map(|source| source.normalized.slice(found.range.clone()))
    };
    text(a) == text(b)
}

/// True if two wordings have the same figures and modals in the same order, and as many negations.
fn has_same_meaning(a: &str, b: &str) -> bool {
    let values =
        |text: &str| -> Vec<Vec<String>> { figures(text).into_iter().map(|figure| figure.values).collect() };
    let kinds = |text: &str| -> Vec<Modal> { modals(text).into_iter().map(|(modal, _)| modal).collect() };
    values(a) == values(b) && kinds(a) == kinds(b) && negations(a).len() == negations(b).len()
}

/// Places at which a quotation of these terms may begin, most votes first: the source and the position in
/// [`SourceIndex::words`]. Votes for neighbouring positions are counted together.
fn candidates(
    index: &SourceIndex<'_>,
    terms: &[Option<u32>],
    cited: &[usize],
    max_edits: usize,
) -> Vec<(usize, i64)> {
    let mut rarest: Vec<(usize, usize)> =
        terms.iter().enumerate().map(|(at, term)| (index.postings(*term).len(), at)).collect();
    rarest.retain(|&(n, _)| n > 0);
    rarest.sort_unstable();
    let width = i64::try_from(max_edits.max(1)).unwrap_or(1);
    let mut votes: BTreeMap<(usize, i64), usize> = BTreeMap::new();
    for &(_, at) in rarest.iter().take(VOTERS) {
        let list = index.postings(terms.get(at).copied().flatten());
        let mut n_votes = 0;
        for &position in list {
            let Some(word) = index.words.get(position as usize) else { continue };
            let source = word.source as usize;
            if !cited.is_empty() && !cited.contains(&source) {
                continue;
            }
            let start = i64::from(position) - i64::try_from(at).unwrap_or(0);
            *votes.entry((source, start.div_euclid(width))).or_default() += 1;
            n_votes += 1;
            if n_votes == MAX_VOTES {
                break;
            }
        }
        index.spend(list.len() + STEPS_PER_VOTE * n_votes);
    }
    let mut ranked: Vec<((usize, i64), usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|&(place, votes)| (usize::MAX - votes, place));
    ranked.truncate(MAX_CANDIDATES);
    ranked.into_iter().map(|((source, bucket), _)| (source, bucket * width)).collect()
}

#[cfg(test)]
mod tests {
    use super::max_edits;
    use crate::{SourceText, Status, check};

    #[test]
    fn one_edit_for_eight_words_and_none_for_fewer_than_five() {
        for (n_words, edits) in [(4, 0), (5, 1), (8, 1), (15, 1), (16, 2), (24, 3), (64, 8), (80, 8)] {
            assert_eq!(max_edits(&vec!["word"; n_words]), edits, "{n_words} words");
        }
        for (n_words, edits) in [(9, 0), (10, 1), (16, 2)] {
            assert_eq!(max_edits(&vec!["字"; n_words]), edits, "{n_words} Chinese characters");
        }
        assert_eq!(max_edits(&["字", "字", "字", "word", "word", "word"]), 1, "half of it is not most of it");
    }

    /// Status of a quotation that cites the first of these texts.
    fn status(quotation: &str, texts: &[&str]) -> Status {
        let sources: Vec<SourceText<'_>> =
            (1..).zip(texts).map(|(id, text)| SourceText { id, text, context: "" }).collect();
        check(&format!("“{quotation}” [P1]"), &sources).remove(0).quotations.remove(0).status
    }

    #[test]
    fn a_repair_needs_one_clear_place() {
        let quotation = "The lender keeps the book of all notes";
        assert_eq!(status(quotation, &["The lender keeps the books of all notes."]), Status::Repaired);
        let same =
            "The lender keeps the books of all notes. So it is: The lender keeps the books of all notes.";
        assert_eq!(status(quotation, &[same]), Status::Repaired, "twice the same words");
        let two = "The lender keeps the books of all notes. Then The lender keeps the booked of all notes.";
        assert_eq!(status(quotation, &[two]), Status::NotFound, "two wordings as near as each other");
        let nearer = "The lender keeps the books of all notes. Then The lender keeps books of every note.";
        assert_eq!(status(quotation, &[nearer]), Status::Repaired, "one wording nearer than the other");
        assert_eq!(
            status(quotation, &["Another text.", "The lender keeps the books of all notes."]),
            Status::NotFound,
            "the place is not in the cited source"
        );
    }

    #[test]
    fn the_nearest_place_is_taken_also_where_another_has_more_of_the_rarest_words() {
        let quotation =
            "alpha stone beta river gamma cloud delta field epsilon zeta eta theta iota kappa lambda mu";
        let common = "stone river cloud field. ".repeat(4);
        // All rare words and two edits, against one edit, of a rare word.
        let farther = quotation.replace("stone", "hill").replace("cloud", "rain");
        let nearer = quotation.replace("zeta", "sigma");
        let text = format!("{common}{farther}. {nearer}.");
        let sources = [SourceText { id: 1, text: &text, context: "" }];
        let checked = check(&format!("“{quotation}” [P1]"), &sources).remove(0).quotations.remove(0);
        let found = checked.found.first().map(|found| &text[found.range.to_usize()]);
        assert_eq!((checked.status, found), (Status::Repaired, Some(nearer.as_str())));
    }

    #[test]
    fn a_repair_keeps_figures_modals_and_negations() {
        let source = ["The lender shall tell the agent of 5 notes that it holds."];
        assert_eq!(
            status("The lender shall tell the agents of 5 notes that it holds", &source),
            Status::Repaired
        );
        for quotation in [
            "The lender shall tell the agent of 6 notes that it holds",
            "The lender may tell the agent of 5 notes that it holds",
            "The lender shall tell no agent of 5 notes that it holds",
        ] {
            assert_eq!(status(quotation, &source), Status::NotFound, "{quotation}");
        }
    }
}
