//! Appearance streams of annotations: filled form fields, stamps, free text.

use lopdf::{Dictionary, Object};

use super::form_fields;
use super::interpreter::{Interpreter, StreamContext};
use super::marked::MarkedContext;
use super::state::{GraphicsState, Matrix};
use crate::objects::{as_dict, reference};

/// Maximum annotations of a page that are read.
const MAX_ANNOTATIONS: usize = 10_000;
/// Steps of looking at an annotation, beside those of its appearance.
const ANNOTATION: usize = 200;
/// Steps of laying out a character of a value without an appearance.
const CHARACTER: usize = 20;
/// Annotation flag: the annotation is not displayed.
const HIDDEN: i64 = 1 << 1;
/// Annotation flag: the annotation is not displayed on the screen.
const NO_VIEW: i64 = 1 << 5;

impl<'a> Interpreter<'a, '_> {
    /// Interprets the normal appearances of the annotations of a page.
    pub(super) fn annotations(&mut self, page: &'a Dictionary) {
        let objects = self.objects;
        for annotation in objects.array(page, b"Annots").unwrap_or_default().iter().take(MAX_ANNOTATIONS) {
            let Some(annotation) = as_dict(objects.resolve(annotation)) else { continue };
            objects.meter.steps(ANNOTATION);
            if objects.meter.spent().is_some() {
                break;
            }
            let flags = objects.integer(annotation, b"F").unwrap_or(0);
            if flags & (HIDDEN | NO_VIEW) != 0
                || self.is_off(annotation)
                || objects.name(annotation, b"Subtype") == Some(b"Popup")
            {
                continue;
            }
            let appearance = objects.dict(annotation, b"AP").and_then(|all| all.get(b"N").ok());
            let Some(mut appearance) = appearance else {
                self.annotation_shape(annotation);
                let runs = form_fields::runs(&objects, annotation, &self.geometry);
                let n_chars: usize = runs.iter().map(|run| run.text.len()).sum();
                objects.meter.steps(n_chars * CHARACTER);
                self.runs.extend(runs, &mut self.paths);
                continue;
            };
            if let Object::Dictionary(states) = objects.resolve(appearance) {
                let state = objects.name(annotation, b"AS").unwrap_or(b"Off");
                let Ok(chosen) = states.get(state) else { continue };
                appearance = chosen;
            }
            let Object::Stream(form) = objects.resolve(appearance) else { continue };
            let Some(rect) = objects.numbers::<4>(annotation, b"Rect") else { continue };
            let form_box = objects.numbers::<4>(&form.dict, b"BBox").unwrap_or([0.0, 0.0, 1.0, 1.0]);
            let matrix = objects.numbers::<6>(&form.dict, b"Matrix").map_or(Matrix::IDENTITY, Matrix);
            let fit = fit(&matrix, form_box, rect);
            self.form(
                reference(appearance),
                form,
                &mut StreamContext::new(None, GraphicsState::new(fit), MarkedContext::default()),
            );
        }
    }
}

/// Matrix that maps the transformed appearance box onto the annotation's rectangle (ISO 32000-1, 12.5.5).
fn fit(matrix: &Matrix, [xa, ya, xb, yb]: [f64; 4], rect: [f64; 4]) -> Matrix {
    let corners = [(xa, ya), (xb, ya), (xa, yb), (xb, yb)].map(|(x, y)| matrix.point(x, y));
    let bounds = |values: [f64; 4]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        (low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low)
    };
    let ((x, width), (y, height)) = (bounds(corners.map(|c| c.0)), bounds(corners.map(|c| c.1)));
    let [ra, rb, rc, rd] = rect;
    let scale = |to: f64, from: f64| if from > 1e-6 { to.abs() / from } else { 1.0 };
    let (sx, sy) = (scale(rc - ra, width), scale(rd - rb, height));
    Matrix([sx, 0.0, 0.0, sy, ra.min(rc) - x * sx, rb.min(rd) - y * sy])
}
