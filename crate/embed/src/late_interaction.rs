//! Late interaction: a query compared with passages token by token.
//!
//! The vector of a passage says in 384 numbers what all of it is about. Late interaction keeps the vectors of its tokens:
//! each token of the query is matched with the most similar one of the passage, and the similarities are added up
//! (MaxSim; Khattab and Zaharia, "ColBERT", 2020, equation 3). It costs an encoding of each passage at question time, so
//! it ranks the few that a search found. Here question and passage are read as one text, the question first, by an encoder
//! that an adapter was trained for: so the vectors of each know the other's words, and what the question asks for is near
//! what answers it rather than what repeats it.
//! Each token of the query counts alike, as in the adapter's training.

use std::collections::BTreeMap;
use std::ops::Range;

/// Weight of a search's order beside the similarities of what it found. Of the lay questions of `tests/answers` (dev) the first
/// passage is right for .670 at 0, .679 at .02, .691 at .03 and .685 at .05 in a library of their document, and for .551, .566,
/// .551 and .539 in one of all documents.
const ORDER_WEIGHT: f32 = 0.03;
/// Weight of the cosine of whole passages beside them. Of the same questions the first citation is right for .645 at 0, .651 at
/// .2, .660 at .3, .657 at .4 and .651 at .6 in a library of their document; at 0 and .3 for .545 in one of all documents (parts
/// of questions were judged by words then).
const COSINE_WEIGHT: f32 = 0.3;

/// The most similar tokens of a passage, for each token of a query, piece by piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenMatches {
    /// By piece of the passage, such as a sentence, and token of the query: the greatest cosine to a token of the piece, -1
    /// to 1; -1 in a piece without tokens and in one beyond the encoder's limit, which so is below every other.
    pub best: Vec<f32>,
    /// By token of the query: its bytes in the query.
    pub ranges: Vec<Range<usize>>,
}

impl TokenMatches {
    /// Compares the token vectors of a query with those of a passage: rows of `dimensions` numbers, one for each token.
    /// `pieces` has the number of tokens of each piece, in order; `ranges` the bytes of each token of the query.
    pub fn of(
        query: &[f32],
        passage: &[f32],
        pieces: &[usize],
        ranges: &[Range<usize>],
        dimensions: usize,
    ) -> Self {
        let dimensions = dimensions.max(1);
        let mut rows = passage.chunks_exact(dimensions);
        let mut best = Vec::with_capacity(pieces.len() * ranges.len());
        for &n_tokens in pieces {
            let piece: Vec<&[f32]> = rows.by_ref().take(n_tokens).collect();
            for token in query.chunks_exact(dimensions) {
                let cosines = piece.iter().map(|row| dot(token, row));
                best.push(cosines.reduce(f32::max).unwrap_or(-1.0));
            }
        }
        Self { best, ranges: ranges.to_vec() }
    }

    /// Number of the query's tokens.
    pub fn n_tokens(&self) -> usize {
        self.ranges.len()
    }

    /// Mean of the matches in the whole passage, -1 to 1.
    pub fn max_sim(&self) -> f32 {
        mean_match(&self.whole())
    }

    /// By token of the query: the greatest cosine to a token of the passage; −∞ in a passage without pieces.
    pub fn whole(&self) -> Vec<f32> {
        let mut whole = vec![f32::NEG_INFINITY; self.n_tokens()];
        for piece in self.pieces() {
            for (best, value) in whole.iter_mut().zip(piece) {
                *best = best.max(*value);
            }
        }
        whole
    }

    /// By piece: the match of each token of the query. A piece is read with the pieces whose indices `beside` has for its
    /// own, as a row of a table with its heads: each token matches the most similar one of all of them.
    pub fn piece_matches(&self, beside: &BTreeMap<usize, Vec<usize>>) -> Vec<Vec<f32>> {
        let pieces: Vec<&[f32]> = self.pieces().collect();
        let read = |(at, piece): (usize, &&[f32])| {
            let mut whole = piece.to_vec();
            for other in beside.get(&at).into_iter().flatten().filter_map(|&other| pieces.get(other)) {
                for (best, value) in whole.iter_mut().zip(*other) {
                    *best = best.max(*value);
                }
            }
            whole
        };
        pieces.iter().enumerate().map(read).collect()
    }

