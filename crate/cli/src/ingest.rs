//! Files into documents, on several threads.
//!
//! A thread that is free embeds a batch of the first document that has one left; where none has, it reads the next file.
//! So all threads embed one long document, and the next file is read while the last batches of the one before are
//! embedded. Documents are handed over on the calling thread in the order of their files, whichever was ready first.
//!
//! Memory is bounded: at most one document for each thread is held beside the one that is handed over next, and no more
//! than [`HELD_BYTES`] of files, but for a larger one, which is held alone.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

use encoder::Session;
use engine::{DocumentInfo, Embedder as _, IngestOptions, Library, Progress, TokenCount};

use crate::embedding::{Batch, Batches, lock};
use crate::failure::Failure;
use crate::input::{ReadArgs, name_of};
use crate::model::LazyModel;
use crate::store::Ingested;
use crate::terminal::{clear_progress, show_progress};

/// Bytes of files whose documents are held at once.
const HELD_BYTES: u64 = 64 << 20;

/// Stack of a thread in bytes: that of the main thread.
const STACK: usize = 8 << 20;

/// Called with a file and its document, or why there is none.
pub(crate) type Take<'a> = dyn FnMut(&Path, Result<Ingested, Failure>) -> Result<(), Failure> + 'a;

/// Reading of files on several threads.
#[derive(Clone, Copy)]
pub(crate) struct Ingest<'a> {
    pub(crate) read: &'a ReadArgs,
    pub(crate) options: &'a IngestOptions,
    pub(crate) tokens: &'a (dyn TokenCount + Sync),
    /// Embedding model; `None` to embed nothing.
    pub(crate) model: Option<&'a LazyModel<'a>>,
    pub(crate) n_threads: NonZeroUsize,
}

impl Ingest<'_> {
    /// Reads the files and embeds their passages. `take` is called in the order of the files; its failure ends the run.
    pub(crate) fn run(&self, files: &[PathBuf], take: &mut Take<'_>) -> Result<(), Failure> {
        let sizes =
            files.iter().map(|file| fs::metadata(file).map_or(0, |metadata| metadata.len())).collect();
        let queue = Queue { sizes, next: 0, front: 0, held: BTreeMap::new(), has_ended: false };
        let work = Work { ingest: *self, files, queue: Mutex::new(queue), changed: Condvar::new() };
        thread::scope(|scope| {
            let ending = EndOnDrop(&work);
            for number in 0..self.n_threads.get() {
                let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, || work.run());
                if let (0, Err(error)) = (number, thread) {
                    return Err(Failure::Failed(format!("no thread could be started: {error}")));
                }
            }
            for file in files {
                let Some(done) = work.wait() else {
                    return Err(Failure::Failed("a thread ended early".to_owned()));
                };
                clear_progress();
                take(file, done)?;
                work.go_on();
            }
            drop(ending);
            Ok(())
        })
    }
}

/// Files of a run, shared by its threads.
struct Work<'a> {
    ingest: Ingest<'a>,
    files: &'a [PathBuf],
    queue: Mutex<Queue<'a>>,
    changed: Condvar,
}

/// State of the files of a run.
struct Queue<'a> {
    sizes: Vec<u64>,
    /// First file that no thread has begun to read.
    next: usize,
    /// File whose document is handed over next.
    front: usize,
    /// Files from `front` to `next`.
    held: BTreeMap<usize, Held<'a>>,
    /// True if no thread begins anything more.
    has_ended: bool,
}

/// State of a file that was begun.
enum Held<'a> {
    Reading,
    Embedding(Box<Unembedded<'a>>),
    Done(Result<Box<Ingested>, Failure>),
    HandedOver,
}

/// Document whose passages are being embedded.
struct Unembedded<'a> {
    session: &'a Session,
    library: Library,
    info: DocumentInfo,
    segment: Vec<u8>,
    /// Passages that are embedded.
    rows: Vec<usize>,
    batches: Batches,
}

/// Work of a thread.
enum Task<'a> {
    Read(usize),
    Embed(usize, Batch, &'a Session),
}

impl<'a> Work<'a> {
    /// Works until there is nothing to do.
    fn run(&self) {
        let ending = EndOnDrop(self);
        while let Some(task) = self.task() {
            match task {
                Task::Read(file) => {
                    let held = self.read(file).unwrap_or_else(|failure| Held::Done(Err(failure)));
                    self.lock().held.insert(file, held);
                }
                Task::Embed(file, batch, session) => {
                    let vectors = batch.embed(session);
                    self.lock().put(file, &batch, vectors);
                }
            }
            self.changed.notify_all();
        }
        // Here all are handed over, or the run has ended: only a panic ends it for the others.
        drop(ending);
    }

