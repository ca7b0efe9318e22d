//! `pincite eval judge` and `eval agreement` as a user runs them, with a judge of this test.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pincite_tests::tiny_nli::TinyNli;
use serde_json::{Value, json};
use server::{Server, response};
use tempfile::TempDir;

const VERDICTS: &str = "../../tests/judge/verdicts.jsonl";
const SECOND: &str = "../../tests/judge/second-reading.jsonl";

fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    for name in ["ALL_PROXY", "HTTP_PROXY", "http_proxy", "all_proxy", "PINCITE_API_KEY"] {
        command.env_remove(name);
    }
    command.current_dir(directory).arg("eval").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn lines(path: impl AsRef<Path>) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A reply of the endpoint with this text.
fn said(text: &str) -> String {
    let choice = json!({ "message": { "content": text }, "finish_reason": "stop" });
    response("200 OK", &json!({ "choices": [choice] }).to_string())
}

/// A judge that finds one claim present in an answer with "72", incorrect in one with "24", else missing.
fn coverage(request: &str) -> String {
    let answer =
        request.split("<<<ANSWER").nth(1).unwrap_or_default().split("<<<END").next().unwrap_or_default();
    let status = match answer {
        _ if answer.contains("72") => "present",
        _ if answer.contains("24") => "incorrect",
        _ => "missing",
    };
    said(&json!({ "claims": [{ "claim": "72 hours", "status": status, "reason": "as found" }], "reason": "so" }).to_string())
}

/// Four questions with references and answers in two files.
fn workplace() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let answers = ["Within 72 hours [P1].", "Within 24 hours.", "Soon.", "72 hours, says the document."];
    let (mut gold, mut given) = (String::new(), String::new());
    for (n, answer) in answers.iter().enumerate() {
        let question = format!("When must a breach of kind {n} be reported?");
        let passages = json!([
            { "id": "a", "text": format!("A firm must report a breach of kind {n} within 72 hours. It may do so online.") },
            { "id": "b", "text": "A breach is any failure to comply." },
        ]);
        let line = json!({ "qid": format!("q{n}"), "question": question, "answer": "Within 72 hours.", "passages": passages });
        gold += &format!("{line}\n");
        let line = json!({ "id": format!("q{n}"), "answer": answer, "sufficient": n != 3, "citations": [] });
        given += &format!("{line}\n");
    }
    fs::write(directory.path().join("gold.jsonl"), gold).unwrap();
    fs::write(directory.path().join("answers.jsonl"), given).unwrap();
    directory
}

const FILES: [&str; 7] =
    ["judge", "--gold", "gold.jsonl", "--answers", "answers.jsonl", "--out", "out.jsonl"];

fn judge(directory: &Path, url: &str, others: &[&str]) -> Output {
    run(directory, &[&FILES[..], &["--llm", url, "--model", "m"], others].concat())
}

