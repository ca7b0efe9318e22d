//! The files of `models/build`, for tests that need them.

use std::path::Path;

use embed::Manifest;

/// Output of `models/export.py`.
pub struct Built {
    pub manifest: Manifest,
    pub model: Vec<u8>,
    pub vocabulary: Vec<u8>,
}

/// The built model, or nothing after saying that the test is skipped.
pub fn files(test: &str) -> Option<Built> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/build"));
    let Ok(json) = std::fs::read(folder.join("manifest.json")) else {
        eprintln!("SKIPPED {test}: models/build is not there; make it with python3 models/export.py");
        return None;
    };
    let manifest = Manifest::from_json(&json).expect("the built manifest is readable");
    let read = |name: &str| std::fs::read(folder.join(name)).expect("a declared file is there");
    let (model, vocabulary) = (read(&manifest.files.model.name), read(&manifest.files.vocabulary.name));
    Some(Built { manifest, model, vocabulary })
}
