//! Outline of the current path: closed polygons on the page as shown, with curves flattened.

use crate::visibility::{Dot, Shape};

/// Pieces that a curve is flattened to.
const PIECES: u8 = 8;
/// Maximum points of one path.
const MAX_POINTS: usize = 20_000;

/// Outline in the making.
#[derive(Default)]
pub(super) struct Outline {
    rings: Vec<Vec<Dot>>,
    n_points: usize,
}

impl Outline {
    pub(super) fn move_to(&mut self, to: Dot) {
        self.n_points += 1;
        if self.n_points <= MAX_POINTS {
            self.rings.push(vec![to]);
        }
    }

    pub(super) fn line_to(&mut self, to: Dot) {
        self.n_points += 1;
        if self.n_points <= MAX_POINTS {
            match self.rings.last_mut() {
                Some(ring) => ring.push(to),
                None => self.rings.push(vec![to]),
            }
        }
    }

    /// Adds a curve; without a first control point the current one stands in.
    pub(super) fn curve_to(&mut self, first: Option<Dot>, second: Dot, to: Dot) {
        let Some(&from) = self.rings.last().and_then(|ring| ring.last()) else {
            self.move_to(to);
            return;
        };
        let first = first.unwrap_or(from);
        for piece in 1..=PIECES {
            let t = f32::from(piece) / f32::from(PIECES);
            let s = 1.0 - t;
            let at = |from: f32, first: f32, second: f32, to: f32| {
                s * s * s * from + 3.0 * s * s * t * first + 3.0 * s * t * t * second + t * t * t * to
            };
            self.line_to((at(from.0, first.0, second.0, to.0), at(from.1, first.1, second.1, to.1)));
        }
    }

    pub(super) fn close(&mut self) {
        if let Some(ring) = self.rings.last()
            && let Some(&first) = ring.first()
            && ring.len() > 1
        {
            self.line_to(first);
        }
    }

    /// Filled shape; `None` if it is empty or has too many points.
    pub(super) fn filled(&self, even_odd: bool) -> Option<Shape> {
        if self.n_points > MAX_POINTS {
            return None;
        }
        Shape::new(self.rings.clone(), even_odd)
    }

    /// Shape of its lines with this half width; ends and corners are cut off straight.
    pub(super) fn stroked(&self, half: f32) -> Option<Shape> {
        if self.n_points > MAX_POINTS {
            return None;
        }
        let pairs = self.rings.iter().flat_map(|ring| ring.windows(2));
        let bars = pairs.filter_map(|pair| {
            let &[(ax, ay), (bx, by)] = pair else { return None };
            let (dx, dy) = (bx - ax, by - ay);
            let length = (dx * dx + dy * dy).sqrt();
            let (ox, oy) = (-dy / length * half, dx / length * half);
            // All bars turn the same way, so that where they overlap they add up.
            (length > 0.0)
                .then(|| vec![(ax + ox, ay + oy), (bx + ox, by + oy), (bx - ox, by - oy), (ax - ox, ay - oy)])
        });
        Shape::new(bars.collect(), false)
    }
}
