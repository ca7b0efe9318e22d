//! Patterns and shadings: whether they hide what lies below them.
//!
//! A tiling pattern does if its cell is painted all over and cells leave no gap; the cell is interpreted on a page of
//! its own, once. A shading does if it has no end: mesh shadings, and those without `Extend`, are taken to show what is
//! below.

use document::{PageGeometry, Rotation};
use lopdf::{Dictionary, Object, Stream};

use super::interpreter::{Interpreter, StreamContext};
use super::marked::MarkedContext;
use super::paint_sources::Pattern;
use super::paths::Paths;
use super::runs::RunCollector;
use super::state::{GraphicsState, Matrix};
use crate::objects::{as_dict, number};
use document::Run;

/// Maximum patterns of a page; text below further ones is visible.
const MAX_PATTERNS: usize = 200;
/// Maximum side of a pattern's cell, in its own units.
const MAX_CELL: f64 = 5_000.0;

/// Paint on a page of its own.
pub(super) struct Aside {
    pub(super) paths: Paths,
    pub(super) runs: Vec<Run>,
}

impl<'a> Interpreter<'a, '_> {
    /// Interprets something on a page of its own.
    pub(super) fn aside(&mut self, geometry: PageGeometry, paint: impl FnOnce(&mut Self)) -> Aside {
        let budget = self.runs.budget;
        let runs = std::mem::replace(&mut self.runs, RunCollector::new(geometry, budget));
        let paths = std::mem::replace(&mut self.paths, Paths::aside(geometry));
        let (kept, image_area) = (std::mem::replace(&mut self.geometry, geometry), self.image_area);
        paint(self);
        (self.geometry, self.image_area) = (kept, image_area);
        let paths = std::mem::replace(&mut self.paths, paths);
        let runs = std::mem::replace(&mut self.runs, runs);
        self.objects.meter.steps(paths.backdrop.steps());
        Aside { paths, runs: runs.runs }
    }

    /// Number of a pattern in the resources.
    pub(super) fn pattern(&mut self, resources: Option<&'a Dictionary>, name: &[u8]) -> Option<usize> {
        let objects = self.objects;
        let object = objects.get(objects.dict(resources?, b"Pattern")?, name)?;
        if let Some(known) = self.patterns.iter().position(|pattern| std::ptr::eq(pattern.object, object)) {
            return Some(known);
        }
        if self.patterns.len() >= MAX_PATTERNS {
            return None;
        }
        self.patterns.push(Pattern { object, is_opaque: None });
        Some(self.patterns.len() - 1)
    }

    /// True if nothing below the pattern of this number can be seen.
    pub(super) fn is_opaque_pattern(&mut self, idx: usize) -> bool {
        let Some(pattern) = self.patterns.get_mut(idx) else { return false };
        if let Some(known) = pattern.is_opaque {
            return known;
        }
        // A pattern within its own cell hides nothing.
        pattern.is_opaque = Some(false);
        let object = pattern.object;
        let objects = self.objects;
        let is_opaque = match object {
            Object::Stream(stream) => self.is_opaque_tiling(stream),
            _ => as_dict(object)
                .and_then(|pattern| objects.dict(pattern, b"Shading"))
                .is_some_and(|shading| shading.has(b"Background") || self.is_opaque_shading(shading)),
        };
        if let Some(pattern) = self.patterns.get_mut(idx) {
            pattern.is_opaque = Some(is_opaque);
        }
        is_opaque
    }

    fn is_opaque_tiling(&mut self, pattern: &'a Stream) -> bool {
        let objects = self.objects;
        let Some([xa, ya, xb, yb]) = objects.numbers::<4>(&pattern.dict, b"BBox") else { return false };
        let (width, height) = ((xb - xa).abs(), (yb - ya).abs());
        let step = |key: &[u8], usual: f64| objects.number(&pattern.dict, key).unwrap_or(usual).abs();
        let (across, down) = (step(b"XStep", width), step(b"YStep", height));
        let is_sane = |side: f64| side > 0.0 && side <= MAX_CELL;
        if !is_sane(width) || !is_sane(height) || across > width * 1.001 || down > height * 1.001 {
            return false;
        }
        if self.forms.len() >= objects.limits.form_depth {
            return false;
        }
        let Some(content) = self.form_data(pattern) else { return false };
        #[expect(clippy::cast_possible_truncation, reason = "a cell of some thousand units")]
        let crop = [xa.min(xb), ya.min(yb), xa.max(xb), ya.max(yb)].map(|n| n as f32);
        let geometry = PageGeometry { crop, rotation: Rotation::None };
        self.forms.push((0, 0));
        let aside = self.aside(geometry, |interpreter| {
            let resources = objects.dict(&pattern.dict, b"Resources");
            let state = GraphicsState::new(Matrix::IDENTITY);
            interpreter.run(&content, &mut StreamContext::new(resources, state, MarkedContext::default()));
        });
        self.forms.pop();
        let (is_filled, work) = aside.paths.covers.fill_page(objects.meter.left().steps);
        objects.meter.steps(work);
        is_filled
    }

    /// True if a shading paints everything.
    pub(super) fn is_opaque_shading(&self, shading: &'a Dictionary) -> bool {
        let objects = self.objects;
        let extends = |idx: usize| {
            let extend = objects.array(shading, b"Extend").and_then(|extend| extend.get(idx));
            extend.is_some_and(|extend| matches!(objects.resolve(extend), Object::Boolean(true)))
        };
        if shading.has(b"BBox") {
            return false;
        }
        match objects.get(shading, b"ShadingType").and_then(number) {
            Some(2.0) => extends(0) && extends(1),
            Some(3.0) => objects.numbers::<6>(shading, b"Coords").is_some_and(|[xa, ya, ra, xb, yb, rb]| {
                let apart = ((xa - xb) * (xa - xb) + (ya - yb) * (ya - yb)).sqrt();
                // Of nested circles the outer one must go on, and the inner one unless it is a point.
                let goes_on = |outer: usize, inner: usize, radius: f64| {
                    extends(outer) && (radius <= 0.0 || extends(inner))
                };
                (apart < rb - ra && goes_on(1, 0, ra)) || (apart < ra - rb && goes_on(0, 1, rb))
            }),
            _ => false,
        }
    }

    /// Shading in the resources.
    pub(super) fn shading(&self, resources: Option<&'a Dictionary>, name: &[u8]) -> Option<&'a Dictionary> {
        self.objects.dict(self.objects.dict(resources?, b"Shading")?, name)
    }
}
