//! The clipping path: a box, and the shapes within it that are no upright boxes.

use std::sync::Arc;

use document::Rect;

use super::shape::{Dot, Shape};

/// Maximum shapes that a clipping path is made of; further ones clip to their boxes.
const MAX_SHAPES: usize = 16;

/// Clipping path of a graphics state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clip {
    /// Box around it; `None` if nothing is clipped. It is empty, with edges in reverse, if everything is.
    bounds: Option<Rect>,
    shapes: Option<Arc<ClipShape>>,
}

#[derive(Debug)]
struct ClipShape {
    shape: Shape,
    outer: Option<Arc<ClipShape>>,
    /// Number of shapes up to this one.
    depth: usize,
}

impl Clip {
    /// Box around the clipping path; `None` if nothing is clipped.
    pub(crate) fn bounds(&self) -> Option<Rect> {
        self.bounds
    }

    /// Clips further to a box, and to a shape in it.
    pub(crate) fn intersect(&mut self, to: Rect, shape: Option<Shape>) {
        self.bounds = Some(self.part_of(to));
        let depth = self.shapes.as_ref().map_or(0, |shapes| shapes.depth);
        if let Some(shape) = shape.filter(|shape| !shape.is_upright_box() && depth < MAX_SHAPES) {
            self.shapes = Some(Arc::new(ClipShape { shape, outer: self.shapes.take(), depth: depth + 1 }));
        }
    }

    /// Part of a box inside the box of the clipping path; its edges are in reverse if there is none.
    pub(crate) fn part_of(&self, rect: Rect) -> Rect {
        self.bounds.map_or(rect, |clip| Rect {
            x0: rect.x0.max(clip.x0),
            y0: rect.y0.max(clip.y0),
            x1: rect.x1.min(clip.x1),
            y1: rect.y1.min(clip.y1),
        })
    }

    /// True if it is no more than a box.
    pub(crate) fn is_box(&self) -> bool {
        self.shapes.is_none()
    }

    /// True if the point is not clipped away.
    pub(crate) fn contains(&self, (x, y): Dot) -> bool {
        let in_bounds =
            self.bounds.is_none_or(|clip| clip.x0 <= x && x <= clip.x1 && clip.y0 <= y && y <= clip.y1);
        in_bounds && self.shapes().all(|shape| shape.contains((x, y)))
    }

    /// Parts of horizontal extents that are not clipped away at a height.
    pub(crate) fn parts_of(&self, mut spans: Vec<(f32, f32)>, y: f32) -> Vec<(f32, f32)> {
        for shape in self.shapes() {
            spans = common(&spans, &shape.spans(y));
        }
        spans
    }

    /// Number of points of its shapes.
    pub(crate) fn n_points(&self) -> usize {
        self.shapes().map(Shape::n_points).sum()
    }

    fn shapes(&self) -> impl Iterator<Item = &Shape> {
        let mut next = self.shapes.as_deref();
        std::iter::from_fn(move || {
            let here = next?;
            next = here.outer.as_deref();
            Some(&here.shape)
        })
    }
}

/// Parts that two lists of ascending, disjoint extents have in common.
fn common(a: &[(f32, f32)], b: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut parts = Vec::new();
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(&&(a0, a1)), Some(&&(b0, b1))) = (a.peek(), b.peek()) {
        let (start, end) = (a0.max(b0), a1.min(b1));
        if start < end {
            parts.push((start, end));
        }
        if a1 < b1 {
            a.next();
        } else {
            b.next();
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_without_a_common_area_leave_nothing() {
        let mut clip = Clip::default();
        assert!(clip.contains((5.0, 5.0)));
        clip.intersect(Rect { x0: 0.0, y0: 0.0, x1: 10.0, y1: 10.0 }, None);
        assert!(clip.contains((5.0, 5.0)) && !clip.contains((15.0, 5.0)));
        clip.intersect(Rect { x0: 12.0, y0: 0.0, x1: 20.0, y1: 10.0 }, None);
        assert!(!clip.contains((11.0, 5.0)) && !clip.contains((5.0, 5.0)));
    }

    #[test]
    fn extents_in_common_are_found() {
        assert_eq!(
            common(&[(0.0, 4.0), (6.0, 9.0)], &[(3.0, 7.0), (8.0, 8.5)]),
            [(3.0, 4.0), (6.0, 7.0), (8.0, 8.5)]
        );
        assert!(common(&[(0.0, 1.0)], &[]).is_empty());
    }
}
