//! Files of results, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;

/// Writes a file of JSON lines in the place of one that was there.
pub(super) fn write_lines(path: &Path, mut values: impl Iterator<Item = Value>) -> Result<(), Failure> {
    write_whole(path, |file| values.try_for_each(|value| writeln!(file, "{value}")))
}

/// Writes a file in the place of one that was there.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = || {
        let mut file = BufWriter::new(File::create(&part)?);
        write(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        fs::rename(&part, path)
    };
    written().map_err(|error| Failure::io(path, &error))
}
