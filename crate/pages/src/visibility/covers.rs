//! Covers: opaque areas that are painted over earlier text, in painting order.
//!
//! An area below which no text lies is forgotten at once; a coarse map of the page says where text is. Real pages keep
//! a handful.

use document::{PageGeometry, Rect};

use super::clip::Clip;
use super::cover_kind::CoverKind;
use super::raster::Raster;
use super::shape::Shape;

/// Maximum covers of a page. Of more, the smaller half is dropped.
const MAX_COVERS: usize = 20_000;
/// Maximum points of the shapes of covers on a page.
const MAX_POINTS: usize = 500_000;
/// Maximum images of a page whose places are kept; of more, every place counts as that of an image.
const MAX_IMAGES: usize = 2_000;
/// Work of an edge that a row of the bitmap is held against, in words written.
const EDGE: usize = 6;
/// Cells of the map of text, across and down.
const CELLS: usize = 128;
/// Minimum share of the page that images cover together if the text below them is the layer of a scan.
const SCAN_SHARE: f64 = 0.5;

/// One cover.
pub(super) struct Cover {
    /// `None` if it fills its box.
    pub(super) shape: Option<Shape>,
    pub(super) bounds: Rect,
    pub(super) clip: Clip,
    pub(super) kind: CoverKind,
    /// Its number in the order of painting, from 1.
    pub(super) number: usize,
}

/// Covers of a page in painting order.
pub(crate) struct Covers {
    page: Rect,
    list: Vec<Cover>,
    /// Number of the last cover.
    last: usize,
    points: usize,
    /// Map of the text shown so far.
    text: Vec<u128>,
    /// Boxes of all images.
    images: Vec<Rect>,
    /// Area of the opaque images that were painted after the first text, in square points; overlaps count twice.
    late_images: f64,
    /// True if every area counts as painted over text.
    keeps_all: bool,
    /// True if covers were dropped.
    is_cut: bool,
}

impl Covers {
    pub(crate) fn new(geometry: &PageGeometry) -> Self {
        let (width, height) = geometry.size();
        Self {
            page: Rect { x0: 0.0, y0: 0.0, x1: width.0, y1: height.0 },
            list: Vec::new(),
            last: 0,
            points: 0,
            text: Vec::new(),
            images: Vec::new(),
            late_images: 0.0,
            keeps_all: false,
            is_cut: false,
        }
    }

    /// The same, which keeps covers without text below them.
    pub(crate) fn of_all(geometry: &PageGeometry) -> Self {
        Self { keeps_all: true, ..Self::new(geometry) }
    }

    /// Number of the last cover painted so far; 0 before the first.
    pub(crate) fn last(&self) -> usize {
        self.last
    }

