//! Runs: from glyphs placed by the text matrix to text with edges, box, baseline and angle on the page as shown.
//!
//! A run is text that one showing operator draws without a gap. An adjustment of a `TJ` ends the run if it moves ahead
//! by a tenth of an em or more, or back by a fifth. Spaces in the strings stay characters. Layout decides which gaps
//! are word spaces.

use document::{Attestation, FontStyle, PageGeometry, Pt, Rect, Run, Slice as _, Visibility};

use super::budget::TextBudget;
use super::colour::{BLACK, Blend, Paint, WHITE, look_same};
use super::marked::MarkedContext;
use super::paths::Paths;
use super::replace::replace;
use super::script::is_rtl;
use super::state::{GraphicsState, Matrix, length};
use crate::fonts::{DecodedCode, Font};
use crate::visibility::Ink;

/// Minimum adjustment ahead that ends a run, in ems.
const GAP: f64 = 0.1;
/// Minimum adjustment back that ends a run, in ems.
const BACK: f64 = 0.2;
/// Minimum type size of text that a reader sees, in points on a page of letter size. On smaller pages it is smaller.
const MIN_SIZE: f32 = 1.0;
/// Longer side of that page.
const LETTER: f32 = 792.0;
/// Length that few runs are shorter than by much, in bytes: where words or lines are drawn at once.
const USUAL_RUN: usize = 16;
/// Maximum length of a run in bytes.
const MAX_RUN: usize = 4_096;
/// Text rendering mode without fill or stroke.
const RENDER_INVISIBLE: i64 = 3;
/// Text rendering mode that only adds to the clipping path.
const RENDER_CLIP: i64 = 7;

/// Collector of the runs of a page.
pub(super) struct RunCollector {
    geometry: PageGeometry,
    pub(super) budget: TextBudget,
    pub(super) runs: Vec<Run>,
    /// Ink of each run.
    pub(super) inks: Vec<Ink>,
    pub(super) characters: usize,
    /// Characters without Unicode text.
    pub(super) unmapped: usize,
    /// Points of a unit of the page (`UserUnit`).
    pub(super) unit: f32,
}

/// Run that is being collected.
struct OpenRun {
    text: String,
    /// Distances of the characters from the start of the operator, in text space units along the writing direction.
    edges: Vec<f64>,
    end: f64,
    differs: bool,
    /// True if the file alone vouches for a letter or digit.
    has_claimed: bool,
    /// True if the font vouches for any character.
    has_drawn: bool,
    /// Text space to user space at the start of the run.
    start: Matrix,
}

/// Element of a text-showing operator.
pub(super) enum TextElement<'s> {
    String(&'s [u8]),
    /// Adjustment of a `TJ` in thousandths of an em, against the writing direction.
    Adjustment(f64),
}

/// One execution of a text-showing operator.
struct Showing<'s> {
    state: &'s GraphicsState,
    font: &'s Font,
    text_matrix: &'s Matrix,
    mark: MarkedContext,
    /// Horizontal scaling along the writing direction: `Tz` for horizontal text, 1 for vertical text.
    scale: f64,
    /// Distance from the start of the operator, in text space units along the writing direction.
    pen: f64,
    open: Option<OpenRun>,
}

impl RunCollector {
    pub(super) fn new(geometry: PageGeometry, budget: TextBudget) -> Self {
        Self { geometry, budget, runs: Vec::new(), inks: Vec::new(), characters: 0, unmapped: 0, unit: 1.0 }
    }

