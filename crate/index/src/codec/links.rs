//! Messages between workers that build a graph: codes of vectors in one direction, links in the other. Never stored.

use super::container;
use crate::Error;
use crate::vector::codes::Codes;
use crate::vector::links::Links;
use document::cursor::{Cursor, put_all};

const POINTS: &str = "points";
const POINT_SECTIONS: [&str; 3] = ["meta", "scales", "codes"];
const LINKS: &str = "links";
const LINK_SECTIONS: [&str; 4] = ["levels", "rows", "base", "upper"];

pub fn encode_points<'a>(n_dims: usize, batches: impl Iterator<Item = &'a Codes> + Clone) -> Vec<u8> {
    let n_rows: usize = batches.clone().map(Codes::n_rows).sum();
    let mut scales = Vec::with_capacity(n_rows * 4);
    let mut codes = Vec::with_capacity(n_rows * n_dims);
    for batch in batches {
        scales.extend(batch.scales().flat_map(f32::to_le_bytes));
        codes.extend(batch.codes().iter().map(|&code| code as u8));
    }
    let [meta_name, scales_name, codes_name] = POINT_SECTIONS;
    let meta = (n_dims as u64).to_le_bytes().to_vec();
    container::write(POINTS, &[(meta_name, meta), (scales_name, scales), (codes_name, codes)])
}

pub fn decode_points(bytes: &[u8]) -> Result<Codes, Error> {
    let [meta, scales, codes] = container::read(bytes, POINTS, POINT_SECTIONS)?;
    let n_dims = Cursor::new(meta).u64().and_then(|n| usize::try_from(n).ok());
    let n_dims = n_dims.ok_or_else(|| Error::damaged("meta"))?;
    let scales = numbers(scales).ok_or_else(|| Error::damaged("scales"))?.map(f32::from_le_bytes).collect();
    let codes = codes.iter().map(|&code| code as i8).collect();
    Codes::from_parts(n_dims, codes, scales).ok_or_else(|| Error::damaged("codes"))
}

pub fn encode_links(links: &Links) -> Vec<u8> {
    let levels = put_all(links.upper().iter().map(|level| (level.len() as u32).to_le_bytes()));
    let upper = links.upper().iter().map(|level| put(level)).collect::<Vec<_>>().concat();
    let [levels_name, rows_name, base_name, upper_name] = LINK_SECTIONS;
    let sections = [
        (levels_name, levels),
        (rows_name, put(links.rows())),
        (base_name, put(links.base())),
        (upper_name, upper),
    ];
    container::write(LINKS, &sections)
}

pub fn decode_links(bytes: &[u8]) -> Result<Links, Error> {
    let [levels, rows, base, upper] = container::read(bytes, LINKS, LINK_SECTIONS)?;
    let take = |bytes, name| {
        let numbers = numbers(bytes).ok_or_else(|| Error::damaged(name))?;
        Ok::<Vec<u32>, Error>(numbers.map(u32::from_le_bytes).collect())
    };
    let mut rest = Cursor::new(upper);
    let mut upper = Vec::new();
    for n in take(levels, "levels")? {
        let level = (n as usize).checked_mul(4).and_then(|n_bytes| rest.take(n_bytes));
        upper.push(take(level.ok_or_else(|| Error::damaged("upper"))?, "upper")?);
    }
    let links = Links::from_parts(take(rows, "rows")?, take(base, "base")?, upper);
    links.filter(|_| rest.n_left() == 0).ok_or_else(|| Error::damaged("base"))
}

fn put(numbers: &[u32]) -> Vec<u8> {
    put_all(numbers.iter().map(|number| number.to_le_bytes()))
}

fn numbers(bytes: &[u8]) -> Option<impl Iterator<Item = [u8; 4]> + '_> {
    let (numbers, odd) = bytes.as_chunks::<4>();
    odd.is_empty().then(|| numbers.iter().copied())
}
