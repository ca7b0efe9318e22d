//! Paths: ruled lines (stroked horizontal and vertical segments, and filled boxes thin enough to be lines), the painted
//! areas behind text, and the bounding box of the clipping path.

use document::{PageGeometry, Rect, Rule};

use super::backdrop::Backdrop;
use super::colour::Colour;
use super::state::{GraphicsState, Matrix, length};

/// Maximum thickness of a rule in points.
const MAX_THICKNESS: f32 = 3.0;
/// Minimum length of a rule in points; shorter lines are dots and dashes of glyphs drawn as shapes.
const MIN_LENGTH: f32 = 4.0;
/// Maximum deviation of horizontal and vertical lines, in points.
const MAX_SLANT: f32 = 0.5;
/// Maximum rules of one page.
const MAX_RULES: usize = 20_000;
/// Maximum points of one path.
const MAX_POINTS: usize = 10_000;

/// Current path, and the rules and areas painted so far.
pub(crate) struct Paths {
    geometry: PageGeometry,
    pub(crate) rules: Vec<Rule>,
    /// Subpaths on the page as shown; curves split them.
    subpaths: Vec<Vec<(f32, f32)>>,
    points: usize,
    /// Bounding box of the whole path, control points included.
    extent: Option<Rect>,
    /// True if the path has curves, which are not in `subpaths`.
    has_curves: bool,
    /// True if the path clips once it is painted (`W`, `W*`).
    pub(super) clips: bool,
    /// Areas painted so far.
    pub(super) backdrop: Backdrop,
}

impl Paths {
    pub(crate) fn new(geometry: PageGeometry) -> Self {
        Self {
            geometry,
            rules: Vec::new(),
            subpaths: Vec::new(),
            points: 0,
            extent: None,
            has_curves: false,
            clips: false,
            backdrop: Backdrop::default(),
        }
    }

    /// Drops the current path.
    pub(super) fn discard(&mut self) {
        self.subpaths.clear();
        self.points = 0;
        self.extent = None;
        (self.has_curves, self.clips) = (false, false);
    }

    pub(crate) fn move_to(&mut self, ctm: &Matrix, x: f64, y: f64) {
        let point = self.shown(ctm, x, y);
        if self.points < MAX_POINTS {
            self.points += 1;
            self.subpaths.push(vec![point]);
        }
    }

    pub(crate) fn line_to(&mut self, ctm: &Matrix, x: f64, y: f64) {
        let point = self.shown(ctm, x, y);
        if self.points < MAX_POINTS {
            self.points += 1;
            match self.subpaths.last_mut() {
                Some(subpath) => subpath.push(point),
                None => self.subpaths.push(vec![point]),
            }
        }
    }

    /// Adds a curve, which is never a rule: a new subpath begins at its end.
    pub(crate) fn curve_to(&mut self, ctm: &Matrix, controls: &[(f64, f64)], x: f64, y: f64) {
        self.has_curves = true;
        for &(x, y) in controls {
            self.shown(ctm, x, y);
        }
        self.move_to(ctm, x, y);
    }

    pub(crate) fn close(&mut self) {
        if let Some(subpath) = self.subpaths.last_mut()
            && let Some(&first) = subpath.first()
            && subpath.len() > 1
        {
            subpath.push(first);
        }
    }

    pub(crate) fn rectangle(&mut self, ctm: &Matrix, x: f64, y: f64, width: f64, height: f64) {
        self.move_to(ctm, x, y);
        self.line_to(ctm, x + width, y);
        self.line_to(ctm, x + width, y + height);
        self.line_to(ctm, x, y + height);
        self.close();
    }

    /// Ends the path after filling and stroking it, or neither, and applies it as a clipping path if it is one.
    pub(super) fn paint(&mut self, state: &mut GraphicsState, fills: bool, strokes: bool) {
        self.points = 0;
        let extent = self.extent.take();
        let has_curves = std::mem::take(&mut self.has_curves);
        let rules_fill = fills && !state.fill.is_white();
        let rules_stroke = strokes && !state.stroke.is_white();
        let fill_colour = state.opaque_colour(&state.fill, state.fill_alpha);
        let stroke_colour = state.opaque_colour(&state.stroke, state.stroke_alpha);
        let fill_shows = fills && state.fill_alpha > 0.0;
        let stroke_shows = strokes && state.stroke_alpha > 0.0;
        let half = half_width(state);
        let subpaths = std::mem::take(&mut self.subpaths);
        // A shape of several subpaths may have holes.
        let is_single = subpaths.len() == 1;
        for subpath in subpaths {
            let boxed = bounds(&subpath);
            // Paths of horizontal and vertical lines are boxes; other shapes are not rules.
            let upright = subpath.len() >= 4 && subpath.windows(2).all(is_axis_aligned);
            if fill_shows && !has_curves {
                let fills_box = upright && subpath.len() <= 5 && is_single;
                self.area(state, boxed, fill_colour, fills_box);
            }
            if rules_fill && upright {
                self.add_rule(boxed);
                continue;
            }
            if !strokes {
                continue;
            }
            for pair in subpath.windows(2) {
                let Rect { x0, y0, x1, y1 } = bounds(pair);
                if stroke_shows {
                    let wide = Rect { x0: x0 - half, y0: y0 - half, x1: x1 + half, y1: y1 + half };
                    self.area(state, wide, stroke_colour, false);
                }
                if !rules_stroke || !is_axis_aligned(pair) {
                    continue;
                }
                let flat = x1 - x0 >= y1 - y0;
                let thin = half.min(MAX_THICKNESS);
                let (dx, dy) = if flat { (0.0, thin) } else { (thin, 0.0) };
                self.add_rule(Rect { x0: x0 - dx, y0: y0 - dy, x1: x1 + dx, y1: y1 + dy });
            }
        }
        if let Some(extent) = extent {
            if has_curves && (fill_shows || stroke_shows) {
                let colour = if fill_shows { fill_colour } else { stroke_colour };
                self.area(state, extent, colour.filter(|_| fill_shows != stroke_shows), false);
            }
            if std::mem::take(&mut self.clips) {
                clip(state, extent);
            }
        }
        self.clips = false;
    }

