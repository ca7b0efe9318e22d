//! `pincite remove LIB DOC`: a document out of a library, by name or id. A name that several have is refused with their ids.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::store::Store;

/// Arguments of `pincite remove`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The library.
    library: PathBuf,
    /// The document's name or id, or the beginning of its id, as `pincite list` prints them.
    document: String,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let name = Store::open_to_write(&args.library)?.remove(&args.document)?;
    note!("pincite: removed {name}");
    Ok(())
}
