//! Paths: ruled lines (stroked horizontal and vertical segments, and filled boxes thin enough to be lines), the painted
//! areas behind text, the opaque ones over it, and the clipping path.

use document::{PageGeometry, Rect, Rule};

use super::backdrop::Backdrop;
use super::colour::{Colour, WHITE};
use super::outline::Outline;
use super::state::{GraphicsState, Matrix, length};
use crate::visibility::{CoverKind, Covers, Dot, Shape};

/// Maximum thickness of a rule in points.
const MAX_THICKNESS: f32 = 3.0;
/// Minimum length of a rule in points; shorter lines are dots and dashes of glyphs drawn as shapes.
const MIN_LENGTH: f32 = 4.0;
/// Maximum deviation of horizontal and vertical lines, in points.
const MAX_SLANT: f32 = 0.5;
/// Maximum rules of one page.
const MAX_RULES: usize = 20_000;
/// Square that an image fills.
const UNIT: [f64; 4] = [0.0, 0.0, 1.0, 1.0];
/// Maximum points of one path.
const MAX_POINTS: usize = 10_000;
/// Minimum width of a line that covers text, in points.
const MIN_COVERING: f32 = 1.0;

/// Current path, and the rules and areas painted so far.
pub(crate) struct Paths {
    geometry: PageGeometry,
    pub(crate) rules: Vec<Rule>,
    /// Subpaths on the page as shown; curves split them.
    subpaths: Vec<Vec<Dot>>,
    /// The same subpaths whole, with flattened curves.
    outline: Outline,
    points: usize,
    /// Bounding box of the whole path, control points included.
    extent: Option<Rect>,
    /// True if the path has curves, which are not in `subpaths`.
    has_curves: bool,
    /// Fill rule by which the path clips once it is painted (`W`, `W*`), if it does.
    pub(super) clips: Option<FillRule>,
    /// Areas painted so far.
    pub(super) backdrop: Backdrop,
    /// Opaque areas painted over text so far.
    pub(super) covers: Covers,
}

/// Fill rule of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillRule {
    NonZero,
    EvenOdd,
}

/// An image, as far as its text layer and the text below it need it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Picture {
    /// True if nothing below it can be seen.
    pub(super) is_opaque: bool,
    /// True if all of it has one colour.
    pub(super) is_plain: bool,
    /// That colour, if it is known.
    pub(super) colour: Option<Colour>,
}

/// Painting operation of a path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathPainting {
    pub(super) fills: Option<FillRule>,
    pub(super) strokes: bool,
    /// True if the fill is a pattern through which something may show.
    pub(super) sees_through: bool,
}

impl Paths {
    pub(crate) fn new(geometry: PageGeometry) -> Self {
        Self {
            geometry,
            rules: Vec::new(),
            subpaths: Vec::new(),
            outline: Outline::default(),
            points: 0,
            extent: None,
            has_curves: false,
            clips: None,
            backdrop: Backdrop::of(WHITE),
            covers: Covers::new(&geometry),
        }
    }

    /// The same for a page of its own, of which all opaque areas are kept.
    pub(super) fn aside(geometry: PageGeometry) -> Self {
        Self { covers: Covers::of_all(&geometry), ..Self::new(geometry) }
    }

    /// Drops the current path.
    pub(super) fn discard(&mut self) {
        self.subpaths.clear();
        self.outline = Outline::default();
        self.points = 0;
        self.extent = None;
        (self.has_curves, self.clips) = (false, None);
    }

    pub(crate) fn move_to(&mut self, ctm: &Matrix, x: f64, y: f64) {
        let point = self.shown(ctm, x, y);
        self.outline.move_to(point);
        self.begin(point);
    }

    pub(crate) fn line_to(&mut self, ctm: &Matrix, x: f64, y: f64) {
        let point = self.shown(ctm, x, y);
        self.outline.line_to(point);
        if self.points < MAX_POINTS {
            self.points += 1;
            match self.subpaths.last_mut() {
                Some(subpath) => subpath.push(point),
                None => self.subpaths.push(vec![point]),
            }
        }
    }

