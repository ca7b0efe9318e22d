//! Vectors of `pincite ask FILE`: those of the passages that the question's words find, all, or none; and of `pincite
//! index`, on one thread and on several.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod model;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use model::model;
use pincite_tests::samples;
use pincite_tests::wordfile::Manner;
use serde_json::Value;

#[test]
fn the_passages_of_a_file_are_embedded_that_the_question_needs() {
    let Some(model) = model("the_passages_of_a_file_are_embedded_that_the_question_needs") else { return };
    let home = tempfile::tempdir().unwrap();
    for id in ["rulebook", "contract"] {
        let pdf = samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf;
        fs::write(home.path().join(format!("{id}.pdf")), pdf).unwrap();
    }
    let ask = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_pincite"))
            .current_dir(home.path())
            .env("PINCITE_MODELS", &model)
            .args([
                "ask",
                "rulebook.pdf",
                "contract.pdf",
                "--json",
                "--question",
                "For how long must records of Client Money be kept?",
            ])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let on_demand = &answer["trace"]["on_demand"];
        let counts = ["embedded", "left"].map(|name| on_demand[name].as_u64().unwrap());
        (answer["vectors"].as_str().unwrap().to_owned(), counts, answer["citations"][0]["quote"].clone())
    };
    let (vectors, [embedded, left], quote) = ask(&[]);
    assert_eq!((vectors.as_str(), left), ("candidates", 0));
    assert!(embedded > 10, "{embedded}");
    assert_eq!(ask(&["--vectors", "all"]), ("all".to_owned(), [0, 0], quote.clone()));
    // By words the paragraph that names them; compared with the question, the one before it too.
    let (vectors, counts, by_words) = ask(&["--vectors", "none"]);
    assert_eq!((vectors.as_str(), counts), ("none", [0, 0]));
    let ends = |quote: &Value| quote.as_str().unwrap().ends_with(by_words.as_str().unwrap());
    assert!(ends(&quote), "{quote} does not end with {by_words}");
}

/// The files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn a_library_has_the_same_bytes_for_any_number_of_threads() {
    let Some(model) = model("a_library_has_the_same_bytes_for_any_number_of_threads") else { return };
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("2024")).unwrap();
    for sample in samples::all() {
        fs::write(home.path().join(sample.file()), sample.make().unwrap().pdf).unwrap();
        let edition = sample.word(Manner::Styles).unwrap();
        fs::write(home.path().join("2024").join(sample.file()), edition).unwrap();
    }
    fs::write(home.path().join("notes.pdf"), "just some notes").unwrap();
    let index = |n_threads: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_pincite"))
            .current_dir(home.path())
            .env("PINCITE_MODELS", &model)
            .args(["index", "contract.pdf", "notes.pdf", "2024/contract.pdf", "missing.pdf", "opinion.pdf"])
            .args(["--out", n_threads, "--threads", n_threads])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "two files are bad");
        (files(&home.path().join(n_threads)), String::from_utf8(output.stderr).unwrap())
    };
    let (on_one, said) = index("1");
    assert_eq!(on_one.keys().filter(|name| name.ends_with(".vectors")).count(), 3, "{said}");
    let lines = ["notes.pdf", "2024/contract.pdf", "missing.pdf", "2 of 5 files"].map(|part| said.find(part));
    assert!(lines.is_sorted() && lines[0].is_some(), "in the order of the files: {said}");
    for n_threads in ["2", "5"] {
        assert_eq!(index(n_threads), (on_one.clone(), said.clone()), "{n_threads} threads");
    }
}
