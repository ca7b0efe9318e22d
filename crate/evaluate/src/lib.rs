//! Metrics of retrieval and answers.
//!
//! Pure functions of rankings and judgments; files and output are the command line's.

pub mod bootstrap;
pub mod ranking;