    /// Clips to the bounding box of a form.
    pub(super) fn clip_to(&mut self, state: &mut GraphicsState, [xa, ya, xb, yb]: [f64; 4]) {
        let kept = self.extent.take();
        for (x, y) in [(xa, ya), (xb, ya), (xa, yb), (xb, yb)] {
            self.shown(&state.ctm, x, y);
        }
        if let Some(extent) = std::mem::replace(&mut self.extent, kept) {
            clip(state, extent);
        }
    }

    /// Adds the area of an image, the unit square, in an unknown colour.
    pub(super) fn image(&mut self, state: &GraphicsState) {
        let kept = self.extent.take();
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            self.shown(&state.ctm, x, y);
        }
        if let Some(extent) = std::mem::replace(&mut self.extent, kept) {
            self.area(state, extent, None, true);
        }
    }

    /// Adds the area of a shading, which fills the clipping path, in an unknown colour.
    pub(super) fn shade(&mut self, state: &GraphicsState) {
        let (width, height) = self.geometry.size();
        self.area(state, Rect { x0: 0.0, y0: 0.0, x1: width.0, y1: height.0 }, None, true);
    }

    /// Adds the part of an area inside the clipping path.
    fn area(&mut self, state: &GraphicsState, rect: Rect, colour: Option<Colour>, fills_box: bool) {
        let seen = match state.clip {
            Some(clip) => Rect {
                x0: rect.x0.max(clip.x0),
                y0: rect.y0.max(clip.y0),
                x1: rect.x1.min(clip.x1),
                y1: rect.y1.min(clip.y1),
            },
            None => rect,
        };
        if seen.x0 < seen.x1 && seen.y0 < seen.y1 {
            self.backdrop.paint(seen, colour, fills_box);
        }
    }

    /// Adds a rule if the box is long and thin enough.
    fn add_rule(&mut self, rect: Rect) {
        let (width, height) = (rect.width(), rect.height());
        let (long, short) = (width.max(height), width.min(height));
        let (page_width, page_height) = self.geometry.size();
        let on_page = rect.x1 >= 0.0 && rect.y1 >= 0.0 && rect.x0 <= page_width.0 && rect.y0 <= page_height.0;
        if short < MAX_THICKNESS
            && long >= MIN_LENGTH.max(2.0 * short)
            && on_page
            && self.rules.len() < MAX_RULES
        {
            self.rules.push(Rule { rect });
        }
    }

    /// Point on the page as shown; grows the bounding box of the path.
    fn shown(&mut self, ctm: &Matrix, x: f64, y: f64) -> (f32, f32) {
        let (x, y) = ctm.point(x, y);
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        let point = self.geometry.to_shown(x as f32, y as f32);
        let here = Rect { x0: point.x, y0: point.y, x1: point.x, y1: point.y };
        self.extent = Some(self.extent.map_or(here, |extent| extent.union(&here)));
        (point.x, point.y)
    }
}

/// Half the line width in points on the page.
fn half_width(state: &GraphicsState) -> f32 {
    let [a, b, c, d, ..] = state.ctm.0;
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let half = (state.line_width.abs() * (length((a, b)) + length((c, d))) / 4.0) as f32;
    half
}

/// Intersects the clipping path with a box; without an area in common the box is taken for a mistake and ignored.
fn clip(state: &mut GraphicsState, to: Rect) {
    let clipped = match state.clip {
        Some(clip) => Rect {
            x0: to.x0.max(clip.x0),
            y0: to.y0.max(clip.y0),
            x1: to.x1.min(clip.x1),
            y1: to.y1.min(clip.y1),
        },
        None => to,
    };
    if clipped.x1 - clipped.x0 > 0.01 && clipped.y1 - clipped.y0 > 0.01 {
        state.clip = Some(clipped);
    }
}

/// True if a segment is horizontal or vertical.
fn is_axis_aligned(pair: &[(f32, f32)]) -> bool {
    match pair {
        [a, b] => (a.0 - b.0).abs() <= MAX_SLANT || (a.1 - b.1).abs() <= MAX_SLANT,
        _ => false,
    }
}

fn bounds(points: &[(f32, f32)]) -> Rect {
    let mut rect = Rect { x0: f32::MAX, y0: f32::MAX, x1: f32::MIN, y1: f32::MIN };
    for &(x, y) in points {
        rect = Rect { x0: rect.x0.min(x), y0: rect.y0.min(y), x1: rect.x1.max(x), y1: rect.y1.max(y) };
    }
    rect
}
