//! The rank of a passage as a prior for its sentences, 0 to 1.

use document::Slice as _;

use crate::answer::Evidence;

/// Share of the prior that comes from the search for the part of the question at hand, 0 to 1.
const PART_SHARE: f64 = 0.7;
/// Maximum passages read of those found for a part.
const MAX_FOR_PART: usize = 6;

/// The passages with their prior: from the rank for the question, and from the rank for the part at hand if there is
/// one.
pub(super) fn ranked<'a>(evidence: &[Evidence<'a>], part: &[Evidence<'a>]) -> Vec<(Evidence<'a>, f64)> {
    let own = priors(evidence);
    if part.is_empty() {
        return evidence.iter().copied().zip(own).collect();
    }
    let part = part.slice(..MAX_FOR_PART.min(part.len()));
    let of_part = priors(part);
    let key = |item: &Evidence<'_>| (item.document, item.chunk);
    let mut ranked: Vec<(Evidence<'a>, f64)> = Vec::new();
    for (item, prior) in evidence.iter().zip(own) {
        let same = part.iter().zip(&of_part).find(|(other, _)| key(other) == key(item));
        ranked.push((*item, (1.0 - PART_SHARE) * prior + PART_SHARE * same.map_or(0.0, |(_, prior)| *prior)));
    }
    for (item, prior) in part.iter().zip(&of_part) {
        if !evidence.iter().any(|other| key(other) == key(item)) {
            ranked.push((*item, PART_SHARE * prior));
        }
    }
    // Stable: of equals the order of the question's own list.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

fn priors(evidence: &[Evidence<'_>]) -> Vec<f64> {
    let best = evidence.iter().map(|item| item.score).fold(f32::NEG_INFINITY, f32::max);
    let worst = evidence.iter().map(|item| item.score).fold(f32::INFINITY, f32::min);
    let spread = f64::from(best - worst).max(f64::MIN_POSITIVE);
    let prior = |item: &Evidence<'_>| if best > worst { f64::from(item.score - worst) / spread } else { 1.0 };
    evidence.iter().map(prior).collect()
}
