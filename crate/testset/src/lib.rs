//! Test questions with answers and sources out of documents, and pairs of rewrites out of questions: LCLF-QA, appendix A
//! and §3.1.1.
//!
//! ```text
//! pages → summaries → vectors → clusters (k-means) → draws of n pages → two questions of a style, with answers → checked
//! questions → rewrites → ranks before and after, by words and by vectors → pairs that are better in both → training file
//! ```
//!
//! [`Generator`] and [`Curator`] are machines without I/O, as `answer::Machine` is: they say what they need, a reply of a
//! model, vectors or ranks, and are fed it. The same inputs and replies give the same questions, so a run that was
//! interrupted goes on from the replies that were kept.
//!
//! Invariants: a question counts only if every quotation of its answer stands in a page that the model was given, word for
//! word; a page is fenced in every prompt; a reply is capped and read strictly. What the model says is a question is not
//! judged further: a person who relies on a test set reads it.

mod curator;
mod generator;
mod kmeans;
mod pair;
mod plan;
mod question;
mod ranks;
mod request;
mod source_page;
mod style;
mod summary;
mod training;
mod verification;

pub use curator::{CurationAction, CurationTally, Curator, Pair, Sourced};
pub use generator::{Cost, GenerationAction, Generator, Settings};
pub use kmeans::kmeans;
pub use plan::Draw;
pub use question::{DropReason, Question, Quote, Source, Tally};
pub use ranks::Ranks;
pub use request::Request;
pub use source_page::{SourcePage, pages_of};
pub use style::Style;
pub use training::TrainingFormat;
