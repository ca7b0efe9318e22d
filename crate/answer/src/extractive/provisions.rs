//! From sentences that match to what is quoted: the provisions that answer, and how much of each.
//!
//! The sentences are grouped by the provision that they stand in. A provision is as good as its passage ranked and its
//! best sentence answers; beside the first those are quoted that score nearly as high. How much is quoted follows from what
//! is asked: who asks for requirements, contents or a procedure gets the provision whole while it is short, and who
//! asks what a word means, whether, how long, who or what follows gets the sentences that match, a lead-in with its
//! items, a rule with what limits it.

use std::collections::BTreeSet;

use document::TextRange;

use super::options::Options;
use super::sentences::{ScoredSentence, SentenceScorer};
use crate::answer::Evidence;
use crate::language::Language;
use crate::passage::{
    MAX_NOTE_BYTES, Piece, Provision, heads_of, is_head, is_note, pieces, provision, quoted, table_at, whole,
};
use crate::question::Extent;

/// How many passages rank among the first.
const N_FIRST: usize = 3;
/// The share of the bound beside the best provision that is asked of theirs; in Chinese all of it.
const FIRST_SHARE: f64 = 0.7;

/// A provision, with what speaks for it.
pub(super) struct ScoredProvision<'a> {
    pub(super) evidence: Evidence<'a>,
    pub(super) provision: Provision,
    /// Its sentences that were read, best first.
    sentences: Vec<TextRange>,
    terms: BTreeSet<String>,
    /// The place of its best passage among those read, from 0.
    rank: usize,
    pub(super) score: f64,
}

/// The provisions of the candidates, best first.
pub(super) fn provisions<'a>(
    candidates: &[ScoredSentence<'a>],
    options: &Options,
) -> Vec<ScoredProvision<'a>> {
    let mut found: Vec<ScoredProvision<'a>> = Vec::new();
    for candidate in candidates {
        let source = candidate.evidence.source;
        let provision = provision(source, candidate.section, candidate.range, options.max_provision_bytes);
        let rank_share = options.rank_share * candidate.speaks();
        let score = rank_share * candidate.prior + (1.0 - options.rank_share) * candidate.score;
        let known = found.iter_mut().find(|earlier| {
            earlier.evidence.document == candidate.evidence.document
                && earlier.provision.start() == provision.start()
        });
        match known {
            Some(known) => {
                known.sentences.push(candidate.range);
                known.terms.extend(candidate.terms.iter().cloned());
                known.score = known.score.max(score);
                known.rank = known.rank.min(candidate.rank);
            }
            None => found.push(ScoredProvision {
                evidence: candidate.evidence,
                provision,
                sentences: vec![candidate.range],
                terms: candidate.terms.clone(),
                rank: candidate.rank,
                score,
            }),
        }
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place().cmp(&b.place())));
    found
}

impl ScoredProvision<'_> {
    fn place(&self) -> (u32, u32) {
        (self.evidence.document.0, self.provision.start())
    }

    /// Whether this says nothing that another does not: the smaller set of terms lies almost wholly in the other.
    fn repeats(&self, other: &Self) -> bool {
        let common = self.terms.intersection(&other.terms).count();
        let smaller = self.terms.len().min(other.terms.len());
        smaller > 0 && common * 10 >= smaller * 8
    }

    /// What of it is quoted, in order.
    pub(super) fn quoted(&self, scorer: &SentenceScorer<'_>, options: &Options) -> Vec<TextRange> {
        let source = self.evidence.source;
        let is_short = self.provision.is_numbered && self.provision.len() <= options.max_whole_bytes;
        // A note says one thing, in sentences that need each other.
        let first = self.provision.body.first().copied().unwrap_or_default();
        if is_note(source, first) && self.provision.len() <= MAX_NOTE_BYTES {
            return self.provision.body.clone();
        }
        let share = match scorer.clause.extent {
            Extent::Provision if is_short => return self.provision.body.clone(),
            Extent::Provision => options.keep_share.min(0.5),
            Extent::Sentences(share) => share,
        };
        let pieces = pieces(source, &self.provision.body);
        let mut chosen: Vec<TextRange> = Vec::new();
        for piece in matching(&pieces, scorer, source, share) {
            // Of a provision its lists are known; of a paragraph they stand in the blocks around it.
            let range = if self.provision.is_numbered {
                piece.range
            } else {
                whole(source, piece.range, options.max_statement_bytes)
            };
            match chosen.last_mut() {
                Some(last) if touches(source.layout.text.as_str(), *last, range) => {
                    *last = TextRange { start: last.start.min(range.start), end: last.end.max(range.end) };
                }
                _ => chosen.push(range),
            }
        }
        if chosen.is_empty() {
            // Rows of which only the heads fit: the best of them.
            chosen.extend(self.sentences.first());
        }
        chosen
    }
}

