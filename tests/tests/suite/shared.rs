//! The invariants of every document, checked on the real and the hostile files beside the repository, where present.

use std::fs;
use std::path::{Path, PathBuf};

use pincite_tests::{invariants, stages};

#[test]
fn real_and_odd_files_lose_nothing_and_hold_nothing_twice() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/pdf/corpus");
    if !corpus.is_dir() {
        println!("skipped: there is no {}", corpus.display());
        return;
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["legal-dev", "synth-dev", "robust"] {
        let entries = fs::read_dir(corpus.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "pdf")));
    }
    files.sort();
    assert!(files.len() > 100, "only {} files under {}", files.len(), corpus.display());
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if let Ok(read) = stages::read(&name, &fs::read(&file).unwrap(), None) {
            wrong.extend(
                invariants::broken(&read.document).into_iter().map(|fault| format!("{name}: {fault}")),
            );
        }
    }
    crate::env::assert_none("documents that are not sound", &wrong);
}
