//! Geometry: points, boxes, quads, and the transform between a page as shown and PDF user space.
//!
//! Internally a box is a [`Rect`] in points with its origin at the top left of the page *as shown* (after CropBox and
//! Rotate), y growing down. Citations leave Pincite as [`Quad`]s in PDF user space *before* rotation (origin bottom left,
//! y growing up), as PDF annotations and viewers use them.

use serde::{Deserialize, Serialize};

/// A length in PDF points (1/72 inch).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Pt(pub f32);

/// A position on a page as shown, in points from its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Points from the left edge.
    pub x: f32,
    /// Points from the top edge, growing down.
    pub y: f32,
}

/// An upright box on a page as shown, in points from its top left corner. `x0 <= x1` and `y0 <= y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x0: f32,
    /// Top edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Bottom edge.
    pub y1: f32,
}

impl Rect {
    /// The box with two opposite corners, in any order.
    pub fn new(xa: f32, ya: f32, xb: f32, yb: f32) -> Self {
        Self { x0: xa.min(xb), y0: ya.min(yb), x1: xa.max(xb), y1: ya.max(yb) }
    }

    /// Width in points.
    pub fn width(&self) -> f32 {
        self.x1 - self.x0
    }

    /// Height in points.
    pub fn height(&self) -> f32 {
        self.y1 - self.y0
    }

    /// Horizontal middle.
    pub fn x_mid(&self) -> f32 {
        (self.x0 + self.x1) / 2.0
    }

    /// Vertical middle.
    pub fn y_mid(&self) -> f32 {
        (self.y0 + self.y1) / 2.0
    }

    /// The smallest box that contains both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Length of the overlap of the vertical extents, 0 if disjoint.
    pub fn y_overlap(&self, other: &Self) -> f32 {
        (self.y1.min(other.y1) - self.y0.max(other.y0)).max(0.0)
    }

    /// Length of the overlap of the horizontal extents, 0 if disjoint.
    pub fn x_overlap(&self, other: &Self) -> f32 {
        (self.x1.min(other.x1) - self.x0.max(other.x0)).max(0.0)
    }
}

/// Four corners in PDF user space: `x y` of the top left, top right, bottom left and bottom right *of the text as
/// shown*, the order in which viewers read and write `QuadPoints`.
pub type Quad = [f32; 8];

/// Rotation of a page when shown (`Rotate`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rotation {
    /// None.
    #[default]
    None,
    /// A quarter turn clockwise.
    Quarter,
    /// Upside down.
    Half,
    /// A quarter turn counter-clockwise.
    ThreeQuarters,
}

/// The visible region of a page and its rotation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageGeometry {
    /// Left, bottom, right and top in user space: the CropBox clipped to the MediaBox.
    pub crop: [f32; 4],
    /// The page's `Rotate`.
    pub rotation: Rotation,
}

impl PageGeometry {
    /// Width and height in points of the page as shown.
    pub fn size(&self) -> (Pt, Pt) {
        let [left, bottom, right, top] = self.crop;
        let (width, height) = (Pt(right - left), Pt(top - bottom));
        match self.rotation {
            Rotation::None | Rotation::Half => (width, height),
            Rotation::Quarter | Rotation::ThreeQuarters => (height, width),
        }
    }

    /// Converts a position from user space to the page as shown.
    pub fn to_shown(&self, x: f32, y: f32) -> Point {
        let [left, bottom, right, top] = self.crop;
        match self.rotation {
            Rotation::None => Point { x: x - left, y: top - y },
            Rotation::Quarter => Point { x: y - bottom, y: x - left },
            Rotation::Half => Point { x: right - x, y: y - bottom },
            Rotation::ThreeQuarters => Point { x: top - y, y: right - x },
        }
    }

    /// Converts a position on the page as shown to user space.
    pub fn to_user(&self, point: Point) -> (f32, f32) {
        let [left, bottom, right, top] = self.crop;
        match self.rotation {
            Rotation::None => (left + point.x, top - point.y),
            Rotation::Quarter => (left + point.y, bottom + point.x),
            Rotation::Half => (right - point.x, bottom + point.y),
            Rotation::ThreeQuarters => (right - point.y, top - point.x),
        }
    }

    /// Converts a box on the page as shown to a quad in user space.
    pub fn quad(&self, rect: &Rect) -> Quad {
        let corner = |x, y| self.to_user(Point { x, y });
        let (top_left, top_right) = (corner(rect.x0, rect.y0), corner(rect.x1, rect.y0));
        let (bottom_left, bottom_right) = (corner(rect.x0, rect.y1), corner(rect.x1, rect.y1));
        [
            top_left.0,
            top_left.1,
            top_right.0,
            top_right.1,
            bottom_left.0,
            bottom_left.1,
            bottom_right.0,
            bottom_right.1,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_and_user_space_are_inverse_under_every_rotation() {
        for rotation in [Rotation::None, Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters] {
            let page = PageGeometry { crop: [10.0, 20.0, 610.0, 820.0], rotation };
            let shown = page.to_shown(110.0, 720.0);
            assert_eq!(page.to_user(shown), (110.0, 720.0), "{rotation:?}");
            let (width, height) = page.size();
            assert!(shown.x >= 0.0 && shown.x <= width.0 && shown.y >= 0.0 && shown.y <= height.0);
        }
    }

    #[test]
    fn a_quarter_turn_puts_the_lower_left_corner_at_the_top_left() {
        let page = PageGeometry { crop: [0.0, 0.0, 600.0, 800.0], rotation: Rotation::Quarter };
        assert_eq!(page.to_shown(0.0, 0.0), Point { x: 0.0, y: 0.0 });
        assert_eq!(page.size(), (Pt(800.0), Pt(600.0)));
    }
}
