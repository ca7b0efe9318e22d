//! Rules about one file: it says what it is, it is not too long, it is text as everyone writes it, it is no weight.

use super::problem::Problem;
use super::tests_only::test_lines;

/// The longest a source file may be without a reason at its top.
const MAX_LINES: usize = 600;
/// Opening of the reason that a longer file gives in its head: "More than 600 lines: a table of …".
const REASON: &str = "More than 600 lines: ";
/// The largest a file in the repository may be.
const MAX_BYTES: usize = 1 << 20;
/// The largest a file of the questions that models are trained on may be, and of their passages.
const MAX_TRAINING_BYTES: usize = 4 << 20;
/// Model weights and built artefacts do not belong here whatever their size.
const BUILT: &[&str] = &["onnx", "safetensors", "gguf", "wasm", "npy", "npz", "pt"];
/// Crates that must give the same result anywhere: they see no files, clock, threads or network.
const STAGES: &[&str] = &[
    "document",
    "text",
    "pages",
    "blocks",
    "docx",
    "sections",
    "chunks",
    "embed",
    "index",
    "retrieval",
    "citations",
    "answer",
    "evaluate",
    "judge",
    "engine",
];
const ENVIRONMENT: &[&str] = &["std::fs", "std::net", "std::thread", "std::time", "std::env", "std::process"];

/// Rules about size and kind.
pub fn check_bytes(path: &str, n_bytes: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    let most = if path.starts_with("models/lay/") { MAX_TRAINING_BYTES } else { MAX_BYTES };
    if n_bytes > most {
        problems.push(Problem::new(path, 0, format!("{n_bytes} bytes, expected at most {most}")));
    }
    if BUILT.contains(&extension(path)) {
        problems.push(Problem::new(path, 0, "weights and built files are not kept in the repository"));
    }
    problems
}

/// Rules about the text of a file; what is not source or prose is passed over.
pub fn check_text(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let extension = extension(path);
    let source = matches!(extension, "rs" | "js" | "mjs" | "css" | "py" | "sh" | "html");
    if source {
        problems.extend(length(path, text));
    }
    if source || matches!(extension, "md" | "toml" | "json" | "yml") {
        problems.extend(whitespace(path, text));
    }
    match extension {
        "rs" => problems.extend(rust(path, text)),
        // The name of a test says what it is.
        "js" | "mjs" if !path.contains(".test.") && !opens_with(text, &["/**", "/*", "//", "#!"]) => {
            problems.push(Problem::new(path, 1, "open with a comment that says what this module is"));
        }
        _ => {}
    }
    problems
}

fn extension(path: &str) -> &str {
    path.rsplit_once('/')
        .map_or(path, |(_, name)| name)
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension)
}

fn opens_with(text: &str, openings: &[&str]) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    openings.iter().any(|opening| first.starts_with(opening))
}

fn length(path: &str, text: &str) -> Option<Problem> {
    let n_lines = text.lines().count();
    let is_comment =
        |line: &&str| ["//", "/*", "*", "#", "<!--", " *"].iter().any(|mark| line.starts_with(mark));
    let reasoned = || text.lines().take_while(is_comment).any(|line| line.contains(REASON));
    (n_lines > MAX_LINES && !reasoned()).then(|| {
        let message = format!(
            "{n_lines} lines, expected at most {MAX_LINES}: split it, or say in the comment at its top \"{REASON}…\""
        );
        Problem::new(path, 0, message)
    })
}

