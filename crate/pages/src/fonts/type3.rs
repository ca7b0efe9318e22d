//! Type 3 fonts, whose glyph space is chosen by the font.

use lopdf::Dictionary;

use super::widths;
use crate::objects::{Objects, number};

/// `FontMatrix`, or the usual one of a thousand units per em.
pub(super) fn font_matrix<'a>(objects: &Objects<'a>, font: &'a Dictionary) -> [f64; 6] {
    let matrix = objects.numbers::<6>(font, b"FontMatrix");
    matrix.filter(|m| m[0] != 0.0).unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0])
}

/// Type size at `Tf` size 1.
///
/// It is 1 with the usual matrix. Bitmap fonts of old TeX drivers and scanners have glyph spaces in pixels. If their
/// `FontBBox` is missing or empty, characters are taken to be half as wide as the type is high.
pub(super) fn size_factor<'a>(objects: &Objects<'a>, font: &'a Dictionary, matrix: [f64; 6]) -> f64 {
    let (across, up) = (matrix[0].abs(), matrix[3].abs());
    if (0.0009..=0.0011).contains(&up) {
        return 1.0;
    }
    let font_box = objects.array(font, b"FontBBox").unwrap_or_default();
    let corner = |idx: usize| font_box.get(idx).and_then(|object| number(objects.resolve(object)));
    let height = corner(3).zip(corner(1)).map_or(0.0, |(top, bottom)| (top - bottom).abs()) * up;
    let widths = widths::simple(objects, font).into_iter().flatten().filter(|width| *width > 0.0);
    let (sum, count) = widths.fold((0.0, 0.0), |(sum, count), width| (sum + width * across, count + 1.0));
    let guess = if count > 0.0 { 2.0 * sum / count } else { height };
    let size = if height > 0.4 * guess { height } else { guess };
    if (0.001..=1000.0).contains(&size) { size } else { 1.0 }
}
