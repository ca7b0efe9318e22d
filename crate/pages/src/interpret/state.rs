//! Matrices, and the graphics state as far as it affects text, rules and painted areas.

use std::sync::Arc;

use super::colour::{BLACK, Blend, Colour, Paint, WHITE, look_same};
use crate::fonts::Font;
use crate::visibility::Clip;

/// Maximum alpha of what cannot be seen: its contrast to the paper is within the tolerance of colours.
const MIN_ALPHA: f64 = 0.04;

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
    pub(super) blend: Blend,
    /// Soft mask, by its number on the page.
    pub(super) mask: Option<usize>,
    /// Transparency groups around the content.
    pub(super) group: Group,
    /// True if lines are dashed.
    pub(super) dashed: bool,
    /// Clipping path on the page as shown.
    pub(super) clip: Clip,
    /// True if text was added to the clipping path: what is painted has its shape.
    pub(super) clips_to_text: bool,
}

/// Transparency groups around some content, taken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Product of their constant alphas.
    pub(super) alpha: f64,
    /// True if none of them has a blend mode.
    pub(super) is_normal: bool,
    /// Their soft masks, by the number of the innermost.
    pub(super) mask: Option<usize>,
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
            blend: Blend::Normal,
            mask: None,
            group: Group { alpha: 1.0, is_normal: true, mask: None },
            dashed: false,
            clip: Clip::default(),
            clips_to_text: false,
        }
    }
}

impl GraphicsState {
    /// Colour of an area painted with `paint`; `None` if the backdrop shows through or the colour is unknown.
    pub(super) fn opaque_colour(&self, paint: &Paint, alpha: f64) -> Option<Colour> {
        paint.colour.filter(|_| {
            self.blend == Blend::Normal && self.is_unmasked() && self.group.alpha * alpha >= 0.999
        })
    }

    /// True if nothing below an area painted in this colour can be seen; patterns are up to the caller.
    pub(super) fn is_opaque(&self, colour: Option<Colour>, alpha: f64) -> bool {
        let is_near = |other: Colour| colour.is_some_and(|colour| look_same(colour, other));
        let hides = match self.blend {
            Blend::Normal => true,
            Blend::Darkens => is_near(BLACK),
            Blend::Lightens => is_near(WHITE),
            Blend::Other => false,
        };
        hides && self.is_unmasked() && !self.clips_to_text && self.group.alpha * alpha >= 1.0 - MIN_ALPHA
    }

    /// True if something painted with this alpha can be seen.
    pub(super) fn shows(&self, alpha: f64) -> bool {
        self.group.alpha * alpha > MIN_ALPHA
    }

    /// Enters a transparency group: its content begins with full alpha, and the group as a whole is painted with the
    /// present parameters. `mask` is the number of the present soft mask together with those of the groups outside.
    pub(super) fn enter_group(&mut self, mask: Option<usize>) {
        self.group = Group {
            alpha: self.group.alpha * self.fill_alpha,
            is_normal: self.group.is_normal && self.blend == Blend::Normal,
            mask,
        };
        (self.fill_alpha, self.stroke_alpha) = (1.0, 1.0);
        (self.blend, self.mask) = (Blend::Normal, None);
    }

    fn is_unmasked(&self) -> bool {
        self.mask.is_none() && self.group.mask.is_none() && self.group.is_normal
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
