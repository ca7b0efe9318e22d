//! Plan of a run: which pages each request is about, drawn before the first question is written, so that no reply
//! changes what is drawn after it, and a larger budget only adds to the end.

use std::collections::BTreeSet;

use evaluate::random::SplitMix64;

use crate::style::Style;

/// Tries to draw pages that were not drawn for the style before.
const MAX_TRIES: usize = 50;

/// Pages drawn for two questions of a style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The style.
    pub style: Style,
    /// Indices of different pages of one cluster, in the order of their document.
    pub pages: Vec<usize>,
}

/// The draws of a run: `budget` of them, the styles in turn, each about `n` pages or as many as its style needs. A cluster
/// is picked at random, and another where it has too few pages; `None` where no cluster has enough, or all its pages were
/// drawn for that style before.
pub(crate) fn plan(
    clusters: &[Vec<usize>],
    styles: &[Style],
    n: usize,
    budget: usize,
    seed: u64,
) -> Vec<(Style, Option<Draw>)> {
    let mut random = SplitMix64::new(seed);
    let mut drawn: BTreeSet<(Style, Vec<usize>)> = BTreeSet::new();
    let rounds = styles.iter().copied().cycle().take(if styles.is_empty() { 0 } else { budget });
    let mut draw = |style: Style| {
        let n = n.max(style.min_chunks());
        let large: Vec<&Vec<usize>> = clusters.iter().filter(|pages| pages.len() >= n).collect();
        (0..MAX_TRIES).find_map(|_| {
            let cluster = large.get(random.below(large.len()))?;
            let pages = choose(cluster, n, &mut random);
            drawn.insert((style, pages.clone())).then_some(Draw { style, pages })
        })
    };
    rounds.map(|style| (style, draw(style))).collect()
}

/// `n` different ones of these, in order.
pub(crate) fn choose(from: &[usize], n: usize, random: &mut SplitMix64) -> Vec<usize> {
    let mut left = from.to_vec();
    let mut chosen: Vec<usize> =
        (0..n.min(from.len())).map(|_| left.swap_remove(random.below(left.len()))).collect();
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_draw_is_of_different_pages_of_one_cluster_and_never_the_same_twice(
            sizes in vec(0usize..6, 1..6), n in 1usize..4, budget in 0usize..40, seed in any::<u64>(),
        ) {
            let mut next = 0;
            let clusters: Vec<Vec<usize>> = sizes.iter().map(|&size| {
                next += size;
                (next - size..next).collect()
            }).collect();
            let plan = plan(&clusters, &Style::ALL, n, budget, seed);
            prop_assert_eq!(plan.len(), budget);
            let mut seen = BTreeSet::new();
            for (at, (style, draw)) in plan.iter().enumerate() {
                prop_assert_eq!(*style, Style::ALL[at % 6]);
                let n = n.max(style.min_chunks());
                let Some(draw) = draw else { continue };
                prop_assert_eq!(draw.pages.len(), n);
                prop_assert!(draw.pages.is_sorted_by(|first, second| first < second));
                prop_assert!(clusters.iter().any(|pages| draw.pages.iter().all(|page| pages.contains(page))));
                prop_assert!(seen.insert((draw.style, draw.pages.clone())));
            }
            let can = |style: &Style| clusters.iter().any(|pages| pages.len() >= n.max(style.min_chunks()));
            for (style, draw) in plan.iter().take(6) {
                prop_assert_eq!(draw.is_some(), can(style));
            }
        }

        #[test]
        fn a_larger_budget_adds_to_the_end(seed in any::<u64>()) {
            let clusters = [vec![0, 1, 2, 3], vec![4, 5, 6]];
            let (small, large) = (plan(&clusters, &Style::ALL, 2, 5, seed), plan(&clusters, &Style::ALL, 2, 9, seed));
            prop_assert_eq!(&small[..], &large[..5]);
        }
    }
}