    /// Adds a curve, which is never a rule: a new subpath begins at its end. Without a first control point the current
    /// one stands in.
    pub(crate) fn curve_to(
        &mut self,
        ctm: &Matrix,
        first: Option<(f64, f64)>,
        second: (f64, f64),
        (x, y): (f64, f64),
    ) {
        self.has_curves = true;
        let first = first.map(|(x, y)| self.shown(ctm, x, y));
        let second = self.shown(ctm, second.0, second.1);
        let point = self.shown(ctm, x, y);
        self.outline.curve_to(first, second, point);
        self.begin(point);
    }

    /// Begins a subpath.
    fn begin(&mut self, point: Dot) {
        if self.points < MAX_POINTS {
            self.points += 1;
            self.subpaths.push(vec![point]);
        }
    }

    pub(crate) fn close(&mut self) {
        self.outline.close();
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

    /// Box around the current path.
    pub(super) fn extent(&self) -> Option<Rect> {
        self.extent
    }

    /// Ends the path after painting it, and applies it as a clipping path if it is one.
    pub(super) fn paint(&mut self, state: &mut GraphicsState, painting: PathPainting) {
        self.points = 0;
        let extent = self.extent.take();
        let outline = std::mem::take(&mut self.outline);
        let subpaths = std::mem::take(&mut self.subpaths);
        let has_curves = std::mem::take(&mut self.has_curves);
        self.areas_and_rules(state, painting, subpaths, has_curves, extent);
        if let Some(extent) = extent {
            self.cover(state, painting, &outline, extent);
        }
        if let (Some(rule), Some(extent)) = (self.clips.take(), extent) {
            clip(state, extent, outline.filled(rule == FillRule::EvenOdd));
        }
    }

    /// Adds what an opaque path covers.
    fn cover(&mut self, state: &GraphicsState, painting: PathPainting, outline: &Outline, extent: Rect) {
        let half = narrow_half_width(state);
        let wide =
            Rect { x0: extent.x0 - half, y0: extent.y0 - half, x1: extent.x1 + half, y1: extent.y1 + half };
        if !self.covers.is_over_text(&wide) {
            return;
        }
        let fill = painting
            .fills
            .filter(|_| !painting.sees_through && state.is_opaque(state.fill.colour, state.fill_alpha));
        if let Some(shape) = fill.and_then(|rule| outline.filled(rule == FillRule::EvenOdd)) {
            self.covers.add_shape(shape, &state.clip, CoverKind::Area);
        }
        let strokes = painting.strokes
            && !state.dashed
            && 2.0 * half >= MIN_COVERING
            && state.stroke.pattern.is_none()
            && state.is_opaque(state.stroke.colour, state.stroke_alpha);
        if let Some(shape) = strokes.then(|| outline.stroked(half)).flatten() {
            self.covers.add_shape(shape, &state.clip, CoverKind::Area);
        }
    }

    /// Adds the areas that a path paints, and its rules.
    fn areas_and_rules(
        &mut self,
        state: &GraphicsState,
        painting: PathPainting,
        subpaths: Vec<Vec<Dot>>,
        has_curves: bool,
        extent: Option<Rect>,
    ) {
        let (fills, strokes) = (painting.fills.is_some(), painting.strokes);
        let rules_fill = fills && !state.fill.is_white();
        let rules_stroke = strokes && !state.stroke.is_white();
        let fill_colour = state.opaque_colour(&state.fill, state.fill_alpha);
        let stroke_colour = state.opaque_colour(&state.stroke, state.stroke_alpha);
        let fill_shows = fills && state.fill_alpha > 0.0;
        let stroke_shows = strokes && state.stroke_alpha > 0.0;
        let half = half_width(state);
        // A shape of several subpaths may have holes.
        let is_single = subpaths.len() == 1;
        for subpath in subpaths {
            let boxed = bounds(&subpath);
            // Paths of horizontal and vertical lines are boxes; other shapes are not rules.
            let upright = subpath.len() >= 4 && subpath.windows(2).all(is_axis_aligned);
            if fill_shows && !has_curves {
                let fills_box = upright && subpath.len() <= 5 && is_single && state.clip.is_box();
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
        if let Some(extent) = extent.filter(|_| has_curves && (fill_shows || stroke_shows)) {
            let colour = if fill_shows { fill_colour } else { stroke_colour };
            self.area(state, extent, colour.filter(|_| fill_shows != stroke_shows), false);
        }
    }

    /// Clips to the bounding box of a form.
    pub(super) fn clip_to(&mut self, state: &mut GraphicsState, form_box: [f64; 4]) {
        let (extent, ring) = self.quad(&state.ctm, form_box);
        clip(state, extent, Shape::new(vec![ring], false));
    }

    /// Adds the area of an image, the unit square, of this colour if it has only one.
    pub(super) fn image(&mut self, state: &GraphicsState, picture: Picture) {
        let (extent, ring) = self.quad(&state.ctm, UNIT);
        self.covers.add_image(state.clip.part_of(extent));
        self.area(state, extent, picture.colour.filter(|_| picture.is_opaque), true);
        // A picture that changes from place to place is black and white only by chance.
        let is_opaque = picture.is_opaque && state.is_opaque(picture.colour, state.fill_alpha);
        if let Some(shape) = is_opaque.then(|| Shape::new(vec![ring], false)).flatten() {
            let kind = if picture.is_plain { CoverKind::Area } else { CoverKind::Picture };
            self.covers.add_shape(shape, &state.clip, kind);
        }
    }

    /// True if text was shown where an image would be painted.
    pub(super) fn is_image_over_text(&mut self, state: &GraphicsState) -> bool {
        let (extent, _) = self.quad(&state.ctm, UNIT);
        self.covers.is_over_text(&state.clip.part_of(extent))
    }

    /// Adds the area of a shading, which fills the clipping path, in an unknown colour.
    pub(super) fn shade(&mut self, state: &GraphicsState, is_opaque: bool) {
        let (width, height) = self.geometry.size();
        let page = Rect { x0: 0.0, y0: 0.0, x1: width.0, y1: height.0 };
        self.area(state, page, None, true);
        if is_opaque && state.is_opaque(None, state.fill_alpha) {
            self.covers.add_box(page, &state.clip, CoverKind::Area);
        }
    }

    /// Box around the image of a box in user space, and its corners.
    fn quad(&mut self, ctm: &Matrix, [xa, ya, xb, yb]: [f64; 4]) -> (Rect, Vec<Dot>) {
        let kept = self.extent.take();
        let ring = [(xa, ya), (xb, ya), (xb, yb), (xa, yb)].map(|(x, y)| self.shown(ctm, x, y));
        let extent = std::mem::replace(&mut self.extent, kept);
        (extent.unwrap_or_default(), ring.to_vec())
    }

    /// Adds the part of an area inside the clipping path.
    fn area(&mut self, state: &GraphicsState, rect: Rect, colour: Option<Colour>, fills_box: bool) {
        let seen = state.clip.part_of(rect);
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
    fn shown(&mut self, ctm: &Matrix, x: f64, y: f64) -> Dot {
        let (x, y) = ctm.point(x, y);
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        let point = self.geometry.to_shown(x as f32, y as f32);
        let here = Rect { x0: point.x, y0: point.y, x1: point.x, y1: point.y };
        self.extent = Some(self.extent.map_or(here, |extent| extent.union(&here)));
        (point.x, point.y)
    }
}

/// Half the line width in points on the page in the direction in which lines are narrowest.
fn narrow_half_width(state: &GraphicsState) -> f32 {
    let [a, b, c, d, ..] = state.ctm.0;
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let half = (state.line_width.abs() * length((a, b)).min(length((c, d))) / 2.0) as f32;
    half
}

/// Half the line width in points on the page.
fn half_width(state: &GraphicsState) -> f32 {
    let [a, b, c, d, ..] = state.ctm.0;
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let half = (state.line_width.abs() * (length((a, b)) + length((c, d))) / 4.0) as f32;
    half
}

/// Intersects the clipping path with a shape in a box.
fn clip(state: &mut GraphicsState, to: Rect, shape: Option<Shape>) {
    state.clip.intersect(to, shape);
}

/// True if a segment is horizontal or vertical.
fn is_axis_aligned(pair: &[Dot]) -> bool {
    match pair {
        [a, b] => (a.0 - b.0).abs() <= MAX_SLANT || (a.1 - b.1).abs() <= MAX_SLANT,
        _ => false,
    }
}

fn bounds(points: &[Dot]) -> Rect {
    let mut rect = Rect { x0: f32::MAX, y0: f32::MAX, x1: f32::MIN, y1: f32::MIN };
    for &(x, y) in points {
        rect = Rect { x0: rect.x0.min(x), y0: rect.y0.min(y), x1: rect.x1.max(x), y1: rect.y1.max(y) };
    }
    rect
}
