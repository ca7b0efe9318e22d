//! Embedding of many texts on several threads, a batch at a time.
//!
//! The vector of a text depends on that text alone, so it has the same bits whichever thread embeds it and whatever else
//! is in its batch.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use encoder::Session;
use engine::{Embedder as _, Progress, Stage};

use crate::failure::Failure;

/// Number of texts of a batch: few, so that the threads end together.
const BATCH: usize = 16;

/// Texts that are dealt to threads batch by batch, and their vectors so far.
pub struct Batches {
    texts: Arc<[String]>,
    vectors: Vec<Vec<f32>>,
    /// Number of texts that threads have taken.
    n_dealt: usize,
    /// Number of texts that threads have returned.
    n_done: usize,
    /// First failure; nothing more is dealt after it.
    failure: Option<Failure>,
}

/// Batch of texts that a thread has taken.
pub struct Batch {
    texts: Arc<[String]>,
    range: Range<usize>,
}

impl Batch {
    /// The vectors of its texts.
    pub fn embed(&self, session: &Session) -> Result<Vec<Vec<f32>>, Failure> {
        let texts = self.texts.get(self.range.clone()).unwrap_or_default();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(session.embed(&texts).map_err(engine::Error::from)?)
    }
}

impl Batches {
    /// Texts of which none has a vector yet.
    pub fn new(texts: Vec<String>) -> Self {
        let vectors = vec![Vec::new(); texts.len()];
        Self { texts: texts.into(), vectors, n_dealt: 0, n_done: 0, failure: None }
    }

    /// The next batch, to be returned by [`Self::put`]; `None` if there is none.
    pub fn deal(&mut self) -> Option<Batch> {
        let end = self.texts.len().min(self.n_dealt + BATCH);
        if self.n_dealt == end || self.failure.is_some() {
            return None;
        }
        let range = self.n_dealt..end;
        self.n_dealt = end;
        Some(Batch { texts: Arc::clone(&self.texts), range })
    }

    /// Takes the vectors of a batch.
    pub fn put(&mut self, batch: &Batch, vectors: Result<Vec<Vec<f32>>, Failure>) {
        self.n_done += batch.range.len();
        match vectors {
            Ok(vectors) => {
                let places = self.vectors.iter_mut().skip(batch.range.start);
                places.zip(vectors).for_each(|(place, vector)| *place = vector);
            }
            Err(failure) => drop(self.failure.get_or_insert(failure)),
        }
    }

    /// True if no batch is left or under way.
    pub fn is_done(&self) -> bool {
        let n_wanted = if self.failure.is_some() { self.n_dealt } else { self.texts.len() };
        self.n_done == n_wanted
    }

    /// Number of texts that have a vector, and of all.
    pub fn progress(&self) -> Progress {
        Progress { stage: Stage::Embed, done: self.n_done, total: self.texts.len() }
    }

    /// The vectors, in the order of the texts.
    pub fn into_vectors(self) -> Result<Vec<Vec<f32>>, Failure> {
        self.failure.map_or(Ok(self.vectors), Err)
    }
}

/// Embeds texts; `show` receives the progress after each batch.
pub fn embed(
    session: &Session,
    texts: Vec<String>,
    n_threads: NonZeroUsize,
    show: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Vec<f32>>, Failure> {
    let n_batches = texts.len().div_ceil(BATCH);
    let batches = Mutex::new(Batches::new(texts));
    let deal = || lock(&batches).deal();
    let work = || {
        while let Some(batch) = deal() {
            let vectors = batch.embed(session);
            let mut batches = lock(&batches);
            batches.put(&batch, vectors);
            show(batches.progress());
        }
    };
    thread::scope(|scope| {
        for _ in 1..n_threads.get().min(n_batches) {
            // This thread does what one that cannot be started would have done.
            drop(thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
    batches.into_inner().unwrap_or_else(PoisonError::into_inner).into_vectors()
}

/// Locks what threads share. A thread that panics ends the command, so nobody reads what it left.
pub fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(n_texts: usize) -> Batches {
        Batches::new((0..n_texts).map(|text| text.to_string()).collect())
    }

    /// A vector for each text: its number.
    fn vectors(batch: &Batch) -> Result<Vec<Vec<f32>>, Failure> {
        Ok(batch.range.clone().map(|text| vec![text as f32]).collect())
    }

    #[test]
    fn vectors_are_in_the_order_of_their_texts_in_whatever_order_batches_return() {
        for n_texts in [0, 1, BATCH, 3 * BATCH + 1] {
            let mut batches = batches(n_texts);
            let mut dealt: Vec<Batch> = std::iter::from_fn(|| batches.deal()).collect();
            dealt.reverse();
            for batch in &dealt {
                assert!(!batches.is_done());
                batches.put(batch, vectors(batch));
            }
            assert!(batches.is_done() && batches.progress().done == n_texts);
            let vectors = batches.into_vectors().unwrap();
            assert_eq!(vectors, (0..n_texts).map(|text| vec![text as f32]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn after_a_failure_nothing_is_dealt_and_what_is_under_way_is_waited_for() {
        let mut batches = batches(3 * BATCH);
        let (first, second) = (batches.deal().unwrap(), batches.deal().unwrap());
        batches.put(&first, Err(Failure::Failed("out of memory".to_owned())));
        assert!(batches.deal().is_none() && !batches.is_done());
        batches.put(&second, vectors(&second));
        assert!(batches.is_done() && batches.into_vectors().is_err());
    }
}
