//! Files of results, a JSON value a line, written whole or not at all.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;

/// Writes a file of JSON lines in the place of one that was there.
pub(super) fn write_lines(path: &Path, values: impl Iterator<Item = Value>) -> Result<(), Failure> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let write = || {
        let mut file = BufWriter::new(File::create(&part)?);
        for value in values {
            writeln!(file, "{value}")?;
        }
        file.flush()?;
        file.get_ref().sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|error| Failure::io(path, &error))
}
