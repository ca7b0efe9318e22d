//! An index in which only the candidates of a question by words have vectors: what `ask FILE` searches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ::index::{Index, VectorBatch};
use document::{DocumentIdx, OrNever as _};
use retrieval::{Options, Query};

/// The index with the vectors of the `n` best candidates by words, and no others.
pub(super) fn embedded(index: &Index, query: &Query<'_>, options: &Options, n: usize) -> Index {
    let mut rows: BTreeMap<DocumentIdx, BTreeSet<usize>> = BTreeMap::new();
    for (document, row) in retrieval::passages_by_words(index, query, options, n) {
        rows.entry(document).or_default().insert(row);
    }
    let mut only = Index::default();
    for (document, entry) in index.iter() {
        only.insert(Arc::clone(entry.segment()));
        let fingerprint = entry.vectors().fingerprint().unwrap_or_default();
        for row in rows.remove(&document).unwrap_or_default() {
            let Some(values) = entry.vectors().row(row) else { continue };
            let digest = &entry.segment().document().digest;
            let start = u32::try_from(row).unwrap_or(u32::MAX);
            let batch = VectorBatch::new(digest, fingerprint, start, &[values.to_vec()]);
            let added = batch.and_then(|batch| only.add_vectors(&batch));
            added.ok().or_never("a vector of the index in its document's copy");
        }
    }
    only
}
