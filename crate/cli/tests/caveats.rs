//! Caveats as the user of the command meets them: what a citation is called where its words may not be what a reader
//! sees, and what is quoted.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::process::Command;

use pincite_tests::claims;
use serde_json::Value;

/// The answer to the question about a file, in words and as JSON.
fn ask(bytes: &[u8]) -> (String, Value) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("lease"), bytes).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_pincite"))
            .current_dir(home.path())
            .env_remove("PINCITE_MODELS")
            .args(["ask", "lease", "--question", claims::QUESTION])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    (run(&[]), serde_json::from_str(&run(&["--json"])).unwrap())
}

#[test]
fn a_citation_says_why_its_words_may_not_be_what_a_reader_sees() {
    for (bytes, status, said) in [
        (claims::honest(), "verified", "(verified)"),
        (claims::honest_replacements(), "verified", "(verified)"),
        (claims::scan(), "ocr", "(text by OCR)"),
        (claims::false_replacement(), "differs", "(differs: "),
        (claims::false_digit(), "differs", "(differs: "),
        (claims::pending_change(), "tracked", "(tracked"),
    ] {
        let (words, json) = ask(&bytes);
        let best = &json["citations"][0];
        assert_eq!(best["status"], status, "{best}");
        let caveats: Vec<&str> =
            best["caveats"].as_array().unwrap().iter().map(|each| each.as_str().unwrap()).collect();
        assert_eq!(caveats.first().copied().unwrap_or("verified"), status);
        assert!(words.contains(said), "{words}");
        // What is drawn is quoted, whatever the file says.
        let quote = best["quote"].as_str().unwrap();
        assert!(quote.contains("tenant shall pay the deposit"), "{quote}");
        assert!(!quote.contains('9'), "{quote}");
    }
}
