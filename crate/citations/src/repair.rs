//! A quotation that is nearly there: one clear source, a small edit.
//!
//! Places are proposed by the quotation's rarest words, each voting for where the quotation would begin; the best few
//! are aligned word by word within a band. What is shown is the source's wording. Refused is every edit that may turn
//! a provision around: a figure, a modal, a denial, a connective, a limit. Cost: words times the width of the band,
//! for at most [`MAX_PLACES`] places; memory likewise.

use std::collections::BTreeMap;

use super::key::Key;
use super::shelf::{Found, Shelf};
use super::{figures, modals};

/// Most words of an edit, and the words of a quotation that allow one.
const MAX_EDITS: usize = 8;
const WORDS_AN_EDIT: usize = 8;
/// Fewest words of a quotation that is repaired in more than capitals and punctuation.
const MIN_WORDS: usize = 5;
/// Longest quotation that is aligned, in words.
const MAX_WORDS: usize = 2_000;
/// Most places that are aligned.
const MAX_PLACES: usize = 6;
/// Most votes of a word.
const MAX_VOTES: usize = 512;

/// Words that turn a provision around when they come, go or change.
const GUARDED: &[&str] = &[
    "above",
    "after",
    "all",
    "and",
    "any",
    "before",
    "below",
    "can",
    "cannot",
    "daily",
    "each",
    "either",
    "every",
    "except",
    "exceed",
    "exceeds",
    "excluding",
    "fewer",
    "first",
    "forbidden",
    "if",
    "including",
    "last",
    "least",
    "less",
    "maximum",
    "may",
    "minimum",
    "monthly",
    "more",
    "most",
    "must",
    "neither",
    "never",
    "no",
    "none",
    "nor",
    "not",
    "nothing",
    "only",
    "or",
    "other",
    "ought",
    "over",
    "permitted",
    "prohibited",
    "required",
    "shall",
    "should",
    "unless",
    "under",
    "until",
    "will",
    "within",
    "without",
    "yearly",
    "annual",
    "annually",
    "quarterly",
    "weekly",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "hour",
    "hours",
    "business",
    "calendar",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "second",
    "third",
    "half",
    "double",
    "twice",
    "once",
    "percent",
    "cent",
    "but",
    "save",
    "than",
];

/// Characters of Chinese that do the same.
const GUARDED_CJK: &str = "不未无非没勿莫禁应当须必可得能除外但且或与及和并仅只均各每以上下内前后多少超低高大小满日月年周时元万亿千百十零〇一二三四五六七八九两半全";

/// Where the wording of a source differs from `wanted` by a small edit, when that is one clear place among the
/// `named` sources (among all, when none is named).
pub(super) fn repair(shelf: &Shelf<'_>, wanted: &Key, named: &[usize]) -> Option<Found> {
    let words: Vec<&str> = wanted.words().into_iter().map(|range| wanted.slice(range)).collect();
    if words.is_empty() || words.len() > MAX_WORDS || shelf.is_spent() {
        return None;
    }
    let is_cjk = words.iter().filter(|word| word.chars().all(text::is_cjk)).count() * 2 > words.len();
    let enough = if is_cjk { 2 * MIN_WORDS } else { MIN_WORDS };
    let limit = if words.len() < enough { 0 } else { (words.len() / WORDS_AN_EDIT).clamp(1, MAX_EDITS) };
    let terms: Vec<Option<u32>> = words.iter().map(|word| shelf.term(word)).collect();
    let mut best: Option<(usize, Found)> = None;
    let mut is_clear = true;
    for (item, start) in places(shelf, &terms, named, limit) {
        if shelf.is_spent() {
            return None;
        }
        let Some((edits, found)) = align(shelf, &words, &terms, item, start, limit) else { continue };
        match &best {
            Some((fewest, _)) if *fewest < edits => {}
            Some((fewest, first)) if *fewest == edits => is_clear &= same_words(shelf, first, &found),
            _ => (best, is_clear) = (Some((edits, found)), true),
        }
    }
    let (_, found) = best.filter(|_| is_clear)?;
    let item = shelf.items.get(found.item)?;
    let there = item.key.slice(found.range.clone());
    let is_whole = item.key.may_begin(found.range.start) && item.key.may_end(found.range.end);
    (is_whole && same_sense(&wanted.text, there)).then_some(found)
}

