//! Container of segments and vectors: a file of named sections.
//!
//! ```text
//! "pincite\0"  kind [8]  version u32  n_sections u32
//! n_sections × ( name [8]  length u64  xxh64 u64 )
//! xxh64 of everything above u64
//! the sections, one after the other
//! ```

use document::{Pace, Slice as _};
use xxhash_rust::xxh64::{Xxh64, xxh64};

use super::FORMAT_VERSION;
use crate::{Error, ErrorKind};
use document::cursor::Cursor;

const MAGIC: &[u8; 8] = b"pincite\0";
/// Seed of the checksums.
const SEED: u64 = 0;
/// Bytes that are summed between two looks at the pace, and how many take as long as one that is decoded.
const SUMMED: usize = 1 << 18;
const SUM_COST: usize = 4;

/// Writes a file from its sections.
pub fn write(kind: &'static str, sections: &[(&'static str, Vec<u8>)]) -> Vec<u8> {
    let n_bytes = sections.iter().map(|(_, body)| body.len()).sum();
    let mut writer = Writer::new(kind, sections.len(), n_bytes);
    for (name, body) in sections {
        writer.section(name, |out| out.extend_from_slice(body));
    }
    writer.finish()
}

/// A file that is written section by section, each straight into its place: a large one is never there twice.
pub struct Writer {
    /// Header above the sections, without its checksum.
    head: Vec<u8>,
    /// The file, with zeros where the head comes.
    out: Vec<u8>,
}

impl Writer {
    /// A file of that many sections, which take about `n_bytes`.
    pub fn new(kind: &'static str, n_sections: usize, n_bytes: usize) -> Self {
        let n_head = 32 + 24 * n_sections;
        let mut head = Vec::with_capacity(n_head);
        head.extend_from_slice(MAGIC);
        head.extend_from_slice(&name8(kind));
        head.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        head.extend_from_slice(&(n_sections as u32).to_le_bytes());
        let mut out = Vec::with_capacity(n_head + n_bytes);
        out.resize(n_head, 0);
        Self { head, out }
    }

    /// Writes the next section, which `append` adds to what is there.
    pub fn section(&mut self, name: &str, append: impl FnOnce(&mut Vec<u8>)) {
        let start = self.out.len();
        append(&mut self.out);
        let body = self.out.slice(start..);
        self.head.extend_from_slice(&name8(name));
        self.head.extend_from_slice(&(body.len() as u64).to_le_bytes());
        self.head.extend_from_slice(&xxh64(body, SEED).to_le_bytes());
    }

    /// The whole file, after its last section.
    pub fn finish(self) -> Vec<u8> {
        let Self { mut head, mut out } = self;
        let hash = xxh64(&head, SEED);
        head.extend_from_slice(&hash.to_le_bytes());
        for (to, from) in out.iter_mut().zip(head) {
            *to = from;
        }
        out
    }
}

/// Reads the sections of the first of several files that are written one after the other, which must be exactly those
/// named, in order; and gives the bytes after it.
pub fn read_first<'a, const N: usize>(
    bytes: &'a [u8],
    kind: &'static str,
    names: [&'static str; N],
) -> Result<([&'a [u8]; N], &'a [u8]), Error> {
    let (table, rest) = read_table(bytes, kind, names)?;
    for ((body, hash), name) in table.iter().zip(names) {
        if xxh64(body, SEED) != *hash {
            return Err(Error::damaged(name));
        }
    }
    Ok((table.map(|(body, _)| body), rest))
}

/// Reads the sections of a file, which must be exactly those named, in order.
pub fn read<'a, const N: usize>(
    bytes: &'a [u8],
    kind: &'static str,
    names: [&'static str; N],
) -> Result<[&'a [u8]; N], Error> {
    let (sections, rest) = read_first(bytes, kind, names)?;
    nothing_after(rest)?;
    Ok(sections)
}

/// Refuses bytes after the last section.
fn nothing_after(rest: &[u8]) -> Result<(), Error> {
    if rest.is_empty() { Ok(()) } else { Err(Error::damaged("header")) }
}

/// [`read`], step by step.
pub async fn read_paced<'a, const N: usize>(
    bytes: &'a [u8],
    kind: &'static str,
    names: [&'static str; N],
    pace: &Pace,
) -> Result<[&'a [u8]; N], Error> {
    let (table, rest) = read_table(bytes, kind, names)?;
    nothing_after(rest)?;
    for ((body, hash), name) in table.iter().zip(names) {
        let mut sum = Xxh64::new(SEED);
        for piece in body.chunks(SUMMED) {
            sum.update(piece);
            pace.spend(piece.len() / SUM_COST).await;
        }
        if sum.digest() != *hash {
            return Err(Error::damaged(name));
        }
    }
    Ok(table.map(|(body, _)| body))
}

/// Sections with their checksums, not compared yet.
type Table<'a, const N: usize> = [(&'a [u8], u64); N];

/// Sections of a file, and the bytes after it.
fn read_table<'a, const N: usize>(
    bytes: &'a [u8],
    kind: &'static str,
    names: [&'static str; N],
) -> Result<(Table<'a, N>, &'a [u8]), Error> {
    let not_this = || Error::new(ErrorKind::NotThisFormat { expected: kind });
    let header = || Error::damaged("header");
    let mut cursor = Cursor::new(bytes);
    if cursor.array::<8>().as_ref() != Some(MAGIC) || cursor.array::<8>() != Some(name8(kind)) {
        return Err(not_this());
    }
    let found = cursor.u32().ok_or_else(header)?;
    if found != FORMAT_VERSION {
        return Err(Error::new(ErrorKind::Version { found, expected: FORMAT_VERSION }));
    }
    if cursor.u32() != u32::try_from(N).ok() {
        return Err(header());
    }
    let mut table = [(0_usize, 0_u64); N];
    for ((length, hash), name) in table.iter_mut().zip(names) {
        if cursor.array::<8>() != Some(name8(name)) {
            return Err(header());
        }
        *length = cursor.u64().and_then(|length| usize::try_from(length).ok()).ok_or_else(header)?;
        *hash = cursor.u64().ok_or_else(header)?;
    }
    let n_read = bytes.len() - cursor.n_left();
    let above = bytes.get(..n_read).ok_or_else(header)?;
    if cursor.u64() != Some(xxh64(above, SEED)) {
        return Err(header());
    }
    let mut sections = [(&[][..], 0); N];
    for (section, ((length, hash), name)) in sections.iter_mut().zip(table.into_iter().zip(names)) {
        *section = (cursor.take(length).ok_or_else(|| Error::damaged(name))?, hash);
    }
    let rest = bytes.get(bytes.len() - cursor.n_left()..).ok_or_else(header)?;
    Ok((sections, rest))
}

fn name8(name: &str) -> [u8; 8] {
    let mut out = [0; 8];
    for (to, from) in out.iter_mut().zip(name.bytes()) {
        *to = from;
    }
    out
}