    /// Shows the strings and adjustments of one operator; the text matrix after it.
    pub(super) fn show<'s>(
        &mut self,
        state: &GraphicsState,
        text_matrix: &Matrix,
        elements: impl Iterator<Item = TextElement<'s>>,
        mark: MarkedContext,
        paths: &mut Paths,
    ) -> Matrix {
        let Some(font) = state.font.as_deref() else { return *text_matrix };
        let scale = if font.vertical { 1.0 } else { state.scale };
        let mut showing = Showing { state, font, text_matrix, mark, scale, pen: 0.0, open: None };
        let mut decoded = String::new();
        for element in elements {
            match element {
                TextElement::Adjustment(thousandths) => {
                    if showing.adjust(thousandths) {
                        self.close(&mut showing, paths);
                    }
                }
                TextElement::String(bytes) => {
                    let mut rest = bytes;
                    decoded.clear();
                    while !self.is_full()
                        && let Some(code) = font.next_code(rest, &mut decoded)
                    {
                        rest = rest.slice(code.length.max(1)..);
                        let code = showing.as_drawn(code, &mut decoded);
                        self.show_code(&mut showing, code, &decoded, paths);
                        decoded.clear();
                    }
                }
            }
        }
        self.close(&mut showing, paths);
        let (x, y) = if font.vertical { (0.0, showing.pen) } else { (showing.pen, 0.0) };
        Matrix::translation(x, y).then(text_matrix)
    }

    /// True if nothing more may be shown.
    fn is_full(&self) -> bool {
        self.characters >= self.budget.characters || self.runs.len() >= self.budget.runs
    }

    /// Adds one code with its text to the open run.
    fn show_code(&mut self, showing: &mut Showing<'_>, code: DecodedCode, text: &str, paths: &mut Paths) {
        self.unmapped += usize::from(!code.mapped);
        let differs = code.attestation == Attestation::Differs;
        let ends = |open: &OpenRun| open.text.len() >= MAX_RUN || open.differs != differs;
        if showing.open.as_ref().is_some_and(ends) {
            self.close(showing, paths);
        }
        self.characters += showing.push(code, text);
    }

    /// Adds runs made elsewhere, within the budget.
    pub(super) fn extend(&mut self, runs: Vec<Run>, paths: &mut Paths) {
        for run in runs {
            let count = run.text.chars().count();
            if self.runs.len() >= self.budget.runs || self.characters + count > self.budget.characters {
                return;
            }
            self.characters += count;
            let ink = Ink::of(&run, paths.covers.last(), paths.backdrop.n_areas());
            self.push(run, ink, paths);
        }
    }

    /// Replaces the text of the runs from this index on by an `ActualText`.
    pub(super) fn replace_from(&mut self, first: usize, text: &str) {
        let first = first.min(self.runs.len());
        let (drawn, inks) = (self.runs.split_off(first), self.inks.split_off(first));
        let length = |runs: &[Run]| runs.iter().map(|run| run.text.len()).sum::<usize>();
        let before = length(&drawn);
        let replaced = replace(drawn, text);
        self.characters += length(&replaced).saturating_sub(before);
        if replaced.len() == inks.len() {
            self.inks.extend(inks);
        } else {
            let merged = Ink::merged(&inks);
            self.inks.extend(replaced.iter().filter_map(|_| merged.clone()));
        }
        self.runs.extend(replaced);
    }

    /// Ends the open run; text in optional content that is off is never painted.
    fn close(&mut self, showing: &mut Showing<'_>, paths: &mut Paths) {
        let Some(open) = showing.open.take().filter(|open| !open.text.is_empty()) else { return };
        let Some((mut run, mut ink)) = open.finish(showing, &self.geometry) else { return };
        (ink.after, ink.n_areas) = (paths.covers.last(), paths.backdrop.n_areas());
        if showing.mark.hidden || self.is_too_small(&run, showing) {
            run.visibility = Visibility::Unpainted;
        } else if run.visibility == Visibility::Visible {
            run.visibility = visibility(&run.rect, showing.font, showing.state, paths);
            if run.visibility == Visibility::Visible {
                ink.lost = lost(&run, &ink, showing, paths);
            }
        }
        self.push(run, ink, paths);
    }

    /// True if text is too small to be read where the page is shown, or squeezed to nothing.
    fn is_too_small(&self, run: &Run, showing: &Showing<'_>) -> bool {
        let (width, height) = self.geometry.size();
        let least = MIN_SIZE * (width.0.max(height.0) / LETTER).min(1.0);
        let Showing { state, font, text_matrix, scale, .. } = showing;
        let along = if font.vertical { (0.0, 1.0) } else { (1.0, 0.0) };
        let matrix = text_matrix.then(&state.ctm);
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        let advance = (length(matrix.vector(along.0, along.1)) * state.font_size * font.size_factor * scale)
            .abs() as f32;
        run.size.0.min(advance) * self.unit < least
    }

    fn push(&mut self, run: Run, ink: Ink, paths: &mut Paths) {
        paths.covers.add_text(&run.rect);
        self.runs.push(run);
        self.inks.push(ink);
    }
}

