//! TODO
pub struct Model {
    pub intercept: f64,
    pub weights: [f64; super::SIGNALS.len()],
}
pub const WORDS_AND_VECTORS: Model = Model { intercept: 0.0, weights: [0.0; 14] };
pub const WORDS: Model = Model { intercept: 0.0, weights: [0.0; 14] };
pub const CHINESE: Model = Model { intercept: 0.0, weights: [0.0; 14] };
