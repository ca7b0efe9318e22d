//! The command line as its user runs it: the built program, real files, exit status, what is said and where.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pincite_tests::wordfile::Manner;
use pincite_tests::{hostile, samples};
use serde_json::Value;
use tempfile::TempDir;

/// A directory of its own with the samples in it, and no model: searching by words alone.
fn workplace() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for sample in samples::all() {
        fs::write(directory.path().join(sample.file()), sample.make().unwrap().pdf).unwrap();
    }
    directory
}

fn pincite(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pincite"))
        .current_dir(directory)
        .env_remove("PINCITE_MODELS")
        .args(arguments)
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn a_library_is_created_listed_asked_and_emptied() {
    let home = workplace();
    let run = |arguments: &[&str]| pincite(home.path(), arguments);
    assert_eq!(status(&run(&["index", "rulebook.pdf", "contract.pdf", "--out", "lib"])), 0);

    let listed = json(&run(&["list", "lib", "--json"]));
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|info| info["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rulebook.pdf", "contract.pdf"]);

    let found = json(&run(&["search", "lib", "records of Client Money", "--k", "3", "--explain", "--json"]));
    assert_eq!(found["vectors"], "none");
    assert_eq!(found["hits"][0]["document"], "rulebook.pdf");
    assert!(found["hits"][0]["explanation"]["details"].is_array());

    let question = "For how long must records of Client Money be kept?";
    let answer = json(&run(&["ask", "lib", "--question", question, "--json"]));
    assert_eq!(answer["sufficient"], true);
    let best = &answer["citations"][0];
    assert!(best["quote"].as_str().unwrap().contains("eight years"), "{best}");
    assert_eq!((best["id"].as_u64(), best["status"].as_str()), (Some(1), Some("verified")));
    assert!(best["page"].as_u64().unwrap() >= 1 && best["quads"][0].as_array().unwrap().len() == 8);
    assert!(answer["answer"].as_str().unwrap().contains("[P1]"));

    assert_eq!(status(&run(&["remove", "lib", "rulebook.pdf"])), 0);
    assert_eq!(json(&run(&["list", "lib", "--json"])).as_array().unwrap().len(), 1);
    assert_eq!(status(&run(&["remove", "lib", "rulebook.pdf"])), 1, "it is gone already");
}

#[test]
fn a_search_is_filtered_and_an_empty_result_has_a_reason() {
    let home = workplace();
    let run = |arguments: &[&str]| pincite(home.path(), arguments);
    assert_eq!(status(&run(&["index", "rulebook.pdf", "contract.pdf", "--out", "lib"])), 0);

    let within = ["--document", "contract.pdf", "--in-force", "--kind", "child", "--json"];
    let found = json(&run(&[&["search", "lib", "notice of termination"], within.as_slice()].concat()));
    let hits = found["hits"].as_array().unwrap();
    assert!(
        !hits.is_empty()
            && hits.iter().all(|hit| hit["document"] == "contract.pdf" && hit["kind"] == "child")
    );
    assert!(found["nothing"].is_null() && hits[0]["legal_status"].is_null());

    let cases: &[(&[&str], &str, &str)] = &[
        (&["records", "--from", "2999"], "nothing-in-scope", "the filter excludes every passage"),
        (&["records", "--document", "nowhere.pdf"], "nothing-in-scope", "the filter excludes every passage"),
        (&["", "--in-force"], "no-query", "the query has no words"),
        (&["\u{7}\u{1b}"], "no-query", "the query has no words"),
        (&["zyxwv"], "no-match", "no passage matches the query"),
    ];
    for (arguments, name, message) in cases {
        let search = [&["search", "lib"], *arguments].concat();
        let found = json(&run(&[search.as_slice(), &["--json"]].concat()));
        assert_eq!(
            (found["nothing"].as_str(), found["hits"].as_array().map(Vec::len)),
            (Some(*name), Some(0))
        );
        let said = run(&search);
        assert!(
            said.status.success() && String::from_utf8_lossy(&said.stdout).contains(message),
            "{arguments:?}"
        );
    }
    let refused = run(&["search", "lib", "records", "--from", "last year"]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("expected a form like 2023-07-31"));

    let long = "how long are records kept ".repeat(4_000);
    assert!(json(&run(&["search", "lib", long.trim(), "--json"]))["hits"].is_array());

    fs::write(home.path().join("words.json"), r#"{"paperwork": ["records"]}"#).unwrap();
    let plain = json(&run(&["search", "lib", "paperwork", "--json"]));
    let widened = json(&run(&["search", "lib", "paperwork", "--glossary", "words.json", "--json"]));
    assert_eq!(plain["nothing"], "no-match");
    assert_eq!(widened["hits"][0]["document"], "rulebook.pdf");
}

#[test]
fn a_bad_file_gives_one_error_line_and_the_others_are_indexed() {
    let home = workplace();
    fs::write(home.path().join("notes.pdf"), "just some notes").unwrap();
    let output = pincite(home.path(), &["index", "notes.pdf", "contract.pdf", "missing.pdf", "--out", "lib"]);
    assert_eq!(status(&output), 1);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().filter(|line| line.contains("notes.pdf")).count(), 1, "{said}");
    assert_eq!(said.lines().filter(|line| line.contains("missing.pdf")).count(), 1, "{said}");
    assert_eq!(json(&pincite(home.path(), &["list", "lib", "--json"])).as_array().unwrap().len(), 1);
}

