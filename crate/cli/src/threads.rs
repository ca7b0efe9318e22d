//! Number of threads that a verb reads and embeds with.

use std::num::NonZeroUsize;
use std::thread;

/// Threads of a verb.
#[derive(clap::Args)]
pub(crate) struct ThreadArgs {
    /// Threads that read and embed; what is written is the same for any number [default: one per core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// Number of threads.
    pub(crate) fn count(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(one_per_core)
    }
}

/// As many threads as this process may use cores.
pub(crate) fn one_per_core() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
