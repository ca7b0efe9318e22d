//! Options of reading a file.

use crate::limits::Limits;

/// Options of reading a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Password of an encrypted file; the empty one is tried first.
    pub password: Option<String>,
    /// Limits on the cost of the file.
    pub limits: Limits,
}
