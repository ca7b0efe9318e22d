//! Files, threads and requests of the faces outside a browser, the command line and the Python package: a library and a model
//! on disk, embedding and comparing on threads, a language model over HTTP.
//!
//! Here are the files, threads and requests that `engine` has none of. Nothing is printed: callers are told, and print
//! what their users are to read.

pub mod comparing;
pub mod embedding;
pub mod endpoint;
pub mod failure;
pub mod model;
pub mod plain_text;
pub mod store;

/// The legal thesaurus that ships: a group of words for one concept a line.
pub const LEGAL_THESAURUS: &str = include_str!("../../../models/thesaurus/legal.txt");
