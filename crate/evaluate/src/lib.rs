//! Metrics of retrieval and answers.
//!
//! Pure functions of rankings and judgments; files and output are the command line's.

pub mod answers;
pub mod bootstrap;
pub mod overlap;
pub mod ranking;
