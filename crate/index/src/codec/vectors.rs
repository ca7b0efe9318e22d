//! Stored form of a batch of vectors: `meta` (postcard), `rows` (raw `f32`).

use document::OrNever as _;
use serde::{Deserialize, Serialize};

use super::container;
use super::cursor::put_all;
use crate::error::Error;
use crate::vector::batch::VectorBatch;

const KIND: &str = "vectors";
const SECTIONS: [&str; 2] = ["meta", "rows"];

#[derive(Serialize, Deserialize)]
struct Meta<'a> {
    digest: &'a str,
    fingerprint: &'a str,
    start: u32,
    n_dims: u32,
}

impl VectorBatch {
    /// The stored form.
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// If the bytes are not vectors, have another format version, or are damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        decode(container::read(bytes, KIND, SECTIONS)?)
    }

    /// Reads the stored forms of one batch or of several, one after the other.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn decode_all(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        let (first, mut rest) = container::read_first(bytes, KIND, SECTIONS)?;
        let mut batches = vec![decode(first)?];
        while !rest.is_empty() {
            let (next, after) = container::read_first(rest, KIND, SECTIONS)?;
            batches.push(decode(next)?);
            rest = after;
        }
        Ok(batches)
    }
}

fn encode(batch: &VectorBatch) -> Vec<u8> {
    let meta = Meta {
        digest: batch.digest(),
        fingerprint: batch.fingerprint(),
        start: batch.start(),
        n_dims: batch.n_dims(),
    };
    // An empty section is refused when read.
    let meta = postcard::to_allocvec(&meta).ok().or_never("the stored form of plain data");
    let rows = put_all(batch.values().iter().map(|value| value.to_le_bytes()));
    let [meta_name, rows_name] = SECTIONS;
    container::write(KIND, &[(meta_name, meta), (rows_name, rows)])
}

fn decode([meta, rows]: [&[u8]; SECTIONS.len()]) -> Result<VectorBatch, Error> {
    let (meta, rest) = postcard::take_from_bytes::<Meta<'_>>(meta).map_err(|_| Error::damaged("meta"))?;
    if !rest.is_empty() {
        return Err(Error::damaged("meta"));
    }
    let (numbers, odd) = rows.as_chunks::<4>();
    if !odd.is_empty() {
        return Err(Error::damaged("rows"));
    }
    let values = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
    VectorBatch::from_parts(
        meta.digest.to_owned(),
        meta.fingerprint.to_owned(),
        meta.start,
        meta.n_dims,
        values,
    )
    .map_err(|_| Error::damaged("rows"))
}
