//! From scored provisions to citations: which ranges are quoted, with table heads and notes.

use document::{Document, TextRange};

use super::options::Options;
use super::provisions::{ScoredProvision, choose};
use super::sentences::SentenceScorer;
use crate::answer::{Citation, Evidence};
use crate::answerability::Answerability;
use crate::passage::{MAX_NOTE_BYTES, heads_of, note_ranges, notes_called, own_words, quoted};
use citations::{Status, locate};

/// Maximum provisions quoted for each part of a question that asks several things.
const PER_PART: usize = 2;

/// Nearest provisions cited if it is doubtful that any answers.
const N_NEAREST: usize = 5;

/// Citations of the provisions that answer, the parts of the question in turn; of the nearest provisions if it is
/// doubtful that any answers.
pub(super) fn cite(
    found: &[Vec<ScoredProvision<'_>>],
    scorers: &[SentenceScorer<'_>],
    answerability: Answerability,
    options: &Options,
) -> Vec<Citation> {
    let each = if found.len() > 1 { PER_PART } else { options.max_provisions };
    let shown: Vec<Vec<&ScoredProvision<'_>>> = found
        .iter()
        .zip(scorers)
        .map(|(found, scorer)| {
            if answerability == Answerability::Answers {
                choose(found, scorer.clause.language, &Options { max_provisions: each, ..*options })
            } else {
                found.iter().take(N_NEAREST.min(options.max_provisions)).collect()
            }
        })
        .collect();
    let n_turns = shown.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..n_turns)
        .flat_map(|turn| shown.iter().zip(scorers).map(move |(shown, scorer)| (shown.get(turn), scorer)));
    let mut citations: Vec<Citation> = Vec::new();
    for (one, scorer) in in_turn {
        let Some(one) = one else { continue };
        for range in one.quoted(scorer, options) {
            if citations.len() >= options.max_statements.max(1) {
                return citations;
            }
            push(&mut citations, one, range);
            for note in notes_of(one.evidence.source, range, scorer) {
                if citations.len() < options.max_statements.max(1) {
                    push(&mut citations, one, note);
                }
            }
        }
    }
    citations
}

/// The notes called in a quoted range that bear on the question: short, and with a word of the question or the figure
/// it asks for.
fn notes_of(source: &Document, range: TextRange, scorer: &SentenceScorer<'_>) -> Vec<TextRange> {
    let notes = notes_called(source, range).into_iter().filter_map(|note| {
        match note_ranges(source, note).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    });
    let bears = |note: &TextRange| {
        let words = source.layout.slice(*note);
        words.len() <= MAX_NOTE_BYTES && scorer.bears(words)
    };
    notes.filter(bears).collect()
}

/// Cites a range, a row with its headers, unless words of it are cited already.
fn push(citations: &mut Vec<Citation>, one: &ScoredProvision<'_>, range: TextRange) {
    let Evidence { document, source, chunk, .. } = one.evidence;
    let mut parts = heads_of(source, range);
    parts.extend(own_words(source, range));
    let Some((&first, rest)) = parts.split_first() else { return };
    let quote = quoted(source, &parts);
    if quote.is_empty() || citations.iter().any(|earlier| earlier.overlaps(document, range)) {
        return;
    }
    let stands = |part: &TextRange| {
        let slice = source.layout.slice(*part);
        locate(slice.trim(), slice).is_some()
    };
    let status = if parts.iter().all(stands) { Status::Verified } else { Status::NotFound };
    citations.push(Citation {
        id: u32::try_from(citations.len() + 1).unwrap_or(u32::MAX),
        document,
        chunk,
        section: source.tree.innermost(range),
        range: first,
        rest: rest.to_vec(),
        quote,
        status,
        score: one.score,
    });
}
