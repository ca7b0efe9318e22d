//! `pincite list LIB`: the documents of a library.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::input::print_json;
use crate::json::to_json;
use crate::store::Store;

/// Arguments of `pincite list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library directory.
    library: PathBuf,
    /// Print JSON instead of a line per document.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let documents = Store::open(&args.library)?.load()?.documents();
    if args.json {
        return print_json(&to_json(&documents)?);
    }
    for info in documents {
        let id: String = info.id.chars().take(12).collect();
        say!(
            "{id}  {:5} pages  {:6} passages ({} of {} embedded)  {}",
            info.n_pages,
            info.n_passages,
            info.n_embedded.min(info.n_to_embed),
            info.n_to_embed,
            info.name
        );
    }
    Ok(())
}
