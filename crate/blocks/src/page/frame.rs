//! The direction of reading of a page: a page printed sideways is turned so that its lines run left to right.
//!
//! Everything between words and the assembled text works in this frame; boxes go back to the page as shown
//! when the text is assembled. Vertical CJK text is the case of a quarter turn: its columns, read from the
//! right, become lines read from the top.

use document::{Page, Rect, Run};

/// Map between the page as shown and the frame in which it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Quarter turns clockwise of the text as shown.
    turns: u8,
    /// Size of the page as shown.
    shown: (f32, f32),
}

impl Frame {
    /// The frame in which most characters of these runs are read.
    pub(crate) fn of(page: &Page, runs: &[&Run]) -> Self {
        let mut n_chars = [0usize; 4];
        for run in runs {
            if let Some(count) = quarter(run.angle).and_then(|turns| n_chars.get_mut(turns as usize)) {
                *count += run.text.len();
            }
        }
        let mut turns = 0;
        for (other, &n) in (0u8..).zip(&n_chars) {
            if n_chars.get(turns as usize).is_some_and(|&most| n > most) {
                turns = other;
            }
        }
        let (width, height) = page.geometry.size();
        let sane = |length: f32| if length.is_finite() { length.clamp(1.0, 1e5) } else { 612.0 };
        Self { turns, shown: (sane(width.0), sane(height.0)) }
    }

    /// True if text of this angle runs left to right here.
    pub(crate) fn is_along(&self, angle: f32) -> bool {
        quarter(angle) == Some(self.turns)
    }

    /// Width and height of the page in this frame.
    pub(crate) fn size(&self) -> (f32, f32) {
        let (width, height) = self.shown;
        if self.turns.is_multiple_of(2) { (width, height) } else { (height, width) }
    }

    /// The baseline of a run that is along.
    pub(crate) fn baseline(&self, shown: f32) -> f32 {
        match self.turns {
            0 => shown,
            1 => self.shown.0 - shown,
            2 => self.shown.1 - shown,
            _ => shown,
        }
    }

    /// A box of the page as shown in this frame.
    pub(crate) fn frame_rect(&self, rect: &Rect) -> Rect {
        let (width, height) = self.shown;
        let Rect { x0, y0, x1, y1 } = *rect;
        match self.turns {
            0 => Rect::new(x0, y0, x1, y1),
            1 => Rect::new(y0, width - x0, y1, width - x1),
            2 => Rect::new(width - x0, height - y0, width - x1, height - y1),
            _ => Rect::new(height - y0, x0, height - y1, x1),
        }
    }

    /// The inverse of [`Self::frame_rect`].
    pub(crate) fn shown_rect(&self, rect: &Rect) -> Rect {
        let (width, height) = self.shown;
        let Rect { x0, y0, x1, y1 } = *rect;
        match self.turns {
            0 => Rect::new(x0, y0, x1, y1),
            1 => Rect::new(width - y0, x0, width - y1, x1),
            2 => Rect::new(width - x0, height - y0, width - x1, height - y1),
            _ => Rect::new(y0, height - x0, y1, height - x1),
        }
    }
}

/// The quarter turns of an angle that is within three degrees of one.
fn quarter(angle: f32) -> Option<u8> {
    (0u8..4).find(|&turns| {
        let off = (angle - 90.0 * f32::from(turns)).rem_euclid(360.0);
        off <= 3.0 || off >= 357.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_goes_to_the_frame_and_back() {
        let rect = Rect { x0: 10.0, y0: 20.0, x1: 40.0, y1: 32.0 };
        for turns in 0..4 {
            let frame = Frame { turns, shown: (600.0, 800.0) };
            assert_eq!(frame.shown_rect(&frame.frame_rect(&rect)), rect, "{turns} turns");
        }
    }

    #[test]
    fn text_that_runs_down_is_read_from_the_right() {
        let frame = Frame { turns: 1, shown: (600.0, 800.0) };
        let right = frame.frame_rect(&Rect { x0: 580.0, y0: 10.0, x1: 590.0, y1: 60.0 });
        let left = frame.frame_rect(&Rect { x0: 560.0, y0: 10.0, x1: 570.0, y1: 60.0 });
        assert!(right.y0 < left.y0 && right.x0 == left.x0);
    }
}
