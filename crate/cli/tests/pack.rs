//! `pincite pack`: files and folders in one file, whole or not at all.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use pincite_tests::samples;
use serde_json::Value;

/// A folder with some samples, one of them in two places, and what is no document.
fn workplace() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    fs::create_dir_all(at("policies/2024/.git")).unwrap();
    let all = samples::all();
    for (id, path) in [
        ("contract", "policies/b.pdf"),
        ("rulebook", "policies/2024/RULES.PDF"),
        ("contract", "policies/2024/again.pdf"),
        ("contract", "policies/2024/.git/hidden.pdf"),
    ] {
        let sample = all.iter().find(|sample| sample.id == id).unwrap();
        fs::write(at(path), sample.make().unwrap().pdf).unwrap();
    }
    fs::write(at("policies/readme.txt"), "not a document").unwrap();
    home
}

fn pack(home: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    let command = command.current_dir(home).env_remove("PINCITE_MODELS");
    let output = command.args(["pack", "--out", "library.pincite"]).args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The table of a packed library and its parts.
fn unpacked(home: &Path) -> (Value, Vec<u8>) {
    let bytes = fs::read(home.join("library.pincite")).unwrap();
    assert_eq!(&bytes[..8], b"pincite\n");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(number(8), 1);
    let (table, parts) = bytes[16..].split_at(number(12));
    (serde_json::from_slice(table).unwrap(), parts.to_vec())
}

#[test]
fn each_document_of_a_folder_is_packed_once_with_its_segment_and_the_same_bytes_come_again() {
    let home = workplace();
    let home = home.path();
    assert_eq!(pack(home, &["policies"]).0, Some(0));
    let (table, parts) = unpacked(home);
    let rows = table["documents"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["b.pdf", "RULES.PDF"]);
    let mut rest = parts.as_slice();
    for row in rows {
        for part in [&row["file"], &row["segment"]] {
            let length = usize::try_from(part["length"].as_u64().unwrap()).unwrap();
            let (bytes, others) = rest.split_at(length);
            assert_eq!(engine::digest(bytes), part["sha256"].as_str().unwrap());
            rest = others;
        }
        assert_eq!(row["vectors"], Value::Null, "there is no model here");
    }
    assert!(rest.is_empty());
    assert!(!home.join("library.pincite.parts").exists());
    let first = fs::read(home.join("library.pincite")).unwrap();
    assert_eq!(pack(home, &["policies"]).0, Some(0));
    assert_eq!(fs::read(home.join("library.pincite")).unwrap(), first);
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_kept_for_the_next_run() {
    let home = workplace();
    let home = home.path();
    fs::write(home.join("policies/broken.pdf"), "no PDF").unwrap();
    let (status, said) = pack(home, &["policies"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("broken.pdf"), "{said}");
    assert_eq!(unpacked(home).0["documents"].as_array().unwrap().len(), 2);
    assert!(home.join("library.pincite.parts").exists());
    fs::remove_file(home.join("policies/broken.pdf")).unwrap();
    fs::remove_file(home.join("policies/b.pdf")).unwrap();
    fs::remove_file(home.join("policies/2024/again.pdf")).unwrap();
    assert_eq!(pack(home, &["policies"]).0, Some(0));
    let rows = unpacked(home).0;
    assert_eq!(rows["documents"].as_array().unwrap().len(), 1, "what was taken away is not packed");
    assert!(!home.join("library.pincite.parts").exists());
}

#[test]
fn a_folder_without_documents_makes_no_file() {
    let home = workplace();
    fs::create_dir(home.path().join("empty")).unwrap();
    let (status, said) = pack(home.path(), &["empty"]);
    assert_eq!(status, Some(1));
    assert!(said.contains("no PDF or Word file"), "{said}");
    assert!(!home.path().join("library.pincite").exists());
}
