//! `pincite pack PATH... --out library.pincite`: documents with their segments and vectors in one file, which the widget adds to
//! a library (`addLibrary`) without reading or embedding anything.
//!
//! ```text
//! 8 bytes   "pincite\n"
//! u32       format of what follows, little endian, as is the next
//! u32       length of the table in bytes
//! table     JSON, see `Table`
//! parts     of each document, in the order of the table: its file, its segment, its vectors
//! ```
//! Documents that were read lie in a library beside the file until all is written: a run that was interrupted, or met a file it
//! could not read, goes on there.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use index::VectorBatch;
use serde::Serialize;

use crate::failure::Failure;
use crate::index::{ModelArgs, add_files};
use crate::ingest::Ingest;
use crate::input::ReadArgs;
use crate::store::{Namesake, Store, Stored};
use crate::threads::ThreadArgs;

/// First bytes of a packed library.
const MAGIC: &[u8; 8] = b"pincite\n";

/// Format of what follows them.
const FORMAT: u32 = 1;

/// Endings of the files that are taken from a folder.
const ENDINGS: [&str; 2] = ["pdf", "docx"];

/// Arguments of `pincite pack`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PDFs and Word files (.docx), and folders of such files at any depth.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// Table of a packed library.
#[derive(Serialize)]
struct Table<'a> {
    documents: Vec<Row<'a>>,
}

/// Document in the table.
#[derive(Serialize)]
struct Row<'a> {
    /// Name of its file.
    name: &'a str,
    /// Name of that file's folder.
    folder: &'a str,
    /// Date that the document gives itself.
    date: Option<&'a str>,
    file: Part<'a>,
    segment: Part<'a>,
    vectors: Option<Vectors<'a>>,
}

/// Vectors of a document in the table.
#[derive(Serialize)]
struct Vectors<'a> {
    #[serde(flatten)]
    part: Part<'a>,
    /// Passages that have one.
    count: usize,
    /// Fingerprint of the model that made them.
    fingerprint: String,
}

/// Part of a document: bytes that follow the table.
#[derive(Serialize)]
struct Part<'a> {
    length: u64,
    sha256: &'a str,
}

/// Runs the verb.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let model = args.model.lazy();
    model.find()?;
    let tokens = args.model.token_count()?;
    let files = files_in(&args.paths)?;
    if files.is_empty() {
        return Err(Failure::Failed("no PDF or Word file (.docx) in what is named".to_owned()));
    }
    let parts = beside(&args.out, ".parts");
    let mut store = Store::open_or_create(&parts)?;
    let (mut by_id, mut n_bad) = (BTreeMap::new(), 0);
    let known: Vec<String> = store.documents().map(|document| document.id.to_owned()).collect();
    let mut unread = Vec::new();
    for file in files.iter().cloned() {
        match args.read.bytes(&file).map(|bytes| engine::digest(&bytes)) {
            Ok(id) => {
                if let Entry::Vacant(first) = by_id.entry(id) {
                    if !known.contains(first.key()) {
                        unread.push(file.clone());
                    }
                    first.insert(file);
                }
            }
            Err(failure) => {
                note!("pincite: {failure}");
                n_bad += 1;
            }
        }
    }
    let options = args.read.options();
    let ingest = Ingest {
        read: &args.read,
        options: &options,
        tokens: tokens.as_ref(),
        model: Some(&model),
        n_threads: args.threads.count(),
    };
    n_bad += add_files(&mut store, &unread, ingest, Namesake::Keep)?;
    // What an earlier run read and this one does not name stays out.
    let documents: Vec<(Stored<'_>, &Path)> = store
        .documents()
        .filter_map(|document| by_id.get(document.id).map(|file| (document, file.as_path())))
        .collect();
    let n_documents = documents.len();
    if n_documents > 0 {
        write(&args.out, &documents)?;
    }
    drop(documents);
    drop(store);
    if n_documents > 0 {
        note!("pincite: {}: {n_documents} documents", args.out.display());
    }
    if n_bad > 0 {
        return Err(Failure::Failed(format!(
            "{n_bad} of {} files could not be packed; the others are kept in {} for another run",
            files.len(),
            parts.display()
        )));
    }
    fs::remove_dir_all(&parts).map_err(|error| Failure::io(&parts, &error))
}

