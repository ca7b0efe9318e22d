//! A violation of a rule and its place.

use std::fmt;

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file or package, relative to the root.
    pub place: String,
    /// 1-based, or 0 when the whole file is meant.
    pub line: usize,
    /// The finding, and what to do about it.
    pub message: String,
}

impl Problem {
    /// A problem at a line of a file or package.
    pub fn new(place: &str, line: usize, message: impl Into<String>) -> Self {
        Self { place: place.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.place, self.message),
            line => write!(f, "{}:{line}: {}", self.place, self.message),
        }
    }
}
