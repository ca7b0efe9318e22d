//! Library on disk: a directory of immutable files and a manifest that names the current ones.
//!
//! ```text
//! LIB/manifest.json      {"format": 1, "documents": [{"id", "name", "file", "segment", "vectors"}], "before": null}
//! LIB/<sha256>.segment   a document with its postings
//! LIB/<sha256>.vectors   its vectors: a batch for each run of passages that have some, one after the other
//! ```
//! A file is written under a temporary name, flushed and renamed; the manifest last, and the directory is flushed before
//! and after it. A process that is killed, or a machine that loses power, leaves the library of before or of after. The
//! next write removes files that the manifest does not name. `before` are the documents before the last `index`, for
//! `undo`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::Library;
use index::{Index, Segment, VectorBatch};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The format of the manifest; segments and vectors carry their own.
const FORMAT: u32 = 1;

const MANIFEST: &str = "manifest.json";
const LOCK: &str = "lock";

/// Ending of a file that is being written.
const TEMPORARY: &str = ".tmp";

#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    documents: Vec<Entry>,
    /// The documents before the last `index`.
    #[serde(default)]
    before: Option<Vec<Entry>>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    id: String,
    /// Name that no other document of the library has.
    name: String,
    /// Name of the file, if it is not `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Name of the folder of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Date that the document gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    segment: String,
    vectors: Option<String>,
}

/// Document to store.
pub struct Ingested {
    /// Description of the document.
    pub info: engine::DocumentInfo,
    /// Stored bytes of the document.
    pub segment: Vec<u8>,
    /// Stored bytes of its vectors, if it has any.
    pub vectors: Option<Vec<u8>>,
}

/// Treatment of the document whose file had the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Namesake {
    /// Both stay, under names that tell them apart.
    Keep,
    /// The new one takes its place; `undo` brings it back.
    Replace,
}

/// Name that a document got.
pub struct Named {
    /// Name in the library.
    pub name: String,
    /// True if it is not the file's, since another document has that.
    pub is_distinct: bool,
}

