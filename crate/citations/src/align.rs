//! Word alignment of a quotation with a part of a source, within a band around the diagonal.
//!
//! Levenshtein distance over words: another word costs 2, a form of the same word 1, a word too many or too few 1. The
//! quotation must be used up; the source may begin and end anywhere in the window. An alignment that edits a guarded
//! word is refused. Cost in time and memory: words of the quotation times the width of the band.

use crate::guarded::is_guarded;
use crate::source_index::{IndexedWord, Match, SourceIndex};

/// Cost of what cannot be reached.
const UNREACHABLE: u32 = u32::MAX / 2;

/// Words of a quotation with their term numbers; `None` for words that occur in no source.
pub(crate) struct QuotedTerms<'q> {
    pub(crate) words: Vec<&'q str>,
    pub(crate) terms: Vec<Option<u32>>,
}

/// Edit that one step of an alignment makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    Keep,
    Replace,
    /// Drops a word of the quotation that the source lacks.
    Drop,
    /// Adds a word of the source that the quotation lacks.
    Add,
}

/// Aligns the quotation with the words of a source near `start`, a position in [`SourceIndex::words`]. Returns the cost
/// of the edits and the words of the source; `None` if the cost exceeds `max_edits` or a guarded word is edited.
pub(crate) fn align(
    index: &SourceIndex<'_>,
    quotation: &QuotedTerms<'_>,
    source: usize,
    start: i64,
    max_edits: usize,
) -> Option<(usize, Match)> {
    let n_words = quotation.words.len();
    let window = Window::new(index, source, start, n_words, max_edits)?;
    index.spend(n_words * window.band);
    let (edits, costs) = fill(&window, quotation);
    let (column, &cost) =
        costs.iter().enumerate().min_by_key(|&(j, cost)| (*cost, j.abs_diff(window.slack)))?;
    let cost = usize::try_from(cost).ok().filter(|&cost| cost <= max_edits)?;
    let words = trace_back(&window, quotation, &edits, column)?;
    let range = words.first()?.start as usize..words.last()?.end as usize;
    (range.start < range.end).then_some((cost, Match { source, range }))
}

/// Part of a source with which a quotation is aligned. Row `i` of the table is the first `i` words of the quotation,
/// column `j` its offset from the diagonal.
struct Window<'a> {
    index: &'a SourceIndex<'a>,
    words: &'a [IndexedWord],
    /// Word of the window at which the quotation is expected to begin.
    offset: usize,
    /// Half of the band's width.
    slack: usize,
    /// Width of the band.
    band: usize,
}

impl<'a> Window<'a> {
    fn new(
        index: &'a SourceIndex<'_>,
        source: usize,
        start: i64,
        n_words: usize,
        max_edits: usize,
    ) -> Option<Self> {
        let first = index.words.partition_point(|word| (word.source as usize) < source);
        let last = index.words.partition_point(|word| word.source as usize <= source);
        // The start is known up to the width of a vote's bucket, and the edits shift it by as much again.
        let slack = 2 * max_edits + 1;
        let start = usize::try_from(start).unwrap_or(0);
        let from = start.saturating_sub(slack).clamp(first, last);
        let words = index.words.get(from..(from + n_words + 3 * slack).min(last))?;
        Some(Self { index, words, offset: start.saturating_sub(from), slack, band: 2 * slack + 1 })
    }

    /// Number of words of the window that a cell of the table has consumed; `None` outside of the window.
    fn consumed(&self, i: usize, j: usize) -> Option<usize> {
        (i + j + self.offset).checked_sub(self.slack).filter(|&n| n <= self.words.len())
    }

    /// Last of the words that a cell has consumed.
    fn word(&self, consumed: usize) -> Option<&'a IndexedWord> {
        consumed.checked_sub(1).and_then(|n| self.words.get(n))
    }
}

