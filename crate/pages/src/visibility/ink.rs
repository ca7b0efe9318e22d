//! Ink: where the glyphs of a run lie on the page, and what was painted before them.

use document::{Rect, Run};

use super::clip::Clip;
use super::shape::Dot;

/// Half the width of glyphs without an advance, in ems.
const NARROW: f32 = 0.1;
/// Share of an advance that is white at either side.
const SIDE: f32 = 0.1;

/// Place of a run's glyphs, and their place in the order of painting.
#[derive(Clone, Debug)]
pub(crate) struct Ink {
    /// Number of the last cover painted before it.
    pub(crate) after: usize,
    /// Number of the areas of any kind painted before it.
    pub(crate) n_areas: usize,
    pub(crate) clip: Clip,
    /// Start of the baseline on the page as shown.
    pub(crate) origin: Dot,
    /// A point along the baseline, and an em upwards across it.
    pub(crate) along: Dot,
    pub(crate) em: Dot,
    /// Depth and height of the run's box in ems from the baseline.
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// True if the glyphs are letters of a horizontal font with the usual proportions.
    pub(crate) is_plain: bool,
    /// True if it is only added to the clipping path: what is painted later shows through it.
    pub(crate) only_clips: bool,
    /// Characters in the colour of what lies below them, one by one; `None` if there are none.
    pub(crate) lost: Option<Vec<bool>>,
}

impl Ink {
    /// Ink of a run that is written from left to right and not clipped.
    pub(crate) fn of(run: &Run, after: usize, n_areas: usize) -> Self {
        let size = run.size.0.max(0.1);
        Self {
            after,
            n_areas,
            clip: Clip::default(),
            origin: (run.rect.x0, run.baseline),
            along: (1.0, 0.0),
            em: (0.0, -size),
            low: (run.baseline - run.rect.y1) / size,
            high: (run.baseline - run.rect.y0) / size,
            is_plain: true,
            only_clips: false,
            lost: None,
        }
    }

    /// Ink of runs that became one, which starts where the first of them in writing direction does.
    pub(crate) fn merged(inks: &[Self]) -> Option<Self> {
        let start = |ink: &Self| ink.origin.0 * ink.along.0 + ink.origin.1 * ink.along.1;
        let first = inks.iter().min_by(|a, b| start(a).total_cmp(&start(b)))?;
        let least = |of: fn(&Self) -> usize| inks.iter().map(of).min().unwrap_or(0);
        Some(Self {
            after: least(|ink| ink.after),
            n_areas: least(|ink| ink.n_areas),
            lost: None,
            ..first.clone()
        })
    }

    /// Middles of the cells of a grid of `COLUMNS` by `ROWS` in the ink of a glyph between two edges.
    pub(super) fn samples<const COLUMNS: u8, const ROWS: u8>(
        &self,
        c: char,
        edges: (f32, f32),
    ) -> impl Iterator<Item = Dot> + use<'_, COLUMNS, ROWS> {
        let ((from, to), (low, high)) = self.extents(c, edges);
        (0..ROWS).flat_map(move |row| {
            (0..COLUMNS).map(move |column| {
                let share = |idx: u8, n: u8| (f32::from(idx) + 0.5) / f32::from(n);
                let x = from + (to - from) * share(column, COLUMNS);
                let y = low + (high - low) * share(row, ROWS);
                self.point(x, y)
            })
        })
    }

    /// Box around the ink of a glyph between two edges.
    pub(crate) fn glyph_box(&self, c: char, edges: (f32, f32)) -> Rect {
        let ((from, to), (low, high)) = self.extents(c, edges);
        self.bounds((from, to), (low, high))
    }

    /// Extents of the ink of a glyph: along the baseline in points, and across it in ems.
    fn extents(&self, c: char, (start, end): (f32, f32)) -> ((f32, f32), (f32, f32)) {
        let em = (self.em.0 * self.em.0 + self.em.1 * self.em.1).sqrt();
        let along = if end - start > NARROW * em {
            (start + SIDE * (end - start), end - SIDE * (end - start))
        } else {
            let middle = (start + end) / 2.0;
            (middle - NARROW * em, middle + NARROW * em)
        };
        (along, if self.is_plain { heights(c) } else { (self.low, self.high) })
    }

    /// Box of the part of the run between two edges.
    pub(super) fn part(&self, start: f32, end: f32) -> Rect {
        self.bounds((start, end), (self.low, self.high))
    }

    fn bounds(&self, (start, end): (f32, f32), (low, high): (f32, f32)) -> Rect {
        let corners = [(start, low), (start, high), (end, low), (end, high)];
        let [a, b, c, d] = corners.map(|(along, up)| {
            let (x, y) = self.point(along, up);
            Rect { x0: x, y0: y, x1: x, y1: y }
        });
        a.union(&b).union(&c.union(&d))
    }

    /// Position at a distance along the baseline in points, and above it in ems.
    fn point(&self, along: f32, up: f32) -> Dot {
        (
            self.origin.0 + self.along.0 * along + self.em.0 * up,
            self.origin.1 + self.along.1 * along + self.em.1 * up,
        )
    }
}

/// Lowest and highest ink of a character in ems from the baseline, in the usual proportions of text fonts.
fn heights(c: char) -> (f32, f32) {
    match c {
        'a' | 'c' | 'e' | 'm' | 'n' | 'o' | 'r' | 's' | 'u' | 'v' | 'w' | 'x' | 'z' => (0.0, 0.48),
        'g' | 'p' | 'q' | 'y' => (-0.2, 0.48),
        'j' => (-0.2, 0.68),
        'b' | 'd' | 'f' | 'h' | 'i' | 'k' | 'l' | 't' | 'A'..='Z' | '0'..='9' => (0.0, 0.68),
        '.' | '\u{2026}' => (0.0, 0.1),
        ',' | '\u{201A}' | '\u{201E}' => (-0.14, 0.1),
        ';' => (-0.14, 0.46),
        ':' => (0.0, 0.46),
        '-' | '\u{2010}'..='\u{2015}' | '\u{AD}' => (0.2, 0.32),
        '_' => (-0.18, -0.06),
        '\'' | '"' | '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' | '*' | '\u{B0}' => (0.42, 0.68),
        '+' | '=' | '<' | '>' | '~' | '\u{D7}' | '\u{B7}' | '\u{2022}' => (0.1, 0.5),
        _ => (-0.1, 0.72),
    }
}
