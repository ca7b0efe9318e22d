//! The stages from bytes to chunks, on documents of which everything is known and on documents that mean harm.
//!
//! One binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a test whose documents cannot be made has failed")]

mod chunks;
mod citations;
mod env;
mod fuzz;
mod golden;
mod hostile;
mod limits;
mod samples;
mod shared;
mod structure;
mod under_quads;
mod word;
