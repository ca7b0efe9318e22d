//! Ruled lines: stroked horizontal and vertical segments, and filled boxes thin enough to be lines.

use document::{PageGeometry, Rect, Rule};

use super::state::{Matrix, length};

/// Filled boxes thinner than this are lines, in points.
const THIN: f32 = 3.0;
/// Shorter ones are dots and dashes of glyphs drawn as shapes.
const SHORTEST: f32 = 4.0;
/// How far a line may lean and still be upright, in points.
const LEAN: f32 = 0.5;
/// Rules kept of one page.
const MAX_RULES: usize = 20_000;
/// Points kept of one path.
const MAX_POINTS: usize = 10_000;

/// The path under construction and the rules found so far.
pub(crate) struct Paths {
    geometry: PageGeometry,
    pub(crate) rules: Vec<Rule>,
    /// Subpaths as shown; curves break them.
    subpaths: Vec<Vec<(f32, f32)>>,
    points: usize,
}

impl Paths {
    pub(crate) fn new(geometry: PageGeometry) -> Self {
        Self { geometry, rules: Vec::new(), subpaths: Vec::new(), points: 0 }
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

    /// A curve is no rule; what follows it starts afresh at its end.
    pub(crate) fn curve_to(&mut self, ctm: &Matrix, x: f64, y: f64) {
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

    /// Ends the path, painted or not.
    pub(crate) fn paint(&mut self, fill: bool, stroke: Option<(f64, &Matrix)>) {
        self.points = 0;
        for subpath in std::mem::take(&mut self.subpaths) {
            let boxed = bounds(&subpath);
            // A box all of whose points lie on its outline is that box; other shapes are no rules.
            let upright = subpath.len() >= 4 && subpath.windows(2).all(is_upright);
            if fill && upright {
                self.add(boxed);
            } else if let Some((line_width, ctm)) = stroke {
                let [a, b, c, d, ..] = ctm.0;
                #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
                let half =
                    (line_width.abs() * (length((a, b)) + length((c, d))) / 4.0).min(THIN as f64) as f32;
                for pair in subpath.windows(2).filter(|pair| is_upright(pair)) {
                    let Rect { x0, y0, x1, y1 } = bounds(pair);
                    let flat = x1 - x0 >= y1 - y0;
                    let (dx, dy) = if flat { (0.0, half) } else { (half, 0.0) };
                    self.add(Rect { x0: x0 - dx, y0: y0 - dy, x1: x1 + dx, y1: y1 + dy });
                }
            }
        }
    }

    fn add(&mut self, rect: Rect) {
        let (width, height) = (rect.width(), rect.height());
        let (long, short) = (width.max(height), width.min(height));
        let (page_width, page_height) = self.geometry.size();
        let on_page = rect.x1 >= 0.0 && rect.y1 >= 0.0 && rect.x0 <= page_width.0 && rect.y0 <= page_height.0;
        if short < THIN && long >= SHORTEST.max(2.0 * short) && on_page && self.rules.len() < MAX_RULES {
            self.rules.push(Rule { rect });
        }
    }

    fn shown(&self, ctm: &Matrix, x: f64, y: f64) -> (f32, f32) {
        let (x, y) = ctm.point(x, y);
        #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
        let point = self.geometry.to_shown(x as f32, y as f32);
        (point.x, point.y)
    }
}

fn is_upright(pair: &[(f32, f32)]) -> bool {
    match pair {
        [a, b] => (a.0 - b.0).abs() <= LEAN || (a.1 - b.1).abs() <= LEAN,
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
