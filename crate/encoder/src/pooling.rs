//! Pooling of token vectors into one unit vector; shared by all backends, so that they agree.

use embed::Pooling;

/// The unit vector of one text: the vectors of its tokens, `dimensions` numbers each, pooled and scaled to
/// length 1. Sums run in f64 and in order: the same natively and in wasm. A pooled vector of
/// length 0 (never seen, but defined) becomes the first axis.
pub(crate) fn pool(rows: &[f32], dimensions: usize, pooling: Pooling) -> Vec<f32> {
    let n_pooled = match pooling {
        Pooling::Mean => usize::MAX,
        Pooling::Cls => 1,
    };
    let mut sums = vec![0f64; dimensions];
    for row in rows.chunks_exact(dimensions.max(1)).take(n_pooled) {
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum += f64::from(value);
        }
    }
    // The mean and the sum have the same direction.
    let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    if length.is_finite() && length > f64::MIN_POSITIVE {
        return sums.iter().map(|sum| (sum / length) as f32).collect();
    }
    let mut axis = vec![0f32; dimensions];
    if let Some(first) = axis.first_mut() {
        *first = 1.0;
    }
    axis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_has_length_one() {
        let rows = [3.0, 0.0, 0.0, 4.0];
        assert_eq!(pool(&rows, 2, Pooling::Mean), [0.6, 0.8]);
        assert_eq!(pool(&rows, 2, Pooling::Cls), [1.0, 0.0]);
    }

    #[test]
    fn a_vector_without_direction_is_still_a_unit_vector() {
        for rows in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            assert_eq!(pool(&rows, 2, Pooling::Mean), [1.0, 0.0]);
        }
    }
}
