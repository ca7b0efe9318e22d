//! Weights of [`super::signals::SIGNALS`]. Made by `models/train_sufficiency.py`; not edited by hand.

use super::signals::SIGNALS;

/// A logistic model over the signals.
pub struct Model {
    /// Its value where all signals are zero.
    pub intercept: f64,
    /// By signal.
    pub weights: [f64; SIGNALS.len()],
}

/// For questions in scripts with spaces, where all passages have vectors.
#[rustfmt::skip]
pub const WORDS_AND_VECTORS: Model = Model {
    intercept: -3.484,
    weights: [
        0.0, // covered
        2.212, // flat
        -2.982, // repeated
        0.8988, // sentence
        0.8865, // near
        0.0, // together
        1.093, // constraints
        0.0, // stands.together
        1.659, // stands.rows
        4.59, // stands.saturated
        0.9917, // stands.focus
        0.0, // elsewhere
        2.306, // cosine
        4.125, // stands.cosine
    ],
};

/// The same without vectors.
#[rustfmt::skip]
pub const WORDS: Model = Model {
    intercept: -2.518,
    weights: [
        0.3276, // covered
        3.322, // flat
        -3.839, // repeated
        1.725, // sentence
        1.417, // near
        0.0, // together
        0.8977, // constraints
        0.0, // stands.together
        1.911, // stands.rows
        5.841, // stands.saturated
        0.0, // stands.focus
        0.0, // elsewhere
        0.0, // cosine
        0.0, // stands.cosine
    ],
};

/// For questions in Chinese, whose vectors no model here makes.
#[rustfmt::skip]
pub const CHINESE: Model = Model {
    intercept: -1.412,
    weights: [
        0.0, // covered
        3.284, // flat
        -3.305, // repeated
        0.8444, // sentence
        0.0, // near
        0.0, // together
        0.0, // constraints
        0.0, // stands.together
        0.0, // stands.rows
        5.565, // stands.saturated
        0.0, // stands.focus
        0.0, // elsewhere
        0.0, // cosine
        0.0, // stands.cosine
    ],
};
