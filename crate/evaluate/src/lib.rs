//! Metrics of retrieval, of answers, and of judges of answers.
//!
//! Pure functions of rankings and judgments; the command line reads the files and prints.

pub mod agreement;
pub mod answers;
pub mod bootstrap;
pub mod calibration;
pub mod hold_out;
pub mod judged;
pub mod overlap;
pub mod random;
pub mod ranking;
pub mod reliability;
pub mod repass;
