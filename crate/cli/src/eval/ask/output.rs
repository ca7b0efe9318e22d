//! The file of answers, a JSON value a line.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;

/// The file of answers.
pub(super) struct Output<'a> {
    path: &'a Path,
    file: BufWriter<File>,
}

impl<'a> Output<'a> {
    /// Creates the file.
    pub(super) fn create(path: &'a Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(|error| Failure::io(path, &error))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    /// Writes an answer.
    pub(super) fn write(&mut self, answer: &Value) -> Result<(), Failure> {
        writeln!(self.file, "{answer}").map_err(|error| Failure::io(self.path, &error))
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.file.flush().map_err(|error| Failure::io(self.path, &error))
    }
}
