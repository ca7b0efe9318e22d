//! The seeds and findings of the fuzzer, replayed: each file gives one error or a sound document.

use std::fs;
use std::path::PathBuf;

use pincite_tests::fuzz::DOORS;

#[test]
fn nothing_that_was_ever_found_breaks_a_door() {
    for (name, door) in DOORS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(!files.is_empty(), "{} is empty", folder.display());
        for file in files {
            // A panic in the door shows this line with it.
            println!("{}", file.display());
            door(&fs::read(&file).unwrap());
        }
    }
}
