//! The inverted index: per segment the postings, over all segments the statistics.

pub mod collection;
pub mod posting_list;
pub mod postings;
pub mod stats;
pub(crate) mod term_slots;
