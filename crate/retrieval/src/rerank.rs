//! Reranking: the second stage, which ranks the retrievers' candidates by all their features.

use std::fmt;

use crate::candidate::{Candidate, RerankScore, ScoredCandidate};
use crate::features::{self, FeatureContext, FeatureGroup, FeatureMatrix};
use crate::forest::{Forest, ForestError};

/// A reranker. Its scores are comparable within one question only.
pub trait Reranker: fmt::Debug + Send + Sync {
    /// Its name in explanations.
    fn name(&self) -> &str;

    /// Scores of the candidates in their order, with reasons if [`FeatureContext::explain`].
    fn rescore(&self, candidates: &[Candidate], context: &FeatureContext<'_>) -> Rescored;
}

/// Output of a reranker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rescored {
    /// Score by candidate.
    pub scores: Vec<f32>,
    /// By candidate the named values that the score is made of; empty without explanations.
    pub reasons: Vec<Vec<(&'static str, f32)>>,
}

/// LambdaMART over [`features`](crate::features()), added to a prior: a weighted feature that the model file names.
#[derive(Clone, Debug, PartialEq)]
pub struct LambdaMart {
    /// Its name in explanations.
    name: String,
    forest: Forest,
    /// By feature of the forest its column in a [`FeatureMatrix`].
    columns: Vec<usize>,
    /// Column and weight of the prior.
    prior: Option<(usize, f64)>,
}

/// The idf formula of the features, as model files name it.
pub(crate) const IDF: &str = "ln(1+(N-n+0.5)/(n+0.5))";

impl LambdaMart {
    /// A ranker from LightGBM's text model.
    ///
    /// # Errors
    /// As [`Forest::parse`]; also if the model reads an unknown feature or was trained with another idf.
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
        Ok(Self { name: "lambdamart".to_owned(), columns: columns?, forest, prior })
    }

    /// The same under another name in explanations.
    #[must_use]
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// The ranker with the features of some groups withheld: each is NaN, as where it does not apply. It measures what
    /// they give to this forest; what a forest trained without them would do is another question.
    #[must_use]
    pub fn without(self, groups: &[FeatureGroup]) -> Self {
        let all: Vec<FeatureGroup> = features::features().map(|feature| feature.group).collect();
        let is_withheld = |column: usize| all.get(column).is_some_and(|group| groups.contains(group));
        let columns = self.columns.iter().map(|&at| if is_withheld(at) { usize::MAX } else { at });
        Self { columns: columns.collect(), ..self }
    }
}

impl LambdaMart {
    /// The score of each row of features.
    pub fn scores(&self, features: &FeatureMatrix) -> Vec<f32> {
        let mut row = Vec::with_capacity(self.columns.len());
        let score = |values: &[f32]| {
            row.clear();
            let of = |&column: &usize| values.get(column).map_or(f64::NAN, |&value| f64::from(value));
            row.extend(self.columns.iter().map(of));
            let prior =
                self.prior.and_then(|(column, weight)| Some(weight * f64::from(*values.get(column)?)));
            (self.forest.predict(&row) + prior.unwrap_or(0.0)) as f32
        };
        features.rows().map(score).collect()
    }
}

impl Reranker for LambdaMart {
    fn name(&self) -> &str {
        &self.name
    }

    fn rescore(&self, candidates: &[Candidate], context: &FeatureContext<'_>) -> Rescored {
        let features = features::extract(candidates, context);
        let names: Vec<&'static str> = features::features().map(|feature| feature.name).collect();
        let scores = self.scores(&features);
        let reasons = |values: &[f32]| {
            let named =
                self.columns.iter().filter_map(|&column| Some((*names.get(column)?, *values.get(column)?)));
            named.filter(|(_, value)| !value.is_nan()).collect()
        };
        let reasons = if context.explain { features.rows().map(reasons).collect() } else { Vec::new() };
        Rescored { scores, reasons }
    }
}

/// Replaces the fused scores of the head by those of a reranker. The other candidates follow in their order.
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
