//! `pincite layout FILE --json | --html OUT`: how a file is read.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::input::{ReadArgs, print_json};

/// Arguments of `pincite layout`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The PDF or Word file (.docx).
    file: PathBuf,
    /// Print the blocks of each page as JSON; otherwise as text. A Word file has no pages: `pages` is empty, and
    /// `blocks` beside it holds its blocks in order.
    #[arg(long)]
    json: bool,
    /// Draw the blocks of each page, or the text of a Word file, into this HTML file.
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let document = args.read.document(&args.file)?;
    if let Some(out) = &args.html {
        return fs::write(out, crate::html::render(&document)).map_err(|error| Failure::io(out, &error));
    }
    if args.json {
        return print_json(&crate::layout_json::to_json(&document.layout, &document.tree));
    }
    for block in &document.layout.blocks {
        println!("{:?}: {}", block.kind, document.layout.slice(block.range));
    }
    Ok(())
}
