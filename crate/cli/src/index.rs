//! `pincite index FILE... --out LIB`: files into a library, one after the other. A bad file gets one line and the
//! rest are written; what is written stays, however the run ends. Two files of one name are both kept; `pincite undo LIB`
//! takes the whole run back.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use engine::{Chunker, Embedder, IngestOptions, Library, Progress, Session, Stage};

use crate::failure::Failure;
use crate::input::{ReadArgs, folder_of, name_of, warn};
use crate::store::{Ingested, Namesake, Store};

/// Arguments of `pincite index`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The PDFs and Word files (.docx).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The library: a directory, made when it is not there.
    #[arg(long)]
    out: PathBuf,
    /// The chunker: along sections (`layout`), or windows of a fixed size as a baseline (`window`).
    #[arg(long, default_value = "layout", value_parser = ["layout", "window"])]
    chunker: String,
    /// Put a file in the place of the document whose file had its name. Without it, both are kept under names that tell
    /// them apart.
    #[arg(long)]
    replace: bool,
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
}

impl ModelArgs {
    /// Loads the model; without one, prints that the search is by words alone.
    pub(crate) fn load(&self) -> Result<Option<Session>, Failure> {
        let session = crate::model::load(self.embedder.as_deref())?;
        if session.is_none() {
            note!("pincite: no embedding model in models/build; searching by words alone");
        }
        Ok(session)
    }

    /// Its token counter.
    pub(crate) fn token_count(&self) -> Result<Box<dyn engine::TokenCount>, Failure> {
        crate::model::token_count(self.embedder.as_deref())
    }
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let session = args.model.load()?;
    let tokens = args.model.token_count()?;
    let mut store = Store::open_or_create(&args.out)?;
    let mut options = args.read.options();
    if args.chunker == "window" {
        options.chunker = Chunker::Window;
    }
    let namesake = if args.replace { Namesake::Replace } else { Namesake::Keep };
    store.begin();
    let mut n_bad = 0;
    for file in &args.files {
        let done = read(file, &args.read, &options, session.as_ref(), tokens.as_ref())
            .and_then(|ingested| store.put(&ingested, folder_of(file), namesake));
        match done {
            Ok(named) if named.is_distinct => note!(
                "pincite: {}: another document has this name; listed as {} (--replace puts a file in its place)",
                file.display(),
                named.name
            ),
            Ok(_) => {}
            Err(failure) => {
                note!("pincite: {failure}");
                n_bad += 1;
            }
        }
    }
    match n_bad {
        0 => Ok(()),
        n_bad => Err(Failure::Failed(format!("{n_bad} of {} files could not be indexed", args.files.len()))),
    }
}

/// Reads a file and embeds its passages.
pub(crate) fn read(
    path: &Path,
    read: &ReadArgs,
    options: &IngestOptions,
    session: Option<&Session>,
    tokens: &dyn engine::TokenCount,
) -> Result<Ingested, Failure> {
    let name = name_of(path);
    let bytes = read.bytes(path)?;
    let meter = Meter::new(&name);
    let mut show = |progress| {
        meter.show(progress);
        ControlFlow::Continue(())
    };
    let segment = engine::ingest(&bytes, &name, options, tokens, &mut show)
        .map_err(|error| Failure::about(path, &error))?;
    let mut library = Library::new();
    let info = library.add(&segment)?;
    let session = session.filter(|_| info.n_to_embed > 0);
    let vectors = session.map(|session| embed(&mut library, &info, session, &meter)).transpose()?;
    meter.clear();
    warn(path, info.diags.iter().cloned());
    Ok(Ingested { info, segment, vectors })
}

/// Embeds the passages of a document that the model can read; returns the bytes to store. An interrupt ends the process
/// and leaves the library unchanged.
fn embed(
    library: &mut Library,
    info: &engine::DocumentInfo,
    session: &Session,
    meter: &Meter,
) -> Result<Vec<u8>, Failure> {
    const BATCH: usize = 64;
    let rows: Vec<usize> =
        library.passages_without_vectors(&info.id).into_iter().flat_map(|[start, end]| start..end).collect();
    let mut vectors = BTreeMap::new();
    for batch in rows.chunks(BATCH) {
        let passages = library.passages_at(&info.id, batch);
        let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
        let embedded = session.embed(&texts).map_err(engine::Error::from)?;
        vectors.extend(batch.iter().copied().zip(embedded));
        meter.show(Progress { stage: Stage::Embed, done: vectors.len(), total: rows.len() });
    }
    let stored = library.put_single_vectors(&info.id, vectors, session.fingerprint())?;
    Ok(stored.into_iter().flat_map(|run| run.bytes).collect())
}

/// Progress line on stderr, rewritten in place; silent if stderr is not a terminal.
pub(crate) struct Meter {
    name: String,
    is_terminal: bool,
}

impl Meter {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), is_terminal: std::io::stderr().is_terminal() }
    }

    pub(crate) fn show(&self, progress: Progress) {
        if self.is_terminal {
            let Progress { stage, done, total } = progress;
            let name = crate::terminal::one_line(&self.name);
            drop(write!(std::io::stderr(), "\r\x1b[K{name}: {} {done}/{total}", stage.name()));
            drop(std::io::stderr().flush());
        }
    }

    pub(crate) fn clear(&self) {
        if self.is_terminal {
            drop(write!(std::io::stderr(), "\r\x1b[K"));
        }
    }
}
