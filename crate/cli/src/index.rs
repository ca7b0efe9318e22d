//! `pincite index FILE... --out LIB`: files into a library, in their order. A bad file gets one line and the rest are
//! written; what is written stays, however the run ends. Two files of one name are both kept; `pincite undo LIB` takes
//! the whole run back.

use std::path::PathBuf;

use engine::Chunker;
use native::model::Activations;

use crate::failure::Failure;
use crate::ingest::Ingest;
use crate::input::{ReadArgs, folder_of, warn};
use crate::model::LazyModel;
use crate::store::{Ingested, Namesake, Store};
use crate::threads::ThreadArgs;

/// Arguments of `pincite index`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The PDFs and Word files (.docx).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The library: a directory, made when it is not there.
    #[arg(long)]
    out: PathBuf,
    /// The chunker: along sections (`layout`), or as a baseline windows of a fixed size (`window`), or long units of whole
    /// blocks (`long`).
    #[arg(long, default_value = "layout", value_parser = ["layout", "window", "long"])]
    chunker: String,
    /// Put a file in the place of the document whose file had its name. Without it, both are kept under names that tell
    /// them apart.
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// Embedding model.
#[derive(clap::Args)]
pub(crate) struct ModelArgs {
    /// Directory of the embedding model [default: PINCITE_MODELS, else models/build].
    #[arg(long, value_name = "DIR")]
    embedder: Option<PathBuf>,
    /// Bits of the encoder's activations: 7 gives the vectors that the page makes in a browser with relaxed SIMD.
    #[arg(long, value_name = "BITS", value_parser = crate::model::activations(), default_value = "16")]
    activations: Activations,
}

impl ModelArgs {
    /// The model, to be loaded when it is needed.
    pub(crate) fn lazy(&self) -> LazyModel<'_> {
        LazyModel::new(self.embedder.as_deref(), self.activations)
    }

    /// Its token counter.
    pub(crate) fn token_count(&self) -> Result<Box<dyn engine::TokenCount + Send + Sync>, Failure> {
        crate::model::token_count(self.embedder.as_deref())
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let model = args.model.lazy();
    model.find()?;
    let tokens = args.model.token_count()?;
    let mut store = Store::open_or_create(&args.out)?;
    let mut options = args.read.options();
    options.chunker = match args.chunker.as_str() {
        "window" => Chunker::Window,
        "long" => Chunker::Long,
        _ => Chunker::Layout,
    };
    let namesake = if args.replace { Namesake::Replace } else { Namesake::Keep };
    store.begin();
    let ingest = Ingest {
        read: &args.read,
        options: &options,
        tokens: tokens.as_ref(),
        model: Some(&model),
        n_threads: args.threads.count(),
    };
    match add_files(&mut store, &args.files, ingest, namesake)? {
        0 => Ok(()),
        n_bad => Err(Failure::Failed(format!("{n_bad} of {} files could not be indexed", args.files.len()))),
    }
}

/// Adds files to a library in their order, and returns how many could not be read; each of those gets a line.
pub(crate) fn add_files(
    store: &mut Store,
    files: &[PathBuf],
    ingest: Ingest<'_>,
    namesake: Namesake,
) -> Result<usize, Failure> {
    let mut n_bad = 0;
    ingest.run(files, &mut |file, ingested| {
        let put = |ingested: Ingested| {
            warn(file, ingested.info.diags.iter().cloned());
            store.put(&ingested, folder_of(file), namesake)
        };
        match ingested.and_then(put) {
            Ok(named) if named.is_distinct => note!(
                "pincite: {}: another document has this name; listed as {} (--replace puts a file in its place)",
                file.display(),
                named.name
            ),
            Ok(_) => {}
            Err(failure) => {
                // The model's failure ends the run, since the other files would fail too; a bad file is said before, also
                // where another thread has met that failure already.
                if ingest.model.and_then(LazyModel::failure).as_ref() == Some(&failure) {
                    return Err(failure);
                }
                note!("pincite: {failure}");
                n_bad += 1;
            }
        }
        Ok(())
    })?;
    Ok(n_bad)
}
