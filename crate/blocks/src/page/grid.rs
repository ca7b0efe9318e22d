//! A grid: rules that cross and enclose cells.

use document::Rect;

/// Places of rules down a grid beyond which it is a long table and no frame around a running line.
const FRAME_RULES: usize = 5;

/// A grid of rules on a page.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub rect: Rect,
    /// Places of the vertical rules, from the left.
    pub xs: Vec<f32>,
    /// Places of the horizontal rules, from the top.
    pub ys: Vec<f32>,
    /// Horizontal rules.
    pub across: Vec<Rect>,
    /// Vertical rules.
    pub down: Vec<Rect>,
}

impl Grid {
    /// Distance in points within which rules touch: rules are drawn to each other and miss by their own thickness,
    /// which no type size tells.
    pub(crate) const TOUCH: f32 = 3.0;
    /// The same of places down or across, where two rules are one or a double rule.
    pub(crate) const ONE_PLACE: f32 = Self::TOUCH + 1.0;

    /// True if the middle of a box lies in it.
    pub(crate) fn holds(&self, rect: &Rect) -> bool {
        let (x, y) = (rect.x_mid(), rect.y_mid());
        (self.rect.x0..=self.rect.x1).contains(&x) && (self.rect.y0..=self.rect.y1).contains(&y)
    }

    /// True if it has so many rows that it is no frame around a running line.
    pub(crate) fn is_long(&self) -> bool {
        self.ys.len() > FRAME_RULES
    }
}
