//! Advance widths of the 256 codes of a simple font and of the CIDs of a composite font.

use lopdf::{Dictionary, Object};

use crate::objects::{Objects, integer, number};

/// Maximum width in ems; larger ones are mistakes.
const MAX_WIDTH: f64 = 10.0;
/// Maximum CIDs by which the completeness of a map is judged.
const MAX_MEASURED: usize = 4_000;
/// Maximum ranges of one `W` array.
const MAX_RANGES: usize = 100_000;
/// Steps of a range: it is read and sorted.
const RANGE: usize = 20;

/// `Widths` from `FirstChar` on, in glyph space units; `None` for codes without a width.
pub(crate) fn simple<'a>(objects: &Objects<'a>, font: &'a Dictionary) -> [Option<f64>; 256] {
    let mut widths = [None; 256];
    let first = objects.integer(font, b"FirstChar").and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    if let Some(array) = objects.array(font, b"Widths") {
        for (slot, object) in widths.iter_mut().skip(first).zip(array) {
            *slot = number(objects.resolve(object));
        }
    }
    widths
}

/// Converts a width from thousandths of an em to ems, clamped to the maximum.
pub(crate) fn em(thousandths: f64) -> f64 {
    (thousandths / 1000.0).clamp(-MAX_WIDTH, MAX_WIDTH)
}

/// Widths of a CIDFont in ems.
#[derive(Clone, Debug)]
pub(crate) struct CidWidths {
    default: f64,
    ranges: Vec<WidthRange>,
    default_height: f64,
    heights: Vec<WidthRange>,
}

/// Consecutive CIDs with one width.
#[derive(Clone, Copy, Debug)]
struct WidthRange {
    first: u32,
    last: u32,
    value: f64,
}

impl CidWidths {
    /// Reads `DW`, `W`, `DW2` and `W2` of a CIDFont dictionary.
    pub(crate) fn read<'a>(objects: &Objects<'a>, font: &'a Dictionary) -> Self {
        let default = em(objects.number(font, b"DW").unwrap_or(1000.0));
        let [_, height] = objects.numbers(font, b"DW2").unwrap_or([880.0, -1000.0]);
        let ranges = read_ranges(objects, objects.array(font, b"W").unwrap_or_default(), |[width]| width);
        let heights = objects.array(font, b"W2").unwrap_or_default();
        let heights = read_ranges(objects, heights, |[height, _, _]| height);
        Self { default, ranges, default_height: em(height), heights }
    }

    /// CIDs with a width of their own: usually the glyphs of a subset. At most [`MAX_MEASURED`].
    pub(crate) fn measured(&self) -> impl Iterator<Item = u32> {
        self.ranges.iter().take(MAX_MEASURED).map(|range| range.first).filter(|&cid| cid != 0)
    }

    /// Number of ranges of CIDs with a width or height of their own.
    pub(crate) fn n_ranges(&self) -> usize {
        self.ranges.len() + self.heights.len()
    }

    /// Horizontal advance of a CID in ems.
    pub(crate) fn width(&self, cid: u32) -> f64 {
        find(&self.ranges, cid).unwrap_or(self.default)
    }

    /// Vertical advance of a CID in ems; negative is down.
    pub(crate) fn height(&self, cid: u32) -> f64 {
        find(&self.heights, cid).unwrap_or(self.default_height)
    }
}

/// Reads a `W` or `W2` array: `c [a b c]` has one entry per CID, `first last a` one for all. An entry is `N` numbers,
/// of which `value` picks the advance.
fn read_ranges<'a, const N: usize>(
    objects: &Objects<'a>,
    array: &'a [Object],
    value: impl Fn([f64; N]) -> f64,
) -> Vec<WidthRange> {
    let mut ranges = Vec::new();
    let mut rest = array.iter().map(|object| objects.resolve(object));
    while let Some(first) = rest.next() {
        let Some(first) = integer(first).and_then(|n| u32::try_from(n).ok()) else { continue };
        match rest.next() {
            Some(Object::Array(items)) => {
                for (offset, chunk) in (0u32..).zip(items.chunks_exact(N)) {
                    let mut numbers = [0.0; N];
                    for (slot, item) in numbers.iter_mut().zip(chunk) {
                        *slot = number(objects.resolve(item)).unwrap_or(0.0);
                    }
                    let cid = first.saturating_add(offset);
                    push(&mut ranges, WidthRange { first: cid, last: cid, value: em(value(numbers)) });
                }
            }
            Some(last) => {
                let Some(last) = integer(last).and_then(|n| u32::try_from(n).ok()) else { continue };
                let mut numbers = [0.0; N];
                for slot in &mut numbers {
                    *slot = rest.next().and_then(number).unwrap_or(0.0);
                }
                push(&mut ranges, WidthRange { first, last, value: em(value(numbers)) });
            }
            None => break,
        }
    }
    objects.meter.steps(ranges.len().saturating_mul(RANGE));
    ranges.sort_by_key(|range| range.first);
    ranges
}

fn push(ranges: &mut Vec<WidthRange>, range: WidthRange) {
    if ranges.len() < MAX_RANGES && range.first <= range.last {
        ranges.push(range);
    }
}

fn find(ranges: &[WidthRange], cid: u32) -> Option<f64> {
    let end = ranges.partition_point(|range| range.first <= cid);
    ranges.get(..end)?.iter().rev().take(16).find(|range| cid <= range.last).map(|range| range.value)
}

#[cfg(test)]
mod tests {
    use lopdf::{Document, dictionary};

    use super::*;
    use crate::Limits;

    #[test]
    fn lists_and_ranges_of_a_w_array_are_both_read() {
        let font = dictionary! {
            "DW" => 500,
            "W" => vec![
                10.into(), vec![250.into(), 333.into()].into(),
                20.into(), 29.into(), 600.into(),
            ],
            "W2" => vec![30.into(), 31.into(), (-900).into(), 450.into(), 800.into()],
        };
        let (document, limits) = (Document::new(), Limits::default());
        let meter = crate::meter::Meter::unlimited();
        let objects = Objects { document: &document, limits: &limits, meter: &meter };
        let widths = CidWidths::read(&objects, &font);
        for (cid, width) in [(9, 0.5), (10, 0.25), (11, 0.333), (12, 0.5), (20, 0.6), (29, 0.6), (30, 0.5)] {
            assert_eq!(widths.width(cid), width, "{cid}");
        }
        assert_eq!((widths.height(31), widths.height(10)), (-0.9, -1.0));
    }
}
