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
    intercept: -2.3761,
    weights: [
        0.0, // covered
        0.7484, // flat
        -1.0089, // repeated
        0.3041, // sentence
        0.2999, // near
        0.0, // together
        0.3698, // constraints
        0.0, // stands.together
        0.5613, // stands.rows
        1.5530, // stands.saturated
        0.3355, // stands.focus
        0.0, // elsewhere
        0.7802, // cosine
        1.3956, // stands.cosine
        3.7680, // cosine.best
        0.0, // similar.tokens
        0.0, // similar.opening
        0.0, // similar.stands
        0.0, // similar.lacking
    ],
};

/// The same where passages were compared with the question.
#[rustfmt::skip]
pub const COMPARED: Model = Model {
    intercept: -2.4793,
    weights: [
        0.0, // covered
        0.0, // flat
        0.0, // repeated
        0.4040, // sentence
        0.0, // near
        0.0, // together
        0.5740, // constraints
        0.0, // stands.together
        0.0, // stands.rows
        0.0, // stands.saturated
        0.0, // stands.focus
        0.0, // elsewhere
        0.0, // cosine
        0.0, // stands.cosine
        2.9696, // cosine.best
        11.4843, // similar.tokens
        1.0884, // similar.opening
        4.1171, // similar.stands
        1.4839, // similar.lacking
    ],
};

/// The same without vectors.
#[rustfmt::skip]
pub const WORDS: Model = Model {
    intercept: -0.5775,
    weights: [
        0.1270, // covered
        1.2880, // flat
        -1.4885, // repeated
        0.6688, // sentence
        0.5494, // near
        0.0, // together
        0.3481, // constraints
        0.0, // stands.together
        0.7410, // stands.rows
        2.2647, // stands.saturated
        0.0, // stands.focus
        0.0, // elsewhere
        0.0, // cosine
        0.0, // stands.cosine
        0.0, // cosine.best
        0.0, // similar.tokens
        0.0, // similar.opening
        0.0, // similar.stands
        0.0, // similar.lacking
    ],
};

/// For questions in Chinese, whose vectors no model here makes.
#[rustfmt::skip]
pub const CHINESE: Model = Model {
    intercept: -1.4120,
    weights: [
        0.0, // covered
        3.2840, // flat
        -3.3050, // repeated
        0.8444, // sentence
        0.0, // near
        0.0, // together
        0.0, // constraints
        0.0, // stands.together
        0.0, // stands.rows
        5.5650, // stands.saturated
        0.0, // stands.focus
        0.0, // elsewhere
        0.0, // cosine
        0.0, // stands.cosine
        0.0, // cosine.best
        0.0, // similar.tokens
        0.0, // similar.opening
        0.0, // similar.stands
        0.0, // similar.lacking
    ],
};
