//! Documents taken through the stages, and the comparisons that the tests are written in.

use std::sync::LazyLock;

use document::Quad;
use pincite_tests::samples::{self, Made};
use pincite_tests::stages::{Read, read};

/// A sample and what the stages made of it.
pub struct TestSample {
    pub made: Made,
    pub read: Read,
}

/// The samples, taken through the stages once.
pub fn samples() -> &'static [TestSample] {
    static SAMPLES: LazyLock<Vec<TestSample>> = LazyLock::new(|| {
        let made = samples::all().map(|sample| sample.make().unwrap());
        made.into_iter()
            .map(|made| {
                let read = read(&made.truth.file, &made.pdf, None).unwrap();
                TestSample { made, read }
            })
            .collect()
    });
    &SAMPLES
}

/// Intersection over union of two boxes, given as left, top, right, bottom.
pub fn iou(a: [f32; 4], b: [f32; 4]) -> f32 {
    let overlap = |low: usize, high: usize| (a[high].min(b[high]) - a[low].max(b[low])).max(0.0);
    let area = |[x0, y0, x1, y1]: [f32; 4]| (x1 - x0).max(0.0) * (y1 - y0).max(0.0);
    let common = overlap(0, 2) * overlap(1, 3);
    common / (area(a) + area(b) - common).max(1e-6)
}

/// The upright box around a quad, in user space: left, bottom, right, top.
pub fn bounds(quad: &Quad) -> [f32; 4] {
    let xs = [quad[0], quad[2], quad[4], quad[6]];
    let ys = [quad[1], quad[3], quad[5], quad[7]];
    let low = |of: [f32; 4]| of.into_iter().fold(f32::INFINITY, f32::min);
    let high = |of: [f32; 4]| of.into_iter().fold(f32::NEG_INFINITY, f32::max);
    [low(xs), low(ys), high(xs), high(ys)]
}

/// The words of a text.
pub fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Fails with everything that is wrong, not only the first.
#[track_caller]
pub fn assert_none(what: &str, wrong: &[String]) {
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} × {what}:\n{}", wrong.len(), shown.join("\n"));
}
