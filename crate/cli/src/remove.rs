//! `pincite remove LIB DOC`: a document out of a library, by name or id.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::store::Store;

/// Arguments of `pincite remove`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The library.
    library: PathBuf,
    /// The document's name or id, as `pincite list --json` prints them.
    document: String,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut store = Store::open_to_write(&args.library)?;
    if store.remove(&args.document)? {
        note!("pincite: removed {}", args.document);
        return Ok(());
    }
    Err(Failure::Failed(format!("{}: no such document in {}", args.document, args.library.display())))
}
