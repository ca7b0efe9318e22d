//! Shapes on a page as shown: closed polygons with a fill rule.

use document::Rect;

/// Position in points from the top left of the page as shown.
pub(crate) type Dot = (f32, f32);

/// Maximum deviation of the edges of an upright box, in points.
const MAX_SLANT: f32 = 0.01;

/// Filled shape: curves are flattened before.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    rings: Vec<Vec<Dot>>,
    even_odd: bool,
    bounds: Rect,
}

impl Shape {
    /// Shape of closed rings; `None` if they enclose nothing or have numbers that cannot be computed with.
    pub(crate) fn new(rings: Vec<Vec<Dot>>, even_odd: bool) -> Option<Self> {
        let rings: Vec<Vec<Dot>> =
            rings.into_iter().filter(|ring| ring.len() >= 3).map(without_repeats).collect();
        let bounds = rings.iter().flatten().fold(None, |bounds: Option<Rect>, &(x, y)| {
            let dot = Rect { x0: x, y0: y, x1: x, y1: y };
            Some(bounds.map_or(dot, |bounds| bounds.union(&dot)))
        })?;
        let is_sane = rings.iter().flatten().all(|(x, y)| x.is_finite() && y.is_finite());
        is_sane.then_some(Self { rings, even_odd, bounds })
    }

    /// Box around it.
    pub(crate) fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Number of its points.
    pub(crate) fn n_points(&self) -> usize {
        self.rings.iter().map(Vec::len).sum()
    }

    /// True if it is its bounding box.
    pub(crate) fn is_upright_box(&self) -> bool {
        let [ring] = self.rings.as_slice() else { return false };
        let [a, b, c, d] = *ring.as_slice() else { return false };
        let is_flat = |a: Dot, b: Dot| (a.1 - b.1).abs() <= MAX_SLANT;
        let is_steep = |a: Dot, b: Dot| (a.0 - b.0).abs() <= MAX_SLANT;
        is_flat(a, b) && is_steep(b, c) && is_flat(c, d) && is_steep(d, a)
            || is_steep(a, b) && is_flat(b, c) && is_steep(c, d) && is_flat(d, a)
    }

    /// Edges as pairs of points, the last of a ring back to its first.
    fn edges(&self) -> impl Iterator<Item = (Dot, Dot)> + '_ {
        self.rings.iter().flat_map(|ring| {
            let next = ring.iter().skip(1).chain(ring.first());
            ring.iter().copied().zip(next.copied())
        })
    }

    /// Horizontal extents of the shape at a height, ascending and disjoint.
    pub(crate) fn spans(&self, y: f32) -> Vec<(f32, f32)> {
        let mut crossings: Vec<(f32, i32)> = self.edges().filter_map(|(a, b)| crossing(a, b, y)).collect();
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut spans: Vec<(f32, f32)> = Vec::new();
        let (mut winding, mut start) = (0, 0.0);
        for (x, turn) in crossings {
            let was_inside = self.is_inside(winding);
            winding += turn;
            match (was_inside, self.is_inside(winding)) {
                (false, true) => start = x,
                (true, false) => spans.push((start, x)),
                _ => {}
            }
        }
        spans
    }

    /// True if the point lies inside.
    pub(crate) fn contains(&self, (x, y): Dot) -> bool {
        let left = self.edges().filter_map(|(a, b)| crossing(a, b, y)).filter(|(at, _)| *at <= x);
        self.is_inside(left.map(|(_, turn)| turn).sum())
    }

    fn is_inside(&self, winding: i32) -> bool {
        if self.even_odd { winding % 2 != 0 } else { winding != 0 }
    }
}

/// A ring without points that repeat the one before them: many files go back to the first point and close the path there.
fn without_repeats(mut ring: Vec<Dot>) -> Vec<Dot> {
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

/// Place at which an edge crosses a height, and its direction.
fn crossing((ax, ay): Dot, (bx, by): Dot, y: f32) -> Option<(f32, i32)> {
    let turn = match (ay <= y, by <= y) {
        (true, false) => 1,
        (false, true) => -1,
        _ => return None,
    };
    Some((ax + (y - ay) / (by - ay) * (bx - ax), turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(x0: f32, x1: f32) -> Vec<Dot> {
        vec![(x0, x0), (x1, x0), (x1, x1), (x0, x1)]
    }

    #[test]
    fn holes_are_outside_by_either_rule() {
        let mut inner = ring(4.0, 6.0);
        let even_odd = Shape::new(vec![ring(0.0, 10.0), inner.clone()], true).unwrap();
        let same_way = Shape::new(vec![ring(0.0, 10.0), inner.clone()], false).unwrap();
        inner.reverse();
        let other_way = Shape::new(vec![ring(0.0, 10.0), inner], false).unwrap();
        for (shape, hole) in [(even_odd, true), (same_way, false), (other_way, true)] {
            assert_eq!(shape.contains((5.0, 5.0)), !hole);
            assert!(shape.contains((2.0, 5.0)) && !shape.contains((11.0, 5.0)));
            let spans = if hole { vec![(0.0, 4.0), (6.0, 10.0)] } else { vec![(0.0, 10.0)] };
            assert_eq!(shape.spans(5.0), spans);
        }
    }

    #[test]
    fn upright_boxes_are_told_from_other_shapes() {
        let is_box = |ring| Shape::new(vec![ring], false).unwrap().is_upright_box();
        assert!(is_box(ring(0.0, 5.0)));
        assert!(is_box(vec![(0.0, 0.0), (0.0, 5.0), (9.0, 5.0), (9.0, 0.0), (0.0, 0.0)]));
        assert!(is_box(vec![
            (0.0, 0.0),
            (0.0, 5.0),
            (9.0, 5.0),
            (9.0, 5.0),
            (9.0, 0.0),
            (0.0, 0.0),
            (0.0, 0.0)
        ]));
        assert!(!is_box(vec![(0.0, 0.0), (5.0, 1.0), (5.0, 5.0), (0.0, 5.0)]));
        assert!(!is_box(vec![(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)]));
        assert!(Shape::new(vec![vec![(0.0, 0.0), (f32::NAN, 0.0), (5.0, 5.0)]], false).is_none());
    }
}