impl Showing<'_> {
    /// Puts what is drawn in the place of what is claimed. Text without ink is what it claims to be.
    fn as_drawn(&self, mut code: DecodedCode, text: &mut String) -> DecodedCode {
        if self.state.render == RENDER_INVISIBLE {
            code.attestation = Attestation::Claimed;
            return code;
        }
        if code.attestation == Attestation::Differs {
            self.font.put_drawn(code, text);
        }
        code
    }

    /// Moves the pen by an adjustment; true if the gap ends the run.
    fn adjust(&mut self, thousandths: f64) -> bool {
        let size = self.state.font_size;
        let step = -thousandths / 1000.0 * size * self.scale;
        self.pen += step;
        // Vertical text moves down, so its steps ahead are negative.
        let step = if self.font.vertical { -step } else { step };
        let ahead = step / size.abs().max(1e-6) * size.signum();
        ahead >= GAP * self.font.size_factor * self.scale.abs()
            || ahead <= -BACK * self.font.size_factor * self.scale.abs()
    }

    /// Adds the text of a code to the open run and moves the pen; the number of its characters, which share its
    /// advance evenly.
    ///
    /// Runs go the way their glyphs go on the page: several right-to-left characters of one glyph are reversed to the
    /// order of the glyphs around it.
    fn push(&mut self, code: DecodedCode, text: &str) -> usize {
        let Self { state, font, text_matrix, scale, pen, .. } = *self;
        let start = || OpenRun {
            text: String::with_capacity(USUAL_RUN),
            edges: Vec::with_capacity(USUAL_RUN),
            end: 0.0,
            differs: code.attestation == Attestation::Differs,
            has_claimed: false,
            has_drawn: false,
            start: start_matrix(state, text_matrix, font, pen),
        };
        let run = self.open.get_or_insert_with(start);
        run.has_drawn |= code.attestation == Attestation::Drawn;
        run.has_claimed = run.has_claimed
            || code.attestation == Attestation::Claimed && text.contains(char::is_alphanumeric);
        let width = code.advance * state.font_size * scale;
        let count = text.chars().count();
        let reversed: String;
        let text = if count > 1 && text.chars().any(is_rtl) {
            reversed = text.chars().rev().collect();
            &reversed
        } else {
            text
        };
        #[expect(clippy::cast_precision_loss, reason = "a code has few characters")]
        let step = width / count.max(1) as f64;
        let mut at = pen;
        for c in text.chars() {
            // Control characters are not text: tabs and line ends are spaces, others are unknown glyphs.
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
        let spacing = state.char_space + if code.word_space { state.word_space } else { 0.0 };
        // Spacing goes with the writing direction, which for vertical text is downwards.
        self.pen += width + if font.vertical { -spacing } else { spacing * scale };
        count
    }
}

/// Text space to user space with the first glyph of the run at the origin, text rise included. The pen is the baseline
/// of horizontal glyphs and the axis of vertical ones.
fn start_matrix(state: &GraphicsState, text_matrix: &Matrix, font: &Font, pen: f64) -> Matrix {
    let (x, y) = if font.vertical { (0.0, pen) } else { (pen, 0.0) };
    Matrix::translation(x, y + state.rise).then(text_matrix).then(&state.ctm)
}

impl OpenRun {
    fn attestation(&self) -> Attestation {
        match (self.differs, self.has_drawn, self.has_claimed) {
            (true, ..) => Attestation::Differs,
            (_, true, false) => Attestation::Drawn,
            _ => Attestation::Claimed,
        }
    }

