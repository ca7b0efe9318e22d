//! Tests of the crate as a caller sees it, on PDFs written by the tests.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

mod claims;
mod hostile;
mod limits;
mod marked;
mod page_tree;
mod pdf;
mod read;
mod visibility;