/// Document of a library, by its files.
pub struct Stored<'s> {
    /// SHA-256 of the file that it was read from.
    pub id: &'s str,
    /// Name of that file.
    pub file: &'s str,
    /// Name of that file's folder.
    pub folder: Option<&'s str>,
    /// Date that the document gives itself.
    pub date: Option<&'s str>,
    /// SHA-256 of its segment, and where that lies.
    pub segment: (&'s str, PathBuf),
    /// The same of its vectors, if it has any.
    pub vectors: Option<(&'s str, PathBuf)>,
}

/// Path and content of a file.
type Bytes = (PathBuf, Vec<u8>);

/// Called with the name of a document, its segment and its vectors, if any.
type Visit<'a> = dyn FnMut(&str, Bytes, Option<Bytes>) -> Result<(), Failure> + 'a;

/// Library directory with its manifest.
pub struct Store {
    directory: PathBuf,
    manifest: Manifest,
    /// Lock of a writing process; the system releases it when the process ends.
    _lock: Option<File>,
}

impl Store {
    /// Opens the library in `directory` for reading.
    pub fn open(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join(MANIFEST);
        if !path.exists() {
            return Err(Failure::Failed(format!(
                "{}: no library here (make one with `pincite index FILE... --out {}`)",
                directory.display(),
                directory.display()
            )));
        }
        let text = fs::read_to_string(&path).map_err(|error| Failure::io(&path, &error))?;
        let damaged = |what: &str| Failure::Failed(format!("{}: {what}", path.display()));
        let value: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| damaged(&format!("not a library manifest: {error}")))?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(damaged(&format!(
                    "library format {format}, this build reads {FORMAT}; left as it is"
                )));
            }
            None => return Err(damaged("not a library manifest: no format")),
        }
        let manifest: Manifest = serde_json::from_value(value)
            .map_err(|error| damaged(&format!("not a library manifest: {error}")))?;
        let entries = manifest.documents.iter().chain(manifest.before.iter().flatten());
        for file in entries.flat_map(Entry::files) {
            if !is_digest(file.split('.').next().unwrap_or_default()) {
                return Err(damaged("names a file outside the library"));
            }
        }
        Ok(Self { directory: directory.to_owned(), manifest, _lock: None })
    }

    /// Opens the library in `directory` for writing, by one process at a time.
    pub fn open_to_write(directory: &Path) -> Result<Self, Failure> {
        // Opened twice: first to see that it is a library, then under the lock, since another process may have written.
        Self::open(directory)?;
        let lock = lock(directory)?;
        Ok(Self { _lock: Some(lock), ..Self::open(directory)? })
    }

    /// Opens the library in `directory` for writing; creates it if there is none. What a process leaves behind that was
    /// killed before its first manifest is no obstacle.
    pub fn open_or_create(directory: &Path) -> Result<Self, Failure> {
        if directory.join(MANIFEST).exists() {
            return Self::open_to_write(directory);
        }
        fs::create_dir_all(directory).map_err(|error| Failure::io(directory, &error))?;
        for item in fs::read_dir(directory).map_err(|error| Failure::io(directory, &error))?.flatten() {
            let name = item.file_name().to_string_lossy().into_owned();
            if name != LOCK && !is_temporary(&name) {
                return Err(Failure::Failed(format!("{}: not empty and not a library", directory.display())));
            }
        }
        let lock = Some(lock(directory)?);
        if directory.join(MANIFEST).exists() {
            // Another process has made it meanwhile.
            return Ok(Self { _lock: lock, ..Self::open(directory)? });
        }
        let manifest = Manifest { format: FORMAT, documents: Vec::new(), before: None };
        let store = Self { directory: directory.to_owned(), manifest, _lock: lock };
        store.write_manifest()?;
        if let Some(parent) = directory.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            sync_directory(parent)?;
        }
        Ok(store)
    }

    /// Loads the library into memory.
    pub fn load(&self) -> Result<Library, Failure> {
        let mut library = Library::new();
        self.for_files(&mut |name, segment, vectors| {
            let (path, bytes) = segment;
            library.add_as(&bytes, name).map_err(|error| Failure::about(&path, &error))?;
            if let Some((path, bytes)) = vectors {
                library.add_vectors(&bytes).map_err(|error| Failure::about(&path, &error))?;
            }
            Ok(())
        })?;
        Ok(library)
    }

    /// Loads the index alone, to measure rankings.
    pub fn index(&self) -> Result<Index, Failure> {
        let mut index = Index::default();
        self.for_files(&mut |name, segment, vectors| {
            let about = |path: &Path, error| Failure::about(path, &engine::Error::from(error));
            let (path, bytes) = segment;
            let segment = Segment::decode(&bytes).map_err(|error| about(&path, error))?;
            index.insert(Arc::new(segment.renamed(name)));
            if let Some((path, bytes)) = vectors {
                for batch in VectorBatch::decode_all(&bytes).map_err(|error| about(&path, error))? {
                    index.add_vectors(&batch).map_err(|error| about(&path, error))?;
                }
            }
            Ok(())
        })?;
        Ok(index)
    }

    /// Calls `f` with the name of each document, its segment and its vectors, if any.
    fn for_files(&self, f: &mut Visit<'_>) -> Result<(), Failure> {
        let read = |file: &str| {
            let path = self.directory.join(file);
            fs::read(&path).map(|bytes| (path.clone(), bytes)).map_err(|error| Failure::io(&path, &error))
        };
        for entry in &self.manifest.documents {
            let vectors = entry.vectors.as_deref().map(|digest| read(&vectors_file(digest))).transpose()?;
            f(&entry.name, read(&segment_file(&entry.segment))?, vectors)?;
        }
        Ok(())
    }

    /// The documents, in their order.
    pub fn documents(&self) -> impl Iterator<Item = Stored<'_>> {
        self.manifest.documents.iter().map(|entry| Stored {
            id: &entry.id,
            file: entry.file(),
            folder: entry.folder.as_deref(),
            date: entry.date.as_deref(),
            segment: (&entry.segment, self.directory.join(segment_file(&entry.segment))),
            vectors: entry
                .vectors
                .as_deref()
                .map(|digest| (digest, self.directory.join(vectors_file(digest)))),
        })
    }

    /// Keeps the documents as they are now for [`Self::undo`].
    pub fn begin(&mut self) {
        self.manifest.before = Some(self.manifest.documents.clone());
    }

    /// Writes a document; it takes the place of the one of the same bytes. `folder` is that of its file.
    pub fn put(
        &mut self,
        ingested: &Ingested,
        folder: Option<String>,
        namesake: Namesake,
    ) -> Result<Named, Failure> {
        let Ingested { info, segment, vectors } = ingested;
        let mut documents = self.manifest.documents.clone();
        let known = documents.iter().position(|old| old.id == info.id);
        let known_name = known.and_then(|at| documents.get(at)).filter(|old| old.file() == info.name);
        let known_name = known_name.map(|old| old.name.clone());
        let mut place = known;
        if let Some(at) = known {
            documents.remove(at);
        }
        if namesake == Namesake::Replace {
            let others = namesakes(&documents, &info.name);
            if others.len() > 1 {
                return Err(ambiguous(&info.name, &documents, &others));
            }
            if let Some(&other) = others.first() {
                documents.remove(other);
                place = place.or(Some(other));
            }
        }
        let name = known_name.unwrap_or_else(|| name_for(&documents, info, folder.as_deref()));
        let is_distinct = name != info.name;
        let entry = Entry {
            id: info.id.clone(),
            name: name.clone(),
            file: is_distinct.then(|| info.name.clone()),
            folder,
            date: info.date.clone(),
            segment: engine::digest(segment),
            vectors: vectors.as_deref().map(engine::digest),
        };
        self.write(&segment_file(&entry.segment), segment)?;
        if let (Some(digest), Some(bytes)) = (&entry.vectors, vectors) {
            self.write(&vectors_file(digest), bytes)?;
        }
        documents.insert(place.unwrap_or(documents.len()).min(documents.len()), entry);
        self.manifest.documents = documents;
        self.write_manifest()?;
        self.sweep()?;
        Ok(Named { name, is_distinct })
    }

    /// Removes the document of this name, id or beginning of an id, and returns its name. It is gone from the directory,
    /// and so is what `undo` would have brought back.
    pub fn remove(&mut self, wanted: &str) -> Result<String, Failure> {
        let at = self.find(wanted)?;
        let name = self.manifest.documents.remove(at).name;
        self.manifest.before = None;
        self.write_manifest()?;
        self.sweep()?;
        Ok(name)
    }

    /// Exchanges the documents and those before the last `index`; returns how many there are now.
    pub fn undo(&mut self) -> Result<usize, Failure> {
        let Some(before) = self.manifest.before.take() else {
            return Err(Failure::Failed(format!(
                "{}: nothing to undo (the last `pincite index` can be undone, until a `pincite remove`)",
                self.directory.display()
            )));
        };
        self.manifest.before = Some(std::mem::replace(&mut self.manifest.documents, before));
        self.write_manifest()?;
        Ok(self.manifest.documents.len())
    }

    /// Position of the document of this id, name or beginning of an id of six digits or more.
    fn find(&self, wanted: &str) -> Result<usize, Failure> {
        let documents = &self.manifest.documents;
        if let Some(at) = documents.iter().position(|entry| entry.id == wanted) {
            return Ok(at);
        }
        let mut found = namesakes(documents, wanted);
        if found.is_empty() && wanted.len() >= 6 {
            found = positions(documents, |entry| entry.id.starts_with(wanted));
        }
        match found.as_slice() {
            &[at] => Ok(at),
            [] => Err(Failure::Failed(format!("{wanted}: no such document in {}", self.directory.display()))),
            several => Err(ambiguous(wanted, documents, several)),
        }
    }

    /// Writes the manifest when all that it names is on disk.
    fn write_manifest(&self) -> Result<(), Failure> {
        let bytes = serde_json::to_vec_pretty(&self.manifest)
            .map_err(|error| Failure::Failed(format!("manifest: {error}")))?;
        sync_directory(&self.directory)?;
        self.write(MANIFEST, &bytes)?;
        sync_directory(&self.directory)
    }

    /// Writes a file whole or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.directory.join(name);
        let temporary = self.directory.join(format!("{name}.{}{TEMPORARY}", std::process::id()));
        let written = File::create(&temporary)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&temporary, &path));
        written.map_err(|error| Failure::io(&path, &error))
    }

    /// Removes segments and vectors that the manifest does not name, and what a killed process was writing.
    fn sweep(&self) -> Result<(), Failure> {
        let Manifest { format: _, documents, before } = &self.manifest;
        let entries = documents.iter().chain(before.iter().flatten());
        let named: BTreeSet<String> = entries.flat_map(Entry::files).collect();
        for item in
            fs::read_dir(&self.directory).map_err(|error| Failure::io(&self.directory, &error))?.flatten()
        {
            let name = item.file_name().to_string_lossy().into_owned();
            let stem = name.split('.').next().unwrap_or_default();
            if is_temporary(&name) || (is_digest(stem) && !named.contains(&name)) {
                fs::remove_file(item.path()).map_err(|error| Failure::io(&item.path(), &error))?;
            }
        }
        Ok(())
    }
}

