//! Matrices, and the graphics state as far as it affects text, rules and painted areas.

use std::sync::Arc;

use document::Rect;

use super::colour::{Colour, Paint};
use crate::fonts::Font;

/// Maximum coordinate: no page is that large, and finite numbers stay finite.
const MAX_COORDINATE: f64 = 1e9;

/// Affine map `[a b c d e f]`: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Matrix(pub(crate) [f64; 6]);

impl Matrix {
    pub(crate) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(crate) fn translation(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Product of the matrices: first `self`, then `next`.
    pub(crate) fn then(&self, next: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [na, nb, nc, nd, ne, nf] = next.0;
        Self(
            [
                a * na + b * nc,
                a * nb + b * nd,
                c * na + d * nc,
                c * nb + d * nd,
                e * na + f * nc + ne,
                e * nb + f * nd + nf,
            ]
            .map(|n| if n.is_finite() { n.clamp(-MAX_COORDINATE, MAX_COORDINATE) } else { 0.0 }),
        )
    }

    pub(crate) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Image of a direction.
    pub(crate) fn vector(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, ..] = self.0;
        (a * x + c * y, b * x + d * y)
    }
}

/// Length of a vector.
pub(crate) fn length((x, y): (f64, f64)) -> f64 {
    (x * x + y * y).sqrt()
}

/// Graphics state (ISO 32000-1, 8.4), saved by `q` and restored by `Q`.
#[derive(Clone)]
pub(crate) struct GraphicsState {
    pub(crate) ctm: Matrix,
    pub(crate) font: Option<Arc<Font>>,
    pub(crate) font_size: f64,
    pub(crate) char_space: f64,
    pub(crate) word_space: f64,
    /// Horizontal scaling (`Tz`) as a fraction.
    pub(crate) scale: f64,
    pub(crate) leading: f64,
    pub(crate) rise: f64,
    /// Text rendering mode.
    pub(crate) render: i64,
    pub(crate) line_width: f64,
    pub(super) fill: Paint,
    pub(super) stroke: Paint,
    /// Constant alpha of fills (`ca`) and strokes (`CA`), 0 to 1.
    pub(super) fill_alpha: f64,
    pub(super) stroke_alpha: f64,
    /// True without soft mask and blend mode: painting covers the backdrop.
    pub(super) covers: bool,
    /// Bounding box of the clipping path on the page as shown; `None` if nothing is clipped.
    pub(super) clip: Option<Rect>,
}

impl GraphicsState {
    pub(crate) fn new(ctm: Matrix) -> Self {
        Self {
            ctm,
            font: None,
            font_size: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            render: 0,
            line_width: 1.0,
            fill: Paint::INITIAL,
            stroke: Paint::INITIAL,
            fill_alpha: 1.0,
            stroke_alpha: 1.0,
            covers: true,
            clip: None,
        }
    }
}

impl GraphicsState {
    /// Colour of an area painted with `paint`; `None` if the backdrop shows through or the colour is unknown.
    pub(super) fn opaque_colour(&self, paint: &Paint, alpha: f64) -> Option<Colour> {
        paint.colour.filter(|_| self.covers && alpha >= 0.999)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_compose_left_to_right() {
        let scale = Matrix([2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        let both = scale.then(&Matrix::translation(10.0, 20.0));
        assert_eq!(both.point(1.0, 1.0), (12.0, 23.0));
        assert_eq!(both.vector(1.0, 1.0), (2.0, 3.0));
        assert_eq!(Matrix::IDENTITY.then(&both), both);
    }
}
