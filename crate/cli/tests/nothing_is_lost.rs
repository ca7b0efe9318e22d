//! A library holds its documents until its owner takes them out: files of one name, runs that are undone, processes that are
//! killed. `PINCITE_KILLS` is the number of moments at which one is killed (10 without), `PINCITE_SEED` chooses them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pincite_tests::samples;
use pincite_tests::wordfile::Manner;
use serde_json::Value;
use tempfile::TempDir;

/// A directory of its own with the samples in it, and no model.
fn workplace() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for sample in samples::all() {
        fs::write(directory.path().join(sample.file()), sample.make().unwrap().pdf).unwrap();
    }
    directory
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    command.current_dir(directory).env_remove("PINCITE_MODELS").args(arguments);
    command
}

fn pincite(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments).output().unwrap()
}

fn succeed(directory: &Path, arguments: &[&str]) -> String {
    let output = pincite(directory, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

fn fail(directory: &Path, arguments: &[&str]) -> String {
    let output = pincite(directory, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let output = pincite(directory, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn listed(directory: &Path, library: &str, key: &str) -> Vec<String> {
    let listed = json(directory, &["list", library, "--json"]);
    listed.as_array().unwrap().iter().map(|info| info[key].as_str().unwrap().to_owned()).collect()
}

fn names(directory: &Path) -> Vec<String> {
    listed(directory, "lib", "name")
}

/// Puts a sample into a folder under a name of its own.
fn place(home: &Path, sample: &str, to: &str) {
    fs::create_dir_all(home.join(to).parent().unwrap()).unwrap();
    fs::copy(home.join(sample), home.join(to)).unwrap();
}

fn n_segments(home: &Path) -> usize {
    let files = fs::read_dir(home.join("lib")).unwrap().flatten();
    files.filter(|file| file.path().extension().is_some_and(|end| end == "segment")).count()
}

#[test]
fn two_files_of_one_name_are_both_kept_listed_and_cited_apart() {
    let home = workplace();
    let home = home.path();
    place(home, "rulebook.pdf", "2023/deed.pdf");
    place(home, "contract.pdf", "2024/deed.pdf");
    let said = succeed(home, &["index", "2023/deed.pdf", "2024/deed.pdf", "--out", "lib"]);
    assert!(said.contains("listed as deed (2024).pdf"), "{said}");
    assert_eq!(names(home), ["deed.pdf", "deed (2024).pdf"]);

    let cited = |question: &str| {
        let answer = json(home, &["ask", "lib", "--question", question, "--json"]);
        answer["citations"][0]["document"].as_str().unwrap().to_owned()
    };
    assert_eq!(cited("For how long must records of Client Money be kept?"), "deed.pdf");
    assert_eq!(cited("What is the cap on liability?"), "deed (2024).pdf");

    let files =
        ["ask", "2023/deed.pdf", "2024/deed.pdf", "--question", "What is the cap on liability?", "--json"];
    assert_eq!(json(home, &files)["citations"][0]["document"], "deed (2024).pdf");
}

#[test]
fn a_third_file_of_a_name_gets_a_number_and_the_same_bytes_keep_theirs() {
    let home = workplace();
    let home = home.path();
    for sample in ["rulebook.pdf", "contract.pdf", "opinion.pdf"] {
        // Folder and place are the same: nothing but a date or a number tells them apart.
        place(home, sample, "in/deed.pdf");
        succeed(home, &["index", "in/deed.pdf", "--out", "lib"]);
    }
    let given = names(home);
    assert_eq!((given.len(), given[0].as_str()), (3, "deed.pdf"));
    assert!(given.iter().all(|name| name.starts_with("deed") && name.ends_with(".pdf")), "{given:?}");
    // Indexed again, a document keeps its name and place; under another file name it takes that.
    succeed(home, &["index", "in/deed.pdf", "--out", "lib"]);
    assert_eq!(names(home), given);
    place(home, "opinion.pdf", "in/advice.pdf");
    succeed(home, &["index", "in/advice.pdf", "--out", "lib"]);
    assert_eq!(names(home), [&given[0], &given[1], "advice.pdf"]);
}

#[test]
fn a_name_that_several_have_is_refused_with_the_ids_that_tell_them_apart() {
    let home = workplace();
    let home = home.path();
    place(home, "rulebook.pdf", "a/deed.pdf");
    place(home, "contract.pdf", "b/deed.pdf");
    succeed(home, &["index", "a/deed.pdf", "b/deed.pdf", "--out", "lib"]);
    let ids = listed(home, "lib", "id");
    let said = fail(home, &["remove", "lib", "deed.pdf"]);
    assert!(said.contains("2 documents have this name"), "{said}");
    assert!(ids.iter().all(|id| said.contains(&id[..12])) && said.contains("from b"), "{said}");
    assert_eq!(names(home).len(), 2);
    succeed(home, &["remove", "lib", &ids[0][..12]]);
    assert_eq!(names(home), ["deed (b).pdf"]);
    succeed(home, &["remove", "lib", "deed.pdf"]);
    assert!(names(home).is_empty());
    assert_eq!(n_segments(home), 0, "what is removed is gone from the disk");
}

#[test]
fn an_edition_replaces_another_on_request_and_the_run_can_be_undone() {
    let home = workplace();
    let home = home.path();
    place(home, "rulebook.pdf", "deed.pdf");
    succeed(home, &["index", "deed.pdf", "opinion.pdf", "--out", "lib"]);
    let before = listed(home, "lib", "id");
    place(home, "contract.pdf", "deed.pdf");
    succeed(home, &["index", "deed.pdf", "--replace", "--out", "lib"]);
    assert_eq!(names(home), ["deed.pdf", "opinion.pdf"]);
    let after = listed(home, "lib", "id");
    assert_ne!(before[0], after[0]);
    succeed(home, &["undo", "lib"]);
    assert_eq!(listed(home, "lib", "id"), before);
    let question = "For how long must records of Client Money be kept?";
    assert_eq!(json(home, &["ask", "lib", "--question", question, "--json"])["sufficient"], true);
    succeed(home, &["undo", "lib"]);
    assert_eq!(listed(home, "lib", "id"), after, "undone twice is done");
    assert_eq!(n_segments(home), 3);
    succeed(home, &["remove", "lib", "opinion.pdf"]);
    assert_eq!(n_segments(home), 1, "nothing can be brought back after a removal");
    assert!(fail(home, &["undo", "lib"]).contains("nothing to undo"));

    // Two namesakes: it is not guessed which one is meant.
    place(home, "rulebook.pdf", "x/deed.pdf");
    succeed(home, &["index", "x/deed.pdf", "--out", "lib"]);
    place(home, "opinion.pdf", "y/deed.pdf");
    assert!(
        fail(home, &["index", "y/deed.pdf", "--replace", "--out", "lib"])
            .contains("2 documents have this name")
    );
    assert_eq!(names(home).len(), 2);
}

#[test]
fn what_a_killed_process_left_before_its_first_manifest_is_no_obstacle() {
    let home = workplace();
    let home = home.path();
    fs::create_dir(home.join("lib")).unwrap();
    fs::write(home.join("lib/lock"), "").unwrap();
    fs::write(home.join("lib/manifest.json.4711.tmp"), "{\"form").unwrap();
    succeed(home, &["index", "contract.pdf", "--out", "lib"]);
    assert_eq!(names(home), ["contract.pdf"]);
    assert!(!home.join("lib/manifest.json.4711.tmp").exists(), "it is swept");
    // A folder with files of others is still refused.
    fs::create_dir(home.join("other")).unwrap();
    fs::write(home.join("other/notes.tmp"), "").unwrap();
    assert!(fail(home, &["index", "contract.pdf", "--out", "other"]).contains("not a library"));
}

/// Order of the system's calls: flush a file, rename it, flush the directory. Only a trace shows it: a killed process
/// loses nothing that the system has taken, a machine without power does.
#[test]
fn names_are_on_disk_before_the_manifest_says_so() {
    if Command::new("strace").arg("-V").output().is_err() {
        eprintln!("skipped: no strace");
        return;
    }
    let home = workplace();
    let home = home.path();
    let traced = Command::new("strace")
        .current_dir(home)
        .env_remove("PINCITE_MODELS")
        .args(["-f", "-y", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2", "-o", "trace"])
        .args([env!("CARGO_BIN_EXE_pincite"), "index", "contract.pdf", "--out", "lib"])
        .output()
        .unwrap();
    let trace = fs::read_to_string(home.join("trace")).unwrap();
    if !traced.status.success() && trace.is_empty() {
        eprintln!("skipped: strace may not trace here");
        return;
    }
    let steps: Vec<&str> = trace
        .lines()
        .filter_map(|line| match line {
            line if line.contains("fsync") && line.contains("/lib>") => Some("names"),
            line if line.contains("fsync") && line.contains(".segment") => Some("segment"),
            line if line.contains("fsync") && line.contains("manifest.json") => Some("manifest"),
            line if line.contains("rename") && line.contains(".segment") => Some("rename segment"),
            line if line.contains("rename") && line.contains("manifest.json") => Some("rename manifest"),
            _ => None,
        })
        .collect();
    let first = ["names", "manifest", "rename manifest", "names"];
    let document = ["segment", "rename segment", "names", "manifest", "rename manifest", "names"];
    assert_eq!(steps, [first.as_slice(), document.as_slice()].concat(), "{trace}");
}

/// Numbers from 0 to below 1 by xorshift.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// The run that is killed: a new edition in the place of another, and two more documents.
fn run_into(library: &str) -> [&str; 7] {
    ["index", "deed.pdf", "opinion.pdf", "memo.docx", "--replace", "--out", library]
}

#[expect(clippy::disallowed_methods, reason = "the stages have no clock; this test measures a process")]
fn timed(work: impl FnOnce()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}

/// Starts that run and kills it after `moment`; true if it had ended by itself.
fn killed(home: &Path, library: &str, moment: Duration) -> bool {
    let mut child = command(home, &run_into(library)).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(moment);
    let has_ended = child.try_wait().unwrap().is_some();
    drop(child.kill());
    child.wait().unwrap();
    has_ended
}

#[test]
fn a_process_killed_at_any_moment_loses_nothing() {
    let (n_kills, seed) = (setting("PINCITE_KILLS", 10), setting("PINCITE_SEED", 20_261_122));
    let home = workplace();
    let home = home.path();
    let word = samples::all().iter().find(|sample| sample.id == "contract").unwrap().word(Manner::Styles);
    fs::write(home.join("memo.docx"), word.unwrap()).unwrap();
    place(home, "rulebook.pdf", "deed.pdf");
    succeed(home, &["index", "deed.pdf", "--out", "start"]);
    place(home, "contract.pdf", "deed.pdf");
    let old = listed(home, "start", "id");
    let longest = timed(|| drop(succeed(home, &run_into("whole"))));
    let whole = listed(home, "whole", "id");

    let mut chance = Chance(seed.max(1));
    let (mut n_ended, mut n_stored, mut n_no_library) = (0, 0, 0);
    let mut lost: Vec<String> = Vec::new();
    for kill in 0..n_kills {
        let library = format!("lib{kill}");
        // Every fifth run makes the library, and is killed early: there may be none yet.
        let is_new = kill % 5 == 4;
        if !is_new {
            fs::create_dir(home.join(&library)).unwrap();
            for file in fs::read_dir(home.join("start")).unwrap().flatten() {
                fs::copy(file.path(), home.join(&library).join(file.file_name())).unwrap();
            }
        }
        let within = if is_new { longest / 20 } else { longest };
        n_ended += u64::from(killed(home, &library, within.mul_f64(chance.next())));
        let has_library = home.join(&library).join("manifest.json").exists();
        n_no_library += u64::from(!has_library);
        let there = if has_library { listed(home, &library, "id") } else { Vec::new() };
        n_stored += there.iter().filter(|&id| whole.contains(id)).count();
        // The old edition, or the one that took its place; then the others, in order and nothing else.
        let n_after = there.iter().take_while(|id| whole.contains(id)).count();
        let is_before = !is_new && there == old;
        if !is_before && !(n_after == there.len() && there == whole[..n_after] && (is_new || n_after > 0)) {
            lost.push(format!("{library}: {there:?}"));
        }
        // The same run again goes on from there, and every document can be read.
        succeed(home, &run_into(&library));
        if listed(home, &library, "id") != whole {
            lost.push(format!("{library}: not whole after another run"));
        }
        let left = fs::read_dir(home.join(&library)).unwrap().flatten();
        let n_left = left.filter(|file| file.file_name().to_string_lossy().ends_with(".tmp")).count();
        assert_eq!(n_left, 0, "{library}: what was being written is swept");
    }
    println!(
        "{n_kills} runs killed (seed {seed}, each within {longest:.1?}): {n_ended} had ended, {n_no_library} had no \
         library yet, {n_stored} new documents were stored; lost: {}",
        lost.len()
    );
    assert!(lost.is_empty(), "{lost:#?}");
}