/// Whether nothing but white space stands between two ranges, or they overlap.
fn touches(text: &str, before: TextRange, after: TextRange) -> bool {
    after.start <= before.end
        || text
            .get(before.end as usize..after.start as usize)
            .is_some_and(|between| between.trim().is_empty())
}

/// The best of the provisions that are not said already.
pub(super) fn choose<'f, 'a>(
    found: &'f [ScoredProvision<'a>],
    language: Language,
    options: &Options,
) -> Vec<&'f ScoredProvision<'a>> {
    let scores: Vec<f64> = found.iter().map(|one| one.score).collect();
    let (share, first_share) = match language {
        Language::English => (options.beside_share, FIRST_SHARE),
        Language::Chinese => (options.beside_share_zh, 1.0),
    };
    let least = scores.first().map_or(0.0, |best| best * share);
    let n_kept = options.filter.map_or(scores.len(), |filter| filter.kept(&scores));
    let mut chosen: Vec<&ScoredProvision<'a>> = Vec::new();
    // What ranked among the first is heard sooner: it may say in other words what the question asks.
    let is_near = |one: &&ScoredProvision<'a>| {
        one.score >= if one.rank < N_FIRST { first_share * least } else { least }
    };
    for one in found.iter().take(n_kept).filter(is_near) {
        if chosen.len() < options.max_provisions.max(1) && chosen.iter().all(|earlier| !one.repeats(earlier))
        {
            chosen.push(one);
        }
    }
    chosen
}

/// The pieces that match nearly as well as the best, lead-ins with their items, rules with what limits them.
fn matching(
    pieces: &[Piece],
    scorer: &SentenceScorer<'_>,
    source: &document::Document,
    share: f64,
) -> Vec<Piece> {
    let own = fits(pieces, scorer, source, share);
    let best = own.iter().copied().fold(0.0, f64::max);
    let mut keep: Vec<bool> = own.iter().map(|&fit| fit > 0.0 && fit >= share * best).collect();
    let mut lead: Option<usize> = None;
    for at in 0..pieces.len() {
        let Some(piece) = pieces.get(at) else { break };
        if piece.leads {
            lead = Some(at);
            let items = at + 1..list_end(pieces, at);
            let best_item = own.get(items.clone()).unwrap_or_default().iter().copied().fold(0.0, f64::max);
            let is_about_list = keep.get(at) == Some(&true) && best_item < 0.5 * best;
            if is_about_list {
                keep.iter_mut().take(items.end).skip(items.start).for_each(|keep| *keep = true);
            }
        } else if piece.is_item {
            if keep.get(at) == Some(&true)
                && let Some(kept) = lead.and_then(|lead| keep.get_mut(lead))
            {
                *kept = true;
            }
        } else {
            lead = None;
            let follows = at.checked_sub(1).and_then(|before| keep.get(before)) == Some(&true);
            if piece.qualifies
                && follows
                && let Some(kept) = keep.get_mut(at)
            {
                *kept = true;
            }
        }
    }
    pieces.iter().zip(keep).filter(|(_, keep)| *keep).map(|(piece, _)| *piece).collect()
}

/// How well each piece fits. The row of a table fits with its heads, which fit all rows alike; so of the rows only those
/// fit that have nearly as much of the question themselves as the best of them.
fn fits(pieces: &[Piece], scorer: &SentenceScorer<'_>, source: &document::Document, share: f64) -> Vec<f64> {
    let of_row = |piece: &Piece| {
        table_at(source, piece.range)?;
        let words = source.layout.slice(piece.range);
        Some(if is_head(source, piece.range) { 0.0 } else { scorer.share(&scorer.terms(words)) })
    };
    let rows: Vec<Option<f64>> = pieces.iter().map(of_row).collect();
    let best = rows.iter().flatten().copied().fold(0.0, f64::max);
    let fit = |(piece, row): (&Piece, &Option<f64>)| match *row {
        None => scorer.fit(source.layout.slice(piece.range)),
        Some(own) if own <= 0.0 || own < share * best => 0.0,
        Some(_) => {
            let mut ranges = heads_of(source, piece.range);
            ranges.push(piece.range);
            scorer.fit(&quoted(source, &ranges))
        }
    };
    pieces.iter().zip(&rows).map(fit).collect()
}

/// Where the items end that a lead-in introduces.
fn list_end(pieces: &[Piece], lead: usize) -> usize {
    let items = pieces.get(lead + 1..).unwrap_or_default();
    lead + 1 + items.iter().take_while(|piece| piece.is_item).count()
}
