//! Gradient-boosted trees: prediction from a LightGBM text model.
//!
//! Of the model only what a prediction needs is read: feature names, and for each tree its splits, thresholds, children
//! and leaf values. A prediction is the sum of one leaf per tree, in the order of the trees and in f64, so it equals
//! LightGBM's to the last bit. Numerical splits only. Source: Ke et al., *LightGBM*, NIPS 2017; Burges, *From RankNet to LambdaRank to LambdaMART*,
//! 2010.
//!
//! A model file is untrusted: sizes are bounded, indices are checked, and children follow their parents, so that every
//! walk ends.

use std::fmt;

/// Maximum trees of a forest.
const MAX_TREES: usize = 4_096;
/// Maximum splits of a tree.
const MAX_SPLITS: usize = 4_096;

/// A forest of regression trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    features: Vec<String>,
    trees: Vec<Tree>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Tree {
    splits: Vec<Split>,
    leaves: Vec<f64>,
}

/// A split: values up to the threshold go left.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    feature: usize,
    threshold: f64,
    /// Index of a split; if negative, the complement of a leaf's index.
    left: i32,
    right: i32,
    missing: Missing,
    default_left: bool,
}

/// Values that a split treats as missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// None; NaN counts as 0.
    None,
    /// Zero and NaN.
    Zero,
    /// NaN.
    Nan,
}

/// A model file that cannot be used, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForestError {
    what: String,
}

impl fmt::Display for ForestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the ranking model cannot be used: {}", self.what)
    }
}

impl std::error::Error for ForestError {}

impl ForestError {
    pub(crate) fn differs(what: String) -> Self {
        Self { what }
    }

    pub(crate) fn unknown_feature(name: &str) -> Self {
        Self { what: format!("it asks for {name:?}, a feature that this version does not know") }
    }
}

fn refuse<T>(what: impl Into<String>) -> Result<T, ForestError> {
    Err(ForestError { what: what.into() })
}

impl Forest {
    /// Reads a LightGBM text model.
    ///
    /// # Errors
    /// If a part is missing, a number is malformed, an index is out of bounds, or a split is categorical or linear.
    pub fn parse(text: &str) -> Result<Self, ForestError> {
        let mut features = None;
        let mut trees: Vec<Tree> = Vec::new();
        let mut fields: Vec<(&str, &str)> = Vec::new();
        let mut in_tree = false;
        for line in text.lines().chain(["end of trees"]) {
            let line = line.trim_end();
            if line.starts_with("Tree=") || line == "end of trees" {
                if in_tree {
                    trees.push(Tree::parse(&fields)?);
                }
                if line == "end of trees" {
                    break;
                }
                if trees.len() == MAX_TREES {
                    return refuse(format!("more than {MAX_TREES} trees"));
                }
                in_tree = true;
                fields.clear();
            } else if let Some((name, value)) = line.split_once('=') {
                if name == "feature_names" {
                    features = Some(value.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
                } else if in_tree {
                    fields.push((name, value));
                }
            }
        }
        let Some(features) = features else { return refuse("it names no features") };
        if trees.is_empty() {
            return refuse("it has no trees");
        }
        let known = |split: &Split| split.feature < features.len();
        if !trees.iter().flat_map(|tree| &tree.splits).all(known) {
            return refuse("a split asks for a feature that it does not name");
        }
        Ok(Self { features, trees })
    }

    /// The features in the order of [`Self::predict`]'s row.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.features.iter().map(String::as_str)
    }

    /// Raw score of a row of features; missing columns count as NaN.
    pub fn predict(&self, row: &[f64]) -> f64 {
        self.trees.iter().map(|tree| tree.predict(row)).sum()
    }
}

impl Tree {
    fn parse(fields: &[(&str, &str)]) -> Result<Self, ForestError> {
        let get = |name: &str| fields.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let leaves: Vec<f64> = numbers("leaf_value", get("leaf_value").unwrap_or_default())?;
        if !leaves.iter().all(|leaf| leaf.is_finite()) {
            return refuse("a tree with a leaf that is no finite number");
        }
        if leaves.is_empty() || leaves.len() > MAX_SPLITS + 1 {
            return refuse(format!("a tree of {} leaves", leaves.len()));
        }
        if get("is_linear").is_some_and(|value| value != "0")
            || get("num_cat").is_some_and(|value| value != "0")
        {
            return refuse("a tree with linear leaves or categorical splits");
        }
        let n = leaves.len() - 1;
        let column = |name: &str| get(name).unwrap_or_default();
        let features: Vec<usize> = numbers("split_feature", column("split_feature"))?;
        let thresholds: Vec<f64> = numbers("threshold", column("threshold"))?;
        let decisions: Vec<u8> = numbers("decision_type", column("decision_type"))?;
        let lefts: Vec<i32> = numbers("left_child", column("left_child"))?;
        let rights: Vec<i32> = numbers("right_child", column("right_child"))?;
        let lengths = [features.len(), thresholds.len(), decisions.len(), lefts.len(), rights.len()];
        if n > 0 && lengths.iter().any(|&length| length != n) {
            return refuse("the columns of a tree differ in length");
        }
        let mut splits = Vec::with_capacity(n);
        for (at, ((((feature, threshold), decision), left), right)) in
            features.into_iter().zip(thresholds).zip(decisions).zip(lefts).zip(rights).enumerate().take(n)
        {
            let ends = |child: i32| match usize::try_from(child) {
                Ok(child) => child > at && child < n,
                Err(_) => usize::try_from(!child).is_ok_and(|leaf| leaf < n + 1),
            };
            if !(ends(left) && ends(right)) {
                return refuse("a split with a child that is not there");
            }
            let missing = match (decision & 1, (decision >> 2) & 3) {
                (0, 0) => Missing::None,
                (0, 1) => Missing::Zero,
                (0, 2) => Missing::Nan,
                _ => return refuse("a split of an unknown type"),
            };
            splits.push(Split { feature, threshold, left, right, missing, default_left: decision & 2 != 0 });
        }
        Ok(Self { splits, leaves })
    }

    fn predict(&self, row: &[f64]) -> f64 {
        let mut at = if self.splits.is_empty() { !0 } else { 0 };
        while let Some(split) = usize::try_from(at).ok().and_then(|at| self.splits.get(at)) {
            at = split.child(row.get(split.feature).copied().unwrap_or(f64::NAN));
        }
        usize::try_from(!at).ok().and_then(|leaf| self.leaves.get(leaf)).copied().unwrap_or(0.0)
    }
}

impl Split {
    fn child(&self, value: f64) -> i32 {
        /// Bound below which LightGBM treats a value as zero.
        const ZERO: f64 = 1e-35;
        let value = if value.is_nan() && self.missing != Missing::Nan { 0.0 } else { value };
        let is_missing = match self.missing {
            Missing::None => false,
            Missing::Zero => (-ZERO..=ZERO).contains(&value),
            Missing::Nan => value.is_nan(),
        };
        let left = if is_missing { self.default_left } else { value <= self.threshold };
        if left { self.left } else { self.right }
    }
}

fn numbers<T: std::str::FromStr>(name: &str, text: &str) -> Result<Vec<T>, ForestError> {
    let parsed: Result<Vec<T>, T::Err> = text.split_whitespace().map(str::parse).collect();
    parsed.or_else(|_| refuse(format!("{name} holds something that is no number")))
}
