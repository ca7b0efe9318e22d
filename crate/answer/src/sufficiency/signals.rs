//! The signals of sufficiency: how far passages contain the words of a question, and how far the first stands out.

use document::{Document, Slice as _};

use super::coverage::{QuestionTerms, TermCoverage};
use crate::answer::Evidence;
use crate::passage::sentences_of;
use crate::similarities::{QuerySimilarity, Similarities};

/// Maximum passages read, best first.
const N_READ: usize = 10;
/// The first passages, among which another may have what the best lacks.
pub(super) const N_TOGETHER: usize = 5;
/// Maximum sentences of a passage read one by one.
const MAX_SENTENCES: usize = 64;

/// Names of the signals, in order.
pub const SIGNALS: &[&str] = &[
    "covered",
    "flat",
    "repeated",
    "sentence",
    "near",
    "together",
    "constraints",
    "stands.together",
    "stands.rows",
    "stands.saturated",
    "stands.focus",
    "elsewhere",
    "cosine",
    "stands.cosine",
    "cosine.best",
    "similar.tokens",
    "similar.opening",
    "similar.stands",
    "similar.lacking",
];

/// A passage, measured against the terms of a question.
pub(super) struct PassageSignals {
    pub(super) coverage: TermCoverage,
    /// Largest share of the question in one sentence, 0 to 1.
    sentence: f64,
    /// Cosine of the passage's vector to the question's.
    pub(super) cosine: Option<f64>,
}

/// Measures the first [`N_READ`] passages.
pub(super) fn read(terms: &QuestionTerms, evidence: &[Evidence<'_>]) -> Vec<PassageSignals> {
    let passage = |item: &Evidence<'_>| {
        let chunk = item.source.chunks.get(item.chunk.idx())?;
        let coverage = terms.read(&item.source.chunk_text(chunk), &headings(item.source, item.chunk.idx()));
        let sentences = sentences_of(item.source, &chunk.ranges).into_iter().take(MAX_SENTENCES);
        let share = |range| {
            let ids = terms.ids_in(item.source.layout.slice(range));
            terms.share(&|id| ids.contains(&id))
        };
        let sentence = sentences.map(share).fold(0.0, f64::max);
        Some(PassageSignals { coverage, sentence, cosine: item.cosine.map(f64::from) })
    };
    evidence.iter().take(N_READ).filter_map(passage).collect()
}

/// The headings above a passage and the document's title, one a line.
fn headings(source: &Document, chunk: usize) -> String {
    let Some(chunk) = source.chunks.get(chunk) else { return String::new() };
    let mut path = source.section_path(chunk);
    path.extend(source.title.clone());
    path.join("\n")
}

/// Signals of what was compared with a question token by token; 0 where nothing was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SimilaritySignals {
    /// Mean similarity of the question's tokens to the nearest passages, -1 to 1.
    tokens: f64,
    /// Mean similarity of its first tokens to the most similar sentence, -1 to 1.
    opening: f64,
    /// Similarity of the most similar passage, less the mean of those that follow, ≥ 0.
    stands: f64,
    /// 1 − n / 10, n the passages that the tokens are compared with, 10 at most: a maximum over fewer is lower by chance.
    lacking: f64,
}

impl SimilaritySignals {
    pub(super) fn of(similarities: &Similarities) -> Self {
        let query = similarities.query();
        let QuerySimilarity { opening, stands, lacking, .. } = *query;
        Self { tokens: query.mean(), opening: opening.into(), stands: stands.into(), lacking: lacking.into() }
    }
}

/// The signals of the passages, in order of [`SIGNALS`].
pub(super) fn values(
    terms: &QuestionTerms,
    read: &[PassageSignals],
    similar: SimilaritySignals,
) -> [f64; SIGNALS.len()] {
    let n = terms.terms.len();
    let has = |passage: &PassageSignals, id: usize| passage.coverage.counts.get(id).is_some_and(|&n| n > 0);
    let first = |of: &dyn Fn(&PassageSignals) -> f64| read.first().map_or(0.0, of);
    let best = |of: &dyn Fn(&PassageSignals) -> f64| read.iter().map(of).fold(0.0, f64::max);
    // The first passage's value above the mean of the others.
    let stands = |of: &dyn Fn(&PassageSignals) -> f64| {
        let others = read.split_first().map_or(&[][..], |(_, others)| others);
        first(of) - others.iter().map(of).sum::<f64>() / others.len().max(1) as f64
    };
    // A word in all passages does not distinguish them.
    let telling = |id: usize| {
        let n_with = read.iter().filter(|passage| has(passage, id)).count() as f64;
        terms.idf(id) * (1.0 - n_with / (read.len() as f64 + 1.0))
    };
    let telling: Vec<f64> = (0..n).map(telling).collect();
    let all_telling = telling.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let focus = |passage: &PassageSignals| {
        let had = telling.iter().enumerate().filter(|(id, _)| has(passage, *id));
        had.map(|(_, weight)| weight).sum::<f64>() / all_telling
    };
    let constraints: Vec<usize> =
        terms.terms.iter().enumerate().filter(|(_, term)| term.is_constraint).map(|(id, _)| id).collect();
    let all_constraints = constraints.iter().map(|&id| terms.idf(id)).sum::<f64>().max(f64::MIN_POSITIVE);
    // Share of the question's numbers and names that a passage lacks.
    let lacks = |passage: &PassageSignals| {
        let lacking = constraints.iter().filter(|&&id| !has(passage, id));
        lacking.map(|&id| terms.idf(id)).sum::<f64>() / all_constraints
    };
    let together = read.slice(..N_TOGETHER.min(read.len()));
    let least_lacking = together.iter().map(lacks).fold(1.0, f64::min);
    let elsewhere = terms.share(&|id| {
        let mut others = together.iter().skip(1);
        read.first().is_some_and(|first| !has(first, id)) && others.any(|passage| has(passage, id))
    });
    let cosine = |passage: &PassageSignals| passage.cosine.unwrap_or(0.0);
    [
        first(&|passage| passage.coverage.covered),
        first(&|passage| passage.coverage.flat),
        first(&|passage| passage.coverage.repeated),
        best(&|passage| passage.sentence),
        best(&|passage| passage.coverage.near),
        first(&|passage| passage.coverage.together),
        if constraints.is_empty() { 0.0 } else { -least_lacking },
        stands(&|passage| passage.coverage.together),
        stands(&|passage| passage.coverage.rows),
        stands(&|passage| passage.coverage.saturated),
        stands(&focus),
        elsewhere,
        first(&cosine),
        stands(&cosine),
        best(&cosine),
        similar.tokens,
        similar.opening,
        similar.stands,
        similar.lacking,
    ]
}
