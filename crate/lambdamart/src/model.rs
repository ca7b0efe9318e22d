//! LightGBM's text model of a forest: what `retrieval::LambdaMart` and LightGBM itself read.
//!
//! Source: LightGBM, `src/boosting/gbdt_model_text.cpp` and `src/io/tree.cpp`.

use std::fmt::Display;

use crate::base::Base;
use crate::bins::Bins;
use crate::options::Prior;
use crate::tree::Tree;

/// `decision_type` of a numerical split that knows missing values.
const MISSING_IS_NAN: u8 = 2 << 2;
/// Its bit for a split that sends them left.
const DEFAULT_LEFT: u8 = 1 << 1;

/// The text of a forest: the trees of one that is gone on with, if there is one, then these.
pub(crate) fn text(
    names: &[String],
    bins: &[Bins],
    trees: &[Tree],
    prior: Option<&Prior>,
    base: Option<&Base>,
) -> String {
    // The base's trees number its own features, so these come first.
    let mut all: Vec<&String> = base.map_or(&[][..], |base| &base.names).iter().collect();
    all.extend(names.iter().filter(|name| base.is_none_or(|base| !base.names.contains(name))));
    let numbers: Vec<usize> =
        names.iter().filter_map(|name| all.iter().position(|known| *known == name)).collect();
    let mut out = String::from("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n");
    let infos: Vec<&str> = all.iter().map(|_| "[-1e308:1e308]").collect();
    line(&mut out, "max_feature_idx", &[all.len().saturating_sub(1)]);
    out.push_str("objective=lambdarank\n");
    // LightGBM leaves out a field that it does not know: its predictions lack the prior.
    match (base, prior) {
        (Some(base), _) => base.remarks.iter().for_each(|remark| out.extend([remark, "\n"])),
        (None, Some(Prior { feature, weight })) => {
            line(&mut out, "prior", &[feature.clone(), weight.to_string()]);
        }
        (None, None) => {}
    }
    line(&mut out, "feature_names", &all);
    line(&mut out, "feature_infos", &infos);
    let before = base.map_or(&[][..], |base| &base.trees);
    for (at, tree) in before.iter().enumerate() {
        out.push('\n');
        line(&mut out, "Tree", &[at]);
        out.extend([tree, "\n"]);
    }
    // Without a tree to write, one that changes nothing.
    let none = [Tree { splits: Vec::new(), leaves: vec![0.0] }];
    let trees = if trees.is_empty() && before.is_empty() { &none[..] } else { trees };
    for (at, tree) in (before.len()..).zip(trees) {
        let of = |split: fn(&crate::tree::Split) -> i32| tree.splits.iter().map(split).collect::<Vec<i32>>();
        let thresholds: Vec<f64> = tree
            .splits
            .iter()
            .filter_map(|split| Some(bins.get(split.feature)?.threshold(split.bin)))
            .collect();
        let decision = |missing_left: bool| MISSING_IS_NAN | if missing_left { DEFAULT_LEFT } else { 0 };
        let decisions: Vec<u8> = tree.splits.iter().map(|split| decision(split.missing_left)).collect();
        let features: Vec<usize> =
            tree.splits.iter().filter_map(|split| numbers.get(split.feature).copied()).collect();
        out.push('\n');
        line(&mut out, "Tree", &[at]);
        line(&mut out, "num_leaves", &[tree.leaves.len()]);
        out.push_str("num_cat=0\n");
        line(&mut out, "split_feature", &features);
        line(&mut out, "threshold", &thresholds);
        line(&mut out, "decision_type", &decisions);
        line(&mut out, "left_child", &of(|split| split.left));
        line(&mut out, "right_child", &of(|split| split.right));
        line(&mut out, "leaf_value", &tree.leaves);
        out.push_str("is_linear=0\nshrinkage=1\n");
    }
    out.push_str("\nend of trees\n");
    out
}

fn line<T: Display>(out: &mut String, name: &str, values: &[T]) {
    out.push_str(name);
    for (at, value) in values.iter().enumerate() {
        out.push(if at == 0 { '=' } else { ' ' });
        out.push_str(&value.to_string());
    }
    out.push_str(if values.is_empty() { "=\n" } else { "\n" });
}