impl Entry {
    /// Name of the file.
    fn file(&self) -> &str {
        self.file.as_deref().unwrap_or(&self.name)
    }

    fn files(&self) -> Vec<String> {
        let vectors = self.vectors.as_deref().map(vectors_file);
        std::iter::once(segment_file(&self.segment)).chain(vectors).collect()
    }
}

/// Positions of the documents of this name and of those whose file had it.
fn namesakes(documents: &[Entry], name: &str) -> Vec<usize> {
    positions(documents, |entry| entry.name == name || entry.file() == name)
}

fn positions(documents: &[Entry], is_wanted: impl Fn(&Entry) -> bool) -> Vec<usize> {
    documents.iter().enumerate().filter(|(_, entry)| is_wanted(entry)).map(|(at, _)| at).collect()
}

/// Name for a new document: the file's, or one with its folder, its date or a number. A folder or date that a namesake
/// has too does not tell them apart.
fn name_for(documents: &[Entry], info: &engine::DocumentInfo, folder: Option<&str>) -> String {
    let others: Vec<&Entry> =
        namesakes(documents, &info.name).into_iter().filter_map(|at| documents.get(at)).collect();
    let folder = folder.filter(|&folder| others.iter().all(|other| other.folder.as_deref() != Some(folder)));
    let date =
        info.date.as_deref().filter(|&date| others.iter().all(|other| other.date.as_deref() != Some(date)));
    let marks: Vec<&str> = folder.into_iter().chain(date).collect();
    engine::distinct_name(&info.name, &marks, &|name| documents.iter().any(|other| other.name == name))
}

