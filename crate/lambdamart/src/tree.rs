//! A regression tree, grown leaf by leaf: always the split that lowers the loss most.
//!
//! A leaf has a histogram: by feature and bin the sums of gradients and second derivatives, and the number of candidates.
//! Of two new leaves the smaller one's is summed, the other's is the difference to their parent's. A split sends missing
//! values to the side that lowers the loss more; where there are none, to the larger side. Time: candidates × features for
//! each level, and bins × features for each leaf. Source: Ke et al., *LightGBM*, NIPS 2017.

use crate::bins::MISSING;
use crate::lambdas::Lambda;

/// Least sum of second derivatives in a leaf.
const MIN_HESSIAN: f64 = 1e-3;

/// A tree over bins.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    pub(crate) splits: Vec<Split>,
    pub(crate) leaves: Vec<f64>,
}

/// A split: bins up to one of them go left. A child is a split's index; if negative, the complement of a leaf's index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Split {
    pub(crate) feature: usize,
    pub(crate) bin: u8,
    pub(crate) missing_left: bool,
    pub(crate) left: i32,
    pub(crate) right: i32,
}

impl Split {
    fn goes_left(&self, bin: u8) -> bool {
        if bin == MISSING { self.missing_left } else { bin <= self.bin }
    }
}

/// Limits of growth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    pub(crate) num_leaves: usize,
    pub(crate) min_data_in_leaf: usize,
    pub(crate) lambda_l2: f64,
}

/// Sums over some candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    gradient: f64,
    hessian: f64,
    n: usize,
}

impl Sums {
    pub(crate) fn add(&mut self, lambda: Lambda) {
        self.gradient += lambda.gradient;
        self.hessian += lambda.hessian;
        self.n += 1;
    }

    fn plus(self, other: Self) -> Self {
        Self {
            gradient: self.gradient + other.gradient,
            hessian: self.hessian + other.hessian,
            n: self.n + other.n,
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            gradient: self.gradient - other.gradient,
            hessian: self.hessian - other.hessian,
            n: self.n.saturating_sub(other.n),
        }
    }

    /// Twice what the best value of a leaf of these candidates lowers the loss by.
    fn score(self, growth: Growth) -> f64 {
        self.gradient * self.gradient / (self.hessian + growth.lambda_l2)
    }

    fn value(self, growth: Growth) -> f64 {
        -self.gradient / (self.hessian + growth.lambda_l2).max(f64::MIN_POSITIVE)
    }

    fn is_leaf(self, growth: Growth) -> bool {
        self.n >= growth.min_data_in_leaf && self.hessian >= MIN_HESSIAN
    }
}

/// A split that a leaf may get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BestSplit {
    pub(crate) gain: f64,
    pub(crate) feature: usize,
    pub(crate) bin: u8,
    pub(crate) missing_left: bool,
}

/// A leaf while the tree grows.
struct Leaf {
    rows: Vec<u32>,
    histogram: Vec<Vec<Sums>>,
    sums: Sums,
    best: Option<BestSplit>,
    /// The split whose child it is, and true for the left one.
    parent: Option<(usize, bool)>,
}

/// Bins by feature, and the features that may be split on.
pub(crate) struct Columns<'a> {
    /// By feature the bin of each candidate.
    pub(crate) bins: &'a [Vec<u8>],
    /// By feature its greatest bin.
    pub(crate) last: &'a [u8],
    /// Features to split on, ascending.
    pub(crate) used: &'a [usize],
}

impl Columns<'_> {
    /// The histogram of some candidates; empty for features that are not used.
    fn histogram(&self, rows: &[u32], lambdas: &[Lambda]) -> Vec<Vec<Sums>> {
        let mut histogram = vec![Vec::new(); self.bins.len()];
        for &feature in self.used {
            let (Some(bins), Some(&last)) = (self.bins.get(feature), self.last.get(feature)) else {
                continue;
            };
            let mut sums = vec![Sums::default(); usize::from(last) + 1];
            for &row in rows {
                let bin = bins.get(row as usize).map_or(0, |&bin| usize::from(bin));
                if let (Some(sums), Some(&lambda)) = (sums.get_mut(bin), lambdas.get(row as usize)) {
                    sums.add(lambda);
                }
            }
            if let Some(slot) = histogram.get_mut(feature) {
                *slot = sums;
            }
        }
        histogram
    }
}

