//! Dates and amounts as they are printed, each with one value for comparison.
//!
//! The entities of a document and the figures of an answer are read by the same rules, or a figure that a document has
//! would count as unsupported. Ambiguous dates ("03/04/2024") are left out. Cost: linear in the text.

mod amounts;
mod dates;
mod value;

pub use amounts::{currency, money, percent};
pub use dates::MONTHS;
pub use value::Quantity;

/// The dates of a line, in its order.
pub fn dates(line: &str) -> Vec<Quantity> {
    let mut found = Vec::new();
    dates::scan(line, &mut found);
    found
}

/// The amounts of money and the shares of a line, in its order.
pub fn amounts(line: &str) -> Vec<Quantity> {
    let mut found = Vec::new();
    amounts::scan(line, &mut found);
    found
}
