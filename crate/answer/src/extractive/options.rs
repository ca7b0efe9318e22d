//! Limits and thresholds of an extracted answer, with the defaults that the answer figures were measured with.

use crate::score_filter::ScoreFilter;
use crate::sufficiency::SUFFICIENT;

/// Limits and thresholds of an extracted answer.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most statements in an answer, 1 or more.
    pub max_statements: usize,
    /// The most provisions that are quoted, 1 or more.
    pub max_provisions: usize,
    /// Also cut by these bounds; `None` leaves it to [`Self::beside_share`].
    pub filter: Option<ScoreFilter>,
    /// A provision beside the first scores at least this share of it, 0 to 1.
    pub beside_share: f64,
    /// The same for a question in Chinese, where an article says all of a matter.
    pub beside_share_zh: f64,
    /// How much of a provision's score is the rank of its passage, 0 to 1; the rest is that of its best sentence.
    pub rank_share: f64,
    /// A piece of a provision is quoted that fits the question by at least this share of the best, 0 to 1.
    pub keep_share: f64,
    /// The probability below which the documents do not say, 0 to 1; at 0 something is always answered.
    pub sufficient: f64,
    /// The most passages that are read, best first.
    pub max_passages: usize,
    /// The longest provision that is read as one, in bytes.
    pub max_provision_bytes: usize,
    /// The longest provision that is quoted whole, in bytes.
    pub max_whole_bytes: usize,
    /// The longest statement in bytes; a lead-in is joined to its list up to this.
    pub max_statement_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_statements: 8,
            max_provisions: 4,
            filter: None,
            beside_share: 0.65,
            beside_share_zh: 0.98,
            rank_share: 0.4,
            keep_share: 0.72,
            sufficient: SUFFICIENT,
            max_passages: 12,
            max_provision_bytes: 8_000,
            max_whole_bytes: 2_000,
            max_statement_bytes: 900,
        }
    }
}
