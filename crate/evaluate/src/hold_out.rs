//! Questions that are held out: kept from training, to measure with what was trained.
//!
//! Questions of one document share its words, so a document is held out with all of its questions where there are enough
//! documents; otherwise questions are held out one by one. The draw goes by the seed and the names, not by their order.

use std::collections::BTreeMap;

use crate::random::SplitMix64;

/// Unit that is held out as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldOutBy {
    /// All questions of a document.
    Document,
    /// Single questions.
    Question,
}

/// By question, true if it is held out, and what is held out together. `share` is that of the questions, 0 to 1; `documents`
/// has the document of each question, empty where it is not known. Documents are parted if all are known and their held-out
/// questions come within a third of the share.
pub fn hold_out(ids: &[String], documents: &[String], share: f64, seed: u64) -> (Vec<bool>, HeldOutBy) {
    let wanted = (share.clamp(0.0, 1.0) * ids.len() as f64).round() as usize;
    if documents.len() == ids.len() && documents.iter().all(|document| !document.is_empty()) {
        let held_out = drawn(documents, wanted, seed);
        let n = held_out.iter().filter(|is_held_out| **is_held_out).count();
        if 3 * n.abs_diff(wanted) <= wanted {
            return (held_out, HeldOutBy::Document);
        }
    }
    (drawn(ids, wanted, seed), HeldOutBy::Question)
}

/// Holds out groups of one key, in drawn order, while they bring the number nearer to the one wanted.
fn drawn(keys: &[String], wanted: usize, seed: u64) -> Vec<bool> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, key) in keys.iter().enumerate() {
        groups.entry(key).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    let mut random = SplitMix64::new(seed);
    let (mut held_out, mut n) = (vec![false; keys.len()], 0);
    while !groups.is_empty() {
        let group = groups.swap_remove(random.below(groups.len()));
        if (n + group.len()).abs_diff(wanted) >= wanted.abs_diff(n) {
            continue;
        }
        n += group.len();
        for at in group {
            if let Some(is_held_out) = held_out.get_mut(at) {
                *is_held_out = true;
            }
        }
    }
    held_out
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn ids(n: usize) -> Vec<String> {
        (0..n).map(|at| format!("q{at}")).collect()
    }

    proptest! {
        #[test]
        fn a_document_is_on_one_side(
            documents in vec((0..30_u8).prop_map(|at| format!("d{at}")), 1..300), seed: u64,
        ) {
            let (held_out, by) = hold_out(&ids(documents.len()), &documents, 0.3, seed);
            let n = held_out.iter().filter(|is_held_out| **is_held_out).count();
            if by == HeldOutBy::Document {
                for (a, first) in documents.iter().zip(&held_out) {
                    for (b, second) in documents.iter().zip(&held_out) {
                        prop_assert!(a != b || first == second);
                    }
                }
            } else {
                prop_assert_eq!(n, (0.3 * documents.len() as f64).round() as usize);
            }
        }
    }

    #[test]
    fn few_or_unknown_documents_are_not_parted() {
        let one = vec!["d".to_owned(); 40];
        assert_eq!(hold_out(&ids(40), &one, 0.25, 7).1, HeldOutBy::Question);
        assert_eq!(hold_out(&ids(40), &[], 0.25, 7).1, HeldOutBy::Question);
        let mut known: Vec<String> = (0..40).map(|at| format!("d{}", at / 4)).collect();
        assert_eq!(hold_out(&ids(40), &known, 0.25, 7).1, HeldOutBy::Document);
        known[3].clear();
        assert_eq!(hold_out(&ids(40), &known, 0.25, 7).1, HeldOutBy::Question);
    }

    #[test]
    fn the_seed_decides_and_the_order_does_not() {
        let names = ids(60);
        let (held_out, _) = hold_out(&names, &[], 0.2, 7);
        let reversed: Vec<String> = names.iter().rev().cloned().collect();
        let (mut back, _) = hold_out(&reversed, &[], 0.2, 7);
        back.reverse();
        assert_eq!(held_out, back);
        assert_ne!(held_out, hold_out(&names, &[], 0.2, 8).0);
        assert_eq!(held_out.iter().filter(|is_held_out| **is_held_out).count(), 12);
        assert!(hold_out(&[], &[], 0.2, 7).0.is_empty());
    }
}
