//! Late interaction on all processors: passages compared with a question token by token.

use std::num::NonZero;
use std::thread;

use encoder::Session;
use engine::{Comparison, Embedder as _, TokenMatches};

use crate::failure::Failure;

/// Compares the passages, in their order, a share of them on each processor.
pub fn compare(session: &Session, comparison: &Comparison) -> Result<Vec<Option<TokenMatches>>, Failure> {
    let Comparison { query, passages } = comparison;
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let share = passages.len().div_ceil(n_threads).max(1);
    let compared = thread::scope(|scope| {
        let shares: Vec<_> =
            passages.chunks(share).map(|share| scope.spawn(move || session.compare(query, share))).collect();
        shares
            .into_iter()
            .map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Vec<_>>()
    });
    let mut matches = Vec::with_capacity(passages.len());
    for share in compared {
        matches.extend(share.map_err(engine::Error::from)?.into_iter().map(Some));
    }
    Ok(matches)
}