#[test]
fn every_hostile_file_gives_a_layout_or_exactly_one_line() {
    let home = tempfile::tempdir().unwrap();
    for (number, file) in hostile::all().unwrap().iter().enumerate() {
        let name = format!("{number}.pdf");
        fs::write(home.path().join(&name), &file.bytes).unwrap();
        let output = pincite(home.path(), &["layout", &name, "--json"]);
        match status(&output) {
            0 => assert!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["pages"].is_array()),
            1 => {
                let said = String::from_utf8(output.stderr).unwrap();
                assert_eq!(said.lines().count(), 1, "{}: {said}", file.file_name);
            }
            other => panic!("{} ended with {other}", file.file_name),
        }
    }
}

#[test]
fn what_the_documents_do_not_say_is_an_answer_with_status_0() {
    let home = workplace();
    let question = "Who won the football final on Mars?";
    let answer = json(&pincite(home.path(), &["ask", "contract.pdf", "--question", question, "--json"]));
    assert_eq!(answer["sufficient"], false);
    assert!(answer["answer"].as_str().unwrap().starts_with("The documents do not say."));
}

#[test]
fn a_library_of_another_format_is_refused_and_not_changed() {
    let home = workplace();
    pincite(home.path(), &["index", "contract.pdf", "--out", "lib"]);
    let manifest = home.path().join("lib/manifest.json");
    let newer = fs::read_to_string(&manifest).unwrap().replace("\"format\": 1", "\"format\": 99");
    fs::write(&manifest, &newer).unwrap();
    let output = pincite(home.path(), &["index", "rulebook.pdf", "--out", "lib"]);
    assert_eq!(status(&output), 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("format 99"));
    assert_eq!(fs::read_to_string(&manifest).unwrap(), newer);
}

#[test]
fn a_flipped_byte_in_the_library_is_reported() {
    let home = workplace();
    pincite(home.path(), &["index", "contract.pdf", "--out", "lib"]);
    let mut files = fs::read_dir(home.path().join("lib")).unwrap().flatten().map(|file| file.path());
    let segment = files.find(|path| path.extension().is_some_and(|end| end == "segment")).unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&segment, bytes).unwrap();
    let output = pincite(home.path(), &["search", "lib", "charges"]);
    assert_eq!(status(&output), 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("damaged"));
}

