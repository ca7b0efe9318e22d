//! The provisions that answer, and the parts of each that are quoted.
//!
//! Scored sentences are grouped by provision. A provision's score joins the rank of its passage and the score of its
//! best sentence; those that score nearly as high as the best are quoted. The question decides how much of each: for
//! requirements, contents or a procedure a short provision is quoted whole; for a meaning, a figure, a person or a
//! consequence the matching sentences are quoted, a lead-in with its items and a rule with its limits.

use std::collections::BTreeSet;

use document::{Slice as _, TextRange};

use super::options::Options;
use super::sentences::{ScoredSentence, SentenceScorer};
use crate::answer::Evidence;
use crate::language::Language;
use crate::passage::{
    MAX_NOTE_BYTES, Provision, ProvisionPart, heading_of, heads_of, is_head, is_note, provision,
    provision_parts, quoted, table_at, whole,
};
use crate::question::{Clause, Extent};

/// Number of top-ranked passages with a lower threshold.
const N_FIRST: usize = 3;
/// Share of the threshold that applies to provisions of top-ranked passages; in Chinese all of it.
const FIRST_SHARE: f64 = 0.7;

/// Minimum similarity of a quoted part as a share of the most similar part's, where parts were compared.
const NEARLY_AS_SIMILAR: f64 = 0.8;
/// The same of parts quoted besides, best first, up to [`QUOTED_BYTES`] in all: the sentence beside the most similar one
/// often is the one that answers.
const SIMILAR_ENOUGH: f64 = 0.4;
/// Length of a quotation up to which parts that are [`SIMILAR_ENOUGH`] belong to it, in bytes.
const QUOTED_BYTES: usize = 600;

/// A provision with its score.
pub(super) struct ScoredProvision<'a> {
    pub(super) evidence: Evidence<'a>,
    pub(super) provision: Provision,
    /// Its scored sentences, best first.
    sentences: Vec<TextRange>,
    terms: BTreeSet<String>,
    /// Rank of its best passage, from 0.
    rank: usize,
    pub(super) score: f64,
}

/// The provisions of scored sentences, best first.
pub(super) fn provisions<'a>(
    candidates: &[ScoredSentence<'a>],
    options: &Options,
) -> Vec<ScoredProvision<'a>> {
    let mut found: Vec<ScoredProvision<'a>> = Vec::new();
    for candidate in candidates {
        let source = candidate.evidence.source;
        let provision = provision(source, candidate.section, candidate.range, options.max_provision_bytes);
        let whole = if candidate.is_compared { options.rank_share_compared } else { options.rank_share };
        let rank_share = whole * candidate.speaks();
        let score = rank_share * candidate.prior + (1.0 - whole) * candidate.score;
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

/// The provisions in their order; if the question asks for a place, the best one of each place first.
pub(super) fn by_place<'a>(found: Vec<ScoredProvision<'a>>, clause: &Clause) -> Vec<ScoredProvision<'a>> {
    let Some(asked) = clause.place else { return found };
    let mut places = BTreeSet::new();
    let mut is_new = |one: &ScoredProvision<'a>| {
        let place = heading_of(one.evidence.source, one.provision.section, asked);
        place.is_none_or(|(section, _)| places.insert((one.evidence.document.0, section)))
    };
    let (mut first, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| is_new(one));
    first.extend(others);
    first
}

impl ScoredProvision<'_> {
    fn place(&self) -> (u32, u32) {
        (self.evidence.document.0, self.provision.start())
    }

    /// True if this repeats another: at least 80 % of the smaller set of terms is in the other.
    fn repeats(&self, other: &Self) -> bool {
        let common = self.terms.intersection(&other.terms).count();
        let smaller = self.terms.len().min(other.terms.len());
        smaller > 0 && common * 10 >= smaller * 8
    }

    /// The part of the quoted ranges that answers best and can stand alone: the best of their sentences, with what limits
    /// it. `None` for a lead-in or an item of a list, which need each other, and for a row, which needs its heads.
    pub(super) fn operative(&self, quoted: &[TextRange]) -> Option<TextRange> {
        let parts = provision_parts(self.evidence.source, &self.provision.body);
        let is_quoted = |part: TextRange| quoted.iter().any(|range| range.contains(part));
        let best = self.sentences.iter().copied().find(|&sentence| is_quoted(sentence))?;
        if table_at(self.evidence.source, best).is_some() {
            return None;
        }
        let at = parts.iter().position(|part| part.range.intersect(best).is_some())?;
        let limits = |at: usize| parts.get(at).is_some_and(|part| part.qualifies);
        let first = (0..=at).rev().find(|&at| !limits(at))?;
        let last = (at..parts.len()).find(|&at| !limits(at + 1))?;
        let (start, end) = (parts.get(first)?, parts.get(last)?);
        let is_of_list = |at: usize| {
            let before = parts.slice(..at).iter().rev().find(|part| !part.is_item);
            parts
                .get(at)
                .is_some_and(|part| part.leads || (part.is_item && before.is_some_and(|part| part.leads)))
        };
        let whole = TextRange { start: start.range.start, end: end.range.end };
        (!(first..=last).any(is_of_list) && is_quoted(whole)).then_some(whole)
    }

    /// The ranges to quote, in order.
    pub(super) fn quoted(&self, scorer: &SentenceScorer<'_>, options: &Options) -> Vec<TextRange> {
        let source = self.evidence.source;
        let is_short = self.provision.is_numbered && self.provision.len() <= options.max_whole_bytes;
        // The sentences of a short note need each other.
        let first = self.provision.body.first();
        if first.is_some_and(|&first| is_note(source, first)) && self.provision.len() <= MAX_NOTE_BYTES {
            return self.provision.body.clone();
        }
        let share = match scorer.clause.extent {
            Extent::Provision if is_short => return self.provision.body.clone(),
            Extent::Provision => options.keep_share.min(0.5),
            Extent::Sentences(share) => share,
        };
        let parts = provision_parts(source, &self.provision.body);
        let mut chosen: Vec<TextRange> = Vec::new();
        for part in matching(&parts, scorer, self.evidence, share) {
            // The lists of a provision are among its parts; those of a paragraph are in the blocks around it.
            let range = if self.provision.is_numbered {
                part.range
            } else {
                whole(source, part.range, options.max_statement_bytes)
            };
            match chosen.last_mut() {
                Some(last) if touches(source.layout.text.as_str(), *last, range) => {
                    *last = TextRange { start: last.start.min(range.start), end: last.end.max(range.end) };
                }
                _ => chosen.push(range),
            }
        }
        if chosen.is_empty() {
            // Rows that match by their headers only: the best of them.
            chosen.extend(self.sentences.first());
        }
        chosen
    }
}

