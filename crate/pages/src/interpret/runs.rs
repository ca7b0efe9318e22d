//! Runs: from glyphs placed by a text matrix to text with edges, box, baseline and angle as shown.
//!
//! One run is what one showing operator draws without a gap: an adjustment inside a `TJ` that moves on by a
//! tenth of an em or more, or back by a fifth, ends the run and starts the next. Spaces that the file writes
//! as characters stay characters. Whether a gap is a word space is for layout to say.

use document::{FontStyle, PageGeometry, Pt, Rect, Run, Visibility};

use super::Budget;
use super::ground::Ground;
use super::marked::Mark;
use super::state::{Matrix, State, length};
use crate::fonts::Font;

/// A move ahead, in ems, that ends a run.
const GAP: f64 = 0.1;
/// A move back, in ems, that ends a run.
const BACK: f64 = 0.2;
/// How far outside the clip text stands that is clipped away, in points.
const AWAY: f32 = 1.0;
/// Characters that one run may have.
const MAX_RUN: usize = 4_096;

/// Collects the runs of a page.
pub(crate) struct Runs {
    geometry: PageGeometry,
    pub(crate) budget: Budget,
    pub(crate) runs: Vec<Run>,
    pub(crate) characters: usize,
    /// Glyphs of which nothing knows the text.
    pub(crate) unmapped: usize,
}

/// A run in the making.
struct Open {
    text: String,
    /// Distances from the start in text space units along the writing direction.
    edges: Vec<f64>,
    end: f64,
    /// Text space to user space at the run's start.
    start: Matrix,
}

impl Runs {
    pub(crate) fn new(geometry: PageGeometry, budget: Budget) -> Self {
        Self { geometry, budget, runs: Vec::new(), characters: 0, unmapped: 0 }
    }

    /// Shows the strings and adjustments of one operator; gives the text matrix after it.
    pub(crate) fn show<'s>(
        &mut self,
        state: &State,
        text_matrix: &Matrix,
        pieces: impl Iterator<Item = Piece<'s>>,
        mark: Mark,
        ground: &mut Ground,
    ) -> Matrix {
        let Some(font) = state.font.as_deref() else { return *text_matrix };
        let size = state.font_size;
        // Along the writing direction: horizontal text is scaled by Tz, vertical text is not.
        let scale = if font.vertical { 1.0 } else { state.scale };
        // How far along the writing direction the pen has moved, in text space units.
        let mut pen = 0.0f64;
        let mut open: Option<Open> = None;
        let mut decoded = String::new();
        for piece in pieces {
            let bytes = match piece {
                Piece::Adjust(thousandths) => {
                    let step = -thousandths / 1000.0 * size * scale;
                    pen += step;
                    // Vertical text moves down, so its steps ahead are negative.
                    let ahead =
                        if font.vertical { -step } else { step } / size.abs().max(1e-6) * size.signum();
                    if ahead >= GAP * font.size_factor * scale.abs()
                        || ahead <= -BACK * font.size_factor * scale.abs()
                    {
                        self.close(open.take(), font, state, mark, ground);
                    }
                    continue;
                }
                Piece::Text(bytes) => bytes,
            };
            let mut rest = bytes;
            loop {
                decoded.clear();
                let Some(code) = font.next_code(rest, &mut decoded) else { break };
                rest = rest.get(code.length.max(1)..).unwrap_or_default();
                if self.characters >= self.budget.characters || self.runs.len() >= self.budget.runs {
                    continue;
                }
                if !code.mapped {
                    self.unmapped += 1;
                }
                let width = code.advance * size * scale;
                if open.as_ref().is_some_and(|open| open.text.len() >= MAX_RUN) {
                    self.close(open.take(), font, state, mark, ground);
                }
                let run = open.get_or_insert_with(|| Open {
                    text: String::new(),
                    edges: Vec::new(),
                    end: 0.0,
                    start: start_matrix(state, text_matrix, font, pen),
                });
                self.characters += push(run, &decoded, pen, width);
                let spacing = state.char_space + if code.word_space { state.word_space } else { 0.0 };
                // Spacing goes with the writing direction, which for vertical text is downwards.
                pen += width + if font.vertical { -spacing } else { spacing * scale };
            }
        }
        self.close(open.take(), font, state, mark, ground);
        let (x, y) = if font.vertical { (0.0, pen) } else { (pen, 0.0) };
        Matrix::translation(x, y).then(text_matrix)
    }

    fn close(&mut self, open: Option<Open>, font: &Font, state: &State, mark: Mark, ground: &mut Ground) {
        let Some(open) = open.filter(|open| !open.text.is_empty() && !mark.hidden) else { return };
        if let Some(mut run) = finish(open, font, state, mark, &self.geometry) {
            if run.visibility == Visibility::Visible {
                run.visibility = seen(&run.rect, font, state, ground);
            }
            self.runs.push(run);
        }
    }
}

