//! `pincite eval table` as a user runs it: a tiny corpus, a tiny library, a scripted endpoint, killed and gone on with.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[expect(dead_code, reason = "this test asks for no first line")]
mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use server::{Server, response};
use tempfile::TempDir;

/// Topics of the passages, each with its duty.
const TOPICS: [&str; 6] =
    ["complaints", "outsourcing", "custody", "advertising", "training", "whistleblowing"];

fn pincite(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    for name in ["ALL_PROXY", "HTTP_PROXY", "http_proxy", "all_proxy", "PINCITE_API_KEY", "PINCITE_MODELS"] {
        command.env_remove(name);
    }
    // Without an encoder: rows by vectors are ranked by words.
    command.current_dir(home).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Two rulebooks of three rules, a question about each rule, judged.
fn workplace() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let (mut corpus, mut queries, mut qrels) = (String::new(), String::new(), String::new());
    for (n, topic) in TOPICS.iter().enumerate() {
        let duty = format!("A firm must keep its records of {topic} for {} years.", n + 2);
        let passage = json!({ "id": format!("p{n}"), "doc": format!("Rulebook {}", n % 2), "text": duty });
        let query = json!({
            "qid": format!("q{n}"), "query": format!("How long must a firm keep its records of {topic}?"),
            "answer": format!("For {} years.", n + 2),
        });
        corpus += &format!("{passage}\n");
        queries += &format!("{query}\n");
        qrels += &format!("q{n} 0 p{n} 1\n");
    }
    fs::write(home.path().join("corpus.jsonl"), corpus).unwrap();
    fs::write(home.path().join("queries.jsonl"), queries).unwrap();
    fs::write(home.path().join("qrels"), qrels).unwrap();
    home
}

/// Adds a question that nothing answers.
fn add_unanswerable(home: &Path) {
    let query = json!({ "qid": "none", "query": "How many moons has Jupiter?", "answerable": false });
    let queries = home.join("queries.jsonl");
    fs::write(&queries, fs::read_to_string(&queries).unwrap() + &format!("{query}\n")).unwrap();
}

const FILES: [&str; 10] = [
    "--corpus",
    "corpus.jsonl",
    "--queries",
    "queries.jsonl",
    "--qrels",
    "qrels",
    "--out",
    "out",
    "--bootstrap",
    "50",
];

fn table(home: &Path, more: &[&str]) -> Output {
    pincite(home, &[&["eval", "table", "obliqa"], &FILES[..], more].concat())
}

