//! The native command `pincite`: one file a verb. `--json` output goes to stdout, everything else to stderr.
//! Exit status 0 (done), 1 (failed), 2 (bad usage).

#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod terminal;

mod ask;
mod chunks;
mod eval;
mod html;
mod index;
mod ingest;
mod input;
mod json;
mod layout;
mod layout_json;
mod layout_rules;
mod list;
mod llm;
mod measures;
mod mentions_json;
mod model;
mod outline;
mod pack;
mod remove;
mod search;
mod threads;
mod undo;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use native::{comparing, embedding, endpoint, failure, store};

/// Answers questions over legal documents and pins every statement to the words on the page.
#[derive(Parser)]
#[command(name = "pincite", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Print the layout of a file: blocks in reading order, levels of headings, footnotes linked to their marks.
    Layout(layout::Args),
    /// Print the chunks of a file: parents, children, articles and notes, with their locations.
    Chunks(chunks::Args),
    /// Add PDFs and Word files to a library; the same bytes are kept once, two files of one name both.
    Index(index::Args),
    /// Read files and folders into one file, `library.pincite`, that a page opens without reading them again.
    Pack(pack::Args),
    /// List the documents of a library.
    List(list::Args),
    /// Remove a document from a library.
    Remove(remove::Args),
    /// Take the last `index` back.
    Undo(undo::Args),
    /// Search a library.
    Search(search::Args),
    /// Answer a question from a library or from files.
    Ask(ask::Args),
    /// Measure retrieval, answers, references and refusals.
    #[command(subcommand)]
    Eval(eval::Verb),
}

fn main() -> ExitCode {
    let done = match &Cli::parse().verb {
        Verb::Layout(args) => layout::run(args),
        Verb::Chunks(args) => chunks::run(args),
        Verb::Index(args) => index::run(args),
        Verb::Pack(args) => pack::run(args),
        Verb::List(args) => list::run(args),
        Verb::Remove(args) => remove::run(args),
        Verb::Undo(args) => undo::run(args),
        Verb::Search(args) => search::run(args),
        Verb::Ask(args) => ask::run(args),
        Verb::Eval(verb) => eval::run(verb),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            note!("pincite: {failure}");
            exit_code(&failure)
        }
    }
}

fn exit_code(failure: &failure::Failure) -> ExitCode {
    match failure {
        failure::Failure::Usage(_) => ExitCode::from(2),
        failure::Failure::Engine { .. } | failure::Failure::Failed(_) => ExitCode::FAILURE,
    }
}
