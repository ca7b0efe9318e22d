//! Stored bytes: versioned, checksummed, the same for the same input.
//!
//! A file is a header, a table of sections, and the sections; all numbers little-endian. Metadata is
//! `postcard`; words and postings are delta-coded varints (a third of the raw arrays, and the less there is the
//! less there is to check); vectors are raw `f32`. Each section carries XXH64 of its bytes, and so does the
//! table. A cryptographic hash would cost 30 ms for a 400-page document in a browser and protect against
//! nothing: who can change the bytes can change the hash.
//!
//! Bytes may come from anywhere: lengths are checked before they are used, ranges before they are kept, and
//! reading never panics.

#![deny(clippy::indexing_slicing)]

mod container;
pub(crate) mod cursor;
pub(crate) mod links;
pub(crate) mod segment;
pub(crate) mod vectors;

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test that panics has failed")]
mod tests;

/// The version of the stored form that this build writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 3;