fn same_words(shelf: &Shelf<'_>, a: &Found, b: &Found) -> bool {
    let text = |found: &Found| shelf.items.get(found.item).map(|item| item.key.slice(found.range.clone()));
    text(a) == text(b)
}

/// Whether two wordings have the same figures, modals and number of denials, in the same order.
fn same_sense(a: &str, b: &str) -> bool {
    let values = |text: &str| -> Vec<Vec<String>> {
        figures::figures(text).into_iter().map(|figure| figure.values).collect()
    };
    let said = |text: &str| -> Vec<modals::Modal> {
        modals::modals(text).into_iter().map(|(modal, _)| modal).collect()
    };
    values(a) == values(b) && said(a) == said(b) && modals::negations(a).len() == modals::negations(b).len()
}

/// Where a quotation of these terms may begin: the source and the place in [`Shelf::words`], the most votes first.
fn places(shelf: &Shelf<'_>, terms: &[Option<u32>], named: &[usize], limit: usize) -> Vec<(usize, i64)> {
    let mut rare: Vec<(usize, usize)> = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        let n = shelf.postings(*term).len();
        if n > 0 {
            rare.push((n, at));
        }
    }
    rare.sort_unstable();
    let width = i64::try_from(limit.max(1)).unwrap_or(1);
    let mut votes: BTreeMap<(usize, i64), usize> = BTreeMap::new();
    for &(_, at) in rare.iter().take(12) {
        let list = shelf.postings(terms.get(at).copied().flatten());
        let mut n_votes = 0;
        for &place in list {
            let Some(word) = shelf.words.get(place as usize) else { continue };
            let item = word.item as usize;
            if !named.is_empty() && !named.contains(&item) {
                continue;
            }
            let start = i64::from(place) - i64::try_from(at).unwrap_or(0);
            *votes.entry((item, start.div_euclid(width))).or_default() += 1;
            n_votes += 1;
            if n_votes == MAX_VOTES {
                break;
            }
        }
        // A vote costs about as much as ten steps.
        shelf.spend(list.len() + 10 * n_votes);
    }
    let mut places: Vec<((usize, i64), usize)> = votes.into_iter().collect();
    places.sort_by_key(|&(place, votes)| (usize::MAX - votes, place));
    places.truncate(MAX_PLACES);
    places.into_iter().map(|((item, bucket), _)| (item, bucket * width)).collect()
}

/// What one step of an alignment does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Same,
    Change,
    /// A word of the quotation that the source lacks.
    Extra,
    /// A word of the source that the quotation lacks.
    Missing,
}

