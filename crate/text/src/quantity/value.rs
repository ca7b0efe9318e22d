//! A date or an amount with its range in the text and its value.

use std::ops::Range;

/// A date or an amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Bytes of the line.
    pub range: Range<usize>,
    /// For comparison: dates as `2024-07-31` (`2024-07`), amounts as `USD 1500000.00`, `15 %`.
    pub value: String,
}
