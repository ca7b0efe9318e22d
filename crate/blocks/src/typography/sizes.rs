//! Usual type sizes.

/// The size that most characters have.
pub(crate) fn usual_size(sizes: impl Iterator<Item = (f32, usize)>) -> Option<f32> {
    let mut counts: Vec<(f32, usize)> = Vec::new();
    for (size, n) in sizes {
        match counts.iter_mut().find(|(other, _)| (*other - size).abs() <= 0.02 * size + 0.05) {
            Some((_, count)) => *count += n.max(1),
            None => counts.push((size, n.max(1))),
        }
        // Sizes of a hostile file may be as many as its characters.
        if counts.len() > 64 {
            counts.sort_by(|a, b| b.1.cmp(&a.1).then(b.0.total_cmp(&a.0)));
            counts.truncate(32);
        }
    }
    counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0))).map(|(size, _)| size)
}
