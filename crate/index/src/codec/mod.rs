//! Serialisation: versioned, checksummed bytes, the same for the same input.
//!
//! A file is a header, a table of sections, and the sections, all numbers little-endian. Metadata is `postcard`; words and
//! postings are delta-coded, of a width that is fixed for nearly all of them; vectors have twelve bits a value. The table and
//! each section have an XXH64 checksum. A cryptographic hash would cost 30 ms for a 400-page document in a browser and
//! protect against nothing: an attacker who changes the bytes can change the hash.
//!
//! Bytes are untrusted: lengths and ranges are checked, and decoding never panics.

#![deny(clippy::indexing_slicing)]

mod container;
pub(crate) mod links;
mod postings;
pub(crate) mod segment;
pub(crate) mod vectors;

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test that panics has failed")]
mod soundness;
#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test that panics has failed")]
mod tests;

/// Version of the stored form that this build writes, and the only one that it reads.
pub const FORMAT_VERSION: u32 = 6;

/// Bytes in memory that a stored byte may ask for before what it stands for is read.
const GROWTH: usize = 16;