/// Grows a tree on some candidates; one leaf if no split lowers the loss.
pub(crate) fn grow(columns: &Columns<'_>, rows: Vec<u32>, lambdas: &[Lambda], growth: Growth) -> Tree {
    let histogram = columns.histogram(&rows, lambdas);
    let mut sums = Sums::default();
    rows.iter().filter_map(|&row| lambdas.get(row as usize)).for_each(|&lambda| sums.add(lambda));
    let best = best_split(&histogram, sums, growth);
    let mut leaves = vec![Leaf { rows, histogram, sums, best, parent: None }];
    let mut splits: Vec<Split> = Vec::new();
    while leaves.len() < growth.num_leaves {
        let Some((at, best)) = next_leaf(&leaves) else { break };
        let Some(leaf) = leaves.get_mut(at) else { break };
        let complement = |leaf: usize| !i32::try_from(leaf).unwrap_or(i32::MAX);
        let BestSplit { feature, bin, missing_left, gain: _ } = best;
        let split_at = splits.len();
        if let Some((parent, is_left)) = leaf.parent.replace((split_at, true))
            && let Some(parent) = splits.get_mut(parent)
        {
            let child = if is_left { &mut parent.left } else { &mut parent.right };
            *child = i32::try_from(split_at).unwrap_or(i32::MAX);
        }
        let split = Split { feature, bin, missing_left, left: complement(at), right: 0 };
        let right = parted(leaf, &split, split_at, columns, lambdas, growth);
        splits.push(Split { right: complement(leaves.len()), ..split });
        leaves.push(right);
    }
    let values = leaves.iter().map(|leaf| leaf.sums.value(growth));
    Tree { splits, leaves: values.collect() }
}

/// The leaf whose split has the greatest gain; of equals the first.
fn next_leaf(leaves: &[Leaf]) -> Option<(usize, BestSplit)> {
    let mut next: Option<(usize, BestSplit)> = None;
    for (at, leaf) in leaves.iter().enumerate() {
        let Some(best) = leaf.best else { continue };
        if next.is_none_or(|(_, other)| best.gain > other.gain) {
            next = Some((at, best));
        }
    }
    next
}

/// Leaves in a leaf what a split sends left; what goes right is the new leaf.
fn parted(
    leaf: &mut Leaf,
    split: &Split,
    split_at: usize,
    columns: &Columns<'_>,
    lambdas: &[Lambda],
    growth: Growth,
) -> Leaf {
    let bins = columns.bins.get(split.feature).map(Vec::as_slice).unwrap_or_default();
    let goes_left = |row: &u32| bins.get(*row as usize).is_some_and(|&bin| split.goes_left(bin));
    let (left, right): (Vec<u32>, Vec<u32>) = std::mem::take(&mut leaf.rows).into_iter().partition(goes_left);
    let is_left_smaller = left.len() <= right.len();
    let small = columns.histogram(if is_left_smaller { &left } else { &right }, lambdas);
    let mut large = std::mem::take(&mut leaf.histogram);
    for (sums, smaller) in large.iter_mut().zip(&small) {
        sums.iter_mut().zip(smaller).for_each(|(sums, smaller)| *sums = sums.minus(*smaller));
    }
    let (left_histogram, right_histogram) = if is_left_smaller { (small, large) } else { (large, small) };
    let of = |rows: &[u32]| {
        let mut sums = Sums::default();
        rows.iter().filter_map(|&row| lambdas.get(row as usize)).for_each(|&lambda| sums.add(lambda));
        sums
    };
    let (left_sums, right_sums) = (of(&left), of(&right));
    (leaf.rows, leaf.sums) = (left, left_sums);
    leaf.best = best_split(&left_histogram, left_sums, growth);
    leaf.histogram = left_histogram;
    let best = best_split(&right_histogram, right_sums, growth);
    let parent = Some((split_at, false));
    Leaf { rows: right, histogram: right_histogram, sums: right_sums, best, parent }
}

/// The split of a leaf that lowers the loss most; of equals the first feature and the lowest bin.
pub(crate) fn best_split(histogram: &[Vec<Sums>], all: Sums, growth: Growth) -> Option<BestSplit> {
    let mut best: Option<BestSplit> = None;
    for (feature, bins) in histogram.iter().enumerate() {
        let Some((&missing, present)) = bins.split_first() else { continue };
        let mut below = Sums::default();
        for (bin, sums) in (1..=u8::MAX).zip(present) {
            below = below.plus(*sums);
            for missing_left in [true, false] {
                let left = if missing_left { below.plus(missing) } else { below };
                let right = all.minus(left);
                if !(left.is_leaf(growth) && right.is_leaf(growth)) {
                    continue;
                }
                let gain = left.score(growth) + right.score(growth) - all.score(growth);
                // Where nothing is missing, both ways are one split.
                let missing_left = if missing.n == 0 { left.n >= right.n } else { missing_left };
                if gain > 0.0 && best.is_none_or(|best| gain > best.gain) {
                    best = Some(BestSplit { gain, feature, bin, missing_left });
                }
            }
        }
    }
    best
}

impl Tree {
    /// The tree with all values times a factor.
    pub(crate) fn times(mut self, factor: f64) -> Self {
        self.leaves.iter_mut().for_each(|value| *value *= factor);
        self
    }

