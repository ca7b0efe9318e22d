//! The engine's library between Python's threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A library that several threads use: they look at snapshots, and change it one at a time.
#[derive(Default)]
pub struct SharedLibrary(Mutex<engine::Library>);

impl SharedLibrary {
    /// Of a library.
    pub fn new(library: engine::Library) -> Self {
        Self(Mutex::new(library))
    }

    /// The library as it is now. Cheap: documents are shared.
    pub fn snapshot(&self) -> engine::Library {
        self.lock().clone()
    }

    /// Changes the library.
    pub fn change<T>(&self, change: impl FnOnce(&mut engine::Library) -> T) -> T {
        change(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, engine::Library> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