#[test]
fn answers_are_judged_with_reasons_and_a_second_run_asks_nothing() {
    let home = workplace();
    let server = Server::start(coverage);
    let url = format!("http://{}/v1", server.at);
    let output = judge(home.path(), &url, &["--criteria", "coverage", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("4 judgments, 3 open: 3 requests, about "), "before the first request: {said}");
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "a refused answer needs no judge");
    let posts = |seen: &server::Seen| seen.line.starts_with("POST /v1/chat/completions ");
    assert!(requests.iter().all(|seen| posts(seen) && seen.all.contains("\"temperature\":0.0")));
    assert!(requests.iter().all(|seen| !seen.all.contains("[P1]")), "marks are no part of an answer");

    let verdicts = lines(home.path().join("out.jsonl"));
    let labels: Vec<&str> = verdicts.iter().map(|line| line["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["complete", "incorrect", "partial", "partial"]);
    assert!(verdicts.iter().all(|line| !line["reason"].as_str().unwrap().is_empty() && line["judge"] == "m"));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(figures["coverage"]["judged"], 4);
    assert_eq!(figures["coverage"]["mean"], 0.5);
    assert_eq!(figures["coverage"]["n_partial_without_any"], 2.0);
    assert_eq!(figures["coverage"]["score_with_those_at_0"], 0.25);

    let again = judge(home.path(), &url, &["--criteria", "coverage", "--json"]);
    assert_eq!(again.stdout, output.stdout);
    assert_eq!(server.requests().len(), 3);
    assert_eq!(lines(home.path().join("out.jsonl")), verdicts);
}

#[test]
fn a_dry_run_says_what_is_due_and_sends_nothing() {
    let home = workplace();
    let output =
        run(home.path(), &[&FILES[..], &["--criteria", "claims,coverage,score", "--dry-run"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("12 judgments, 9 open: 12 requests"), "{}", text(&output.stderr));
    assert!(!home.path().join("out.jsonl").exists());
    let output = run(home.path(), &[&FILES[..], &["--criteria", "coverage"]].concat());
    assert_eq!(output.status.code(), Some(2), "no endpoint is given");
}

#[test]
fn a_run_that_was_cut_short_goes_on_and_a_torn_line_is_asked_again() {
    let home = workplace();
    let server = Server::start(coverage);
    let url = format!("http://{}/v1", server.at);
    assert!(judge(home.path(), &url, &["--criteria", "coverage"]).status.success());
    let log = home.path().join("out.replies.jsonl");
    let whole = fs::read_to_string(&log).unwrap();
    let verdicts = fs::read(home.path().join("out.jsonl")).unwrap();
    let second = whole.match_indices('\n').nth(1).unwrap().0;
    // Killed in the middle of the second reply's line: one whole reply is left.
    fs::write(&log, &whole[..second - 10]).unwrap();
    fs::remove_file(home.path().join("out.jsonl")).unwrap();
    assert!(judge(home.path(), &url, &["--criteria", "coverage", "--parallel", "4"]).status.success());
    assert_eq!(server.requests().len(), 3 + 2);
    assert_eq!(fs::read(home.path().join("out.jsonl")).unwrap(), verdicts);
    assert_eq!(lines(&log).len(), 3);
    // A line that is no reply is not passed over.
    fs::write(&log, "{\"key\": 1}\n").unwrap();
    let output = judge(home.path(), &url, &["--criteria", "coverage"]);
    assert!(
        !output.status.success() && text(&output.stderr).contains("out.replies.jsonl:1: no reply of a run")
    );
}

#[test]
fn one_failure_is_recorded_and_the_others_go_on() {
    let home = workplace();
    let fails = Arc::new(AtomicUsize::new(1));
    let left = Arc::clone(&fails);
    let server = Server::start(move |request| {
        if request.contains("kind 1") && left.load(Ordering::Relaxed) > 0 {
            return response("400 Bad Request", r#"{"error": {"message": "content filter"}}"#);
        }
        coverage(request)
    });
    let url = format!("http://{}/v1", server.at);
    let output = judge(home.path(), &url, &["--criteria", "coverage"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("1 of 4 have no verdict"), "{}", text(&output.stderr));
    let verdicts = lines(home.path().join("out.jsonl"));
    assert!(verdicts[1]["fault"]["message"].as_str().unwrap().contains("content filter"));
    assert!(
        verdicts[1].get("label").is_none()
            && verdicts[0]["label"] == "complete"
            && verdicts[2]["label"] == "partial"
    );
    fails.store(0, Ordering::Relaxed);
    let n_before = server.requests().len();
    assert!(judge(home.path(), &url, &["--criteria", "coverage"]).status.success());
    assert_eq!(server.requests().len(), n_before + 1, "only what failed is asked again");
}

#[test]
fn a_judge_without_the_form_gives_no_verdict() {
    let home = workplace();
    let server = Server::start(|_| said("Full marks! Every claim is present."));
    let output = judge(home.path(), &format!("http://{}/v1", server.at), &["--criteria", "coverage"]);
    assert_eq!(output.status.code(), Some(1));
    let verdicts = lines(home.path().join("out.jsonl"));
    assert!(
        verdicts
            .iter()
            .take(3)
            .all(|line| line["fault"]["code"] == "unusable" && line.get("value").is_none())
    );
    assert_eq!(server.requests().len(), 2 * 3, "each is asked once more");
}

#[test]
fn claims_of_a_reference_are_taken_once_and_connections_ask_for_each_passage() {
    let home = workplace();
    let server = Server::start(|request| {
        said(match request {
            _ if request.contains("Step: judge-claims") => {
                r#"{"claims": [["report", "is due within", "72 hours"]]}"#
            }
            _ if request.contains("Step: judge-recall") => {
                r#"{"claims": [{"status": "present", "reason": "said"}]}"#
            }
            _ if request.contains("72 hours. It may") => {
                r#"{"reason": "it says when", "connection": "directly"}"#
            }
            _ => r#"{"reason": "a definition", "connection": "indirectly"}"#,
        })
    });
    let url = format!("http://{}/v1", server.at);
    // The same question and reference with four answers.
    let items: String = ["One.", "Two.", "Three.", "Four."]
        .iter()
        .enumerate()
        .map(|(n, answer)| {
            format!(
                "{}\n",
                json!({ "id": n, "question": "When?", "reference": "In 72 hours.", "answer": answer })
            )
        })
        .collect();
    fs::write(home.path().join("items.jsonl"), items).unwrap();
    let arguments =
        ["judge", "--items", "items.jsonl", "--out", "claims.jsonl", "--criteria", "claims", "--llm", &url];
    let output = run(home.path(), &[&arguments[..], &["--model", "m", "--parallel", "4"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(server.requests().len(), 1 + 4, "also while four run at the same time");
    let claim = &lines(home.path().join("claims.jsonl"))[3]["claims"][0];
    assert_eq!(claim["claim"], json!(["report", "is due within", "72 hours"]));

    let arguments =
        ["judge", "--gold", "gold.jsonl", "--out", "c.jsonl", "--criteria", "connection", "--llm", &url];
    let output = run(home.path(), &[&arguments[..], &["--model", "m", "--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = &figures["connection"];
    assert_eq!(
        (figures["n_directly"].as_f64(), figures["n_questions_kept"].as_f64()),
        (Some(4.0), Some(4.0))
    );
    assert_eq!(figures["questions_kept"].as_array().map(Vec::len), Some(4), "by their ids");
    assert_eq!(lines(home.path().join("c.jsonl"))[1]["passage"], "b");
}

/// A directory with a model of inference that means nothing.
fn nli(home: &Path) -> PathBuf {
    let directory = home.join("nli");
    fs::create_dir(&directory).unwrap();
    let entry = |name: &str, bytes: &[u8]| {
        fs::write(directory.join(name), bytes).unwrap();
        json!({ "name": name, "bytes": bytes.len(), "sha256": engine::digest(bytes) })
    };
    let manifest = json!({
        "format": 1, "task": "nli", "name": "tiny", "source": "a seed", "licence": "MIT", "max_tokens": 64,
        "lower_case": true, "labels": ["contradiction", "entailment", "neutral"],
        "model": entry("model.onnx", &TinyNli::new(3).onnx()), "vocabulary": entry("vocab.txt", &TinyNli::vocabulary()),
    });
    fs::write(directory.join("manifest.json"), manifest.to_string()).unwrap();
    directory
}

#[test]
fn repass_by_a_model_of_inference_needs_no_endpoint() {
    let home = workplace();
    let directory = nli(home.path());
    let arguments = ["--criteria", "repass", "--nli", directory.to_str().unwrap(), "--json"];
    let output = run(home.path(), &[&FILES[..], &arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for line in lines(home.path().join("out.jsonl")).iter().take(3) {
        let part = |name: &str| line[name].as_f64().unwrap();
        let (entailment, contradiction) = (part("entailment"), part("contradiction"));
        assert!(entailment > 0.0 && entailment < 1.0 && contradiction > 0.0 && contradiction < 1.0, "{line}");
        let expected = (entailment - contradiction + part("obligation_coverage") + 1.0) / 3.0;
        assert!((part("value") - expected).abs() < 1e-9);
        assert!(
            line["reason"].as_str().unwrap().contains("of the passages, 1 obligations; by modals"),
            "{line}"
        );
    }
    let verdicts = fs::read(home.path().join("out.jsonl")).unwrap();
    let log = lines(home.path().join("out.replies.jsonl"));
    assert!(run(home.path(), &[&FILES[..], &arguments].concat()).status.success());
    assert_eq!(fs::read(home.path().join("out.jsonl")).unwrap(), verdicts);
    assert_eq!(lines(home.path().join("out.replies.jsonl")), log, "inferred once");
    assert_eq!(lines(home.path().join("out.jsonl"))[0]["obligations_by"], "modals");
    fs::write(directory.join("vocab.txt"), "other").unwrap();
    let output = run(home.path(), &[&FILES[..], &arguments].concat());
    assert!(
        text(&output.stderr).contains("vocab.txt has 5 bytes, the manifest declares"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn refusals_are_told_from_answers_by_repass() {
    let home = workplace();
    let directory = nli(home.path());
    let arguments = ["--criteria", "repass", "--nli", directory.to_str().unwrap(), "--json"];
    let output = run(home.path(), &[&FILES[..], &arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = &figures["repass"];
    let of_answers = figures["mean_of_answers"].as_f64().unwrap();
    assert_eq!((figures["judged"].as_u64(), figures["n_without_answer"].as_f64()), (Some(4), Some(1.0)));
    let of_all = (3.0 * of_answers + 1.0 / 3.0) / 4.0;
    assert!((figures["mean"].as_f64().unwrap() - of_all).abs() < 1e-9, "a refusal counts 1/3: {figures}");
    let verdicts = fs::read_to_string(home.path().join("out.jsonl")).unwrap();
    assert!(!verdicts.contains("-0.0"), "{verdicts}");
}

/// Figures that `evaluate_model.py` of RegNLP/RePASs printed with the same model: entailment, contradiction, coverage, RePASs.
#[test]
fn repass_by_a_model_of_inference_is_that_of_the_authors_program() {
    let home = tempfile::tempdir().unwrap();
    let directory = nli(home.path());
    let cases: [(&[&str], &str, [f64; 4]); 2] = [
        (
            &["A firm must keep records. For six years a firm must not keep a record."],
            "A firm must keep a record for six years. A firm must not keep six records.",
            [0.89220, 0.00982, 1.0, 0.96079],
        ),
        (
            &[
                "A firm must keep six records for years.",
                "Records. A firm must not keep records for six years.",
            ],
            "A firm must keep records. Six years.",
            [0.99810, 0.00262, 0.0, 0.66516],
        ),
    ];
    let mut items = String::new();
    for (n, (passages, answer, _)) in cases.iter().enumerate() {
        let passages: Vec<Value> = (0..)
            .zip(passages.iter())
            .map(|(at, text)| json!({ "id": format!("p{at}"), "text": text }))
            .collect();
        let item =
            json!({ "id": format!("q{n}"), "question": "Records?", "answer": answer, "passages": passages });
        items += &format!("{item}\n");
    }
    fs::write(home.path().join("items.jsonl"), items).unwrap();
    let arguments =
        ["judge", "--items", "items.jsonl", "--criteria", "repass", "--out", "out.jsonl", "--nli"];
    let output = run(home.path(), &[&arguments[..], &[directory.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let verdicts = lines(home.path().join("out.jsonl"));
    assert_eq!(verdicts.len(), cases.len());
    for (line, (_, _, expected)) in verdicts.iter().zip(&cases) {
        let names = ["entailment", "contradiction", "obligation_coverage", "value"];
        for (name, expected) in names.iter().zip(expected) {
            assert!(
                (line[*name].as_f64().unwrap() - expected).abs() < 1e-5,
                "{name}, expected {expected}: {line}"
            );
        }
    }
}

#[test]
fn verdicts_by_hand_are_whole_and_a_judge_never_sees_them() {
    let hand = lines(VERDICTS);
    assert_eq!(hand.len(), 100);
    let n_with = |label: &str| hand.iter().filter(|line| line["label"] == label).count();
    assert!(["complete", "partial", "incorrect"].iter().all(|label| n_with(label) >= 25));
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(coverage);
    let (url, items) = (format!("http://{}/v1", server.at), fs::canonicalize(VERDICTS).unwrap());
    let arguments =
        ["judge", "--items", items.to_str().unwrap(), "--criteria", "coverage", "--out", "out.jsonl"];
    let output =
        run(home.path(), &[&arguments[..], &["--llm", &url, "--model", "m", "--parallel", "8"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let requests = server.requests();
    assert_eq!(requests.len(), 100);
    for line in &hand {
        let quoted = serde_json::to_string(&line["reason"]).unwrap();
        let reason = quoted.trim_matches('"');
        assert!(!reason.is_empty() && requests.iter().all(|seen| !seen.all.contains(reason)), "{reason}");
    }
}

#[test]
fn agreement_is_measured_over_what_both_files_judge() {
    let home = tempfile::tempdir().unwrap();
    let (hand, second) = (fs::canonicalize(VERDICTS).unwrap(), fs::canonicalize(SECOND).unwrap());
    let output = run(home.path(), &["agreement", hand.to_str().unwrap(), second.to_str().unwrap(), "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = &figures["coverage"];
    assert_eq!((figures["items"].as_u64(), figures["agreement"].as_f64()), (Some(100), Some(0.99)));
    // `cohen_kappa_score` of scikit-learn 1.9.1 of the two lists of labels.
    let expected = [0.984921592280, 0.988484569323, 0.992180168908];
    for (name, expected) in ["kappa", "kappa_linear", "kappa_quadratic"].iter().zip(expected) {
        assert!((figures[*name].as_f64().unwrap() - expected).abs() < 1e-9, "{name}: {figures}");
    }
    let same = run(home.path(), &["agreement", hand.to_str().unwrap(), hand.to_str().unwrap()]);
    assert!(
        text(&same.stdout).contains("kappa                      1.0000 [1.0000, 1.0000]"),
        "{}",
        text(&same.stdout)
    );

    let write = |name: &str, lines: &[Value]| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(home.path().join(name), text).unwrap();
    };
    let verdict = |id: &str, label: &str| json!({ "id": id, "criterion": "coverage", "label": label });
    write(
        "a.jsonl",
        &[
            verdict("1", "complete"),
            verdict("2", "partial"),
            json!({ "id": "3", "criterion": "score", "value": 0.9 }),
        ],
    );
    write(
        "b.jsonl",
        &[
            verdict("1", "complete"),
            json!({ "id": "2", "criterion": "coverage", "fault": {} }),
            json!({ "id": "3", "criterion": "score", "value": 0.5 }),
        ],
    );
    let output = run(home.path(), &["agreement", "a.jsonl", "b.jsonl"]);
    let said = text(&output.stdout);
    assert!(said.contains("undefined: one label throughout") && said.contains("0.4000"), "{said}");
    assert!(text(&output.stderr).contains("1 verdicts are in this file alone"));
    write("b.jsonl", &[verdict("1", "excellent")]);
    let output = run(home.path(), &["agreement", "a.jsonl", "b.jsonl"]);
    assert!(text(&output.stderr).contains("b.jsonl:1: excellent is no label"), "{}", text(&output.stderr));
}

#[test]
fn a_rouge_threshold_is_calibrated_on_one_half_and_measured_on_the_other() {
    let home = tempfile::tempdir().unwrap();
    let hand = fs::canonicalize(VERDICTS).unwrap();
    let (mut gold, mut answers) = (String::new(), String::new());
    for line in lines(&hand) {
        gold += &format!("{}\n", json!({ "id": line["id"], "answer": line["reference"] }));
        answers += &format!("{}\n", json!({ "id": line["id"], "answer": line["answer"] }));
    }
    fs::write(home.path().join("gold.jsonl"), gold).unwrap();
    fs::write(home.path().join("answers.jsonl"), answers).unwrap();
    let arguments = ["answers", "--gold", "gold.jsonl", "--answers", "answers.jsonl", "--verdicts"];
    let output = run(home.path(), &[&arguments[..], &[hand.to_str().unwrap(), "--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = &figures["calibrated"];
    let n = |half: &str| figures[half]["questions"].as_u64().unwrap();
    assert!(
        n("calibrating") + n("held_out") == 100 && n("calibrating") >= 35 && n("held_out") >= 35,
        "{figures}"
    );
    let share = |half: &str| figures[half]["agreement"].as_f64().unwrap();
    // Word overlap tells a wrong figure from the right one badly: nobody should take it for a judge.
    assert!(share("calibrating") >= 0.6 && share("held_out") < 0.9, "{figures}");
}
