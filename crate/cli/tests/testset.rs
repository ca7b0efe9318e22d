//! `pincite eval generate` and `curate` against a scripted endpoint: questions out of a sample, killed and gone on with,
//! read by `eval ask` and `eval answers`, and rewrites of them kept by rank.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod model;
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use model::model;
use pincite_tests::samples;
use serde_json::{Value, json};
use server::{Server, response};
use tempfile::TempDir;

fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let rulebook = samples::all().into_iter().find(|sample| sample.id == "rulebook").unwrap();
    fs::write(home.path().join("rulebook.pdf"), rulebook.make().unwrap().pdf).unwrap();
    home
}

fn pincite(home: &Path, model: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pincite"))
        .current_dir(home)
        .env("PINCITE_MODELS", model)
        .env_remove("PINCITE_API_KEY")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn lines(path: PathBuf) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn completion(text: &str) -> String {
    let choice = json!({ "message": { "content": text }, "finish_reason": "stop" });
    response("200 OK", &json!({ "choices": [choice] }).to_string())
}

/// The messages of a request, one after the other.
fn asked(request: &str) -> Vec<String> {
    let body: Value = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let messages = body["messages"].as_array().unwrap().clone();
    messages.iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

/// An honest model: it quotes the longest line of each passage, and says no more than the first of them.
fn honest(request: &str) -> String {
    completion(&written(request))
}

/// The text of its reply.
fn written(request: &str) -> String {
    let messages = asked(request);
    if messages[0].contains("You summarise") {
        return messages[1].split_whitespace().skip(4).take(60).collect::<Vec<_>>().join(" ");
    }
    let passages = messages[1].split("<<<P").skip(1).map(|part| part.split("<<<END").next().unwrap());
    let quotes: Vec<Value> = (1..)
        .zip(passages)
        .map(|(p, passage)| {
            let longest = passage.lines().skip(1).max_by_key(|line| line.len()).unwrap();
            json!({ "p": p, "text": longest })
        })
        .collect();
    let first = quotes[0]["text"].as_str().unwrap();
    let words: Vec<&str> =
        first.split_whitespace().filter(|word| word.chars().all(char::is_lowercase)).take(7).collect();
    let style = messages[0].split("Write two ").nth(1).unwrap().split(' ').next().unwrap();
    let pair = |start: &str| {
        let question = format!("{start} {style} {}?", words.join(" "));
        json!({ "question": question, "answer": format!("“{first}” [P1]."), "quotes": quotes })
    };
    json!({ "pairs": [pair("what about"), pair("and how about")] }).to_string()
}

const GENERATE: [&str; 12] = [
    "eval",
    "generate",
    "rulebook.pdf",
    "--out",
    "q.jsonl",
    "--budget",
    "3",
    "--clusters",
    "1",
    "--seed",
    "5",
    "--model",
];

fn generate(home: &Path, model: &Path, server: &Server, more: &[&str]) -> Output {
    let url = format!("http://{}/v1", server.at);
    pincite(home, model, &[&GENERATE, &["m", "--llm", &url][..], more].concat())
}

#[test]
fn questions_are_written_from_a_file_gone_on_with_and_read_by_the_measures() {
    let Some(model) = model("questions_are_written_from_a_file") else { return };
    let home = home();
    let server = Server::start(honest);
    let dry = generate(home.path(), &model, &server, &["--dry-run"]);
    assert!(dry.status.success() && text(&dry.stderr).contains("requests"), "{}", text(&dry.stderr));
    assert!(server.requests().is_empty(), "a dry run asks nothing");
    assert!(!home.path().join("q.replies.jsonl").exists(), "and leaves nothing behind");

    let output = generate(home.path(), &model, &server, &[]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(server.requests().iter().all(|seen| seen.line.starts_with("POST /v1/chat/completions")));
    let (n_asked, questions) = (server.requests().len(), fs::read(home.path().join("q.jsonl")).unwrap());
    let written = lines(home.path().join("q.jsonl"));
    assert!(!written.is_empty());
    for question in &written {
        assert_eq!(question["document"], "rulebook.pdf");
        assert!(question["passages"][0].as_str().unwrap().starts_with("rulebook.pdf#"), "{question}");
        assert_eq!(question["sources"][0]["quotes"][0]["status"], "verified");
    }

    // Killed in the middle of a line: the second run asks for that reply alone, and writes the same.
    let log = home.path().join("q.replies.jsonl");
    let kept = fs::read_to_string(&log).unwrap();
    fs::write(&log, &kept[..kept.len() - 10]).unwrap();
    fs::remove_file(home.path().join("q.jsonl")).unwrap();
    assert!(generate(home.path(), &model, &server, &[]).status.success());
    assert_eq!(server.requests().len(), n_asked + 1);
    assert_eq!(fs::read(home.path().join("q.jsonl")).unwrap(), questions);
    assert_eq!(fs::read_to_string(&log).unwrap(), kept);

    let run = |arguments: &[&str]| {
        let output = pincite(home.path(), &model, arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&["index", "rulebook.pdf", "--out", "lib"]);
    run(&["eval", "ask", "--library", "lib", "--queries", "q.jsonl", "--out", "a.jsonl"]);
    let measured = run(&["eval", "answers", "--gold", "q.jsonl", "--answers", "a.jsonl", "--json"]);
    let measured: Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["questions"], written.len());
    assert_eq!(measured["metrics"]["document_retrieved"], 1.0);
    assert!(measured["metrics"]["passages_retrieved"].as_f64().unwrap() > 0.0, "{measured}");
}

#[test]
fn quotations_that_stand_nowhere_and_failures_are_counted_and_no_question_counts() {
    let Some(model) = model("quotations_that_stand_nowhere") else { return };
    let home = home();
    let server = Server::start(|request| {
        if request.contains("comparison-based") {
            return response("400 Bad Request", r#"{"error":{"message":"no"}}"#);
        }
        completion(&written(request).replace("\"text\":\"", "\"text\":\"never written words, "))
    });
    let more = ["--styles", "comparison-based,list-based"];
    let output = generate(home.path(), &model, &server, &more);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(report.contains("unverified") && report.contains("failed"), "{report}");
    assert!(text(&output.stderr).contains("no question counts"));
}

#[test]
fn rewrites_are_kept_where_the_page_is_nearer_by_words_and_by_vectors() {
    let Some(model) = model("rewrites_are_kept_where_the_page_is_nearer") else { return };
    let home = home();
    let run = |arguments: &[&str]| {
        let output = pincite(home.path(), &model, arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&["index", "rulebook.pdf", "--out", "lib"]);
    // A page and the words of a passage of it: a rewrite in them is first, the question's own words in another order are not.
    let hits: Value = serde_json::from_str(&run(&[
        "search",
        "lib",
        "records of Client Money",
        "--units",
        "child",
        "--json",
    ]))
    .unwrap();
    let hit = &hits["hits"][0];
    let words = hit["text"].as_str().unwrap().replace(['?', '<', '\n', '\t'], " ");
    let words: String = words.chars().take(500).collect();
    let page = format!("rulebook.pdf#{}", hit["page"]);
    let question = "Must notice of changes in control be given to the regulator?";
    let queries = json!({ "qid": "q1", "query": question, "passages": [page] });
    fs::write(home.path().join("q.jsonl"), format!("{queries}\n")).unwrap();
    let rewrites =
        json!({ "rewrites": [words, "Is notice of changes in control given to the regulator?"] }).to_string();
    let server = Server::start(move |_| completion(&rewrites));
    let url = format!("http://{}/v1", server.at);
    let curate = |format: &str, out: &str| {
        run(&[
            "eval",
            "curate",
            "lib",
            "--queries",
            "q.jsonl",
            "--out",
            out,
            "--rewrites",
            "2",
            "--format",
            format,
            "--llm",
            &url,
            "--model",
            "m",
        ])
    };
    let report = curate("trl", "trl.jsonl");
    assert!(report.contains("pairs kept"), "{report}");
    let asked = asked(&server.requests()[0].all);
    assert!(asked[0].contains("Step: rewrite") && asked[1].contains("A passage of the kind"));
    let pairs = lines(home.path().join("trl.pairs.jsonl"));
    assert_eq!(pairs.len(), 2);
    let kept: Vec<&Value> = pairs.iter().filter(|pair| pair["kept"] == true).collect();
    assert_eq!(kept.len(), 1, "{pairs:?}");
    assert_eq!((&kept[0]["bm25"]["after"], &kept[0]["dense"]["after"]), (&json!(1), &json!(1)));
    let examples = lines(home.path().join("trl.jsonl"));
    assert_eq!(examples.len(), 1);
    assert_eq!(examples[0]["completion"][0]["role"], "assistant");
    curate("sharegpt", "sharegpt.jsonl");
    assert_eq!(lines(home.path().join("sharegpt.jsonl"))[0]["conversations"][1]["from"], "gpt");
}
