//! LambdaMART: a ranker learned from questions whose right passages are known.
//!
//! ```text
//! features, labels → bins → round: lambdas of the scores → a tree → scores → … → LightGBM's text model
//! ```
//!
//! A [`Trainer`] takes the candidates of questions and grows one tree a [`Trainer::step`], so a caller can show progress and
//! stop. The trees correct what ranks well already: a [`Base`], a forest that is gone on with, or a prior, a feature such as
//! the blended score of both retrievers. Some questions may be held out; training then stops when their nDCG no longer rises,
//! and the model is that of its best round.
//!
//! The same questions, options and seed give the same text, bit by bit, natively and in wasm: sums are in a fixed order, and
//! the exponential and the logarithm are `libm`'s. Nothing is read or written here.
//!
//! Cost: 500 questions of 100 candidates with 90 features take about 5 MB once they are in bins, and a few seconds.
//! Sources: Burges, *From RankNet to LambdaRank to LambdaMART*, 2010; Ke et al., *LightGBM*, NIPS 2017.

mod base;
mod bins;
mod error;
mod lambdas;
mod model;
mod options;
mod trainer;
mod tree;

#[cfg(test)]
mod tests;

pub use base::Base;
pub use error::Error;
pub use options::{Options, Prior};
pub use trainer::{Progress, Trainer};

/// Minimum number of questions to train on.
pub const MIN_QUESTIONS: usize = 50;
/// Greatest label.
pub const MAX_LABEL: u8 = 30;
/// Maximum number of candidates of all questions.
pub const MAX_ROWS: usize = 1_000_000;