/// True if two ranges overlap or only white space is between them.
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
    // A top-ranked passage may answer in other words, so its threshold is lower.
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

/// The parts that match nearly as well as the best, lead-ins with their items, rules with what limits them.
fn matching(
    parts: &[ProvisionPart],
    scorer: &SentenceScorer<'_>,
    evidence: Evidence<'_>,
    share: f64,
) -> Vec<ProvisionPart> {
    let similar: Vec<Option<f64>> =
        parts.iter().map(|part| scorer.similarity(evidence.document, part.range)).collect();
    // Parts that were compared with the question are told apart by that, and are nearer to it than those that were not.
    let is_compared = similar.iter().any(Option::is_some);
    let (own, share) = if is_compared {
        (similar.into_iter().map(Option::unwrap_or_default).collect(), NEARLY_AS_SIMILAR)
    } else {
        (fits(parts, scorer, evidence.source, share), share)
    };
    let best = own.iter().copied().fold(0.0, f64::max);
    let mut keep: Vec<bool> = own.iter().map(|&fit| fit > 0.0 && fit >= share * best).collect();
    if is_compared {
        keep_besides(parts, &own, SIMILAR_ENOUGH * best, &mut keep);
    }
    let mut lead: Option<usize> = None;
    for at in 0..parts.len() {
        let Some(part) = parts.get(at) else { break };
        if part.leads {
            lead = Some(at);
            let items = at + 1..list_end(parts, at);
            let best_item = own.slice(items.clone()).iter().copied().fold(0.0, f64::max);
            let is_about_list = keep.get(at) == Some(&true) && best_item < 0.5 * best;
            if is_about_list {
                keep.iter_mut().take(items.end).skip(items.start).for_each(|keep| *keep = true);
            }
        } else if part.is_item {
            if keep.get(at) == Some(&true)
                && let Some(kept) = lead.and_then(|lead| keep.get_mut(lead))
            {
                *kept = true;
            }
        } else {
            lead = None;
            let follows = at.checked_sub(1).and_then(|before| keep.get(before)) == Some(&true);
            if part.qualifies
                && follows
                && let Some(kept) = keep.get_mut(at)
            {
                *kept = true;
            }
        }
    }
    parts.iter().zip(keep).filter(|(_, keep)| *keep).map(|(part, _)| *part).collect()
}

/// Keeps parts whose similarity is `least` or more, the most similar first, up to [`QUOTED_BYTES`] of those kept.
fn keep_besides(parts: &[ProvisionPart], similar: &[f64], least: f64, keep: &mut [bool]) {
    let mut besides: Vec<(f64, usize, &mut bool)> = Vec::new();
    let mut n_bytes = 0;
    for ((part, &similar), keep) in parts.iter().zip(similar).zip(keep) {
        match *keep {
            true => n_bytes += part.range.len(),
            false if similar > 0.0 && similar >= least => besides.push((similar, part.range.len(), keep)),
            false => {}
        }
    }
    // Stable: of equals the first in the text.
    besides.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, len, keep) in besides {
        n_bytes += len;
        if n_bytes > QUOTED_BYTES {
            break;
        }
        *keep = true;
    }
}

/// The match of each part. A row is matched with its headers, which match all rows alike, so only rows count whose own
/// words match nearly as well as those of the best row.
fn fits(
    parts: &[ProvisionPart],
    scorer: &SentenceScorer<'_>,
    source: &document::Document,
    share: f64,
) -> Vec<f64> {
    let of_row = |part: &ProvisionPart| {
        table_at(source, part.range)?;
        let words = source.layout.slice(part.range);
        Some(if is_head(source, part.range) { 0.0 } else { scorer.share(&scorer.terms(words)) })
    };
    let rows: Vec<Option<f64>> = parts.iter().map(of_row).collect();
    let best = rows.iter().flatten().copied().fold(0.0, f64::max);
    let fit = |(part, row): (&ProvisionPart, &Option<f64>)| match *row {
        None => scorer.fit(source.layout.slice(part.range)),
        Some(own) if own <= 0.0 || own < share * best => 0.0,
        Some(_) => {
            let mut ranges = heads_of(source, part.range);
            ranges.push(part.range);
            scorer.fit(&quoted(source, &ranges))
        }
    };
    parts.iter().zip(&rows).map(fit).collect()
}

/// Index after the last item that a lead-in introduces.
fn list_end(parts: &[ProvisionPart], lead: usize) -> usize {
    let items = parts.slice(lead + 1..);
    lead + 1 + items.iter().take_while(|part| part.is_item).count()
}
