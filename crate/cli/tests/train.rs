//! `pincite eval train` as a user runs it: a ranker from questions over the samples, which `search` takes; and the refusal of
//! too few questions.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pincite_tests::samples;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Questions over the samples, as the lab loads them: `question,document,page`.
const QUESTIONS: &str = include_str!("../../../tests/browser/fixtures/sample-questions.csv");

fn pincite(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    // Without an encoder: by words alone.
    command.env_remove("PINCITE_MODELS").current_dir(home).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A library of the samples that questions are about, and these questions as JSON lines.
fn workplace() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let mut index = ["index", "--out", "library"].map(str::to_owned).to_vec();
    for id in ["contract", "opinion", "rulebook"] {
        let pdf = samples::all().iter().find(|sample| sample.id == id).unwrap().make().unwrap().pdf;
        let name = format!("{id}.pdf");
        fs::write(home.path().join(&name), pdf).unwrap();
        index.push(name);
    }
    let index: Vec<&str> = index.iter().map(String::as_str).collect();
    let output = pincite(home.path(), &index);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut lines = String::new();
    for (at, row) in QUESTIONS.lines().skip(1).enumerate() {
        let (start, pages) = row.rsplit_once(".pdf,").unwrap();
        let (question, document) = start.rsplit_once(',').unwrap();
        let pages: Vec<u32> = pages.trim_matches('"').split(',').map(|page| page.parse().unwrap()).collect();
        let line = json!({
            "qid": format!("q{at}"), "query": question.trim_matches('"'),
            "document": format!("{document}.pdf"), "pages": pages,
        });
        lines += &format!("{line}\n");
    }
    fs::write(home.path().join("questions.jsonl"), lines).unwrap();
    home
}

const TRAIN: [&str; 6] = ["eval", "train", "--library", "library", "--queries", "questions.jsonl"];

#[test]
fn a_ranker_is_trained_measured_on_questions_held_out_and_used_by_search() {
    let home = workplace();
    let train = |out: &str| pincite(home.path(), &[&TRAIN[..], &["--out", out]].concat());
    let output = train("ranker.txt");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    for part in ["questions that teach something", "questions held out", "before", "after", "difference"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    train("again.txt");
    let ranker = fs::read(home.path().join("ranker.txt")).unwrap();
    assert_eq!(
        ranker,
        fs::read(home.path().join("again.txt")).unwrap(),
        "the same questions, the same bytes"
    );

    let question = "How long are records of complaints kept?";
    let search = ["search", "library", question, "--explain", "--json"];
    let hits = |more: &[&str]| -> Value {
        let output = pincite(home.path(), &[&search[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["hits"].take()
    };
    let is_own = |hits: &Value| hits[0]["explanation"].to_string().contains("own ranker");
    assert!(is_own(&hits(&["--ranking-model", "ranker.txt"])) && !is_own(&hits(&[])));

    fs::write(home.path().join("broken.txt"), "tree\n").unwrap();
    let output = pincite(home.path(), &[&search[..], &["--ranking-model", "broken.txt"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("broken.txt"), "{}", text(&output.stderr));
}

#[test]
fn fewer_than_fifty_questions_are_refused_with_their_number() {
    let home = workplace();
    let all = fs::read_to_string(home.path().join("questions.jsonl")).unwrap();
    let few: Vec<&str> = all.lines().take(30).collect();
    fs::write(home.path().join("questions.jsonl"), few.join("\n")).unwrap();
    let output = pincite(home.path(), &[&TRAIN[..], &["--out", "ranker.txt"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("expected 50 or more"), "{}", text(&output.stderr));
    assert!(!home.path().join("ranker.txt").exists());
}
