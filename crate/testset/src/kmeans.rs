//! k-means over vectors: Lloyd's iterations from k-means++ seeds, the best of several starts.
//!
//! Ours, since the crates at hand ask for more than they give for these hundred lines: `linfa-clustering` brings fifty
//! crates, rayon and a second `rand` among them. A document has hundreds of vectors of hundreds of values: a start costs
//! points × clusters × dimensions × iterations, milliseconds. Sums are of `f64` in the order of the points, so the same
//! vectors and seed give the same clusters natively and in wasm.
//!
//! Arthur, Vassilvitskii: [k-means++: the advantages of careful
//! seeding](https://theory.stanford.edu/~sergei/papers/kMeansPP-soda.pdf) (SODA 2007).

use evaluate::random::SplitMix64;

/// Starts, of which the one with the least inertia is kept.
const N_STARTS: usize = 10;
/// Maximum iterations of a start.
const MAX_ITERATIONS: usize = 100;

/// Cluster of each point, 0 to `k` − 1; a cluster may be empty where points are equal. `k` is taken as 1 to the number of
/// points, and values that a point lacks as 0.
pub fn kmeans(points: &[Vec<f32>], k: usize, seed: u64) -> Vec<usize> {
    let k = k.clamp(1, points.len().max(1));
    let mut random = SplitMix64::new(seed);
    let starts = (0..N_STARTS).map(|_| lloyd(points, seeds(points, k, &mut random)));
    let best = starts.min_by(|(first, _), (second, _)| first.total_cmp(second));
    best.map(|(_, clusters)| clusters).unwrap_or_default()
}

/// k-means++: the first centroid is any point, each other one a point drawn by its squared distance to the nearest so far.
fn seeds(points: &[Vec<f32>], k: usize, random: &mut SplitMix64) -> Vec<Vec<f64>> {
    let centroid = |at: usize| -> Option<Vec<f64>> {
        points.get(at).map(|point| point.iter().map(|&value| f64::from(value)).collect())
    };
    let mut centroids: Vec<Vec<f64>> = centroid(random.below(points.len())).into_iter().collect();
    while centroids.len() < k {
        let distances: Vec<f64> = points.iter().map(|point| nearest(point, &centroids).1).collect();
        let total: f64 = distances.iter().sum();
        let mut left = total * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let drawn = distances.iter().position(|&distance| {
            left -= distance;
            left < 0.0
        });
        // Where all points are centroids already, any serves.
        let Some(next) = centroid(drawn.unwrap_or_else(|| random.below(points.len()))) else { break };
        centroids.push(next);
    }
    centroids
}

/// Inertia (the sum of squared distances to the centroids) and the cluster of each point.
fn lloyd(points: &[Vec<f32>], mut centroids: Vec<Vec<f64>>) -> (f64, Vec<usize>) {
    let mut clusters: Vec<usize> = Vec::new();
    let mut inertia = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let found: Vec<(usize, f64)> = points.iter().map(|point| nearest(point, &centroids)).collect();
        inertia = found.iter().map(|(_, distance)| distance).sum();
        let assigned: Vec<usize> = found.into_iter().map(|(cluster, _)| cluster).collect();
        if assigned == clusters {
            break;
        }
        clusters = assigned;
        for (cluster, centroid) in centroids.iter_mut().enumerate() {
            let members = || points.iter().zip(&clusters).filter(move |(_, of)| **of == cluster);
            let n = members().count();
            // A cluster that lost all its points stays where it was.
            if n > 0 {
                centroid.iter_mut().enumerate().for_each(|(axis, value)| {
                    let values = members().map(|(point, _)| point.get(axis).copied().map_or(0.0, f64::from));
                    *value = values.sum::<f64>() / n as f64;
                });
            }
        }
    }
    (inertia, clusters)
}

/// The nearest centroid, the first of equal ones, and the squared distance to it.
fn nearest(point: &[f32], centroids: &[Vec<f64>]) -> (usize, f64) {
    let distance = |centroid: &Vec<f64>| -> f64 {
        let values = point.iter().map(|&value| f64::from(value)).chain(std::iter::repeat(0.0));
        centroid.iter().zip(values).map(|(of, value)| (of - value) * (of - value)).sum()
    };
    let distances = centroids.iter().map(distance).enumerate();
    distances.min_by(|(_, first), (_, second)| first.total_cmp(second)).unwrap_or((0, 0.0))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn inertia(points: &[Vec<f32>], clusters: &[usize]) -> f64 {
        let mut total = 0.0;
        for cluster in clusters.iter().copied().collect::<std::collections::BTreeSet<_>>() {
            let members: Vec<&Vec<f32>> = points
                .iter()
                .zip(clusters)
                .filter(|(_, of)| **of == cluster)
                .map(|(point, _)| point)
                .collect();
            for axis in 0..points[0].len() {
                let mean =
                    members.iter().map(|point| f64::from(point[axis])).sum::<f64>() / members.len() as f64;
                total += members.iter().map(|point| (f64::from(point[axis]) - mean).powi(2)).sum::<f64>();
            }
        }
        total
    }

    /// The least inertia over all ways to put the points into at most `k` clusters.
    fn naive(points: &[Vec<f32>], k: usize) -> f64 {
        let ways = (0..k.pow(points.len() as u32)).map(|way| {
            let clusters: Vec<usize> = (0..points.len()).map(|at| way / k.pow(at as u32) % k).collect();
            inertia(points, &clusters)
        });
        ways.fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn few_points_are_clustered_about_as_well_as_can_be(
            points in vec(vec(-4f32..4.0, 2), 2..7), k in 1usize..4, seed in any::<u64>(),
        ) {
            let clusters = kmeans(&points, k, seed);
            prop_assert_eq!(clusters.len(), points.len());
            prop_assert!(clusters.iter().all(|&cluster| cluster < k));
            let (found, best) = (inertia(&points, &clusters), naive(&points, k.min(points.len())));
            prop_assert!(found <= best * 1.5 + 1e-6, "{} of {}", found, best);
            prop_assert_eq!(kmeans(&points, k, seed), clusters);
        }
    }

    #[test]
    fn clumps_that_lie_apart_are_the_clusters() {
        let points: Vec<Vec<f32>> =
            [0.0, 9.0, 0.1, 9.1, 5.0, 0.2, 5.1].into_iter().map(|x| vec![x, 1.0]).collect();
        let clusters = kmeans(&points, 3, 1);
        let same = |first: usize, second: usize| clusters[first] == clusters[second];
        assert!(same(0, 2) && same(0, 5) && same(1, 3) && same(4, 6));
        assert!(!same(0, 1) && !same(0, 4) && !same(1, 4));
    }

    #[test]
    fn no_points_and_equal_points_are_clustered_too() {
        assert!(kmeans(&[], 3, 0).is_empty());
        assert_eq!(kmeans(&vec![vec![1.0]; 4], 3, 0).len(), 4);
        assert_eq!(kmeans(&[vec![1.0]], 9, 0), [0]);
    }
}