    /// Run on the page as shown, with its ink; `None` if its box is not finite.
    fn finish(self, showing: &Showing<'_>, geometry: &PageGeometry) -> Option<(Run, Ink)> {
        let Showing { state, font, mark, .. } = showing;
        let attestation = self.attestation();
        let Self { mut text, edges, end, start, .. } = self;
        // Short texts waste little.
        if text.capacity() > text.len() + 16 {
            text.shrink_to_fit();
        }
        // Writing direction, and upwards across it, per text space unit in user space.
        let (along, across, sign) = if font.vertical {
            (start.vector(0.0, -1.0), start.vector(1.0, 0.0), -1.0)
        } else {
            (start.vector(1.0, 0.0), start.vector(0.0, 1.0), 1.0)
        };
        let unit = length(along);
        let (edges, reached, is_backwards) = distances(&edges, end, sign, unit)?;
        let total = if unit > 0.0 { reached / unit } else { 0.0 } * if is_backwards { -1.0 } else { 1.0 };
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
        let rect = bounds([corner(0.0, low), corner(0.0, high), corner(total, low), corner(total, high)])?;
        let from = shown(geometry, origin_x, origin_y);
        let direction = if is_backwards { (-along.0, -along.1) } else { along };
        let ahead = shown(geometry, origin_x + direction.0, origin_y + direction.1);
        let angle = angle(f64::from(ahead.0 - from.0), f64::from(ahead.1 - from.1));
        let is_sideways = (45.0..135.0).contains(&angle) || (225.0..315.0).contains(&angle);
        let (page_width, page_height) = geometry.size();
        let is_off_page = rect.x1 < 0.0 || rect.y1 < 0.0 || rect.x0 > page_width.0 || rect.y0 > page_height.0;
        let height = length(across);
        let size = state.font_size * font.size_factor;
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        let (shown_size, rise) = ((size.abs() * height) as f32, (state.rise * height) as f32);
        let ink = self::ink(showing, geometry, (origin_x, origin_y), direction, across);
        let run = Run {
            text,
            edges,
            rect,
            baseline: if is_sideways { from.0 } else { from.1 },
            angle,
            size: Pt(shown_size),
            rise: Pt(rise),
            font: FontStyle::clone(&font.style),
            visibility: match state.render {
                _ if is_off_page => Visibility::OffPage,
                RENDER_INVISIBLE => Visibility::Invisible,
                _ => Visibility::Visible,
            },
            attestation,
            mcid: mark.mcid,
            artifact: mark.artifact,
        };
        Some((run, ink))
    }
}

/// Ink of a run with its origin, its writing direction and the direction upwards in user space.
fn ink(
    showing: &Showing<'_>,
    geometry: &PageGeometry,
    (x, y): (f64, f64),
    direction: (f64, f64),
    across: (f64, f64),
) -> Ink {
    let Showing { state, font, .. } = showing;
    let size = state.font_size * font.size_factor;
    let origin = shown(geometry, x, y);
    let vector = |dx: f64, dy: f64| {
        let to = shown(geometry, x + dx, y + dy);
        (to.0 - origin.0, to.1 - origin.1)
    };
    let unit = length(direction).max(1e-9);
    #[expect(clippy::cast_possible_truncation, reason = "some ems")]
    let (low, high) = if font.vertical {
        (-0.5, 0.5)
    } else {
        ((font.descent / font.size_factor) as f32, (font.ascent / font.size_factor) as f32)
    };
    Ink {
        after: 0,
        n_areas: 0,
        clip: state.clip.clone(),
        origin,
        along: vector(direction.0 / unit, direction.1 / unit),
        em: vector(across.0 * size, across.1 * size),
        low,
        high,
        is_plain: !font.vertical && !font.own_colours,
        only_clips: state.render == RENDER_CLIP,
        lost: None,
    }
}

/// Distances of the edges from the first one in points, not decreasing, with the last of them and true if the run is
/// written backwards, by a negative font size or scale. `unit` is a text space unit in points.
fn distances(edges: &[f64], end: f64, sign: f64, unit: f64) -> Option<(Vec<f32>, f64, bool)> {
    let first = *edges.first()?;
    let is_backwards = sign * (end - first) < 0.0;
    let mut distances: Vec<f32> = Vec::with_capacity(edges.len() + 1);
    let mut reached = 0.0f64;
    for edge in edges.iter().copied().chain([end]) {
        let distance = (edge - first) * sign * if is_backwards { -1.0 } else { 1.0 };
        reached = reached.max(distance * unit);
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        distances.push(reached as f32);
    }
    Some((distances, reached, is_backwards))
}

