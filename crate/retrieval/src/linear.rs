//! Linear reranker: a weighted sum of features, for where examples are too few for trees.
//!
//! The model file is text: lines `#` are comments, `idf=` names the idf formula of the features, as in
//! [`LambdaMart`](crate::LambdaMart), and each other line is a feature and its weight. A few hundred questions are enough to
//! fit a dozen weights whose signs are known beforehand, and the sum says of every hit what it owes to which feature.
//! A missing value counts as 0. Cost: that of the features.

use crate::candidate::Candidate;
use crate::features::{self, FeatureContext};
use crate::forest::ForestError as ModelError;
use crate::rerank::{IDF, Reranker, Rescored};

/// Maximum weights of a model.
const MAX_WEIGHTS: usize = 256;

/// A linear ranker over [`features`](crate::features()).
#[derive(Clone, Debug, PartialEq)]
pub struct LinearRanker {
    /// By feature of the model its column, name and weight.
    weights: Vec<(usize, &'static str, f64)>,
}

impl LinearRanker {
    /// A ranker from its text.
    ///
    /// # Errors
    /// If a line is no feature and weight, a feature is unknown or repeated, there is no weight, or the model was trained
    /// with another idf.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let names: Vec<&'static str> = features::features().map(|feature| feature.name).collect();
        let mut weights: Vec<(usize, &'static str, f64)> = Vec::new();
        let mut idf = None;
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            if let Some(named) = line.strip_prefix("idf=") {
                idf = Some(named);
                continue;
            }
            let refuse = || ModelError::differs(format!("{line:?}, expected a feature and a weight"));
            let (name, weight) = line.split_once(' ').ok_or_else(refuse)?;
            let weight = weight.parse().ok().filter(|weight: &f64| weight.is_finite()).ok_or_else(refuse)?;
            let known = names.iter().enumerate().find(|(_, known)| **known == name);
            let (column, name) = known.ok_or_else(|| ModelError::unknown_feature(name))?;
            if weights.len() >= MAX_WEIGHTS || weights.iter().any(|&(taken, ..)| taken == column) {
                return Err(ModelError::differs(format!("it names {name:?} twice, or too much")));
            }
            weights.push((column, name, weight));
        }
        match idf {
            Some(IDF) if !weights.is_empty() => Ok(Self { weights }),
            Some(IDF) => Err(ModelError::differs("it weighs nothing".to_owned())),
            Some(other) => {
                Err(ModelError::differs(format!("it was trained with idf {other}, expected {IDF}")))
            }
            None => Err(ModelError::differs(format!("it names no idf, expected {IDF}"))),
        }
    }

    /// Names of its features.
    pub fn features(&self) -> impl Iterator<Item = &'static str> {
        self.weights.iter().map(|&(_, name, _)| name)
    }
}

impl Reranker for LinearRanker {
    fn name(&self) -> &str {
        "linear"
    }

    /// Reasons are the contributions of the features.
    fn rescore(&self, candidates: &[Candidate], context: &FeatureContext<'_>) -> Rescored {
        let features = features::extract(candidates, context);
        let mut rescored = Rescored::default();
        for row in features.rows() {
            let value = |column: usize| row.get(column).copied().filter(|value| value.is_finite());
            let parts = self
                .weights
                .iter()
                .map(|&(column, name, weight)| (name, weight * value(column).map_or(0.0, f64::from)));
            rescored.scores.push(parts.clone().map(|(_, part)| part).sum::<f64>() as f32);
            if context.explain {
                rescored.reasons.push(parts.map(|(name, part)| (name, part as f32)).collect());
            }
        }
        rescored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# ours\nidf=ln(1+(N-n+0.5)/(n+0.5))\n";

    fn refusal(body: &str) -> String {
        LinearRanker::parse(body).unwrap_err().to_string()
    }

    #[test]
    fn a_model_is_features_and_weights() {
        let model = LinearRanker::parse(&format!("{HEAD}words.max 2.5\n\nform.other -1\n")).unwrap();
        assert_eq!(model.features().collect::<Vec<_>>(), ["words.max", "form.other"]);
    }

    #[test]
    fn an_unusable_model_is_refused_by_name() {
        assert!(refusal(&format!("{HEAD}words.most 1\n")).contains("words.most"));
        assert!(refusal(&format!("{HEAD}words.max much\n")).contains("much"));
        assert!(refusal(&format!("{HEAD}words.max NaN\n")).contains("NaN"));
        assert!(refusal(&format!("{HEAD}words.max\n")).contains("words.max"));
        assert!(refusal(&format!("{HEAD}words.max 1\nwords.max 1\n")).contains("twice"));
        assert!(refusal(HEAD).contains("nothing"));
        assert!(refusal("words.max 1\n").contains("no idf"));
        assert!(refusal("idf=ln(N/n)\nwords.max 1\n").contains("ln(N/n)"));
    }
}
