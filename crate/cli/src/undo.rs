//! `pincite undo LIB`: the library as it was before the last `pincite index`. A second `undo` takes the first back.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::store::Store;

/// Arguments of `pincite undo`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Library directory.
    library: PathBuf,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let n_documents = Store::open_to_write(&args.library)?.undo()?;
    note!("pincite: as before the last `pincite index`: {n_documents} documents");
    Ok(())
}
