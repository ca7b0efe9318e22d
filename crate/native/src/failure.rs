//! Failure of what was asked for: one line for a person, and whose fault it is.

use std::fmt;
use std::path::Path;

use engine::Code;

use crate::plain_text::one_line;

/// Failure of what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Wrong arguments.
    Usage(String),
    /// An error of the engine.
    Engine {
        /// The error with its hint, and what it is about.
        text: String,
        /// Code of the error.
        code: Code,
    },
    /// Any other failure.
    Failed(String),
}

impl Failure {
    /// An error of the engine about a file, with its hint.
    pub fn about(path: &Path, error: &engine::Error) -> Self {
        Self::Engine { text: format!("{}: {}", path.display(), with_hint(error)), code: error.code() }
    }

    /// An input or output error about a file.
    pub fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Failed(format!("{}: {error}", path.display()))
    }
}

fn with_hint(error: &engine::Error) -> String {
    match error.hint() {
        "" => error.to_string(),
        hint => format!("{error} ({hint})"),
    }
}

impl From<engine::Error> for Failure {
    fn from(error: engine::Error) -> Self {
        let (text, code) = (with_hint(&error), error.code());
        if code == Code::BadArgument { Self::Usage(text) } else { Self::Engine { text, code } }
    }
}

impl fmt::Display for Failure {
    /// One line, without what would steer a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::Engine { text, code: _ } | Self::Failed(text)) = self;
        f.write_str(&one_line(text))
    }
}
