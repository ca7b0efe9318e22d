//! Dates and amounts as they are printed, each with one value for comparison.
//!
//! The entities of a document and the figures of an answer must be read by one rule, or the one would be called
//! unsupported by the other. What a rule is not sure of ("03/04/2024") is left out. Cost: linear in the text.

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
