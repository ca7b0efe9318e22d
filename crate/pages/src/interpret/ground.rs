//! What lies beneath the text: the areas painted so far, in order, with their colours.
//!
//! Text is hidden only where that is certain: it lies wholly on one area of its own colour, or on bare paper
//! and is white, and nothing of another or an unknown colour reaches into its box. Images, shadings and
//! patterns are of unknown colour. Areas are looked at only for text in a colour that lies beneath somewhere,
//! and only so many in all.

use document::Rect;

use super::colour::{Colour, WHITE, same};

/// Areas kept of one page; with more of them nothing is hidden.
const MAX_AREAS: usize = 50_000;
/// Colours told apart; with more of them every colour is looked for.
const MAX_COLOURS: usize = 64;
/// Areas that one page may look at.
const MAX_STEPS: usize = 10_000_000;
/// An overlap narrower than this is a touch, in points.
const TOUCH: f32 = 0.5;

/// The painted areas of a page.
#[derive(Default)]
pub(super) struct Ground {
    areas: Vec<Area>,
    colours: Vec<Colour>,
    steps: usize,
}

struct Area {
    rect: Rect,
    colour: Option<Colour>,
    /// It fills its box; other shapes lie somewhere in it.
    whole: bool,
}

impl Ground {
    /// Paints an area; `colour` is `None` where it cannot be told or is not one colour.
    pub(super) fn paint(&mut self, rect: Rect, colour: Option<Colour>, whole: bool) {
        if self.areas.len() >= MAX_AREAS {
            return;
        }
        if let Some(colour) = colour
            && self.colours.len() < MAX_COLOURS
            && !self.colours.contains(&colour)
        {
            self.colours.push(colour);
        }
        self.areas.push(Area { rect, colour, whole });
    }

    /// Whether text of this colour cannot be seen in this box.
    pub(super) fn hides(&mut self, text: &Rect, colour: Colour) -> bool {
        let maybe = same(colour, WHITE)
            || self.colours.len() >= MAX_COLOURS
            || self.colours.iter().any(|&beneath| same(beneath, colour));
        if !maybe || self.areas.len() >= MAX_AREAS {
            return false;
        }
        for area in self.areas.iter().rev() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return false;
            }
            if area.rect.x_overlap(text) <= TOUCH || area.rect.y_overlap(text) <= TOUCH {
                continue;
            }
            if !area.colour.is_some_and(|beneath| same(beneath, colour)) {
                return false;
            }
            if area.whole && holds(&area.rect, text) {
                return true;
            }
        }
        same(colour, WHITE)
    }
}

fn holds(area: &Rect, text: &Rect) -> bool {
    area.x0 <= text.x0 + TOUCH
        && area.y0 <= text.y0 + TOUCH
        && area.x1 >= text.x1 - TOUCH
        && area.y1 >= text.y1 - TOUCH
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Colour = [0.0; 3];

    fn rect(x0: f32, x1: f32) -> Rect {
        Rect { x0, y0: 0.0, x1, y1: 20.0 }
    }

    #[test]
    fn only_what_lies_wholly_on_its_own_colour_is_hidden() {
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
            let mut ground = Ground::default();
            for &(area, colour) in areas {
                ground.paint(area, colour, true);
            }
            assert_eq!(ground.hides(&text, WHITE), white_hidden, "{areas:?}");
            assert_eq!(ground.hides(&text, BLACK), black_hidden, "{areas:?}");
        }
    }
}
