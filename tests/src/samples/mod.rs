//! Three documents of our own writing, for visitors without a document and for the tests.
//!
//! The law in them is invented or, where the tax opinion cites real authorities, cited for what they hold; the
//! parties are invented. Each has clear answers to the questions that stand beside it. And one in Chinese, for the tests.

mod chinese;
mod contract;
pub mod generated;
mod opinion;
mod rulebook;
mod sample;

pub use chinese::chinese;
pub use sample::{Listed, Made, Sample};

/// The samples for visitors.
pub fn all() -> [Sample; 3] {
    [rulebook::sample(), opinion::sample(), contract::sample()]
}
