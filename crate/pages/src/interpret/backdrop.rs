//! Backdrop of text: the areas painted so far, in painting order, with their colours.
//!
//! Text counts as hidden only if that is certain: it lies wholly on one area of its own colour, or is white on bare
//! paper, and no area of another or an unknown colour touches its box. Images, shadings and patterns have unknown
//! colours. Areas are searched only for text in a colour that some area has, up to a maximum per page.

use document::Rect;

use super::colour::{Colour, look_same};

/// Maximum areas of one page; beyond it no text is hidden.
const MAX_AREAS: usize = 50_000;
/// Maximum distinct colours; beyond it areas are searched for text of any colour.
const MAX_COLOURS: usize = 64;
/// Maximum areas that one page may search.
const MAX_STEPS: usize = 10_000_000;
/// Minimum width and height of areas that hold text, in points.
const SMALLEST: f32 = 2.0;
/// Maximum overlap of areas that do not count as overlapping, in points.
const TOLERANCE: f32 = 0.5;

/// Painted areas of a page.
pub(super) struct Backdrop {
    /// Colour of what is not painted.
    paper: Colour,
    areas: Vec<PaintedArea>,
    /// Distinct colours of the areas that are large enough to hold text.
    colours: Vec<Colour>,
    steps: usize,
}

/// Area that was painted.
struct PaintedArea {
    rect: Rect,
    /// `None` if it is unknown or not uniform.
    colour: Option<Colour>,
    /// True if it fills its box; other shapes lie somewhere in it.
    fills_box: bool,
}

impl Backdrop {
    /// Nothing but paper of this colour.
    pub(super) fn of(paper: Colour) -> Self {
        Self { paper, areas: Vec::new(), colours: Vec::new(), steps: 0 }
    }

    /// The same areas on paper of another colour.
    pub(super) fn on(self, paper: Colour) -> Self {
        Self { paper, ..self }
    }

    /// Takes the colours of all areas for unknown.
    pub(super) fn forget_colours(&mut self) {
        self.areas.iter_mut().for_each(|area| area.colour = None);
    }

    /// Areas searched so far.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Number of areas painted so far.
    pub(super) fn n_areas(&self) -> usize {
        self.areas.len()
    }

    /// True if something was painted into a box after the first `n_areas` areas.
    pub(super) fn is_painted_after(&mut self, n_areas: usize, rect: &Rect) -> bool {
        let later = self.areas.get(n_areas..).unwrap_or_default();
        self.steps = self.steps.saturating_add(later.len());
        self.areas.len() >= MAX_AREAS
            || self.steps > MAX_STEPS
            || later.iter().any(|area| area.rect.x_overlap(rect) > 0.0 && area.rect.y_overlap(rect) > 0.0)
    }

    /// Adds a painted area; `colour` is `None` if it is unknown or not uniform.
    pub(super) fn paint(&mut self, rect: Rect, colour: Option<Colour>, fills_box: bool) {
        if self.areas.len() >= MAX_AREAS {
            return;
        }
        let holds_text = fills_box && rect.width() >= SMALLEST && rect.height() >= SMALLEST;
        if let Some(colour) = colour.filter(|_| holds_text)
            && self.colours.len() < MAX_COLOURS
            && !self.colours.contains(&colour)
        {
            self.colours.push(colour);
        }
        self.areas.push(PaintedArea { rect, colour, fills_box });
    }

    /// True if some, but not all, of the text of this colour in this box may lie on its own colour.
    pub(super) fn may_hide_some(&mut self, text: &Rect, colour: Colour) -> bool {
        if self.areas.len() >= MAX_AREAS || self.steps > MAX_STEPS {
            return false;
        }
        let is_paper = look_same(colour, self.paper);
        if !is_paper && !self.colours.iter().any(|&beneath| look_same(beneath, colour)) {
            return false;
        }
        self.steps += self.areas.len();
        self.areas.iter().any(|area| {
            let is_same = area.fills_box && area.colour.is_some_and(|beneath| look_same(beneath, colour));
            (is_paper || is_same)
                && area.rect.x_overlap(text) > TOLERANCE
                && area.rect.y_overlap(text) > TOLERANCE
        })
    }

    /// True if text of this colour in this box cannot be seen.
    pub(super) fn hides(&mut self, text: &Rect, colour: Colour) -> bool {
        let is_possible = look_same(colour, self.paper)
            || self.colours.len() >= MAX_COLOURS
            || self.colours.iter().any(|&beneath| look_same(beneath, colour));
        if !is_possible || self.areas.len() >= MAX_AREAS {
            return false;
        }
        for area in self.areas.iter().rev() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return false;
            }
            if area.rect.x_overlap(text) <= TOLERANCE || area.rect.y_overlap(text) <= TOLERANCE {
                continue;
            }
            if !area.colour.is_some_and(|beneath| look_same(beneath, colour)) {
                return false;
            }
            if area.fills_box && contains(&area.rect, text) {
                return true;
            }
        }
        look_same(colour, self.paper)
    }
}

fn contains(area: &Rect, text: &Rect) -> bool {
    area.x0 <= text.x0 + TOLERANCE
        && area.y0 <= text.y0 + TOLERANCE
        && area.x1 >= text.x1 - TOLERANCE
        && area.y1 >= text.y1 - TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::super::colour::{BLACK, WHITE};
    use super::*;

    fn rect(x0: f32, x1: f32) -> Rect {
        Rect { x0, y0: 0.0, x1, y1: 20.0 }
    }

    #[test]
    fn only_text_wholly_on_its_own_colour_is_hidden() {
        let text = Rect { x0: 10.0, y0: 5.0, x1: 50.0, y1: 15.0 };
        for (areas, white_hidden, black_hidden) in [
            (&[][..], true, false),
            (&[(rect(0.0, 60.0), Some(BLACK))][..], false, true),
            (&[(rect(0.0, 60.0), None)], false, false),
            (&[(rect(0.0, 30.0), Some(BLACK))], false, false),
            (&[(rect(0.0, 60.0), Some(BLACK)), (rect(0.0, 60.0), Some(WHITE))], true, false),
            (&[(rect(0.0, 60.0), Some(BLACK)), (rect(0.0, 30.0), Some(WHITE))], false, false),
            (&[(rect(60.0, 90.0), Some(BLACK))], true, false),
        ] {
            let mut backdrop = Backdrop::of(WHITE);
            for &(area, colour) in areas {
                backdrop.paint(area, colour, true);
            }
            assert_eq!(backdrop.hides(&text, WHITE), white_hidden, "{areas:?}");
            assert_eq!(backdrop.hides(&text, BLACK), black_hidden, "{areas:?}");
        }
    }
}