/// Aligns the quotation with the words of a source near `start`: the edits and the words of the source, when there are
/// no more than `limit` edits and none is guarded.
fn align(
    shelf: &Shelf<'_>,
    words: &[&str],
    terms: &[Option<u32>],
    item: usize,
    start: i64,
    limit: usize,
) -> Option<(usize, Found)> {
    let of_item = |word: &super::shelf::Word| word.item as usize;
    let first = shelf.words.partition_point(|word| of_item(word) < item);
    let last = shelf.words.partition_point(|word| of_item(word) <= item);
    // The place is known up to the width of a bucket, the edits move it by as much again.
    let slack = 2 * limit + 1;
    let from = usize::try_from(start).unwrap_or(0).saturating_sub(slack).clamp(first, last);
    let window = shelf.words.get(from..(from + words.len() + 3 * slack).min(last))?;
    let offset = usize::try_from(start).unwrap_or(0).saturating_sub(from);
    let band = 2 * slack + 1;
    shelf.spend(words.len() * band);

    let text_of = |word: &super::shelf::Word| {
        shelf.items.get(item).map_or("", |item| item.key.slice(word.start as usize..word.end as usize))
    };
    // Row i, column j: the first i words of the quotation against the window up to word i + j + offset - slack.
    const FAR: u32 = u32::MAX / 2;
    let column = |i: usize, j: usize| (i + j + offset).checked_sub(slack).filter(|&n| n <= window.len());
    let mut row: Vec<u32> = (0..band).map(|j| if column(0, j).is_some() { 0 } else { FAR }).collect();
    let mut steps: Vec<Step> = Vec::with_capacity(words.len() * band);
    for (i, term) in terms.iter().enumerate() {
        let mut next = vec![FAR; band];
        for j in 0..band {
            let mut best = (FAR, Step::Extra);
            if let Some(n) = column(i + 1, j) {
                let there = n.checked_sub(1).and_then(|n| window.get(n));
                if let (Some(there), Some(&before)) = (there, row.get(j)) {
                    let (step, cost) = if Some(there.term) == *term {
                        (Step::Same, 0)
                    } else {
                        let alike = words.get(i).is_some_and(|word| are_alike(word, text_of(there)));
                        (Step::Change, if alike { 1 } else { 2 })
                    };
                    best = (before.saturating_add(cost), step);
                }
                if let Some(&before) = row.get(j + 1)
                    && before.saturating_add(1) < best.0
                {
                    best = (before + 1, Step::Extra);
                }
                if let Some(&before) = j.checked_sub(1).and_then(|j| next.get(j))
                    && before.saturating_add(1) < best.0
                {
                    best = (before + 1, Step::Missing);
                }
            }
            if let Some(cell) = next.get_mut(j) {
                *cell = best.0;
            }
            steps.push(best.1);
        }
        row = next;
    }
    let (mut j, &edits) = row.iter().enumerate().min_by_key(|&(j, cost)| (*cost, j.abs_diff(slack)))?;
    let edits = usize::try_from(edits).ok().filter(|&edits| edits <= limit)?;

    let mut i = words.len();
    // A word too many at either end may stand for what the source goes on with: "do include" for "do not include".
    let is_extra = |i: usize, j: usize| steps.get((i - 1) * band + j) == Some(&Step::Extra);
    if i == 0 || is_extra(i, j) {
        return None;
    }
    let end = column(i, j)?;
    let mut begin = end;
    while i > 0 {
        let n = column(i, j)?;
        let here = n.checked_sub(1).and_then(|n| window.get(n));
        let there = here.map(text_of);
        let mine = words.get(i - 1).copied();
        let step = *steps.get((i - 1) * band + j)?;
        let touched: [Option<&str>; 2] = match step {
            Step::Same => [None, None],
            Step::Change => [mine, there],
            Step::Extra => [mine, None],
            Step::Missing => [None, there],
        };
        if touched.iter().flatten().any(|word| is_guarded(word)) {
            return None;
        }
        match step {
            Step::Same | Step::Change => {
                i -= 1;
                begin = n.checked_sub(1)?;
            }
            Step::Extra if i == 1 => return None,
            Step::Extra => {
                i -= 1;
                j += 1;
            }
            Step::Missing => {
                j = j.checked_sub(1)?;
                begin = n.checked_sub(1)?;
            }
        }
    }
    let start = window.get(begin)?.start as usize;
    let stop = end.checked_sub(1).and_then(|n| window.get(n))?.end as usize;
    (start < stop).then_some((edits, Found { item, range: start..stop }))
}

/// Whether two words are forms of one: they begin alike for half of their length. Another word in the place of one is
/// two edits, or "must not maintain" would be repaired to "must not use".
fn are_alike(a: &str, b: &str) -> bool {
    let common = a.chars().flat_map(char::to_lowercase).zip(b.chars().flat_map(char::to_lowercase));
    let common = common.take_while(|(a, b)| a == b).count();
    common >= 3 && common * 2 >= a.chars().count().max(b.chars().count())
}

/// Whether a word may turn a provision around.
pub(super) fn is_guarded(word: &str) -> bool {
    let lower = word.to_lowercase();
    GUARDED.contains(&lower.as_str())
        || word.chars().any(|c| c.is_numeric() || GUARDED_CJK.contains(c))
        || text::numerals::english(&lower).is_some()
}
