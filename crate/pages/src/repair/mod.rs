//! Repair of damaged files, and files that lopdf cannot decrypt.
//!
//! `reread` mends single objects of a file that lopdf opened; `rebuild` reads a file that it could not open.

mod crypt;
mod parser;
mod reread;
mod scan;
mod stream;

pub(crate) use reread::reread_broken_objects;
pub(crate) use scan::rebuild;

#[cfg(test)]
mod tests;