#[test]
fn wrong_vectors_are_reported_with_their_file() {
    let home = workplace();
    pincite(home.path(), &["index", "contract.pdf", "--out", "lib"]);
    let manifest = home.path().join("lib/manifest.json");
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&manifest).unwrap()).unwrap();
    let entry = value["documents"][0].clone();
    let segment = format!("{}.segment", entry["segment"].as_str().unwrap());
    let mut library = engine::Library::new();
    let info = library.add(&fs::read(home.path().join("lib").join(&segment)).unwrap()).unwrap();
    let rows = vec![vec![0.6_f32, 0.8]; info.n_passages];
    let vectors = library.put_vectors(&info.id, 0, &rows, "some model").unwrap();
    let name = "ab".repeat(32);
    value["documents"][0]["vectors"] = Value::from(name.clone());
    fs::write(&manifest, value.to_string()).unwrap();
    let file = home.path().join(format!("lib/{name}.vectors"));
    let search = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let output = pincite(home.path(), &["search", "lib", "charges", "--ann", "hnsw"]);
        (status(&output), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(search(&vectors).0, 0);
    let mut flipped = vectors.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut newer = vectors.clone();
    newer[16] = 9;
    for (bytes, what) in [
        (flipped, "the stored bytes are damaged: section rests is not what was written"),
        (newer, "the stored bytes have format 9, this build reads format"),
        (
            fs::read(home.path().join("lib").join(&segment)).unwrap(),
            "the stored bytes are not a pincite vectors",
        ),
    ] {
        let (status, message) = search(&bytes);
        assert_eq!(status, 1);
        assert!(message.contains(&name) && message.contains(what), "{message}");
        assert!(message.contains("add the document again"), "{message}");
    }
}

#[test]
fn bad_usage_is_status_2() {
    let home = workplace();
    for arguments in
        [&["layout"][..], &["search", "lib"], &["frobnicate"], &["search", "lib", "x", "--units", "page"]]
    {
        assert_eq!(status(&pincite(home.path(), arguments)), 2, "{arguments:?}");
    }
    pincite(home.path(), &["index", "contract.pdf", "--out", "lib"]);
    assert_eq!(status(&pincite(home.path(), &["search", "lib", "x", "--k", "0"])), 2);
}

#[test]
fn the_layout_is_drawn_as_html() {
    let home = workplace();
    assert_eq!(status(&pincite(home.path(), &["layout", "rulebook.pdf", "--html", "out.html"])), 0);
    let html = fs::read_to_string(home.path().join("out.html")).unwrap();
    assert!(html.contains("class=\"block heading\"") && !html.contains("<script"));
    let layout = json(&pincite(home.path(), &["layout", "rulebook.pdf", "--json"]));
    let references = layout["references"].as_array().unwrap();
    assert!(references.iter().any(|reference| reference["target"]["title"].is_string()), "{references:?}");
    assert!(layout["terms"].is_array() && layout["entities"].is_array());
    let chunks = json(&pincite(home.path(), &["chunks", "rulebook.pdf", "--json"]));
    for kind in ["parents", "children", "articles"] {
        let first = &chunks[kind][0];
        assert!(
            first["spans"][0]["quads"][0].as_array().is_some_and(|quad| quad.len() == 8),
            "{kind}: {first}"
        );
    }
}

