//! Bitmap of a page: which kind of cover, if any, lies on top of each pixel.
//!
//! Covers are painted from the last to the first, so a pixel keeps the first kind that it gets. A row holds 64 pixels in
//! a word, and full rows are skipped: painting a box costs its rows, not its pixels.

use document::Rect;

use super::cover_kind::CoverKind;

/// Pixels per point of an ordinary page.
const SCALE: f32 = 2.0;
/// Maximum pixels; larger pages get coarser ones.
const MAX_PIXELS: f32 = 4e6;
/// Maximum words that may be written, and edges crossed, on one page.
const MAX_WORK: usize = 200_000_000;
/// Number of kinds.
const KINDS: usize = 3;

/// Bitmap in the making.
pub(super) struct Raster {
    /// Pixels per point.
    scale: f32,
    width: usize,
    height: usize,
    /// Words of a row.
    stride: usize,
    /// One bitmap a kind; no pixel is set in two.
    planes: [Vec<u64>; KINDS],
    /// Pixels of each row that are not set.
    free: Vec<usize>,
    work: usize,
    max_work: usize,
}

impl Raster {
    /// Empty bitmap of a page of this size in points, for so much work.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a page has at most some million pixels"
    )]
    pub(super) fn new(width: f32, height: f32, max_work: usize) -> Self {
        let (width, height) = (width.clamp(1.0, 1e5), height.clamp(1.0, 1e5));
        let scale = SCALE.min((MAX_PIXELS / (width * height)).sqrt());
        let (width, height) = ((width * scale).ceil() as usize, (height * scale).ceil() as usize);
        let stride = width.div_ceil(64);
        let planes = [(); KINDS].map(|()| vec![0; stride * height]);
        let free = vec![width; height];
        // Words of a plane are set to zero in less time than one is painted.
        let work = stride * height;
        Self { scale, width, height, stride, planes, free, work, max_work: max_work.min(MAX_WORK) }
    }

    /// True if nothing more may be painted.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work > self.max_work
    }

    /// Work done so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Counts work done for the bitmap elsewhere.
    pub(super) fn count(&mut self, work: usize) {
        self.work = self.work.saturating_add(work);
    }

    /// Rows whose middles lie in a box, with their heights on the page.
    #[expect(clippy::cast_precision_loss, reason = "rows of a page")]
    pub(super) fn rows(&self, rect: &Rect) -> impl Iterator<Item = (usize, f32)> + use<> {
        let scale = self.scale;
        let (from, to) = centres(rect.y0, rect.y1, scale, self.height);
        (from..to).map(move |row| (row, (row as f32 + 0.5) / scale))
    }

    /// True if all pixels of a row are set.
    pub(super) fn is_full(&self, row: usize) -> bool {
        self.free.get(row).is_none_or(|&free| free == 0)
    }

    /// Sets the pixels of a row whose middles lie in an extent, unless they are set.
    pub(super) fn fill(&mut self, row: usize, (x0, x1): (f32, f32), kind: CoverKind) {
        let (from, to) = centres(x0, x1, self.scale, self.width);
        if from >= to {
            return;
        }
        self.work += 1 + (to - from) / 64;
        for word in from / 64..=(to - 1) / 64 {
            let low = from.saturating_sub(word * 64);
            let high = (to - word * 64).min(64);
            let mask = (u64::MAX << low) & (u64::MAX >> (64 - high));
            let at = row * self.stride + word;
            let taken = self.planes.iter().filter_map(|plane| plane.get(at)).fold(0, |all, bits| all | bits);
            let fresh = mask & !taken;
            if let Some(bits) = self.planes.get_mut(kind as usize).and_then(|plane| plane.get_mut(at)) {
                *bits |= fresh;
            }
            if let Some(free) = self.free.get_mut(row) {
                *free = free.saturating_sub(fresh.count_ones() as usize);
            }
        }
    }

    /// Kind of the cover on top of a point.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    pub(super) fn kind_at(&self, (x, y): (f32, f32)) -> Option<CoverKind> {
        if x < 0.0 || y < 0.0 {
            return None;
        }
        let (column, row) = ((x * self.scale) as usize, (y * self.scale) as usize);
        if column >= self.width || row >= self.height {
            return None;
        }
        let at = row * self.stride + column / 64;
        let is_set = |kind: &CoverKind| {
            let bits = self.planes.get(*kind as usize).and_then(|plane| plane.get(at));
            bits.is_some_and(|bits| bits >> (column % 64) & 1 == 1)
        };
        [CoverKind::Area, CoverKind::Picture, CoverKind::Scan].into_iter().find(is_set)
    }

    /// True if every pixel is set.
    pub(super) fn is_covered(&self) -> bool {
        (0..self.height).all(|row| self.is_full(row))
    }
}

/// Pixels whose middles lie in an extent.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the casts saturate")]
fn centres(low: f32, high: f32, scale: f32, n: usize) -> (usize, usize) {
    let from = (low * scale - 0.5).ceil().max(0.0) as usize;
    let to = (high * scale + 0.5).floor().max(0.0) as usize;
    (from.min(n), to.min(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paint(raster: &mut Raster, rect: Rect, kind: CoverKind) {
        for (row, _) in raster.rows(&rect).collect::<Vec<_>>() {
            raster.fill(row, (rect.x0, rect.x1), kind);
        }
    }

    #[test]
    fn the_first_kind_of_a_pixel_stays() {
        let mut raster = Raster::new(200.0, 100.0, MAX_WORK);
        paint(&mut raster, Rect { x0: 10.0, y0: 10.0, x1: 150.0, y1: 20.0 }, CoverKind::Scan);
        paint(&mut raster, Rect { x0: 0.0, y0: 0.0, x1: 200.0, y1: 100.0 }, CoverKind::Area);
        assert_eq!(raster.kind_at((10.3, 15.0)), Some(CoverKind::Scan));
        assert_eq!(raster.kind_at((149.7, 19.7)), Some(CoverKind::Scan));
        assert_eq!(raster.kind_at((150.3, 15.0)), Some(CoverKind::Area));
        assert_eq!(raster.kind_at((9.7, 15.0)), Some(CoverKind::Area));
        assert_eq!(raster.kind_at((250.0, 15.0)), None);
        assert!(raster.is_covered());
    }

    #[test]
    fn a_gap_is_found() {
        let mut raster = Raster::new(64.0, 64.0, MAX_WORK);
        paint(&mut raster, Rect { x0: 0.0, y0: 0.0, x1: 30.0, y1: 64.0 }, CoverKind::Area);
        paint(&mut raster, Rect { x0: 31.0, y0: 0.0, x1: 64.0, y1: 64.0 }, CoverKind::Area);
        assert!(!raster.is_covered());
    }
}
