//! The test harness: sample documents whose every word has a known place, hostile documents, readable dumps.
//!
//! `cargo run -p pincite-tests --bin samples -- OUT_DIR` writes the samples and the truth about them; the page
//! offers them to a visitor who has no document at hand, and the tests compare what the pipeline reads with what
//! was written. Nothing here is used by the product itself.

pub mod bombs;
pub mod claims;
pub mod corpus;
pub mod dump;
pub mod fuzz;
pub mod hiding;
pub mod hostile;
pub mod invariants;
pub mod samples;
pub mod stages;
pub mod tiny_nli;
pub mod truth;
pub mod typeset;
pub mod wordfile;
mod wordpackage;
