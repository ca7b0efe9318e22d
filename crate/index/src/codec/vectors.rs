//! Stored form of a batch of vectors: `meta` (postcard), `scales` (raw `f32`), `codes` and `rests` (bytes).

use document::OrNever as _;
use serde::{Deserialize, Serialize};

use super::container;
use crate::error::Error;
use crate::lexical::postings::narrow;
use crate::vector::batch::VectorBatch;
use crate::vector::rows::VectorRows;

const KIND: &str = "vectors";
const SECTIONS: [&str; 4] = ["meta", "scales", "codes", "rests"];

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
    let rows = batch.rows();
    let meta = Meta {
        digest: batch.digest(),
        fingerprint: batch.fingerprint(),
        start: batch.start(),
        n_dims: narrow(rows.n_dims()),
    };
    // An empty section is refused when read.
    let meta = postcard::to_allocvec(&meta).ok().or_never("the stored form of plain data");
    let codes = rows.codes().codes().iter().map(|code| code.cast_unsigned()).collect();
    let scales = rows.codes().scales().flat_map(f32::to_le_bytes).collect();
    let [meta_name, scales_name, codes_name, rests_name] = SECTIONS;
    let sections =
        [(meta_name, meta), (scales_name, scales), (codes_name, codes), (rests_name, rows.rests().to_vec())];
    container::write(KIND, &sections)
}

fn decode([meta, scales, codes, rests]: [&[u8]; SECTIONS.len()]) -> Result<VectorBatch, Error> {
    let (meta, rest) = postcard::take_from_bytes::<Meta<'_>>(meta).map_err(|_| Error::damaged("meta"))?;
    if !rest.is_empty() {
        return Err(Error::damaged("meta"));
    }
    let (scales, odd) = scales.as_chunks::<4>();
    if !odd.is_empty() {
        return Err(Error::damaged("scales"));
    }
    let scales = scales.iter().map(|number| f32::from_le_bytes(*number));
    let codes: Vec<i8> = codes.iter().map(|byte| byte.cast_signed()).collect();
    let rows = VectorRows::from_parts(meta.n_dims as usize, scales, &codes, rests);
    let rows = rows.ok_or_else(|| Error::damaged("codes"))?;
    Ok(VectorBatch::from_parts(meta.digest.to_owned(), meta.fingerprint.to_owned(), meta.start, rows))
}
