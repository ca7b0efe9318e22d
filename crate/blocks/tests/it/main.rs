//! Tests of the crate as a caller sees it, on pages built in code: one test a rule.

#![expect(clippy::unwrap_used, reason = "a test whose page cannot be built has failed")]

mod anatomy;
mod doc;
mod illegible;
mod layout;
mod rules;
mod tables_and_notes;
