//! Language that several stages share: normal forms, sentences, index terms, words and references of provisions.
//!
//! Pure functions of text; no file, no model, no dictionary. Everything here gives the same result natively
//! and in the browser, because the index is built from it.

mod analyzer;
mod chars;
pub mod heading;
pub mod leaders;
pub mod legibility;
pub mod normalize;
pub mod numerals;
pub mod provision;
pub mod quantity;
pub mod reference;
pub mod rules;
mod sentence;
pub mod steps;
mod tokens;
pub mod wording;

pub use analyzer::{Analyzer, AnalyzerKind, Glance, Prefilter, Token, is_form};
pub use chars::{is_cjk, is_mostly_cjk, may_have_cjk};
pub use sentence::sentences;
pub use tokens::{ApproximateTokens, TokenCount};
