//! Chunks and vectors to an index: what is stored of a document, and what is searched.
//!
//! A document is one [`Segment`]: the document itself and the postings of its units (children, articles,
//! notes). It never changes. Vectors come later and batch by batch ([`VectorBatch`]), so that a browser can
//! save each batch as it is made. An [`Index`] is a list of segments with what vectors they have; cloning it
//! is a consistent snapshot.
//!
//! Segments and batches are stored apart, as versioned, checksummed bytes. The same input gives the same
//! bytes. Statistics that BM25 needs over all documents are summed when a question is asked, so adding or
//! removing a document touches nothing else.
//!
//! This crate knows no query, no ranking formula and no model.

mod codec;
mod error;
mod graph;
mod lexical;
mod library;
mod segment;
pub mod vector;

pub use codec::FORMAT_VERSION;
pub use error::{Error, ErrorKind};
pub use graph::{Graph, MAX_NEIGHBOURS, Relation};
pub use lexical::postings::{Posting, Postings, UnitLength};
pub use lexical::stats::{Stats, TermStats};
pub use library::{Entry, Index};
pub use segment::{Segment, Unit};
pub use vector::batch::{VectorBatch, Vectors};
