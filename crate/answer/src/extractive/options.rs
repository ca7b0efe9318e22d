//! Limits and thresholds of an extracted answer, with the defaults that the answer figures were measured with.

use crate::score_filter::ScoreFilter;

/// Limits and thresholds of an extracted answer.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum statements of an answer, ≥ 1.
    pub max_statements: usize,
    /// Maximum provisions quoted, ≥ 1.
    pub max_provisions: usize,
    /// Score filter applied before [`Self::beside_share`], and to the passages that a model is given; `None` for none.
    pub filter: Option<ScoreFilter>,
    /// Minimum score of a further provision as a share of the best, 0 to 1.
    pub beside_share: f64,
    /// [`Self::beside_share`] for Chinese, where one article usually answers in full.
    pub beside_share_zh: f64,
    /// Weight of the passage's rank in a provision's score, 0 to 1; the rest is its best sentence's.
    pub rank_share: f64,
    /// [`Self::rank_share`] where passages were compared with the question: their sentences were too.
    pub rank_share_compared: f64,
    /// Minimum match of a quoted part as a share of the best part's, 0 to 1.
    pub keep_share: f64,
    /// True if every question is answered, also on evidence that does not suffice.
    pub always: bool,
    /// Maximum passages read, best first.
    pub max_passages: usize,
    /// Maximum provision read as one, in bytes.
    pub max_provision_bytes: usize,
    /// Maximum provision quoted whole, in bytes.
    pub max_whole_bytes: usize,
    /// Maximum statement in bytes; a lead-in is joined to its list up to this size.
    pub max_statement_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_statements: 8,
            max_provisions: 5,
            filter: None,
            beside_share: 0.65,
            beside_share_zh: 0.98,
            rank_share: 0.4,
            rank_share_compared: 0.3,
            keep_share: 0.72,
            always: false,
            max_passages: 24,
            max_provision_bytes: 8_000,
            max_whole_bytes: 2_000,
            max_statement_bytes: 900,
        }
    }
}