/// The files named, and those in the folders named by their names; hidden ones and links to folders are left out.
fn files_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let items = fs::read_dir(&folder).map_err(|error| Failure::io(&folder, &error))?;
            let mut items: Vec<_> = items.flatten().filter(|item| !is_hidden(&item.file_name())).collect();
            items.sort_by_key(fs::DirEntry::file_name);
            for item in &items {
                let path = item.path();
                if !item.file_type().is_ok_and(|kind| kind.is_dir()) && path.is_file() && is_wanted(&path) {
                    files.push(path);
                }
            }
            // The last is taken first.
            let inner = items.iter().filter(|item| item.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.extend(inner.rev().map(fs::DirEntry::path));
        }
    }
    Ok(files)
}

fn is_hidden(name: &OsString) -> bool {
    name.to_string_lossy().starts_with('.')
}

fn is_wanted(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ENDINGS.iter().any(|wanted| ending.eq_ignore_ascii_case(wanted))
}

/// A path with an ending more.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Writes the packed library whole or not at all.
fn write(out: &Path, documents: &[(Stored<'_>, &Path)]) -> Result<(), Failure> {
    let rows = documents.iter().map(|(document, file)| row(document, file));
    let table = Table { documents: rows.collect::<Result<_, _>>()? };
    let table = serde_json::to_vec(&table)
        .map_err(|error| Failure::Failed(format!("table of documents: {error}")))?;
    let length = u32::try_from(table.len())
        .map_err(|_| Failure::Failed("too many documents for one file".to_owned()))?;
    let temporary = beside(out, &format!(".{}.tmp", std::process::id()));
    let written =
        File::create(&temporary).map_err(|error| Failure::io(&temporary, &error)).and_then(|file| {
            let mut file = BufWriter::new(file);
            let mut put =
                |bytes: &[u8]| file.write_all(bytes).map_err(|error| Failure::io(&temporary, &error));
            put(MAGIC)?;
            put(&FORMAT.to_le_bytes())?;
            put(&length.to_le_bytes())?;
            put(&table)?;
            for (document, path) in documents {
                put(&part(path, document.id)?)?;
                put(&part(&document.segment.1, document.segment.0)?)?;
                if let Some((digest, path)) = &document.vectors {
                    put(&part(path, digest)?)?;
                }
            }
            file.into_inner()
                .map_err(std::io::IntoInnerError::into_error)
                .and_then(|file| file.sync_all())
                .and_then(|()| fs::rename(&temporary, out))
                .map_err(|error| Failure::io(out, &error))
        });
    if written.is_err() {
        // It is of no use to anyone.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Row of a document in the table.
fn row<'a>(document: &Stored<'a>, file: &Path) -> Result<Row<'a>, Failure> {
    Ok(Row {
        name: document.file,
        folder: document.folder.unwrap_or_default(),
        date: document.date,
        file: Part { length: length(file)?, sha256: document.id },
        segment: Part { length: length(&document.segment.1)?, sha256: document.segment.0 },
        vectors: document.vectors.as_ref().map(|(sha256, path)| vectors(path, sha256)).transpose()?,
    })
}

fn vectors<'a>(path: &Path, sha256: &'a str) -> Result<Vectors<'a>, Failure> {
    let about = |error| Failure::about(path, &engine::Error::from(error));
    let batches = VectorBatch::decode_all(&part(path, sha256)?).map_err(about)?;
    Ok(Vectors {
        part: Part { length: length(path)?, sha256 },
        count: batches.iter().map(VectorBatch::n_rows).sum(),
        fingerprint: batches.first().map(|batch| batch.fingerprint().to_owned()).unwrap_or_default(),
    })
}

/// Length of a file in bytes.
fn length(path: &Path) -> Result<u64, Failure> {
    fs::metadata(path).map(|data| data.len()).map_err(|error| Failure::io(path, &error))
}

/// Bytes of a file, which must be those of a hash.
fn part(path: &Path, sha256: &str) -> Result<Vec<u8>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::io(path, &error))?;
    if engine::digest(&bytes) == sha256 {
        return Ok(bytes);
    }
    Err(Failure::Failed(format!("{}: changed since it was read; run the command again", path.display())))
}
