//! Three documents of our own writing, for visitors without a document and for the tests.
//!
//! The law in them is invented or, where the tax opinion cites real authorities, cited for what they hold; the
//! parties are invented. Each has clear answers to the questions that stand beside it.

mod contract;
pub mod generated;
mod opinion;
mod rulebook;
mod sample;

pub use sample::{Listed, Made, Sample};

/// All samples.
pub fn all() -> [Sample; 3] {
    [rulebook::sample(), opinion::sample(), contract::sample()]
}
