//! Shapes of annotations without an appearance stream: filled squares, circles and polygons, and the backgrounds of
//! form fields. Viewers draw them, and what lies below cannot be seen.

use lopdf::Dictionary;

use super::colour::{ColourSpace, Paint};
use super::interpreter::Interpreter;
use super::paths::{FillRule, PathPainting};
use super::state::{GraphicsState, Matrix};
use crate::objects::number;

/// Distance of the control points of a quarter of a circle, in radii.
const QUARTER: f64 = 0.552_284_75;
/// Maximum numbers in the list of a polygon's corners.
const MAX_VERTICES: usize = 4_000;

impl<'a> Interpreter<'a, '_> {
    /// Paints the shape of an annotation without an appearance stream.
    pub(super) fn annotation_shape(&mut self, annotation: &'a Dictionary) {
        let objects = self.objects;
        let kind = objects.name(annotation, b"Subtype");
        let colour = match kind {
            Some(b"Square" | b"Circle" | b"Polygon") => objects.array(annotation, b"IC"),
            Some(b"Widget") => objects.dict(annotation, b"MK").and_then(|looks| objects.array(looks, b"BG")),
            _ => None,
        };
        let colour: Vec<f64> =
            colour.unwrap_or_default().iter().filter_map(|part| number(objects.resolve(part))).collect();
        let space = match colour.len() {
            1 => ColourSpace::Gray,
            3 => ColourSpace::Rgb,
            4 => ColourSpace::Cmyk,
            _ => return,
        };
        let Some([xa, ya, xb, yb]) = objects.numbers::<4>(annotation, b"Rect") else { return };
        let (ctm, paths) = (Matrix::IDENTITY, &mut self.paths);
        paths.discard();
        match kind {
            Some(b"Circle") => {
                let (x, y, rx, ry) =
                    ((xa + xb) / 2.0, (ya + yb) / 2.0, (xb - xa).abs() / 2.0, (yb - ya).abs() / 2.0);
                let (cx, cy) = (rx * QUARTER, ry * QUARTER);
                paths.move_to(&ctm, x + rx, y);
                paths.curve_to(&ctm, Some((x + rx, y + cy)), (x + cx, y + ry), (x, y + ry));
                paths.curve_to(&ctm, Some((x - cx, y + ry)), (x - rx, y + cy), (x - rx, y));
                paths.curve_to(&ctm, Some((x - rx, y - cy)), (x - cx, y - ry), (x, y - ry));
                paths.curve_to(&ctm, Some((x + cx, y - ry)), (x + rx, y - cy), (x + rx, y));
            }
            Some(b"Polygon") => {
                let corners = objects.array(annotation, b"Vertices").unwrap_or_default();
                let corners: Vec<f64> =
                    corners.iter().take(MAX_VERTICES).filter_map(|n| number(objects.resolve(n))).collect();
                for (idx, corner) in corners.chunks_exact(2).enumerate() {
                    match *corner {
                        [x, y] if idx == 0 => paths.move_to(&ctm, x, y),
                        [x, y] => paths.line_to(&ctm, x, y),
                        _ => {}
                    }
                }
            }
            _ => paths.rectangle(&ctm, xa, ya, xb - xa, yb - ya),
        }
        let mut state = GraphicsState::new(ctm);
        state.fill = Paint::of(space, &colour);
        state.fill_alpha =
            objects.number(annotation, b"CA").filter(|_| kind != Some(b"Widget")).unwrap_or(1.0);
        let fills = Some(FillRule::NonZero);
        paths.paint(&mut state, PathPainting { fills, ..PathPainting::default() });
    }
}
