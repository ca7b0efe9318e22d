//! Failure of a verb: one line for a person, and the exit status.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// Failure of a verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Wrong arguments: exit status 2.
    Usage(String),
    /// Any other failure: exit status 1.
    Failed(String),
}

impl Failure {
    /// An error of the engine about a file, with its hint.
    pub(crate) fn about(path: &Path, error: &engine::Error) -> Self {
        Self::Failed(format!("{}: {}", path.display(), with_hint(error)))
    }

    /// An input or output error about a file.
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Failed(format!("{}: {error}", path.display()))
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::FAILURE,
        }
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
        let text = with_hint(&error);
        if error.code() == engine::Code::BadArgument { Self::Usage(text) } else { Self::Failed(text) }
    }
}

impl fmt::Display for Failure {
    /// One line, without what would steer a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::Failed(text)) = self;
        f.write_str(&crate::terminal::one_line(text))
    }
}