/// Box around points; `None` if it is not finite.
fn bounds(points: [(f32, f32); 4]) -> Option<Rect> {
    let rect = Rect {
        x0: points.iter().map(|c| c.0).fold(f32::INFINITY, f32::min),
        y0: points.iter().map(|c| c.1).fold(f32::INFINITY, f32::min),
        x1: points.iter().map(|c| c.0).fold(f32::NEG_INFINITY, f32::max),
        y1: points.iter().map(|c| c.1).fold(f32::NEG_INFINITY, f32::max),
    };
    [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|n| n.is_finite()).then_some(rect)
}

/// Visibility of a run that nothing clips or covers: it is hidden if it is transparent, or of the colour of the backdrop.
fn visibility(rect: &Rect, font: &Font, state: &GraphicsState, paths: &mut Paths) -> Visibility {
    if state.render == RENDER_CLIP {
        // A gradient or photograph is painted through the text, or nothing.
        return Visibility::Visible;
    }
    let (fills, strokes) = (matches!(state.render, 0 | 2 | 4 | 6), matches!(state.render, 1 | 2 | 5 | 6));
    let (fills, strokes) =
        (fills && state.shows(state.fill_alpha), strokes && state.shows(state.stroke_alpha));
    if !fills && !strokes {
        return Visibility::Invisible;
    }
    // Glyphs of Type 3 fonts may choose their own colours.
    if font.own_colours {
        return Visibility::Visible;
    }
    let mut is_lost = |paint: &Paint| {
        paint.colour.is_some_and(|colour| match state.blend {
            Blend::Normal => paths.backdrop.hides(rect, colour),
            Blend::Darkens => look_same(colour, WHITE),
            Blend::Lightens => look_same(colour, BLACK),
            Blend::Other => false,
        })
    };
    if (!fills || is_lost(&state.fill)) && (!strokes || is_lost(&state.stroke)) {
        Visibility::Background
    } else {
        Visibility::Visible
    }
}

/// Characters of a visible run that lie on their own colour, if there are any.
fn lost(run: &Run, ink: &Ink, showing: &Showing<'_>, paths: &mut Paths) -> Option<Vec<bool>> {
    let Showing { state, font, .. } = showing;
    let is_plain = matches!(state.render, 0 | 4) && state.blend == Blend::Normal && !font.own_colours;
    let colour = state.fill.colour.filter(|_| is_plain)?;
    if !paths.backdrop.may_hide_some(&run.rect, colour) {
        return None;
    }
    let chars = run.text.chars().zip(run.edges.windows(2));
    let lost: Vec<bool> = chars
        .map(|(c, edges)| match *edges {
            [start, end] => paths.backdrop.hides(&ink.glyph_box(c, (start, end)), colour),
            _ => false,
        })
        .collect();
    lost.contains(&true).then_some(lost)
}

/// Point of user space on the page as shown.
fn shown(geometry: &PageGeometry, x: f64, y: f64) -> (f32, f32) {
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let point = geometry.to_shown(x as f32, y as f32);
    (point.x, point.y)
}

/// Angle of a direction in degrees clockwise from left-to-right, 0 to 360. Horizontal and vertical directions are exact;
/// others are rounded to hundredths.
fn angle(dx: f64, dy: f64) -> f32 {
    let (wide, high) = (dx.abs(), dy.abs());
    if high <= wide * 0.002 {
        return if dx < 0.0 { 180.0 } else { 0.0 };
    }
    if wide <= high * 0.002 {
        return if dy < 0.0 { 270.0 } else { 90.0 };
    }
    let degrees = (libm::atan2(dy, dx).to_degrees() * 100.0).round() / 100.0;
    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
    let degrees = degrees.rem_euclid(360.0) as f32;
    if degrees >= 360.0 { 0.0 } else { degrees }
}
