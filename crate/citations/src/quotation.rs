//! Lookup of one quotation of an answer in the sources: verbatim, then stitched or repaired.

use std::ops::Range;

use crate::marks::CitationMark;
use crate::normalized::Normalized;
use crate::quoted_words::{QuotedWords, WordsInText};
use crate::quotes::QuotedSpan;
use crate::repair::repair;
use crate::report::{Quotation, SourceRange, Status};
use crate::source_index::{Match, SourceIndex};
use crate::stitch::{elided, run_together};

/// Words from which a quotation is a claim. A CJK character counts for half a word.
const CLAIM_WORDS: usize = 3;

/// Sources that a quotation cites.
pub(crate) struct CitedSources {
    /// Positions of those that exist in [`SourceIndex::sources`].
    pub(crate) positions: Vec<usize>,
    /// True if the quotation cites any, existing or not. If it cites none, all sources count as cited.
    pub(crate) has_marks: bool,
}

/// Looks up the words of a quoted span. `marks` are those of the answer.
pub(crate) fn look_up(
    index: &SourceIndex<'_>,
    answer: &str,
    span: &QuotedSpan,
    marks: &[CitationMark],
    cited: &CitedSources,
) -> Quotation {
    let words = QuotedWords::new(answer, span, marks);
    let whole = Normalized::new(&words.text);
    let mut quotation = Quotation {
        range: words.range.clone(),
        status: Status::NotFound,
        found: Vec::new(),
        source_words: None,
        is_term: is_term(&whole),
    };
    let (parts, has_insertion) = words.parts();
    let variants = variants(answer, &words, whole, if has_insertion { &[] } else { &parts });
    let verbatim = variants.iter().find_map(|(wanted, range)| {
        let found = index.verbatim(wanted, &cited.positions)?;
        Some((found.source, index.source_range(&found)?, range))
    });
    if let Some((source, found, range)) = verbatim {
        let is_cited = !cited.has_marks || cited.positions.contains(&source);
        quotation.status = if is_cited { Status::Verified } else { Status::Misattributed };
        (quotation.range, quotation.found) = (range.clone(), vec![found]);
    } else if parts.len() > 1 || has_insertion {
        let parts: Vec<String> = parts.into_iter().map(|(text, _)| text).collect();
        stitch(index, &mut quotation, elided(index, &parts, &cited.positions));
    } else if let Some((wanted, range)) = variants.get(1).or(variants.first()) {
        if let Some((found, words)) = repaired(index, wanted, cited) {
            quotation.status = Status::Repaired;
            quotation.source_words = Some(words);
            (quotation.range, quotation.found) = (range.clone(), vec![found]);
        } else {
            stitch(index, &mut quotation, run_together(index, wanted, &cited.positions));
        }
    }
    quotation
}

/// True if a quotation is too short to be a claim.
fn is_term(quotation: &Normalized) -> bool {
    let is_cjk = |word: Range<usize>| quotation.slice(word).chars().all(text::is_cjk);
    let half_words: usize = quotation.words().into_iter().map(|word| if is_cjk(word) { 1 } else { 2 }).sum();
    half_words < 2 * CLAIM_WORDS
}

/// The words as they are, then without what the answer may have put there, each with its bytes in the answer.
fn variants(
    answer: &str,
    words: &QuotedWords,
    whole: Normalized,
    parts: &[WordsInText],
) -> Vec<(Normalized, Range<usize>)> {
    let reduced = [words.without_dots(parts), words.without_comma(parts), words.without_attribution(answer)];
    let reduced = reduced.into_iter().flatten().map(|(text, range)| (Normalized::new(&text), range));
    [(whole, words.range.clone())].into_iter().chain(reduced).collect()
}

/// Where a repaired quotation stands, and the words there. A quotation that cites only missing sources is not repaired.
fn repaired(
    index: &SourceIndex<'_>,
    wanted: &Normalized,
    cited: &CitedSources,
) -> Option<(SourceRange, String)> {
    if cited.has_marks && cited.positions.is_empty() {
        return None;
    }
    let found = repair(index, wanted, &cited.positions)?;
    let range = index.source_range(&found)?;
    let words = index.sources.get(found.source)?.text.get(range.range.to_usize())?;
    Some((range, words.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Marks the quotation as stitched, if parts were found.
fn stitch(index: &SourceIndex<'_>, quotation: &mut Quotation, parts: Option<Vec<Match>>) {
    if let Some(parts) = parts {
        quotation.status = Status::Stitched;
        quotation.found = parts.iter().filter_map(|part| index.source_range(part)).collect();
    }
}