    /// The next task; waits for one, `None` when none will come.
    fn task(&self) -> Option<Task<'a>> {
        let mut queue = self.lock();
        loop {
            if queue.has_ended || queue.front == self.files.len() {
                return None;
            }
            if let Some(task) = queue.batch().or_else(|| queue.file(self.ingest.n_threads)) {
                return Some(task);
            }
            queue = self.sleep(queue);
        }
    }

    /// Reads a file; what it holds is embedded if there is something to embed it with.
    fn read(&self, file: usize) -> Result<Held<'a>, Failure> {
        let Ingest { read, options, tokens, model, .. } = self.ingest;
        let Some(path) = self.files.get(file) else { return Ok(Held::HandedOver) };
        let name = name_of(path);
        let bytes = read.bytes(path)?;
        let mut show = |progress| self.show(file, &name, progress);
        let segment = engine::ingest(&bytes, &name, options, tokens, &mut show)
            .map_err(|error| Failure::about(path, &error))?;
        drop(bytes);
        let mut library = Library::new();
        let info = library.add(&segment)?;
        let runs = library.passages_without_vectors(&info.id);
        let rows: Vec<usize> = runs.into_iter().flat_map(|[start, end]| start..end).collect();
        let model = model.filter(|_| !rows.is_empty());
        let Some(session) = model.map(LazyModel::session).transpose()?.flatten() else {
            return Ok(Held::Done(Ok(Box::new(Ingested { info, segment, vectors: None }))));
        };
        let batches = Batches::new(library.passages_at(&info.id, &rows));
        Ok(Held::Embedding(Box::new(Unembedded { session, library, info, segment, rows, batches })))
    }

    /// Shows the progress of reading a file if its document is handed over next; breaks where the run has ended.
    fn show(&self, file: usize, name: &str, progress: Progress) -> ControlFlow<()> {
        let queue = self.lock();
        if queue.front == file {
            show_progress(name, progress);
        }
        if queue.has_ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Waits for the document of the first file that was not handed over; `None` if a thread ended early.
    fn wait(&self) -> Option<Result<Ingested, Failure>> {
        let mut queue = self.lock();
        loop {
            if queue.has_ended {
                return None;
            }
            if let Some(done) = queue.hand_over() {
                // Outside the lock: the threads go on.
                drop(queue);
                return Some(match done {
                    Held::Embedding(unembedded) => unembedded.finish(),
                    Held::Done(done) => done.map(|ingested| *ingested),
                    Held::Reading | Held::HandedOver => return None,
                });
            }
            queue = self.sleep(queue);
        }
    }

    /// Lets the document go that was handed over.
    fn go_on(&self) {
        let mut queue = self.lock();
        let front = queue.front;
        queue.held.remove(&front);
        queue.front += 1;
        drop(queue);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queue<'a>> {
        lock(&self.queue)
    }

    fn sleep<'g>(&self, queue: MutexGuard<'g, Queue<'a>>) -> MutexGuard<'g, Queue<'a>> {
        self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Queue<'a> {
    /// A batch of the first document that has one left.
    fn batch(&mut self) -> Option<Task<'a>> {
        self.held.iter_mut().find_map(|(&file, held)| match held {
            Held::Embedding(unembedded) => {
                Some(Task::Embed(file, unembedded.batches.deal()?, unembedded.session))
            }
            Held::Reading | Held::Done(_) | Held::HandedOver => None,
        })
    }

    /// The next file, if there is room for its document.
    fn file(&mut self, n_threads: NonZeroUsize) -> Option<Task<'a>> {
        let size = *self.sizes.get(self.next)?;
        let held_bytes: u64 = self.held.keys().filter_map(|&file| self.sizes.get(file)).sum();
        let has_room = self.held.len() <= n_threads.get() && held_bytes.saturating_add(size) <= HELD_BYTES;
        if !has_room && !self.held.is_empty() {
            return None;
        }
        self.held.insert(self.next, Held::Reading);
        self.next += 1;
        Some(Task::Read(self.next - 1))
    }

    /// Takes the vectors of a batch.
    fn put(&mut self, file: usize, batch: &Batch, vectors: Result<Vec<Vec<f32>>, Failure>) {
        let Some(Held::Embedding(unembedded)) = self.held.get_mut(&file) else { return };
        unembedded.batches.put(batch, vectors);
        if self.front == file {
            show_progress(&unembedded.info.name, unembedded.batches.progress());
        }
    }

    /// The document that is handed over next, if it is ready.
    fn hand_over(&mut self) -> Option<Held<'a>> {
        let held = self.held.get_mut(&self.front)?;
        let is_ready = match held {
            Held::Embedding(unembedded) => unembedded.batches.is_done(),
            Held::Done(_) => true,
            Held::Reading | Held::HandedOver => false,
        };
        is_ready.then(|| std::mem::replace(held, Held::HandedOver))
    }
}

impl Unembedded<'_> {
    /// The document with its vectors.
    fn finish(self) -> Result<Ingested, Failure> {
        let Self { session, mut library, info, segment, rows, batches } = self;
        let vectors: BTreeMap<usize, Vec<f32>> = rows.into_iter().zip(batches.into_vectors()?).collect();
        let stored = library.put_single_vectors(&info.id, vectors, session.fingerprint())?;
        let vectors = stored.into_iter().flat_map(|run| run.bytes).collect();
        Ok(Ingested { info, segment, vectors: Some(vectors) })
    }
}

/// Ends the run when it is dropped: where handing over failed, or a thread panics, nobody waits for ever.
struct EndOnDrop<'w, 'a>(&'w Work<'a>);

impl Drop for EndOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of files that are begun before one is done.
    fn n_begun(sizes: &[u64], n_threads: usize) -> usize {
        let sizes = sizes.to_vec();
        let mut queue = Queue { sizes, next: 0, front: 0, held: BTreeMap::new(), has_ended: false };
        let n_threads = NonZeroUsize::new(n_threads).unwrap();
        std::iter::from_fn(|| queue.file(n_threads)).count()
    }

    #[test]
    fn few_files_are_held_at_once_and_a_large_one_alone() {
        let large = HELD_BYTES + 1;
        let cases: &[(&[u64], usize, usize)] = &[
            (&[], 2, 0),
            (&[1; 9], 1, 2),
            (&[1; 9], 4, 5),
            (&[large, 1, 1], 4, 1),
            (&[1, 1, large, 1], 4, 2),
            (&[HELD_BYTES / 2; 9], 4, 2),
            (&[0, u64::MAX], 1, 1),
        ];
        for &(sizes, n_threads, expected) in cases {
            assert_eq!(n_begun(sizes, n_threads), expected, "{sizes:?} on {n_threads} threads");
        }
    }
}
