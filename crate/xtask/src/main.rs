//! Checks of the repository that neither the compiler nor clippy makes: `cargo xtask tidy`.
//!
//! The conventions of `CONTRIBUTING.md` and the dependency directions of `crate/README.md` are rules here, so that
//! breaking one is a failing check with a line number instead of a remark in review. Takes under a second once built.

mod tidy;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => run_tidy(),
        ["help" | "-h" | "--help"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run_tidy() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match tidy::check(&root) {
        Ok(report) => {
            for problem in &report.problems {
                eprintln!("{problem}");
            }
            println!(
                "tidy: {} files, {} packages, {} problems",
                report.n_files,
                report.n_packages,
                report.problems.len()
            );
            if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("tidy could not run: {error:#}");
            ExitCode::FAILURE
        }
    }
}