/// A part of a showing operator.
pub(crate) enum Piece<'s> {
    /// A string.
    Text(&'s [u8]),
    /// A number of a `TJ`: thousandths of an em to move back.
    Adjust(f64),
}

/// Text space to user space with the run's first glyph at the origin, `Ts` included. Horizontal glyphs stand
/// on the pen; vertical ones hang from it, so the pen is their axis.
fn start_matrix(state: &State, text_matrix: &Matrix, font: &Font, pen: f64) -> Matrix {
    let (x, y) = if font.vertical { (0.0, pen) } else { (pen, 0.0) };
    Matrix::translation(x, y + state.rise).then(text_matrix).then(&state.ctm)
}

/// Adds the text of one code; its characters share the advance evenly. Gives how many there were.
fn push(run: &mut Open, text: &str, pen: f64, width: f64) -> usize {
    let count = text.chars().count();
    let mut at = pen;
    #[expect(clippy::cast_precision_loss, reason = "a code has few characters")]
    let step = width / count.max(1) as f64;
    for c in text.chars() {
        // Control characters are no text: a tab or line end is a space, the rest an unknown glyph.
        let c = match c {
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => ' ',
            c if c.is_control() => '\u{FFFD}',
            c => c,
        };
        run.text.push(c);
        run.edges.push(at);
        at += step;
    }
    run.end = pen + width;
    count
}