#[test]
fn a_word_file_goes_through_every_verb() {
    let home = tempfile::tempdir().unwrap();
    let sample = samples::all().into_iter().find(|sample| sample.id == "contract").unwrap();
    fs::write(home.path().join("contract.docx"), sample.word(Manner::Styles).unwrap()).unwrap();
    let run = |arguments: &[&str]| pincite(home.path(), arguments);
    let layout = json(&run(&["layout", "contract.docx", "--json"]));
    assert_eq!(layout["pages"].as_array().unwrap().len(), 0);
    let heading = layout["blocks"].as_array().unwrap().iter().find(|block| block["level"] == 2).unwrap();
    assert_eq!(heading["text"], "Section 1.1 Definitions");
    let why = json(&run(&["layout", "contract.docx", "--why", "all", "--json"]));
    let first = &why.as_array().unwrap()[0];
    assert_eq!((&first["paragraph"], &first["rule"]), (&1.into(), &"style-title".into()), "{first}");
    assert_eq!(status(&run(&["layout", "contract.docx", "--html", "out.html"])), 0);
    assert!(
        fs::read_to_string(home.path().join("out.html")).unwrap().contains("Section 1.1 Definitions</div>")
    );
    assert!(json(&run(&["chunks", "contract.docx", "--json"]))["children"][0]["spans"][0]["page"].is_null());
    assert_eq!(status(&run(&["index", "contract.docx", "--out", "lib"])), 0);
    let answer = json(&run(&["ask", "lib", "--question", "What is the cap on liability?", "--json"]));
    let best = &answer["citations"][0];
    assert!(best["page"].is_null() && best["quote"].as_str().unwrap().contains("125 per cent"), "{best}");
    fs::write(home.path().join("notes.txt"), "notes").unwrap();
    let refused = run(&["layout", "notes.txt"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("neither a PDF nor a Word document (.docx)"));
}

#[test]
fn references_of_a_corpus_are_measured_against_curated_ones() {
    let home = tempfile::tempdir().unwrap();
    let write = |name: &str, rows: &[String]| fs::write(home.path().join(name), rows.join("\n")).unwrap();
    let passage = |id: &str, doc: u32, pid: &str, text: &str| {
        serde_json::json!({ "id": id, "doc": doc, "pid": pid, "text": text }).to_string()
    };
    write(
        "passages.jsonl",
        &[
            passage("a1", 1, "Part 1.4.", "Dues are payable."),
            passage("a2", 1, "Part 1.5.(2)", "Dues are repayable under section 4."),
            passage("b1", 2, "2.1.1", "The Harbour Dues Act 2019 (“HDA”) applies. See Rules 2.1.2 to 2.1.4."),
            passage("b2", 2, "2.1.2", "A firm pays under section 5(2) of the HDA."),
            passage("b3", 2, "2.1.3", "A firm keeps records."),
            passage("b4", 2, "2.1.4", "A firm reports, subject to Rule 2.1.3(a)."),
        ],
    );
    let edge = |src: &str, dst: &str, kind: &str| {
        serde_json::json!({ "src": src, "dst": dst, "ref": "", "type": kind }).to_string()
    };
    write(
        "edges.jsonl",
        &[
            edge("a2", "a1", "Internal"),
            edge("b1", "b3", "Internal"),
            edge("b4", "b3", "Internal"),
            edge("b2", "a2", "External"),
        ],
    );
    let document = |doc: u32, short: &str| serde_json::json!({ "doc": doc, "short": short }).to_string();
    write("docs.jsonl", &[document(1, "Harbour Dues Act 2019"), document(2, "HRB")]);
    let arguments = [
        "eval",
        "references",
        "--corpus",
        "passages.jsonl",
        "--edges",
        "edges.jsonl",
        "--docs",
        "docs.jsonl",
        "--json",
    ];
    let measured = json(&pincite(home.path(), &arguments));
    assert_eq!(measured["engine"]["recall"]["internal"], 1.0);
    assert_eq!(measured["engine"]["recall"]["external"], 1.0);
    assert_eq!(measured["engine"]["found"], 6);
    assert!(measured["regex"]["recall"]["external"].as_f64().unwrap() < 1.0);
}

#[test]
fn a_run_is_measured_with_intervals_and_compared_with_another() {
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    file("qrels", "1 0 a 1\n1 0 b 1\n2 0 c 1\n3 0 d 0\n4 0 e 1\n");
    file(
        "questions",
        "{\"qid\":\"1\",\"query\":\"x\",\"kind\":\"rule\"}\n{\"qid\":\"2\",\"query\":\"y\",\"kind\":\"term\"}\n{\"qid\":\"4\",\"query\":\"z\",\"kind\":\"term\"}\n",
    );
    file("good", "1 Q0 a 1 3.5 t\n1 Q0 x 2 2 t\n1 Q0 b 3 1e-1 t\n2 Q0 c 1 1 t\n9 Q0 c 1 1 t\n");
    file("poor", "1 Q0 a 1 3.5 t\n2 Q0 x 1 1 t\n");
    let arguments = ["eval", "run", "--qrels", "qrels", "--run", "good", "--compare", "poor", "--ks", "2,3"];
    let output = pincite(
        home.path(),
        &[&arguments[..], &["--by", "kind", "--queries", "questions", "--json"]].concat(),
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let measured = json(&output);
    let number = |pointer: &str| measured.pointer(pointer).and_then(Value::as_f64).unwrap();
    assert!(
        said.contains("good: 1 judged questions are absent") && said.contains("1 questions are not judged"),
        "{said}"
    );
    assert_eq!(number("/queries"), 3.0);
    assert_eq!(number("/metrics/recall@2"), 0.5);
    assert_eq!(number("/metrics/recall_all@3"), 2.0 / 3.0);
    assert_eq!(number("/compared/metrics/mrr@3"), 1.0 / 3.0);
    assert!((number("/difference/metrics/recall@3") - 0.5).abs() < 1e-12);
    assert!(
        number("/difference/intervals/recall@3/0") <= 0.5
            && number("/difference/intervals/recall@3/1") >= 0.5
    );
    assert_eq!(number("/by/values/term/difference/metrics/recall@3"), 0.5);
    let table = pincite(home.path(), &arguments);
    assert!(String::from_utf8_lossy(&table.stdout).contains("all, difference"));
    let plain = json(&pincite(home.path(), &[&arguments[..], &["--bootstrap", "0", "--json"]].concat()));
    assert!(plain.get("intervals").is_none());

    for (run, fault) in [
        ("1 Q0 a 1 3.5\n", "run:1: expected the 6 columns"),
        ("1 Q0 a 1 3.5 t\n1 Q0 b 2 high t\n", "run:2: expected a finite number as score"),
        ("1 Q0 a 1 NaN t\n", "run:1: expected a finite number as score"),
        ("1 Q0 a first 1 t\n", "run:1: expected a whole number as rank"),
        ("1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", "run:2: passage a is there twice for question 1"),
        ("\n", "the run is empty"),
        ("7 Q0 a 1 2 t\n", "none of the 3 judged questions is in this run of 1 questions"),
    ] {
        file("run", run);
        let output = pincite(home.path(), &["eval", "run", "--qrels", "qrels", "--run", "run"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(status(&output), 1);
        assert!(said.contains(fault), "{said}");
    }
    let by_nothing = ["eval", "run", "--qrels", "qrels", "--run", "good", "--by", "kind"];
    assert_eq!(status(&pincite(home.path(), &by_nothing)), 2);
}

#[test]
fn questions_over_a_corpus_are_answered_and_measured() {
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(home.path().join(name), text).unwrap();
    file(
        "passages.jsonl",
        "{\"id\":\"h1\",\"doc\":\"1\",\"title\":\"Harbour Act\",\"pid\":\"1\",\"text\":\"The pilot keeps the log for six years.\"}\n\
         {\"id\":\"h2\",\"doc\":\"1\",\"title\":\"Harbour Act\",\"pid\":\"2\",\"text\":\"Dues are paid on arrival.\"}\n",
    );
    file(
        "questions.jsonl",
        "{\"qid\":\"a\",\"query\":\"How long does the pilot keep the log?\",\"title\":\"Harbour Act\",\"passages\":[\"h1\"],\
          \"answer\":\"The pilot keeps the log for six years.\"}\n",
    );
    let ask = [
        "eval",
        "ask",
        "--corpus",
        "passages.jsonl",
        "--queries",
        "questions.jsonl",
        "--out",
        "answers.jsonl",
    ];
    let output = pincite(home.path(), &[ask.as_slice(), &["--ranker", "bm25", "--always"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let measure = ["eval", "answers", "--gold", "questions.jsonl", "--answers", "answers.jsonl", "--json"];
    let measured = json(&pincite(home.path(), &measure));
    for name in ["rouge_l", "passages_cited", "document_cited", "answered"] {
        assert_eq!(measured["metrics"][name], 1.0, "{name}: {measured}");
    }
}
