//! Pseudo-relevance feedback: similarity of a unit to the best candidates, by terms and by vectors.
//!
//! Terms: those of the best units, weighted by share and idf, as in RM3 (Abdul-Jaleel et al., TREC 2004) without the
//! question's own. Vectors: the mean of the best (Rocchio, 1971).

use std::collections::{BTreeMap, BTreeSet};

use document::{DocumentIdx, OrNever as _, Slice as _};
use index::vector::VectorRow;
use index::{PostingList, TermStats};
use text::Analyzer;

use super::context::{FeatureContext, UnitContext};
use crate::bm25::{idf, saturation};
use crate::candidate::Candidate;

pub const NAMES: &[&str] = &["feedback.words", "feedback.vector", "feedback.vector.best"];

/// Number of the best candidates.
const N_BEST: usize = 5;
/// Bytes of each that are read.
const MAX_BYTES: usize = 4 << 10;
/// Number of terms whose idf is looked up, by share.
const N_FREQUENT: usize = 60;
/// Number of these that are kept, by share and idf.
const N_TERMS: usize = 24;

/// The feedback of one question. A candidate among the best is compared with a mean that includes it.
pub struct Feedback<'a> {
    /// Weights of the terms, which sum to 1.
    weights: Vec<f64>,
    /// By document of the candidates the postings of each of the terms.
    lists: BTreeMap<DocumentIdx, Vec<PostingList<'a>>>,
    /// Mean vector of the best, not normalised.
    mean: Vec<f32>,
    /// Vector of the first.
    best: Vec<f32>,
    /// Mean length of a unit's text, in terms.
    mean_text_length: f64,
}

impl<'a> Feedback<'a> {
    pub fn new(candidates: &[Candidate], order: &[usize], context: &FeatureContext<'a>) -> Self {
        let best: Vec<&Candidate> = order.iter().take(N_BEST).filter_map(|&at| candidates.get(at)).collect();
        let mut mean: Vec<f32> = Vec::new();
        let mut first: Vec<f32> = Vec::new();
        let mut n_rows = 0.0_f32;
        for candidate in &best {
            let Some(row) = row_of(candidate, context) else { continue };
            let values = row.to_vec();
            mean.resize(values.len(), 0.0);
            mean.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
            if first.is_empty() {
                first = values;
            }
            n_rows += 1.0;
        }
        mean.iter_mut().for_each(|sum| *sum /= n_rows);
        let documents: BTreeSet<DocumentIdx> =
            candidates.iter().map(|candidate| candidate.document).collect();
        let (weights, lists) = terms_of(&best, &documents, context);
        Self { weights, lists, mean, best: first, mean_text_length: context.lexical.mean_text_length }
    }

    pub fn push(
        &self,
        place: &UnitContext<'_>,
        candidate: &Candidate,
        context: &FeatureContext<'_>,
        out: &mut Vec<f32>,
    ) {
        let postings = place.segment.postings();
        let length = postings.lengths().get(place.unit as usize).copied().unwrap_or_default();
        let relative = f64::from(length.text) / self.mean_text_length;
        let mut words = 0.0;
        let lists = self.lists.get(&candidate.document).map(Vec::as_slice);
        let lists = lists.or_never("the postings in a candidate's document");
        for (weight, list) in self.weights.iter().zip(lists) {
            if let Some(posting) = list.in_unit(place.unit) {
                words += weight * saturation(f64::from(posting.text_freq), relative, context.bm25);
            }
        }
        let row = row_of(candidate, context);
        let near = |vector: &[f32]| row.and_then(|row| row.dot(vector)).unwrap_or(f32::NAN);
        out.extend([words as f32, near(&self.mean), near(&self.best)]);
    }
}

/// The vector of a candidate, of an article that of its nearest child.
fn row_of<'a>(candidate: &Candidate, context: &FeatureContext<'a>) -> Option<VectorRow<'a>> {
    context.index.get(candidate.document)?.vectors().row(candidate.row?)
}

/// Of the terms of the best units that are none of the question's: their weights, and by document their postings.
fn terms_of<'a>(
    best: &[&Candidate],
    documents: &BTreeSet<DocumentIdx>,
    context: &FeatureContext<'a>,
) -> (Vec<f64>, BTreeMap<DocumentIdx, Vec<PostingList<'a>>>) {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    let mut n_units = 0;
    for (_, entry) in context.index.iter() {
        n_units += entry.segment().units().len() as u64;
    }
    for candidate in best {
        let Some(entry) = context.index.get(candidate.document) else { continue };
        let segment = entry.segment();
        let Some(chunk) = segment.chunk(candidate.chunk) else { continue };
        let text = segment.document().chunk_text(chunk);
        let end = text.floor_char_boundary(MAX_BYTES);
        let terms = Analyzer::new(segment.analyzer()).terms(text.slice(..end));
        let asked = context.lexical.terms_for(segment);
        let share = 1.0 / terms.len().max(1) as f64;
        for term in terms {
            if !asked.iter().any(|asked| asked.text == term) {
                *shares.entry(term).or_default() += share;
            }
        }
    }
    let mut frequent: Vec<(String, f64)> = shares.into_iter().collect();
    frequent.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    frequent.truncate(N_FREQUENT);
    let texts: Vec<&str> = frequent.iter().map(|(term, _)| term.as_str()).collect();
    let mut lists = BTreeMap::new();
    let stats = TermStats::with_postings(context.index, &texts, &mut |document, of_terms| {
        if documents.contains(&document) {
            lists.insert(document, of_terms.to_vec());
        }
    });
    let weighted = frequent.iter().zip(stats).map(|((_, share), stats)| share * idf(stats.doc_freq, n_units));
    let mut terms: Vec<(usize, f64)> = weighted.enumerate().collect();
    let text = |at: usize| texts.get(at).copied().unwrap_or_default();
    terms.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| text(a.0).cmp(text(b.0))));
    terms.truncate(N_TERMS);
    let sum: f64 = terms.iter().map(|(_, weight)| weight).sum::<f64>().max(f64::MIN_POSITIVE);
    for of_terms in lists.values_mut() {
        *of_terms = terms.iter().map(|&(at, _)| of_terms.get(at).copied().unwrap_or_default()).collect();
    }
    (terms.iter().map(|(_, weight)| weight / sum).collect(), lists)
}