    fn pieces(&self) -> impl Iterator<Item = &[f32]> {
        self.best.chunks_exact(self.n_tokens().max(1))
    }
}

/// Score of a passage by its similarity, -1 to 1, the cosine of its vector to the query's, and its place in the search that
/// found it, from 0: `similarity + .3 cosine - .03 ln(1 + place)`.
pub fn placed(similarity: f32, cosine: f32, place: usize) -> f32 {
    similarity + COSINE_WEIGHT * cosine - ORDER_WEIGHT * libm::logf(1.0 + place as f32)
}

/// Scales each row to length 1; a row without direction stays 0.
pub fn normalize_rows(rows: &mut [f32], dimensions: usize) {
    for row in rows.chunks_exact_mut(dimensions.max(1)) {
        let length = dot(row, row).sqrt();
        let scale = if length.is_normal() { 1.0 / length } else { 0.0 };
        row.iter_mut().for_each(|value| *value = if scale > 0.0 { *value * scale } else { 0.0 });
    }
}

/// Sum of products in eight running sums, so that it is vectorised; the same bits on every platform.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| a * b);
    sums.into_iter().chain(rest).fold(0.0, |sum, value| sum + value)
}

/// Mean of matches, -1 to 1; 0 without any, -1 where one is not finite, as of a passage without pieces.
pub fn mean_match(values: &[f32]) -> f32 {
    let sum = values.iter().fold(0.0, |sum, value| sum + value);
    match values.len() {
        0 => 0.0,
        n if sum.is_finite() => sum / n as f32,
        _ => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_is_matched_with_the_most_similar_one_of_each_piece() {
        let query = [1.0, 0.0, 0.0, 1.0];
        let passage = [0.75, 0.5, 1.0, 0.0, 0.0, -1.0];
        let matches = TokenMatches::of(&query, &passage, &[1, 2, 0], &[0..4, 4..6], 2);
        assert_eq!(matches.best, [0.75, 0.5, 1.0, 0.0, -1.0, -1.0]);
        assert_eq!(matches.piece_matches(&BTreeMap::new()), [[0.75, 0.5], [1.0, 0.0], [-1.0, -1.0]]);
        let beside = BTreeMap::from([(2, vec![0, 9])]);
        assert_eq!(matches.piece_matches(&beside)[2], [0.75, 0.5], "a row with its heads");
        assert_eq!(matches.max_sim(), 0.75);
    }

    #[test]
    fn a_piece_beyond_the_limit_is_not_nearer_than_one_that_is_unlike() {
        let (query, ranges) = ([1.0, 0.0, 1.0, 0.0], [0..4, 4..6]);
        let unlike = TokenMatches::of(&query, &[-0.6, 0.8], &[1], &ranges, 2);
        let cut = TokenMatches::of(&query, &[-0.6, 0.8], &[1, 0], &ranges, 2);
        assert_eq!((unlike.max_sim(), cut.max_sim()), (-0.6, -0.6));
        let none = TokenMatches::of(&query, &[], &[], &ranges, 2);
        assert_eq!(none.max_sim(), -1.0, "a passage without pieces");
    }

    #[test]
    fn cosine_and_order_of_the_search_decide_between_similarities_that_are_close() {
        assert_eq!(placed(0.5, 0.0, 0), 0.5);
        assert!(placed(0.5, 0.0, 0) > placed(0.51, 0.0, 1) && placed(0.5, 0.0, 0) < placed(0.7, 0.0, 31));
        assert!(placed(0.5, 0.4, 0) > placed(0.55, 0.2, 0) && placed(0.5, 0.4, 0) < placed(0.6, 0.2, 0));
    }

    #[test]
    fn what_has_no_token_scores_zero() {
        let none = TokenMatches::of(&[], &[1.0, 0.0], &[1], &[], 2);
        assert_eq!((none.max_sim(), none.n_tokens()), (0.0, 0));
        let mut rows = [3.0, 4.0, 0.0, 0.0, f32::NAN, 1.0];
        normalize_rows(&mut rows, 2);
        assert_eq!(rows, [0.6, 0.8, 0.0, 0.0, 0.0, 0.0]);
    }
}