    /// Value of the leaf of a candidate.
    pub(crate) fn value(&self, bins: &[Vec<u8>], row: usize) -> f64 {
        let mut at = if self.splits.is_empty() { !0 } else { 0 };
        while let Some(split) = usize::try_from(at).ok().and_then(|at| self.splits.get(at)) {
            let bin = bins.get(split.feature).and_then(|bins| bins.get(row)).copied().unwrap_or(MISSING);
            at = if split.goes_left(bin) { split.left } else { split.right };
        }
        usize::try_from(!at).ok().and_then(|leaf| self.leaves.get(leaf)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const GROWTH: Growth = Growth { num_leaves: 8, min_data_in_leaf: 2, lambda_l2: 1.0 };

    fn sums_of<'a>(lambdas: impl Iterator<Item = &'a Lambda>) -> Sums {
        let mut sums = Sums::default();
        lambdas.for_each(|&lambda| sums.add(lambda));
        sums
    }

    /// Greatest gain of a split of some candidates: every way to part them by one feature is tried.
    fn exhaustive(bins: &[Vec<u8>], rows: &[usize], lambdas: &[Lambda]) -> f64 {
        let all = sums_of(rows.iter().map(|&row| &lambdas[row]));
        let mut best = 0.0_f64;
        for column in bins {
            for after in 1..=u8::MAX {
                for missing_left in [true, false] {
                    let split = Split { feature: 0, bin: after, missing_left, left: 0, right: 0 };
                    let side = |left: bool| {
                        let of_side = |row: &&usize| split.goes_left(column[**row]) == left;
                        sums_of(rows.iter().filter(of_side).map(|&row| &lambdas[row]))
                    };
                    let (left, right) = (side(true), side(false));
                    if left.is_leaf(GROWTH) && right.is_leaf(GROWTH) {
                        best = best.max(left.score(GROWTH) + right.score(GROWTH) - all.score(GROWTH));
                    }
                }
            }
        }
        best
    }

    type Rows = Vec<((u8, u8), (f64, f64))>;

    fn parts(rows: Rows) -> (Vec<Vec<u8>>, Vec<Lambda>) {
        let bins = vec![rows.iter().map(|row| row.0.0).collect(), rows.iter().map(|row| row.0.1).collect()];
        let lambda = |&(_, (gradient, hessian)): &_| Lambda { gradient, hessian };
        (bins, rows.iter().map(lambda).collect())
    }

    proptest! {
        #[test]
        fn the_split_of_histograms_is_the_best_of_all(
            rows in vec(((0..6_u8, 0..6_u8), (-1.0..1.0_f64, 0.0..1.0_f64)), 4..40),
        ) {
            let (bins, lambdas) = parts(rows);
            let columns = Columns { bins: &bins, last: &[5, 5], used: &[0, 1] };
            let rows: Vec<u32> = (0..).take(lambdas.len()).collect();
            let found = best_split(&columns.histogram(&rows, &lambdas), sums_of(lambdas.iter()), GROWTH);
            let all: Vec<usize> = (0..lambdas.len()).collect();
            let wanted = exhaustive(&bins, &all, &lambdas);
            prop_assert!((found.map_or(0.0, |best| best.gain) - wanted).abs() < 1e-9);
        }

        #[test]
        fn every_leaf_holds_the_value_of_its_candidates_and_enough_of_them(
            rows in vec(((0..6_u8, 0..6_u8), (-1.0..1.0_f64, 0.1..1.0_f64)), 4..60),
        ) {
            let (bins, lambdas) = parts(rows);
            let columns = Columns { bins: &bins, last: &[5, 5], used: &[0, 1] };
            let tree = grow(&columns, (0..).take(lambdas.len()).collect(), &lambdas, GROWTH);
            prop_assert!(tree.leaves.len() <= GROWTH.num_leaves && tree.splits.len() + 1 == tree.leaves.len());
            for value in &tree.leaves {
                let inside: Vec<usize> = (0..lambdas.len())
                    .filter(|&row| tree.value(&bins, row).to_bits() == value.to_bits())
                    .collect();
                prop_assert!(inside.len() >= 2);
                let sums = sums_of(inside.iter().map(|&row| &lambdas[row]));
                prop_assert!((sums.value(GROWTH) - value).abs() < 1e-9);
            }
            for (at, split) in tree.splits.iter().enumerate() {
                for child in [split.left, split.right] {
                    prop_assert!(usize::try_from(child).map_or(true, |child| child > at));
                }
            }
        }
    }

    #[test]
    fn nothing_to_learn_gives_one_leaf() {
        let bins = [vec![1, 1, 2, 2]];
        let columns = Columns { bins: &bins, last: &[2], used: &[0] };
        let tree = grow(&columns, (0..4).collect(), &[Lambda::default(); 4], GROWTH);
        assert_eq!(tree, Tree { splits: Vec::new(), leaves: vec![0.0] });
    }
}