/// Fills the table: the edit of each cell behind row 0, row by row, and the costs of the last row.
fn fill(window: &Window<'_>, quotation: &QuotedTerms<'_>) -> (Vec<Edit>, Vec<u32>) {
    let start = |j| if window.consumed(0, j).is_some() { 0 } else { UNREACHABLE };
    let mut above: Vec<u32> = (0..window.band).map(start).collect();
    let mut edits: Vec<Edit> = Vec::with_capacity(quotation.words.len() * window.band);
    for (i, (word, term)) in quotation.words.iter().zip(&quotation.terms).enumerate() {
        let mut row: Vec<u32> = Vec::with_capacity(window.band);
        for j in 0..window.band {
            let mut best = (UNREACHABLE, Edit::Drop);
            if let Some(consumed) = window.consumed(i + 1, j) {
                if let (Some(there), Some(&before)) = (window.word(consumed), above.get(j)) {
                    let (edit, cost) = compare(window, word, *term, there);
                    best = (before.saturating_add(cost), edit);
                }
                let dropped = above.get(j + 1).map(|cost| (cost.saturating_add(1), Edit::Drop));
                let added = j.checked_sub(1).and_then(|j| row.get(j));
                let added = added.map(|cost| (cost.saturating_add(1), Edit::Add));
                for candidate in [dropped, added].into_iter().flatten() {
                    if candidate.0 < best.0 {
                        best = candidate;
                    }
                }
            }
            row.push(best.0);
            edits.push(best.1);
        }
        above = row;
    }
    (edits, above)
}

/// Edit that turns a word of the quotation into a word of the source, and its cost.
fn compare(window: &Window<'_>, word: &str, term: Option<u32>, there: &IndexedWord) -> (Edit, u32) {
    if Some(there.term) == term {
        (Edit::Keep, 0)
    } else if is_same_stem(word, window.index.word_text(there)) {
        (Edit::Replace, 1)
    } else {
        (Edit::Replace, 2)
    }
}

/// Words of the source that the alignment ending in a column of the last row covers; `None` if it edits a guarded word.
fn trace_back<'a>(
    window: &Window<'a>,
    quotation: &QuotedTerms<'_>,
    edits: &[Edit],
    column: usize,
) -> Option<&'a [IndexedWord]> {
    let (mut i, mut j) = (quotation.words.len(), column);
    let edit_at = |i: usize, j: usize| edits.get(i.checked_sub(1)? * window.band + j).copied();
    // A word too many at either end may be the first of what the source goes on with: "do include" may be quoted from
    // "do not include".
    if edit_at(i, j)? == Edit::Drop {
        return None;
    }
    let end = window.consumed(i, j)?;
    let mut begin = end;
    while i > 0 {
        let consumed = window.consumed(i, j)?;
        let quoted = quotation.words.get(i - 1).copied();
        let printed = window.word(consumed).map(|word| window.index.word_text(word));
        let edit = edit_at(i, j)?;
        let edited = match edit {
            Edit::Keep => [None, None],
            Edit::Replace => [quoted, printed],
            Edit::Drop => [quoted, None],
            Edit::Add => [None, printed],
        };
        if edited.iter().flatten().any(|word| is_guarded(word)) {
            return None;
        }
        match edit {
            Edit::Keep | Edit::Replace => {
                i -= 1;
                begin = consumed.checked_sub(1)?;
            }
            Edit::Drop if i == 1 => return None,
            Edit::Drop => {
                i -= 1;
                j += 1;
            }
            Edit::Add => {
                j = j.checked_sub(1)?;
                begin = consumed.checked_sub(1)?;
            }
        }
    }
    window.words.get(begin..end)
}

/// True if two words share their first half, at least three letters: forms of one word. Any other replacement counts as
/// two edits, or "must not maintain" would be repaired to "must not use".
fn is_same_stem(a: &str, b: &str) -> bool {
    let pairs = a.chars().flat_map(char::to_lowercase).zip(b.chars().flat_map(char::to_lowercase));
    let n_common = pairs.take_while(|(a, b)| a == b).count();
    n_common >= 3 && n_common * 2 >= a.chars().count().max(b.chars().count())
}

