//! HNSW graph over a library's vectors: derived from the index, built where nothing waits for it.
//!
//! ```no_run
//! # fn main() -> Result<(), engine::Error> {
//! # let mut library = engine::Library::new();
//! if library.wants_graph(engine::Ann::Auto)
//!     && let Some(points) = library.graph_points()
//! {
//!     let links = engine::link_graph(&points)?; // in another thread or worker: it takes minutes
//!     library.set_graph(&links)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The library can be searched and changed at any time. A graph of an older state finds what is still there; vectors
//! added since are scanned. A library without a graph is scanned.

use std::sync::Arc;

use index::Index;
use index::vector::{Ann, Coverage, Exact, Hnsw, HnswParams, HnswSource, HnswView, VectorIndex as _, link};

use crate::error::Error;

/// A new graph pays once fewer than three in four vectors are in the old one.
const LINKED_QUARTERS: usize = 3;

/// Graph over the vectors of an index.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    hnsw: Option<Arc<Hnsw>>,
    /// Coverage of the index by `hnsw`.
    coverage: Arc<Coverage>,
    /// Vectors that were handed out to be linked.
    source: Option<HnswSource>,
}

/// Links the points of [`crate::Library::graph_points`]. Takes minutes for 100,000 vectors.
///
/// # Errors
/// [`crate::Code::IndexDamaged`] and [`crate::Code::IndexVersion`] if the bytes are not graph points.
pub fn link_graph(points: &[u8]) -> Result<Vec<u8>, Error> {
    Ok(link(points, HnswParams::default())?)
}

impl Graph {
    /// True if a new graph would make searches quicker.
    pub(crate) fn is_wanted(&self, index: &Index, ann: Ann) -> bool {
        let n_vectors = n_vectors(index);
        n_vectors > 0 && ann.wants_graph(n_vectors) && self.n_linked() * 4 < n_vectors * LINKED_QUARTERS
    }

    /// Number of the index's vectors that are in the graph.
    pub(crate) fn n_linked(&self) -> usize {
        self.coverage.n_linked()
    }

    /// Vectors of the index as bytes for [`link_graph`]; `None` without vectors.
    pub(crate) fn points(&mut self, index: &Index) -> Option<Vec<u8>> {
        let source = source(index)?;
        let points = source.encode();
        self.source = Some(source);
        Some(points)
    }

    /// Takes the links of the last [`Self::points`].
    pub(crate) fn join(&mut self, index: &Index, links: &[u8]) -> Result<(), Error> {
        let source = self.source.clone();
        let source = source
            .ok_or_else(|| Error::bad_argument("links without graph points: call graph_points first"))?;
        self.hnsw = Some(Arc::new(source.join(links, HnswParams::default())?));
        self.source = None;
        self.update(index);
        Ok(())
    }

    /// Builds the graph in this call.
    pub(crate) fn build(&mut self, index: &Index) {
        self.hnsw = source(index).map(|source| Arc::new(source.build(HnswParams::default())));
        self.update(index);
    }

    /// Brings the coverage up to date. To be called after each change of the index.
    pub(crate) fn update(&mut self, index: &Index) {
        let coverage = self.hnsw.as_ref().map(|hnsw| hnsw.coverage(index));
        self.coverage = Arc::new(coverage.unwrap_or_default());
    }

    /// The graph attached to the index, if there is one and `ann` wants it.
    pub(crate) fn attached<'a>(&'a self, index: &'a Index, ann: Ann) -> Option<HnswView<'a>> {
        let hnsw = self.hnsw.as_ref().filter(|_| ann.wants_graph(n_vectors(index)))?;
        let attached = hnsw.attach_with(index, Arc::clone(&self.coverage));
        Some(if ann == Ann::Hnsw { attached.eager() } else { attached })
    }
}

/// Number of vectors of an index.
pub(crate) fn n_vectors(index: &Index) -> usize {
    Exact::new(index).n_vectors()
}

/// Vectors of the one model that an index has vectors of.
fn source(index: &Index) -> Option<HnswSource> {
    let fingerprint = index.iter().find_map(|(_, entry)| entry.vectors().fingerprint())?;
    Some(HnswSource::of(index, fingerprint))
}
