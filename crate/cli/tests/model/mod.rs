//! The embedding model that is built beside the sources, for tests that embed.

use std::path::{Path, PathBuf};

/// The built model, or nothing after saying that the test is skipped.
pub(crate) fn model(test: &str) -> Option<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/build"));
    if !folder.join("manifest.json").exists() {
        eprintln!("SKIPPED {test}: models/build is not there; make it with python3 models/export.py");
        return None;
    }
    Some(folder.to_owned())
}