    /// True if covers were dropped.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) fn list(&self) -> &[Cover] {
        &self.list
    }

    /// Marks the place of text.
    pub(crate) fn add_text(&mut self, rect: &Rect) {
        if self.text.is_empty() {
            self.text = vec![0; CELLS];
        }
        let ((rows, mask), page) = (self.cells(rect), self.page);
        if rect.x1 >= page.x0 && rect.y1 >= page.y0 && rect.x0 <= page.x1 && rect.y0 <= page.y1 {
            self.text.iter_mut().take(rows.1 + 1).skip(rows.0).for_each(|row| *row |= mask);
        }
    }

    /// True if a box lies over text shown so far.
    pub(crate) fn is_over_text(&self, rect: &Rect) -> bool {
        let (rows, mask) = self.cells(rect);
        self.keeps_all || self.text.iter().take(rows.1 + 1).skip(rows.0).any(|row| row & mask != 0)
    }

    /// Marks the place of an image.
    pub(crate) fn add_image(&mut self, rect: Rect) {
        if self.images.len() < MAX_IMAGES {
            self.images.push(rect);
        }
    }

    /// Number of images whose places are kept.
    pub(super) fn n_images(&self) -> usize {
        self.images.len()
    }

    /// True if an image lies over or under a box.
    pub(super) fn touches_image(&self, rect: &Rect) -> bool {
        let touches = |image: &Rect| {
            image.x0 <= rect.x1 && rect.x0 <= image.x1 && image.y0 <= rect.y1 && rect.y0 <= image.y1
        };
        self.images.len() >= MAX_IMAGES || self.images.iter().any(touches)
    }

    /// Adds a cover that fills its box.
    pub(crate) fn add_box(&mut self, rect: Rect, clip: &Clip, kind: CoverKind) {
        self.add(None, rect, clip, kind);
    }

    /// Adds a cover.
    pub(crate) fn add_shape(&mut self, shape: Shape, clip: &Clip, kind: CoverKind) {
        let bounds = shape.bounds();
        let shape = Some(shape).filter(|shape| !shape.is_upright_box());
        self.add(shape, bounds, clip, kind);
    }

    fn add(&mut self, shape: Option<Shape>, bounds: Rect, clip: &Clip, kind: CoverKind) {
        let bounds = clip.part_of(bounds);
        if !(bounds.x0 < bounds.x1 && bounds.y0 < bounds.y1) {
            return;
        }
        if kind == CoverKind::Picture && !self.text.is_empty() {
            self.late_images += f64::from(area(&bounds));
        }
        if !self.is_over_text(&bounds) {
            return;
        }
        let points = shape.as_ref().map_or(0, Shape::n_points);
        if self.points + points > MAX_POINTS {
            self.is_cut = true;
            return;
        }
        if self.list.len() >= MAX_COVERS {
            self.drop_smaller_half();
        }
        self.points += points;
        self.last += 1;
        self.list.push(Cover { shape, bounds, clip: clip.clone(), kind, number: self.last });
    }

    fn drop_smaller_half(&mut self) {
        self.is_cut = true;
        let mut areas: Vec<f32> = self.list.iter().map(|cover| area(&cover.bounds)).collect();
        areas.sort_by(f32::total_cmp);
        let median = areas.get(areas.len() / 2).copied().unwrap_or(0.0);
        let mut left = areas.len() / 2;
        self.list.retain(|cover| {
            let stays = area(&cover.bounds) >= median && left > 0;
            left -= usize::from(stays);
            stays
        });
    }

    /// Takes the images over text for those of a scan if images cover most of the page together.
    pub(super) fn find_scan(&mut self) {
        if self.late_images >= SCAN_SHARE * f64::from(area(&self.page)) {
            for cover in &mut self.list {
                if cover.kind == CoverKind::Picture {
                    cover.kind = CoverKind::Scan;
                }
            }
        }
    }

    /// True if the covers leave nothing of the page free, and the work of finding out, of which there may be so much.
    pub(crate) fn fill_page(&self, max_work: usize) -> (bool, usize) {
        let mut raster = Raster::new(self.page.x1, self.page.y1, max_work);
        for cover in self.list.iter().rev() {
            cover.paint(&mut raster);
        }
        (!raster.is_exhausted() && raster.is_covered(), raster.work())
    }

    /// First and last row of cells that a box touches, and a mask of the columns.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the casts saturate")]
    #[expect(clippy::cast_precision_loss, reason = "a hundred cells")]
    fn cells(&self, rect: &Rect) -> ((usize, usize), u128) {
        let cell =
            |at: f32, size: f32| ((at / size.max(1e-3) * CELLS as f32).max(0.0) as usize).min(CELLS - 1);
        let (left, right) = (cell(rect.x0, self.page.x1), cell(rect.x1, self.page.x1));
        let mask = (u128::MAX << left) & (u128::MAX >> (CELLS - 1 - right.max(left)));
        ((cell(rect.y0, self.page.y1), cell(rect.y1, self.page.y1)), mask)
    }
}

impl Cover {
    /// Paints it where nothing is painted yet.
    pub(super) fn paint(&self, raster: &mut Raster) {
        let edges = self.shape.as_ref().map_or(0, Shape::n_points) + self.clip.n_points();
        for (row, y) in raster.rows(&self.bounds) {
            if raster.is_exhausted() {
                return;
            }
            raster.count(1);
            if raster.is_full(row) {
                continue;
            }
            raster.count(EDGE * edges);
            let Rect { x0, x1, .. } = self.bounds;
            let spans = self.shape.as_ref().map_or_else(|| vec![(x0, x1)], |shape| shape.spans(y));
            for (start, end) in self.clip.parts_of(spans, y) {
                raster.fill(row, (start.max(x0), end.min(x1)), self.kind);
            }
        }
    }
}

fn area(rect: &Rect) -> f32 {
    rect.width() * rect.height()
}
