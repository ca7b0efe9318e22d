//! The index: documents with their postings and vectors, as stored and as searched.
//!
//! A document is one immutable [`Segment`]: the document itself and the postings of its units (children, articles,
//! notes). Vectors follow in batches ([`VectorBatch`]), so that a browser can save each batch as it is made. An [`Index`]
//! is a list of segments with their vectors; a clone is a consistent snapshot.
//!
//! Segments and batches are stored separately, as versioned, checksummed bytes. The same input gives the same bytes. The
//! collection statistics of BM25 are summed per query, so adding or removing a document touches nothing else.
//!
//! A chunk takes 1.4 kB on disk and 3.0 kB in memory (text, word positions, blocks and postings), and its vector of 384
//! numbers 1.5 and 1.9 kB. A segment is decoded at some 850 MB/s, vectors as fast as memory is copied
//! (`examples/decode.rs`).
//!
//! This crate knows no query, no ranking formula and no model.

mod chunk_set;
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
pub use graph::{Graph, MAX_NEIGHBOURS, MAX_PLACE, Relation};
pub use lexical::collection::{Collection, Stats};
pub use lexical::posting_list::{Posting, PostingList};
pub use lexical::postings::{Postings, UnitLength};
pub use lexical::stats::TermStats;
pub use lexical::term_slots::TermKey;
pub use library::{Entry, Index};
pub use segment::{Segment, Unit};
pub use vector::batch::{VectorBatch, Vectors};
