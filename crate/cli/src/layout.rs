//! `pincite layout FILE --json | --html OUT | --why PAGES`: how a file is read, and by which rules.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::input::{ReadArgs, print_json};
use crate::layout_rules::{self, NumberRange};

/// Arguments of `pincite layout`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The PDF or Word file (.docx).
    #[arg(required_unless_present = "rules")]
    file: Option<PathBuf>,
    /// Print the blocks of each page as JSON; otherwise as text. A Word file has no pages: `pages` is empty, and
    /// `blocks` beside it holds its blocks in order.
    #[arg(long)]
    json: bool,
    /// Draw the blocks of each page, or the text of a Word file, into this HTML file.
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Print for each line and paragraph of these pages, counted from 1, the rule that decided what it is: "3", "3-5"
    /// or "all". Of a Word file, which has no pages, these are paragraphs.
    #[arg(long, value_name = "PAGES", conflicts_with = "html")]
    why: Option<NumberRange>,
    /// Print how often each rule decided, as JSON.
    #[arg(long, conflicts_with_all = ["html", "why"])]
    firings: bool,
    /// Leave these rules out.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    without: Vec<String>,
    /// Print all rules with their reasons as JSON; no file is read.
    #[arg(long, conflicts_with_all = ["file", "html", "why", "firings"])]
    rules: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let Some(file) = args.file.as_deref().filter(|_| !args.rules) else {
        return print_json(&layout_rules::all());
    };
    let mut options = args.read.options();
    options.layout.without = layout_rules::named(&args.without)?;
    if args.firings || args.why.is_some() {
        let decisions = layout_rules::decisions(file, &args.read, &options)?;
        return match args.why {
            None => print_json(&layout_rules::firings(&decisions)),
            Some(wanted) if args.json => print_json(&layout_rules::to_json(&decisions, wanted)),
            Some(wanted) => {
                layout_rules::print(&decisions, wanted);
                Ok(())
            }
        };
    }
    let document = args.read.document_by(file, &options)?;
    if let Some(out) = &args.html {
        return fs::write(out, crate::html::render(&document)).map_err(|error| Failure::io(out, &error));
    }
    if args.json {
        return print_json(&crate::layout_json::to_json(&document.layout, &document.tree));
    }
    for block in &document.layout.blocks {
        say!("{:?}: {}", block.kind, document.layout.slice(block.range));
    }
    Ok(())
}