fn finish(open: Open, font: &Font, state: &State, mark: Mark, geometry: &PageGeometry) -> Option<Run> {
    let Open { text, edges, end, start } = open;
    let first = *edges.first()?;
    // Writing direction and the direction across it (up), per text space unit, in user space.
    let (along, across) = if font.vertical {
        (start.vector(0.0, -1.0), start.vector(1.0, 0.0))
    } else {
        (start.vector(1.0, 0.0), start.vector(0.0, 1.0))
    };
    let sign = if font.vertical { -1.0 } else { 1.0 };
    let unit = length(along);
    let size = state.font_size * font.size_factor;
    let mut distances: Vec<f32> = Vec::with_capacity(edges.len() + 1);
    let mut reached = 0.0f64;
    // A font of negative size, or Tz below zero, writes backwards.
    let backwards = sign * (end - first) < 0.0;
    for edge in edges.iter().copied().chain([end]) {
        let distance = (edge - first) * sign * if backwards { -1.0 } else { 1.0 };
        reached = reached.max(distance * unit);
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        distances.push(reached as f32);
    }
    let total = if unit > 0.0 { reached / unit } else { 0.0 } * if backwards { -1.0 } else { 1.0 };
    let (low, high) = if font.vertical {
        (-0.5 * state.font_size, 0.5 * state.font_size)
    } else {
        (font.descent * state.font_size, font.ascent * state.font_size)
    };
    let (origin_x, origin_y) = start.point(0.0, 0.0);
    let corner = |far: f64, up: f64| {
        let x = origin_x + along.0 * far + across.0 * up;
        let y = origin_y + along.1 * far + across.1 * up;
        shown(geometry, x, y)
    };
    let corners = [corner(0.0, low), corner(0.0, high), corner(total, low), corner(total, high)];
    let rect = Rect {
        x0: corners.iter().map(|c| c.0).fold(f32::INFINITY, f32::min),
        y0: corners.iter().map(|c| c.1).fold(f32::INFINITY, f32::min),
        x1: corners.iter().map(|c| c.0).fold(f32::NEG_INFINITY, f32::max),
        y1: corners.iter().map(|c| c.1).fold(f32::NEG_INFINITY, f32::max),
    };
    if !(rect.x0.is_finite() && rect.y0.is_finite() && rect.x1.is_finite() && rect.y1.is_finite()) {
        return None;
    }
    let from = shown(geometry, origin_x, origin_y);
    let direction = if backwards { (-along.0, -along.1) } else { along };
    let ahead = shown(geometry, origin_x + direction.0, origin_y + direction.1);
    let angle = angle(f64::from(ahead.0 - from.0), f64::from(ahead.1 - from.1));
    let sideways = (45.0..135.0).contains(&angle) || (225.0..315.0).contains(&angle);
    let height = length(across);
    let (width, page_height) = geometry.size();
    let off_page = rect.x1 < 0.0 || rect.y1 < 0.0 || rect.x0 > width.0 || rect.y0 > page_height.0;
    let visibility = if off_page {
        Visibility::OffPage
    } else if matches!(state.render, 3 | 7) {
        Visibility::Invisible
    } else {
        Visibility::Visible
    };
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let (shown_size, rise) = ((size.abs() * height) as f32, (state.rise * height) as f32);
    Some(Run {
        text,
        edges: distances,
        rect,
        baseline: if sideways { from.0 } else { from.1 },
        angle,
        size: Pt(shown_size),
        rise: Pt(rise),
        font: FontStyle::clone(&font.style),
        visibility,
        mcid: mark.mcid,
        artifact: mark.artifact,
    })
}

/// Whether a run that has ink and stands on the page can be seen there: not where it is clipped away, painted
/// with no opacity, or in the colour of what lies beneath it.
fn seen(rect: &Rect, font: &Font, state: &State, ground: &mut Ground) -> Visibility {
    let away = |clip: Rect| {
        rect.x1 < clip.x0 - AWAY
            || rect.x0 > clip.x1 + AWAY
            || rect.y1 < clip.y0 - AWAY
            || rect.y0 > clip.y1 + AWAY
    };
    if state.clip.is_some_and(away) {
        return Visibility::OffPage;
    }
    let (fills, strokes) = (matches!(state.render, 0 | 2 | 4 | 6), matches!(state.render, 1 | 2 | 5 | 6));
    if (!fills || state.fill_alpha <= 0.0) && (!strokes || state.stroke_alpha <= 0.0) {
        return Visibility::Invisible;
    }
    // The glyphs of Type 3 fonts may have colours of their own.
    let colour =
        state.lasting(&state.fill, state.fill_alpha).filter(|_| fills && !strokes && !font.own_colours);
    match colour {
        Some(colour) if ground.hides(rect, colour) => Visibility::Background,
        _ => Visibility::Visible,
    }
}

fn shown(geometry: &PageGeometry, x: f64, y: f64) -> (f32, f32) {
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let point = geometry.to_shown(x as f32, y as f32);
    (point.x, point.y)
}

/// Degrees clockwise from left-to-right on the page as shown. Upright directions are exact; others are
/// rounded to a hundredth, so that every platform's arc tangent gives the same.
fn angle(dx: f64, dy: f64) -> f32 {
    let (wide, high) = (dx.abs(), dy.abs());
    if high <= wide * 0.002 {
        return if dx < 0.0 { 180.0 } else { 0.0 };
    }
    if wide <= high * 0.002 {
        return if dy < 0.0 { 270.0 } else { 90.0 };
    }
    let degrees = (dy.atan2(dx).to_degrees() * 100.0).round() / 100.0;
    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
    let degrees = degrees.rem_euclid(360.0) as f32;
    if degrees >= 360.0 { 0.0 } else { degrees }
}
