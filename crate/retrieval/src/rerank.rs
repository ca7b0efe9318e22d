//! The second stage: what the legs listed, ranked by all that is known of it.

use std::fmt;

use crate::candidate::{Candidate, RerankScore, ScoredCandidate};
use crate::features::{self, FeatureContext};
use crate::forest::{Forest, ForestError};

/// Ranks candidates again. A score is comparable within one question only.
pub trait Reranker: fmt::Debug + Send + Sync {
    /// Its name in explanations.
    fn name(&self) -> &str;

    /// The scores of the candidates, in their order, each with what it was made of where that is wanted.
    fn rescore(&self, candidates: &[Candidate], context: &FeatureContext<'_>) -> Rescored;
}

/// What a second stage says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rescored {
    /// By candidate.
    pub scores: Vec<f32>,
    /// By candidate, the named values that the score stands on.
    pub reasons: Vec<Vec<(&'static str, f32)>>,
}

/// LambdaMART over [`features`](crate::features()), on top of a share of the first stage's standardised blend that
/// the model names.
#[derive(Clone, Debug, PartialEq)]
pub struct LambdaMart {
    forest: Forest,
    /// By feature of the forest, the column of our row.
    columns: Vec<usize>,
    /// A column and its weight, added to what the forest says.
    prior: Option<(usize, f64)>,
}

/// The idf that features are made with, as models name it.
pub(crate) const IDF: &str = "ln(1+(N-n+0.5)/(n+0.5))";

impl LambdaMart {
    /// A ranker from LightGBM's text model.
    ///
    /// # Errors
    /// As [`Forest::parse`], and when the model wants a feature that is not known here, or was trained with another
    /// idf.
    pub fn parse(text: &str) -> Result<Self, ForestError> {
        let forest = Forest::parse(text)?;
        let names: Vec<&str> = features::features().map(|feature| feature.name).collect();
        let header = |name: &str| {
            let lines = text.lines().take_while(|line| !line.starts_with("Tree="));
            lines
                .filter_map(|line| line.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value)
        };
        if let Some(idf) = header("idf").filter(|&idf| idf != IDF) {
            return Err(ForestError::differs(format!("it was trained with idf {idf}, expected {IDF}")));
        }
        let prior = match header("prior").map(|prior| prior.split_once(' ').unwrap_or((prior, ""))) {
            None => None,
            Some((name, weight)) => {
                let column = names.iter().position(|known| *known == name);
                let weight = weight.parse().ok().filter(|weight: &f64| weight.is_finite());
                let (Some(column), Some(weight)) = (column, weight) else {
                    return Err(ForestError::differs(format!(
                        "its prior is {name:?}, expected a feature and a weight"
                    )));
                };
                Some((column, weight))
            }
        };
        let columns: Result<Vec<usize>, ForestError> = forest
            .features()
            .map(|wanted| {
                names
                    .iter()
                    .position(|name| *name == wanted)
                    .ok_or_else(|| ForestError::unknown_feature(wanted))
            })
            .collect();
        Ok(Self { columns: columns?, forest, prior })
    }
}

impl Reranker for LambdaMart {
    fn name(&self) -> &str {
        "lambdamart"
    }

    fn rescore(&self, candidates: &[Candidate], context: &FeatureContext<'_>) -> Rescored {
        let features = features::extract(candidates, context);
        let names: Vec<&'static str> = features::features().map(|feature| feature.name).collect();
        let mut row = Vec::with_capacity(self.columns.len());
        let mut rescored = Rescored::default();
        for values in features.rows() {
            row.clear();
            row.extend(
                self.columns
                    .iter()
                    .map(|&column| values.get(column).map_or(f64::NAN, |&value| f64::from(value))),
            );
            let prior =
                self.prior.and_then(|(column, weight)| Some(weight * f64::from(*values.get(column)?)));
            rescored.scores.push((self.forest.predict(&row) + prior.unwrap_or(0.0)) as f32);
            if !context.explain {
                continue;
            }
            let named =
                self.columns.iter().filter_map(|&column| Some((*names.get(column)?, *values.get(column)?)));
            rescored.reasons.push(named.filter(|(_, value)| !value.is_nan()).collect());
        }
        rescored
    }
}

/// Puts the scores of a second stage in the place of the fused ones, which stay what they were made of. What it did
/// not look at follows in the order that it had.
pub(crate) fn apply(name: &str, rescored: Rescored, is_head: &[bool], scored: &mut [ScoredCandidate]) {
    let least = rescored.scores.iter().copied().fold(f32::INFINITY, f32::min);
    let tail = scored.iter().zip(is_head).filter(|(_, is_head)| !**is_head);
    let best_of_tail = tail.map(|(hit, _)| hit.score).fold(f32::NEG_INFINITY, f32::max);
    let (mut scores, mut reasons) = (rescored.scores.into_iter(), rescored.reasons.into_iter());
    for (hit, &is_head) in scored.iter_mut().zip(is_head) {
        let fused = hit.score;
        let (score, reasons) = match is_head {
            true => (scores.next(), reasons.next()),
            false => (None, None),
        };
        hit.score = score.unwrap_or(least - 1.0 + (fused - best_of_tail));
        let reasons = reasons.unwrap_or_default();
        hit.reranked = Some(RerankScore { name: name.to_owned(), fused, reasons });
        hit.own = hit.score;
    }
}
