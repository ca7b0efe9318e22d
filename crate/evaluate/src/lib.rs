//! Metrics of retrieval and answers.
//!
//! Pure functions of rankings and judgments; the command line reads the files and prints.

pub mod answers;
pub mod bootstrap;
pub mod overlap;
pub mod random;
pub mod ranking;
