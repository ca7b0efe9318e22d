//! Vectors of `pincite ask FILE`: those of the passages that the question's words find, all, or none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pincite_tests::samples;
use serde_json::Value;

/// The built model, or nothing after saying that the test is skipped.
fn model(test: &str) -> Option<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/build"));
    if !folder.join("manifest.json").exists() {
        eprintln!("SKIPPED {test}: models/build is not there; make it with python3 models/export.py");
        return None;
    }
    Some(folder.to_owned())
}

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
