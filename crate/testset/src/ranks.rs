//! Ranks of the source passage of a question, by which rewrites are kept (LCLF-QA §3.1.1).

/// Ranks of a source passage for a query, from 1; `None` if it was not found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ranks {
    /// Rank by words: BM25.
    pub bm25: Option<u32>,
    /// Rank by vectors.
    pub dense: Option<u32>,
}

impl Ranks {
    /// The retrievers in which the passage is strictly nearer the top than in another ranking: by words, by vectors.
    pub fn nearer_than(self, other: Self) -> (bool, bool) {
        let is_nearer = |after: Option<u32>, before: Option<u32>| match (after, before) {
            (Some(after), Some(before)) => after < before,
            (Some(_), None) => true,
            (None, _) => false,
        };
        (is_nearer(self.bm25, other.bm25), is_nearer(self.dense, other.dense))
    }

    /// True if no rewrite can bring the passage nearer in both.
    pub fn has_first(self) -> bool {
        self.bm25 == Some(1) || self.dense == Some(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nearer_is_strictly_nearer_and_found_is_nearer_than_not_found() {
        let ranks = |bm25, dense| Ranks { bm25, dense };
        let cases = [
            (ranks(Some(2), Some(3)), ranks(Some(5), Some(4)), (true, true)),
            (ranks(Some(5), Some(3)), ranks(Some(5), Some(4)), (false, true)),
            (ranks(Some(900), None), ranks(None, None), (true, false)),
            (ranks(None, Some(1)), ranks(Some(9), Some(1)), (false, false)),
        ];
        for (after, before, expected) in cases {
            assert_eq!(after.nearer_than(before), expected, "{after:?} {before:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_nearer_than_first(rank in proptest::option::of(1u32..50), other in proptest::option::of(1u32..50)) {
            let before = Ranks { bm25: Some(1), dense: other };
            let after = Ranks { bm25: rank, dense: rank };
            prop_assert!(before.has_first());
            prop_assert!(!after.nearer_than(before).0);
        }
    }
}