#[cfg(test)]
mod tests {
    use super::is_same_stem;
    use crate::{SourceText, Status, check};

    const SOURCE: &str = "A relevant firm that keeps client assets shall tell the authority in writing of each change to \
                          the custodian that it named there. The agent of that firm keeps a copy of the letter.";

    fn status(quotation: &str) -> (Status, Option<String>) {
        status_in(SOURCE, quotation)
    }

    fn status_in(text: &str, quotation: &str) -> (Status, Option<String>) {
        let answer = format!("“{quotation}” [P1]");
        let sources = [SourceText { id: 1, text, context: "" }];
        let mut quotations = check(&answer, &sources).remove(0).quotations;
        let quotation = quotations.remove(0);
        (quotation.status, quotation.source_words)
    }

    #[test]
    fn a_word_more_less_or_other_is_repaired_to_the_printed_words() {
        let printed = "A relevant firm that keeps client assets shall tell the authority in writing of each change to the custodian";
        for quotation in [
            "A relevant firm that holds client assets shall tell the authority in writing of each change to the custodian",
            "A relevant firm that keeps client assets shall promptly tell the authority in writing of each change to the custodian",
            "A relevant firm that keeps client assets shall tell authority in writing of each change to the custodian",
            "A relevant firms that keep client assets shall tell the authority in writing of each change to the custodian",
        ] {
            assert_eq!(status(quotation), (Status::Repaired, Some(printed.to_owned())), "{quotation}");
        }
    }

    #[test]
    fn a_repaired_quotation_may_stand_at_either_end_of_its_source() {
        let printed =
            "the borrower and the guarantor keep the register of charges at the office of the agent in town";
        let other = printed.replace("register", "list");
        let further = "this is other text that says nothing of it";
        for text in [
            printed.to_owned(),
            format!("{printed} {further}"),
            format!("{further} {printed}"),
            format!("{further} {printed} {further}"),
        ] {
            assert_eq!(status_in(&text, &other), (Status::Repaired, Some(printed.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_guarded_word_and_a_word_at_an_end_are_not_edited() {
        for quotation in [
            // A limit put in, in two places; one left out.
            "A relevant firm that keeps client assets shall only tell the authority in writing of each change to the custodian",
            "A relevant firm that keeps client assets shall tell the authority in writing only of each change to the custodian",
            "A relevant firm that keeps client assets shall tell the authority in writing of change to the custodian",
            // A limit in the place of another word, and another word in the place of a limit.
            "A relevant firm that keeps all assets shall tell the authority in writing of each change to the custodian",
            "A relevant firm that keeps client assets shall tell the authority in writing of the change to the custodian",
            // Words that the source may go on with otherwise.
            "promptly A relevant firm that keeps client assets shall tell the authority in writing of each change to the custodian",
            "A relevant firm that keeps client assets shall tell the authority in writing of each change to the custodian promptly",
            "A relevant firm that keeps client assets shall tell the authority in writing of each change to the depositary",
        ] {
            assert_eq!(status(quotation), (Status::NotFound, None), "{quotation}");
        }
    }

    #[test]
    fn forms_of_one_word_share_its_first_half_and_three_letters() {
        for (a, b) in
            [("firm", "firms"), ("Keep", "keeps"), ("act", "action"), ("per", "person"), ("notify", "notice")]
        {
            assert!(is_same_stem(a, b) && is_same_stem(b, a), "{a} {b}");
        }
        for (a, b) in
            [("an", "and"), ("it", "it"), ("act", "actions"), ("use", "maintain"), ("client", "firm")]
        {
            assert!(!is_same_stem(a, b) && !is_same_stem(b, a), "{a} {b}");
        }
    }
}