fn ambiguous(name: &str, documents: &[Entry], which: &[usize]) -> Failure {
    let told = which.iter().filter_map(|&at| documents.get(at)).map(|entry| {
        let id = entry.id.get(..12).unwrap_or(&entry.id);
        let folder = entry.folder.as_deref().map(|folder| format!(", from {folder}")).unwrap_or_default();
        let date = entry.date.as_deref().map(|date| format!(", dated {date}")).unwrap_or_default();
        format!("{id} ({}{folder}{date})", entry.name)
    });
    let told: Vec<String> = told.collect();
    Failure::Failed(format!(
        "{name}: {} documents have this name, give the id of one: {}",
        told.len(),
        told.join("; ")
    ))
}

/// Writes the names in a directory to disk: without, a file that was renamed may be gone after a loss of power.
fn sync_directory(directory: &Path) -> Result<(), Failure> {
    if cfg!(unix) {
        File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(|error| Failure::io(directory, &error))?;
    }
    Ok(())
}

/// Takes the library's lock; fails if another process has it.
fn lock(directory: &Path) -> Result<File, Failure> {
    let path = directory.join(LOCK);
    let file = File::create(&path).map_err(|error| Failure::io(&path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(Failure::Failed(format!("{}: another process is writing this library", directory.display())))
        }
        Err(std::fs::TryLockError::Error(error)) => Err(Failure::io(&path, &error)),
    }
}

fn segment_file(digest: &str) -> String {
    format!("{digest}.segment")
}

fn vectors_file(digest: &str) -> String {
    format!("{digest}.vectors")
}

/// True for a file that a process was writing: the manifest, a segment or vectors.
fn is_temporary(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    name.ends_with(TEMPORARY) && (is_digest(stem) || name.starts_with(MANIFEST))
}

fn is_digest(stem: &str) -> bool {
    stem.len() == 64 && stem.bytes().all(|b| b.is_ascii_hexdigit())
}
