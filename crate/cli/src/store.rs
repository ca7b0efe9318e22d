//! Library on disk: a directory of immutable files and a manifest that names the current ones.
//!
//! ```text
//! LIB/manifest.json      {"format": 1, "documents": [{"id", "name", "segment", "vectors"}]}
//! LIB/<sha256>.segment   a document with its postings        LIB/<sha256>.vectors   its vectors
//! ```
//! A file is written under a temporary name, flushed and renamed; the manifest last. An interrupted write leaves the
//! library of before or of after. The next write removes files that the manifest does not name.

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

#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    documents: Vec<Entry>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    id: String,
    name: String,
    segment: String,
    vectors: Option<String>,
}

/// Path and content of a file.
type Bytes = (PathBuf, Vec<u8>);

/// Library directory with its manifest.
pub(crate) struct Store {
    directory: PathBuf,
    manifest: Manifest,
    /// Lock of a writing process; the system releases it when the process ends.
    _lock: Option<File>,
}

impl Store {
    /// Opens the library in `directory` for reading.
    pub(crate) fn open(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join("manifest.json");
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
        for file in manifest.documents.iter().flat_map(Entry::files) {
            if !is_digest(file.split('.').next().unwrap_or_default()) {
                return Err(damaged("names a file outside the library"));
            }
        }
        Ok(Self { directory: directory.to_owned(), manifest, _lock: None })
    }

    /// Opens the library in `directory` for writing, by one process at a time.
    pub(crate) fn open_to_write(directory: &Path) -> Result<Self, Failure> {
        // Opened twice: first to see that it is a library, then under the lock, since another process may have written.
        Self::open(directory)?;
        let lock = lock(directory)?;
        Ok(Self { _lock: Some(lock), ..Self::open(directory)? })
    }

    /// Opens the library in `directory` for writing; creates it if there is none.
    pub(crate) fn open_or_create(directory: &Path) -> Result<Self, Failure> {
        if directory.join("manifest.json").exists() {
            return Self::open_to_write(directory);
        }
        fs::create_dir_all(directory).map_err(|error| Failure::io(directory, &error))?;
        let is_empty =
            fs::read_dir(directory).map_err(|error| Failure::io(directory, &error))?.next().is_none();
        if !is_empty {
            return Err(Failure::Failed(format!("{}: not empty and not a library", directory.display())));
        }
        let manifest = Manifest { format: FORMAT, documents: Vec::new() };
        let store = Self { directory: directory.to_owned(), manifest, _lock: Some(lock(directory)?) };
        store.write_manifest()?;
        Ok(store)
    }

    /// Loads the library into memory.
    pub(crate) fn load(&self) -> Result<Library, Failure> {
        let mut library = Library::new();
        self.for_files(&mut |segment, vectors| {
            let (path, bytes) = segment;
            library.add(&bytes).map_err(|error| Failure::about(&path, &error))?;
            if let Some((path, bytes)) = vectors {
                library.add_vectors(&bytes).map_err(|error| Failure::about(&path, &error))?;
            }
            Ok(())
        })?;
        Ok(library)
    }

    /// Loads the index alone, to measure rankings.
    pub(crate) fn index(&self) -> Result<Index, Failure> {
        let mut index = Index::default();
        self.for_files(&mut |segment, vectors| {
            let about = |path: &Path, error| Failure::about(path, &engine::Error::from(error));
            let (path, bytes) = segment;
            let segment = Segment::decode(&bytes).map_err(|error| about(&path, error))?;
            index.insert(Arc::new(segment));
            if let Some((path, bytes)) = vectors {
                let batch = VectorBatch::decode(&bytes).map_err(|error| about(&path, error))?;
                index.add_vectors(Arc::new(batch)).map_err(|error| about(&path, error))?;
            }
            Ok(())
        })?;
        Ok(index)
    }

    /// Calls `f` with the segment of each document and its vectors, if any.
    fn for_files(
        &self,
        f: &mut dyn FnMut(Bytes, Option<Bytes>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let read = |file: &str| {
            let path = self.directory.join(file);
            fs::read(&path).map(|bytes| (path.clone(), bytes)).map_err(|error| Failure::io(&path, &error))
        };
        for entry in &self.manifest.documents {
            let vectors = entry.vectors.as_deref().map(|digest| read(&vectors_file(digest))).transpose()?;
            f(read(&segment_file(&entry.segment))?, vectors)?;
        }
        Ok(())
    }

    /// Writes a document; it replaces the one of the same name or the same bytes.
    pub(crate) fn put(
        &mut self,
        info: &engine::DocumentInfo,
        segment: &[u8],
        vectors: Option<&[u8]>,
    ) -> Result<(), Failure> {
        let entry = Entry {
            id: info.id.clone(),
            name: info.name.clone(),
            segment: engine::digest(segment),
            vectors: vectors.map(engine::digest),
        };
        self.write(&segment_file(&entry.segment), segment)?;
        if let (Some(digest), Some(bytes)) = (&entry.vectors, vectors) {
            self.write(&vectors_file(digest), bytes)?;
        }
        let documents = &mut self.manifest.documents;
        let at = documents.iter().position(|old| old.name == entry.name || old.id == entry.id);
        documents.retain(|old| old.name != entry.name && old.id != entry.id);
        documents.insert(at.unwrap_or(documents.len()).min(documents.len()), entry);
        self.write_manifest()?;
        self.sweep()
    }

    /// Removes the document of this id or name; false if there is none.
    pub(crate) fn remove(&mut self, id_or_name: &str) -> Result<bool, Failure> {
        let before = self.manifest.documents.len();
        self.manifest.documents.retain(|entry| entry.id != id_or_name && entry.name != id_or_name);
        if self.manifest.documents.len() == before {
            return Ok(false);
        }
        self.write_manifest()?;
        self.sweep()?;
        Ok(true)
    }

    fn write_manifest(&self) -> Result<(), Failure> {
        let bytes = serde_json::to_vec_pretty(&self.manifest)
            .map_err(|error| Failure::Failed(format!("manifest: {error}")))?;
        self.write("manifest.json", &bytes)
    }

    /// Writes a file whole or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.directory.join(name);
        let temporary = self.directory.join(format!("{name}.{}.tmp", std::process::id()));
        let written = File::create(&temporary)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&temporary, &path));
        written.map_err(|error| Failure::io(&path, &error))
    }

    /// Removes segments and vectors that the manifest does not name.
    fn sweep(&self) -> Result<(), Failure> {
        let named: BTreeSet<String> = self.manifest.documents.iter().flat_map(Entry::files).collect();
        for item in
            fs::read_dir(&self.directory).map_err(|error| Failure::io(&self.directory, &error))?.flatten()
        {
            let name = item.file_name().to_string_lossy().into_owned();
            let stem = name.split('.').next().unwrap_or_default();
            if is_digest(stem) && !named.contains(&name) {
                fs::remove_file(item.path()).map_err(|error| Failure::io(&item.path(), &error))?;
            }
        }
        Ok(())
    }
}

impl Entry {
    fn files(&self) -> Vec<String> {
        let vectors = self.vectors.as_deref().map(vectors_file);
        std::iter::once(segment_file(&self.segment)).chain(vectors).collect()
    }
}

/// Takes the library's lock; fails if another process has it.
fn lock(directory: &Path) -> Result<File, Failure> {
    let path = directory.join("lock");
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

fn is_digest(stem: &str) -> bool {
    stem.len() == 64 && stem.bytes().all(|b| b.is_ascii_hexdigit())
}
