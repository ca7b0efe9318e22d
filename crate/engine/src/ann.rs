//! The graph over a library's vectors: derived, built where nothing waits for it, never on a question's way.
//!
//! ```no_run
//! # fn main() -> Result<(), engine::Error> {
//! # let mut library = engine::Library::new();
//! if library.wants_graph(engine::Ann::Auto)
//!     && let Some(points) = library.graph_points()
//! {
//!     let links = engine::link_graph(&points)?; // on another thread, or in another worker: it takes minutes
//!     library.set_graph(&links)?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Between the two calls, and after them, the library can be searched and changed as always: a graph of a
//! library as it was finds what is still there, and what has come since is scanned. A library without a graph
//! is scanned.

use std::sync::Arc;

use index::vector::{Ann, Coverage, Exact, Hnsw, HnswParams, HnswSource, HnswView, VectorIndex as _, link};

use crate::error::Error;
use crate::library::Library;

/// A new graph pays once fewer than three in four vectors are in the old one.
const LINKED_QUARTERS: usize = 3;

/// What a library keeps of its graph.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    hnsw: Option<Arc<Hnsw>>,
    /// How `hnsw` stands to the library as it is.
    coverage: Arc<Coverage>,
    /// What was given away to be linked.
    source: Option<HnswSource>,
}

/// Links the vectors of [`Library::graph_points`]: the long part, to be run where nothing else waits.
///
/// # Errors
/// [`crate::Code::IndexDamaged`] and [`crate::Code::IndexVersion`] when the bytes are not what was given.
pub fn link_graph(points: &[u8]) -> Result<Vec<u8>, Error> {
    Ok(link(points, HnswParams::default())?)
}

impl Library {
    /// Whether searches in this way would be quicker with a graph than they are now: there are vectors enough,
    /// and there is no graph or it is of a library that has changed a good deal.
    pub fn wants_graph(&self, ann: Ann) -> bool {
        let n_vectors = self.n_vectors();
        n_vectors > 0
            && ann.wants_graph(n_vectors)
            && self.graph.coverage.n_linked() * 4 < n_vectors * LINKED_QUARTERS
    }

    /// How many of the library's vectors are in the graph.
    pub fn n_linked(&self) -> usize {
        self.graph.coverage.n_linked()
    }

    /// How many vectors the library has.
    pub fn n_vectors(&self) -> usize {
        Exact::new(&self.index).n_vectors()
    }

    /// What a graph of the library as it is now is made from, as bytes for [`link_graph`]: a quarter of the
    /// vectors' size. `None` where there are no vectors.
    pub fn graph_points(&mut self) -> Option<Vec<u8>> {
        let source = self.graph_source()?;
        let points = source.encode();
        self.graph.source = Some(source);
        Some(points)
    }

    /// Takes the links that [`link_graph`] made of the last [`Self::graph_points`].
    ///
    /// # Errors
    /// [`crate::Code::BadArgument`] when no points were given, and as [`link_graph`].
    pub fn set_graph(&mut self, links: &[u8]) -> Result<(), Error> {
        let source = self.graph.source.clone();
        let source = source.ok_or_else(|| Error::bad_argument("links of a graph that nobody asked for"))?;
        self.graph.hnsw = Some(Arc::new(source.join(links, HnswParams::default())?));
        self.graph.source = None;
        self.changed();
        Ok(())
    }

    /// Builds the graph here and now.
    pub fn build_graph(&mut self) {
        self.graph.hnsw = self.graph_source().map(|source| Arc::new(source.build(HnswParams::default())));
        self.changed();
    }

    /// To be called after each change of documents or vectors.
    pub(crate) fn changed(&mut self) {
        let coverage = self.graph.hnsw.as_ref().map(|hnsw| hnsw.coverage(&self.index));
        self.graph.coverage = Arc::new(coverage.unwrap_or_default());
    }

    /// The graph as a way to search, where there is one and it is wanted.
    pub(crate) fn attached(&self, ann: Ann) -> Option<HnswView<'_>> {
        let hnsw = self.graph.hnsw.as_ref().filter(|_| ann.wants_graph(self.n_vectors()))?;
        let attached = hnsw.attach_with(&self.index, Arc::clone(&self.graph.coverage));
        Some(if ann == Ann::Hnsw { attached.eager() } else { attached })
    }

    /// Vectors of the one model that a library has vectors of.
    fn graph_source(&self) -> Option<HnswSource> {
        let fingerprint = self.index.iter().find_map(|(_, entry)| entry.vectors().fingerprint())?;
        Some(HnswSource::of(&self.index, fingerprint))
    }
}