/// Lines of the CSV as cells by name; no cell of ours has a comma but the paper's.
fn csv(home: &Path, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(home.join("out").join(format!("{name}.csv"))).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The cell of a row's measure.
fn cell(lines: &[Vec<String>], row: &str, measure: &str, at: usize) -> String {
    let line = lines.iter().find(|cells| cells[1] == row && cells[3] == measure);
    line.map(|cells| cells[at].clone()).unwrap_or_else(|| format!("no {measure} of {row}"))
}

fn figures(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_ranking_is_filled_without_an_endpoint_and_rows_that_need_one_say_so() {
    let home = workplace();
    add_unanswerable(home.path());
    let output = table(home.path(), &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let markdown = text(&output.stdout);
    assert_eq!(markdown, fs::read_to_string(home.path().join("out/obliqa.md")).unwrap());
    for heading in [
        "## Rows",
        "## Ranking",
        "## Answers",
        "## Cost of an answer",
        "## The paper's figures",
        "| difference |",
    ] {
        assert!(markdown.contains(heading), "{heading}");
    }
    let n_lines_of = |n: usize, n_columns: usize| {
        let cells = format!(" {n} |").repeat(n_columns);
        let line = format!("| *questions* |{cells}");
        markdown.lines().filter(|one| *one == line).count()
    };
    assert_eq!(n_lines_of(6, 9), 1, "a question that nothing answers has no ranking to measure: {markdown}");
    assert_eq!(n_lines_of(7, 5), 1, "but an answer of it costs as others do: {markdown}");
    let needs = |row: &str| {
        markdown
            .lines()
            .find(|line| line.starts_with(&format!("| {row} (`")))
            .unwrap()
            .contains("needs an endpoint")
    };
    assert!(needs("ours") && needs("ours, 3 rewrites") && needs("naive RAG") && !needs("BM25"));
    assert!(!markdown.contains(" ± 0"), "what ran once has no spread");
    let lines = csv(home.path(), "obliqa");
    for row in ["ours", "naive-rag", "long-rag", "windows", "no-graph", "blend", "rrf", "bm25", "vectors"] {
        assert_eq!(cell(&lines, row, "recall@10", 11), "measured", "{row}");
        assert_eq!(cell(&lines, row, "recall@10", 6), "1", "one run of {row}");
    }
    assert_eq!(cell(&lines, "ours-1", "recall@10", 11), "needs an endpoint");
    assert_eq!(cell(&lines, "ours", "passages_cited", 11), "needs an endpoint");
    assert_eq!(cell(&lines, "extraction", "passages_cited", 11), "measured");
    assert_eq!(cell(&lines, "extraction", "calls", 4), "0");
    let has_run = |row: &str| home.path().join(format!("out/{row}.trec")).exists();
    assert!(has_run("ours") && !has_run("ours-1"), "what was not ranked has no run");

    let again = table(home.path(), &[]);
    assert_eq!(again.stdout, output.stdout, "what is kept gives the same table");
    assert!(!text(&again.stderr).contains(": ranking\n"), "nothing is ranked again: {}", text(&again.stderr));
    // A file that was cut, as no kill leaves it, is made again.
    let ranking = home.path().join("out/ranking-layout-words.jsonl");
    let whole = fs::read(&ranking).unwrap();
    fs::write(&ranking, &whole[..whole.len() / 2]).unwrap();
    assert!(table(home.path(), &[]).status.success());
    let n_lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(n_lines(&fs::read(&ranking).unwrap()), n_lines(&whole));
}

#[test]
fn figures_of_a_row_are_those_of_the_verbs_that_measure_one_ranking() {
    let home = workplace();
    assert!(table(home.path(), &["--only", "bm25"]).status.success());
    let lines = csv(home.path(), "obliqa");
    let run = figures(&pincite(
        home.path(),
        &["eval", "run", "--qrels", "qrels", "--run", "out/bm25.trec", "--json"],
    ));
    let of_sample = ["--only", "bm25", "--n", "3", "--out", "sample"];
    let sampled: Vec<&str> = FILES.iter().copied().filter(|part| !["--out", "out"].contains(part)).collect();
    let sampled = pincite(home.path(), &[&["eval", "table", "obliqa"], &sampled[..], &of_sample].concat());
    assert!(sampled.status.success(), "{}", text(&sampled.stderr));
    let judgments = ["--qrels", "sample/obliqa.qrels", "--run", "sample/bm25.trec", "--json"];
    let of_sample = figures(&pincite(home.path(), &[&["eval", "run"], &judgments[..]].concat()));
    assert_eq!(of_sample["queries"], 3, "judged are the questions that were asked: {of_sample}");
    for (row, ranker) in [("bm25", "bm25"), ("ours", "default")] {
        let arguments = ["eval", "retrieval", "--ranker", ranker, "--depth", "200", "--json"];
        let found = figures(&pincite(home.path(), &[&arguments[..], &FILES[..6]].concat()));
        for measure in ["recall@1", "recall@5", "recall@10", "mrr@10", "ndcg@10", "map@10"] {
            let ours: f64 = cell(&lines, row, measure, 4).parse().unwrap();
            assert!((ours - found["metrics"][measure].as_f64().unwrap()).abs() < 1e-9, "{row} {measure}");
            if row == "bm25" {
                assert!((ours - run["metrics"][measure].as_f64().unwrap()).abs() < 1e-9, "{measure}");
            }
        }
    }
    let recall: f64 = cell(&lines, "bm25", "recall@1", 4).parse().unwrap();
    assert!(recall > 0.9, "the questions are easy: {recall}");
}

/// A model that quotes the first passage, rewrites by asking again in other words, and finds no fault.
fn model(request: &str) -> String {
    let body: Value = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let asked = messages[1]["content"].as_str().unwrap();
    let schema = body["response_format"].to_string();
    let passage =
        asked.split("<<<P1").nth(1).and_then(|rest| rest.split("<<<END").next()).unwrap_or_default();
    let first = passage.lines().skip(1).find(|line| line.ends_with('.')).unwrap_or_default();
    let question = asked.split("Question:\n").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let said = match schema.as_str() {
        _ if schema.contains("rewrites") => {
            json!({ "question": question, "rewrites": ["For what time are records of a firm retained?"] })
                .to_string()
        }
        _ if schema.contains("quotes") => json!({ "quotes": [{ "p": 1, "text": first }] }).to_string(),
        _ if schema.contains("grounded") => {
            json!({ "grounded": true, "consistent": true, "complete": true, "missing": [], "problem": "" })
                .to_string()
        }
        _ => format!("It says “{first}” [P1]."),
    };
    let choice = json!({ "message": { "content": said }, "finish_reason": "stop" });
    response("200 OK", &json!({ "choices": [choice] }).to_string())
}

/// A judge to which every claim is present.
fn judge(_: &str) -> String {
    let verdict =
        json!({ "claims": [{ "claim": "years", "status": "present", "reason": "there" }], "reason": "so" });
    let choice = json!({ "message": { "content": verdict.to_string() }, "finish_reason": "stop" });
    response("200 OK", &json!({ "choices": [choice] }).to_string())
}

#[test]
fn rows_are_answered_by_a_model_killed_and_gone_on_with_and_judged() {
    let home = workplace();
    let (reader, judging) = (Server::start(model), Server::start(judge));
    let (url, judge_url) = (format!("http://{}/v1", reader.at), format!("http://{}/v1", judging.at));
    let rows = ["--only", "naive-rag,no-reflection,ours-1", "--n", "3", "--runs", "2", "--parallel", "2"];
    let asked = [&["eval", "table", "legaldc"], &FILES[..], &rows, &["--llm", &url, "--model", "m"]].concat();
    let dry = pincite(home.path(), &[&asked[..], &["--dry-run"]].concat());
    assert!(dry.status.success() && text(&dry.stderr).contains("requests of about"), "{}", text(&dry.stderr));
    assert!(reader.requests().is_empty(), "a dry run asks nothing");

    let output = pincite(home.path(), &asked);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let n_asked = reader.requests().len();
    let lines = csv(home.path(), "legaldc");
    assert_eq!(cell(&lines, "ours", "rouge_l", 6), "2", "two runs");
    assert_eq!(cell(&lines, "ours", "recall@5", 6), "1", "of a ranking that no model takes part in, one");
    assert_eq!(cell(&lines, "ours-1", "recall@5", 6), "2");
    assert_eq!(cell(&lines, "ours", "false_refusal", 4), "0");
    let calls = |row: &str| -> f64 { cell(&lines, row, "calls", 4).parse().unwrap() };
    assert_eq!(
        [calls("naive-rag"), calls("no-reflection"), calls("ours"), calls("ours-1")],
        [1.0, 2.0, 3.0, 4.0]
    );
    // Reading and extracting are the same with and without a check, and are asked once a run.
    assert_eq!(n_asked, 2 * 3 * (1 + 3 + 4));
    let markdown = text(&output.stdout);
    assert!(markdown.contains(" ± 0.0000"), "two runs have a spread");
    assert!(markdown.contains("| ours, 1 rewrite | "), "{markdown}");

    // Killed before a row was kept, in the middle of a reply's line: that reply alone is asked for again.
    let log = home.path().join("out/answers.replies.jsonl");
    let kept = fs::read_to_string(&log).unwrap();
    fs::write(&log, &kept[..kept.len() - 20]).unwrap();
    for row in ["ours-1-1", "ours-1-2", "naive-rag-1", "naive-rag-2", "ours-2"] {
        fs::remove_file(home.path().join(format!("out/answers-{row}.jsonl"))).unwrap();
    }
    let again = pincite(home.path(), &asked);
    assert!(again.status.success());
    assert_eq!(reader.requests().len(), n_asked + 1);
    let without_time = |text: String| -> Vec<String> {
        text.lines().filter(|line| !line.contains(",seconds,")).map(str::to_owned).collect()
    };
    let csv_of =
        |lines: &[Vec<String>]| without_time(lines.iter().map(|cells| cells.join(",") + "\n").collect());
    assert_eq!(csv_of(&csv(home.path(), "legaldc")), csv_of(&lines));

    let judged = pincite(home.path(), &[&asked[..], &["--judge", &judge_url, "--judge-model", "j"]].concat());
    assert!(judged.status.success(), "{}", text(&judged.stderr));
    assert_eq!(reader.requests().len(), n_asked + 1, "the answers are there");
    let lines = csv(home.path(), "legaldc");
    assert_eq!(cell(&lines, "ours", "coverage", 4), "1");
    assert_eq!(cell(&lines, "ours", "coverage_none_at_0", 4), "1");
    assert_eq!(cell(&lines, "ours", "score", 11), "no question has it", "its replies have no points");
}

#[test]
fn the_accuracy_is_calibrated_by_the_coverage_of_half_of_the_questions() {
    let home = workplace();
    let (reader, judging) = (Server::start(model), Server::start(judge));
    let (url, judge_url) = (format!("http://{}/v1", reader.at), format!("http://{}/v1", judging.at));
    let asked = ["--only", "ours", "--runs", "1", "--llm", &url, "--model", "m"];
    let asked = [&["eval", "table", "legaldc"], &FILES[..], &asked].concat();
    let output = pincite(home.path(), &asked);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let markdown = text(&output.stdout);
    assert!(markdown.contains("a ROUGE-L of 0.5 or more, not calibrated"), "{markdown}");
    assert!(!markdown.contains("accuracy_calibrated"), "nothing was judged");

    let judged = pincite(home.path(), &[&asked[..], &["--judge", &judge_url, "--judge-model", "j"]].concat());
    assert!(judged.status.success(), "{}", text(&judged.stderr));
    // To the judge every answer is complete, so the lowest threshold agrees best.
    let about = "accuracy_calibrated: ROUGE-L of 0.000 or more, which the judge's coverage of ";
    assert!(text(&judged.stdout).contains(about), "{}", text(&judged.stdout));
    let lines = csv(home.path(), "legaldc");
    let held_out =
        (0..TOPICS.len()).filter(|n| !evaluate::calibration::calibrates(&format!("q{n}"), 7)).count();
    assert!(held_out > 0 && held_out < TOPICS.len());
    assert_eq!(cell(&lines, "ours", "accuracy_calibrated", 5), held_out.to_string());
    assert_eq!(cell(&lines, "ours", "accuracy_calibrated", 4), "1");
    assert_eq!(cell(&lines, "ours", "accuracy", 5), TOPICS.len().to_string());
}

#[test]
fn what_is_missing_is_named() {
    let home = workplace();
    let cases: [(&[&str], &str); 5] = [
        (&["eval", "table", "none", "--out", "out"], "expected lclf, legaldc, obliqa"),
        (&["eval", "table", "lclf", "--out", "out"], "expected --queries"),
        (
            &["eval", "table", "lclf", "--out", "out", "--queries", "queries.jsonl"],
            "expected --library or --corpus",
        ),
        (&["eval", "table", "obliqa", "--out", "out"], "or --data"),
        (&["eval", "table", "obliqa", "--out", "out", "--only", "none"], "expected some of ours, naive-rag"),
    ];
    for (arguments, says) in cases {
        let output = pincite(home.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(says), "{says}: {}", text(&output.stderr));
    }
}