fn whitespace(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (line_idx, line) in text.split('\n').enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            problems.push(Problem::new(path, line_idx + 1, "space at the end of the line"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        problems.push(Problem::new(path, text.lines().count(), "no line end at the end of the file"));
    }
    problems
}

fn rust(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !opens_with(text, &["//!", "/*!"]) {
        problems.push(Problem::new(
            path,
            1,
            "open with `//!`: what this file is, why this way, what it costs",
        ));
    }
    let stage = path
        .strip_prefix("crate/")
        .and_then(|rest| rest.split_once("/src/"))
        .is_some_and(|(folder, file)| STAGES.contains(&folder) && !file.ends_with("tests.rs"));
    let test_lines = if stage { test_lines(text) } else { Vec::new() };
    for (line_idx, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let in_tests = test_lines.iter().any(|lines| lines.contains(&(line_idx + 1)));
        let mut complain = |message: String| problems.push(Problem::new(path, line_idx + 1, message));
        if line.contains('\t') {
            complain("a tab: Rust here is indented with spaces".to_owned());
        }
        if code.starts_with("#[ignore") {
            complain("`ignore` hides a test: assert what happens today and say what should".to_owned());
        }
        if stage && !in_tests && !code.starts_with("//") {
            for name in ENVIRONMENT.iter().filter(|name| code.contains(*name)) {
                complain(format!("`{name}` in a stage: the caller reads, measures and runs in parallel"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check_text(path, text).into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn a_file_in_order_gives_nothing() {
        let cases = [
            ("crate/text/src/lib.rs", "//! Words.\n\nfn f() {}\n"),
            ("crate/text/src/lib.rs", "/*! Words. */\n"),
            ("www/page.js", "/** The page. */\nexport {};\n"),
            ("www/engine/pool.test.js", "import test from 'node:test';\n"),
            ("tests/bench/browser.mjs", "#!/usr/bin/env node\n"),
            ("tests/layout/rulebook.txt", "as it was \n\n"),
            ("README.md", "# Pincite\n"),
            ("crate/xtask/src/main.rs", "//! Tool.\nuse std::fs;\n"),
            (
                "crate/index/src/lib.rs",
                "//! Index.\n// not std::fs\n#[cfg(test)]\nmod tests { use std::fs; }\n",
            ),
        ];
        for (path, text) in cases {
            assert_eq!(messages(path, text), Vec::<String>::new(), "{path}");
        }
    }

    #[test]
    fn each_rule_names_its_line() {
        let hidden = format!("//! Doc.\n#[{}]\nfn f() {{}}\n", "ignore");
        let cases = [
            ("crate/text/src/lib.rs", "fn f() {}\n", "crate/text/src/lib.rs:1: open with `//!`"),
            ("crate/text/src/lib.rs", "//! Doc.\n\tfn f() {}\n", "crate/text/src/lib.rs:2: a tab"),
            ("crate/text/src/lib.rs", "//! Doc. \n", "crate/text/src/lib.rs:1: space at the end"),
            ("crate/text/src/lib.rs", "//! Doc.\r\n", "crate/text/src/lib.rs:1: space at the end"),
            ("crate/text/src/lib.rs", "//! Doc.", "crate/text/src/lib.rs:1: no line end"),
            ("crate/text/src/lib.rs", &hidden, "crate/text/src/lib.rs:2: `ignore` hides"),
            (
                "crate/pages/src/load.rs",
                "//! Doc.\nuse std::time::Instant;\n",
                "crate/pages/src/load.rs:2: `std::time`",
            ),
            (
                "crate/answer/src/lib.rs",
                "//! Doc.\n#[cfg(test)]\nmod fixture;\nuse std::fs;\n",
                "crate/answer/src/lib.rs:4: `std::fs`",
            ),
            ("www/page.js", "export {};\n", "www/page.js:1: open with a comment"),
        ];
        for (path, text, expected) in cases {
            let found = messages(path, text);
            assert_eq!(found.len(), 1, "{text:?}: {found:?}");
            assert!(found[0].starts_with(expected), "{found:?}");
        }
    }

    #[test]
    fn a_long_file_needs_a_reason_at_its_top() {
        let body = "// line\n".repeat(MAX_LINES);
        assert_eq!(messages("a/b.rs", &format!("//! Prose.\n{body}")).len(), 1);
        let reasoned = format!("//! Glyph names.\n//! More than 600 lines: a table.\n{body}");
        assert_eq!(messages("a/b.rs", &reasoned), Vec::<String>::new());
        let unreasoned = format!("//! Rows of tables.\nmod tables;\n{body}");
        assert_eq!(messages("a/b.rs", &unreasoned).len(), 1);
        assert_eq!(messages("Cargo.lock", &body), Vec::<String>::new());
    }

    #[test]
    fn weights_and_large_files_are_refused() {
        assert_eq!(check_bytes("models/manifest.json", 700), []);
        assert_eq!(check_bytes("www/screenshot.png", MAX_BYTES + 1).len(), 1);
        assert!(check_bytes("models/lay/passages.jsonl.gz", MAX_TRAINING_BYTES).is_empty());
        assert_eq!(check_bytes("models/build/model.onnx", 12).len(), 1);
    }
}
