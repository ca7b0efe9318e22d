//! `pincite ask --llm` against servers of this test: what they are sent, by which way, and what is printed of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod server;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pincite_tests::samples;
use server::{Seen, Server, response};
use tempfile::TempDir;

const KEY: &str = "sk-the-key-of-the-main-server-0123456789";
const OTHER_KEY: &str = "sk-the-key-of-the-small-server-9876543210";

/// Writes this answer where one is asked for; its replies to the other steps are of no use.
fn writing(answer: &'static str) -> impl Fn(&str) -> String + Send {
    move |request| {
        let text = if request.contains("Step: read") { answer } else { "{}" };
        let choice = serde_json::json!({ "message": { "content": text }, "finish_reason": "stop" });
        response("200 OK", &serde_json::json!({ "choices": [choice] }).to_string())
    }
}

fn workplace() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let contract = samples::all().into_iter().find(|sample| sample.file() == "contract.pdf").unwrap();
    fs::write(directory.path().join("contract.pdf"), contract.make().unwrap().pdf).unwrap();
    directory
}

const PROXIES: [&str; 6] =
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

fn ask(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    for name in PROXIES.iter().chain(&["NO_PROXY", "no_proxy", "PINCITE_API_KEY", "PINCITE_MODELS"]) {
        command.env_remove(name);
    }
    let question = ["ask", "contract.pdf", "--question", "What is the cap on liability?", "--model", "m"];
    command
        .current_dir(directory)
        .envs(environment.iter().copied())
        .args([&question, arguments].concat())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_key_of_the_model_goes_to_its_origin_alone() {
    let home = workplace();
    let main = Server::start(writing("The cap is stated [P1]."));
    let small = Server::start(writing(""));
    let profile = "format = 1\nname = \"two\"\ntitle = \"Two\"\n[voice]\nrole = \"You read contracts.\"\n\
                   [steps.filter]\nendpoint = \"small-one\"\n";
    fs::write(home.path().join("two.toml"), profile).unwrap();
    let (url, named) = (format!("http://{}/v1", main.at), format!("small-one=http://{}/v1", small.at));
    let arguments = ["--profile", "two.toml", "--llm", &url, "--endpoint", &named];

    ask(home.path(), &arguments, &[("PINCITE_API_KEY", KEY)]);
    assert!(main.requests().iter().all(|seen| seen.all.contains(KEY)) && !main.requests().is_empty());
    assert!(!small.requests().is_empty());
    assert!(small.requests().iter().all(|seen| !seen.all.contains(KEY)), "the key left its origin");

    small.seen.lock().unwrap().clear();
    ask(home.path(), &arguments, &[("PINCITE_API_KEY", KEY), ("PINCITE_API_KEY_SMALL_ONE", OTHER_KEY)]);
    assert!(small.requests().iter().all(|seen| seen.all.contains(OTHER_KEY) && !seen.all.contains(KEY)));
    assert!(main.requests().iter().all(|seen| !seen.all.contains(OTHER_KEY)));

    // On the same origin the endpoint is the one that the key is for.
    main.seen.lock().unwrap().clear();
    let named = format!("small-one=http://{}/other/v1", main.at);
    let arguments = ["--profile", "two.toml", "--llm", &url, "--endpoint", &named];
    ask(home.path(), &arguments, &[("PINCITE_API_KEY", KEY)]);
    let other: Vec<Seen> = main.requests().into_iter().filter(|seen| seen.line.contains("/other/")).collect();
    assert!(!other.is_empty() && other.iter().all(|seen| seen.all.contains(KEY)));
}

#[test]
fn no_redirect_is_followed() {
    let home = workplace();
    let elsewhere = Server::start(writing("Elsewhere."));
    let to = format!("http://{}/v1/chat/completions", elsewhere.at);
    let main = Server::start(move |_| {
        format!(
            "HTTP/1.1 307 Temporary Redirect\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    });
    let url = format!("http://{}/v1", main.at);
    let output = ask(home.path(), &["--llm", &url], &[("PINCITE_API_KEY", KEY)]);
    assert!(elsewhere.requests().is_empty() && !main.requests().is_empty());
    assert!(text(&output.stderr).contains("redirects are not followed"));
}

#[test]
fn a_proxy_of_the_environment_never_sees_what_goes_to_this_machine() {
    let home = workplace();
    let main = Server::start(writing("The cap is stated [P1]."));
    let proxy = Server::start(writing("The proxy answers [P1]."));
    let (url, at) = (format!("http://{}/v1", main.at), format!("http://{}", proxy.at));
    for name in PROXIES {
        main.seen.lock().unwrap().clear();
        ask(home.path(), &["--llm", &url], &[(name, &at), ("PINCITE_API_KEY", KEY)]);
        assert!(proxy.requests().is_empty(), "{name}");
        assert!(!main.requests().is_empty(), "{name}");
    }
}

#[test]
fn a_secret_is_taken_out_before_a_message_is_cut() {
    let home = workplace();
    // The message is cut at 300 characters, here in the middle of the key and of what stands in the address.
    for (secret, before) in [(KEY, 290), ("code-in-the-query-0123456789", 285)] {
        let said = format!("{}{secret}", "x".repeat(before));
        let main = Server::start(move |_| {
            response("400 Bad Request", &serde_json::json!({ "error": { "message": said } }).to_string())
        });
        let url = format!("http://{}/v1?api-version=1&code=code-in-the-query-0123456789", main.at);
        let output = ask(home.path(), &["--llm", &url, "--json"], &[("PINCITE_API_KEY", KEY)]);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains("xxx") && main.requests()[0].line.contains("code=code-in-the-query"));
        assert!(!all.contains(&secret[..6]), "{all}");
    }
}

#[test]
fn secrets_of_an_address_are_not_sent_over_an_open_line_or_shown() {
    let home = workplace();
    for parameter in ["code", "sig", "key", "api_key", "token", "access_token"] {
        let url = format!("http://models.example/v1?{parameter}=hidden-0123456789");
        let output = ask(home.path(), &["--llm", &url], &[]);
        assert_eq!(output.status.code(), Some(2), "{parameter}: {}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("hidden-0123456789"));
    }
    for wrong in ["https://user:hidden@models.example/v1", "ftp://models.example/?code=hidden"] {
        let output = ask(home.path(), &["--llm", wrong], &[]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(!text(&output.stderr).contains("hidden"), "{}", text(&output.stderr));
    }
}

#[test]
fn an_open_line_to_another_machine_is_said_before_the_first_request() {
    let home = workplace();
    // Nobody has this address: it is for documentation. What is said comes before the connection is tried.
    let output = ask(home.path(), &["--llm", "http://192.0.2.1:9/v1", "--timeout", "1"], &[]);
    let said = text(&output.stderr);
    let warning = said.find("http://192.0.2.1:9 is not encrypted").unwrap_or_else(|| panic!("{said}"));
    assert!(warning < said.find("no reply in time").or(said.find("could not be reached")).unwrap());
    assert_eq!(said.matches("is not encrypted").count(), 1, "once an endpoint");

    let main = Server::start(writing("The cap is stated [P1]."));
    let output = ask(home.path(), &["--llm", &format!("http://{}/v1", main.at)], &[]);
    assert!(!text(&output.stderr).contains("is not encrypted"), "this machine is no line");
}

#[test]
fn what_others_wrote_cannot_steer_the_terminal() {
    const HOSTILE: &str =
        "\u{1b}[2J\u{1b}]0;title\u{7}The cap\r is \u{9b}31m \u{202e}stated\u{2066} [P1].\u{7f}";
    let home = workplace();
    let main = Server::start(writing(HOSTILE));
    let url = format!("http://{}/v1", main.at);
    let printed = ask(home.path(), &["--llm", &url], &[]);
    let said = text(&printed.stdout) + &text(&printed.stderr);
    assert!(said.contains("The cap"), "{said:?}");
    let failing = Server::start(|_| {
        response("400 Bad Request", &serde_json::json!({ "error": { "message": HOSTILE } }).to_string())
    });
    let failed = ask(home.path(), &["--llm", &format!("http://{}/v1", failing.at)], &[]);
    assert!(text(&failed.stderr).contains("The cap"));
    let as_json = ask(home.path(), &["--llm", &url, "--json"], &[]);
    for output in [&printed, &failed, &as_json] {
        for stream in [&output.stdout, &output.stderr] {
            let steering: Vec<char> = text(stream).chars().filter(|c| steers(*c)).collect();
            assert!(steering.is_empty(), "{steering:?}");
        }
    }
    // JSON loses nothing: it is escaped.
    let value: serde_json::Value = serde_json::from_slice(&as_json.stdout).unwrap();
    assert!(value["answer"].as_str().unwrap().contains('\u{202e}'));
}

fn steers(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
