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
//! A chunk takes 1.4 kB on disk and 3.0 kB in memory, text, words and their places, blocks and postings
//! together, and 1.5 and 1.9 kB for a vector of 384 numbers. A segment is read at some 850 MB/s, vectors as fast
//! as memory is copied (`examples/decode.rs`).
//!
//! This crate knows no query, no ranking formula and no model.

mod citations;
mod codec;
mod error;
mod graph;
mod lexical;
mod library;
mod segment;
pub mod vector;

pub use citations::{CitationGraph, CrossCitation, UnitKey};
pub use codec::FORMAT_VERSION;
pub use error::{Error, ErrorKind};
pub use graph::{Graph, MAX_NEIGHBOURS, Relation};
pub use lexical::postings::{Posting, Postings, UnitLength};
pub use lexical::stats::{Stats, TermStats};
pub use library::{Entry, Index};
pub use segment::{Segment, Unit};
pub use vector::batch::{VectorBatch, Vectors};
