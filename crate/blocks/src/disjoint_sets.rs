//! Disjoint sets of positions (union–find with path halving).

/// Sets of the positions `0..n`, each named by its smallest member.
pub(crate) struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    /// `n` sets of one position each.
    pub(crate) fn new(n: usize) -> Self {
        Self { parents: (0..n).collect() }
    }

    /// The smallest member of the set of `i`.
    pub(crate) fn root(&mut self, mut i: usize) -> usize {
        while let Some(&parent) = self.parents.get(i) {
            if parent == i {
                break;
            }
            let grand = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.parents.get_mut(i) {
                *slot = grand;
            }
            i = grand;
        }
        i
    }

    /// Makes one set of those of `a` and `b`.
    pub(crate) fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(slot) = self.parents.get_mut(a.max(b)) {
            *slot = a.min(b);
        }
    }

    /// For each position, the smallest member of its set.
    pub(crate) fn roots(mut self) -> Vec<usize> {
        (0..self.parents.len()).map(|i| self.root(i)).collect()
    }
}
