//! From scored provisions to citations: which ranges are quoted, with table heads and notes.

use document::{BlockKind, Document, Slice as _, TextRange};

use super::options::Options;
use super::provisions::{ScoredProvision, choose};
use super::sentences::SentenceScorer;
use crate::answer::{Citation, Evidence};
use crate::answerability::Answerability;
use crate::passage::{MAX_NOTE_BYTES, heading_of, heads_of, note_ranges, notes_called, own_words, quoted};
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
        let source = one.evidence.source;
        let mut quoted = one.quoted(scorer, options);
        let heading = scorer.clause.place.and_then(|place| heading_of(source, one.provision.section, place));
        // A place is named by its heading; the words below it show that it is the one.
        if let Some((_, heading)) =
            heading.filter(|(_, heading)| quoted.iter().all(|range| !range.contains(*heading)))
        {
            quoted.insert(0, heading);
        }
        for ranges in together(source, &quoted, options.max_statement_bytes) {
            if citations.len() >= options.max_statements.max(1) {
                return citations;
            }
            push(&mut citations, one, &ranges);
            for note in ranges.iter().flat_map(|&range| notes_of(source, range, scorer)) {
                if citations.len() < options.max_statements.max(1) {
                    push(&mut citations, one, &[note]);
                }
            }
        }
    }
    citations
}

/// The quoted ranges of a provision, grouped into citations: those of one page together, up to `max_bytes`, so that a
/// lead-in stands with its item and a rule with its limit.
fn together(source: &Document, ranges: &[TextRange], max_bytes: usize) -> Vec<Vec<TextRange>> {
    let page = |range: TextRange| source.layout.spans(range).first().and_then(|span| span.page);
    let mut groups: Vec<Vec<TextRange>> = Vec::new();
    for &range in ranges {
        let joined = groups.last_mut().filter(|group| {
            let n_bytes: usize = group.iter().map(|range| range.len()).sum();
            n_bytes + range.len() <= max_bytes
                && group.first().is_some_and(|&first| page(first) == page(range))
        });
        match joined {
            Some(group) => group.push(range),
            None => groups.push(vec![range]),
        }
    }
    groups
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

/// Cites ranges of a provision as one, rows with their headers, without those of which words are cited already.
fn push(citations: &mut Vec<Citation>, one: &ScoredProvision<'_>, ranges: &[TextRange]) {
    let Evidence { document, source, chunk, .. } = one.evidence;
    let mut parts: Vec<TextRange> = Vec::new();
    let mut quote = String::new();
    let mut before: Option<TextRange> = None;
    for &range in ranges {
        if citations.iter().any(|earlier| earlier.overlaps(document, range)) {
            continue;
        }
        let mut own = heads_of(source, range);
        own.retain(|head| !parts.contains(head));
        own.extend(own_words(source, range));
        if let Some(before) = before {
            let between = TextRange { start: before.end, end: range.start };
            quote.push_str(if leaves_words_out(source, between) { " […] " } else { "\n" });
        }
        quote.push_str(&quoted(source, &own));
        parts.extend(own);
        before = Some(range);
    }
    let (Some((&first, rest)), Some(&range)) = (parts.split_first(), ranges.first()) else { return };
    if quote.is_empty() {
        return;
    }
    let stands = |part: &TextRange| {
        let slice = source.layout.slice(*part);
        locate(slice.trim(), slice).is_some()
    };
    let status = if parts.iter().all(stands) { Status::Verified } else { Status::NotFound };
    let operative = one.operative(ranges).map(|best| source.layout.slice(best).trim());
    let operative =
        operative.filter(|&best| best.len() < quote.len() && quote.contains(best)).map(str::to_owned);
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
        operative,
    });
}

/// True if a range between two quotations holds words other than notes, headings and rows, which are left out of
/// quotations unmarked.
fn leaves_words_out(source: &Document, between: TextRange) -> bool {
    let blocks = &source.layout.blocks;
    let first = blocks.partition_point(|block| block.range.end <= between.start);
    let inside =
        blocks.slice(first..).iter().map_while(|block| Some((block.kind, block.range.intersect(between)?)));
    let mut words = inside
        .filter(|(kind, _)| !matches!(kind, BlockKind::Footnote | BlockKind::Heading | BlockKind::Table))
        .map(|(_, part)| source.layout.slice(part));
    words.any(|words| !words.trim().is_empty())
}
