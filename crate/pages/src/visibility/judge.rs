//! The verdict on each glyph, when the page is painted.

use document::{PageGeometry, Rect, Run, Visibility};

use super::cover_kind::CoverKind;
use super::covers::Covers;
use super::ink::Ink;
use super::raster::Raster;
use super::shape::Dot;

/// Points of a glyph's ink that are looked at, across and up.
const COLUMNS: u8 = 4;
const ROWS: u8 = 8;
/// Minimum share of a visible glyph's ink that is seen, in percent.
const MIN_SEEN: usize = 10;
/// Points of a glyph that decide that it is not hidden, whatever becomes of the others.
const ENOUGH: usize = (MIN_SEEN * COLUMNS as usize * ROWS as usize).div_ceil(100);
/// Maximum edges of clipping paths that points of one page are held against.
const MAX_EDGES: usize = 200_000_000;

/// Runs of a page with their final visibility.
pub(crate) struct Judged {
    pub(crate) runs: Vec<Run>,
    /// True if more was painted over the text than could be followed.
    pub(crate) is_cut: bool,
    /// Work of judging them, in words of the bitmap, points of glyphs and edges that they are held against.
    pub(crate) work: usize,
}

/// Numbers of points of a glyph by what becomes of them.
#[derive(Default)]
struct Tally {
    seen: usize,
    /// Clipped away or off the page.
    away: usize,
    areas: usize,
    pictures: usize,
    scans: usize,
}

struct Judge<'c> {
    page: Rect,
    covers: &'c Covers,
    /// Covers painted so far, which are those above the run that is judged; `None` on a page without any.
    raster: Option<Raster>,
    /// Covers still to be painted.
    n_below: usize,
    /// Edges that points may still be held against.
    edges_left: usize,
    work: usize,
}

/// Judges every glyph of a page; runs of which some glyphs are seen and others not are split. With more work than
/// allowed, text whose visibility is not known is visible.
pub(crate) fn judge(
    runs: Vec<Run>,
    inks: &[Ink],
    mut covers: Covers,
    geometry: &PageGeometry,
    max_work: usize,
) -> Judged {
    covers.find_scan();
    let (width, height) = geometry.size();
    let mut judge = Judge {
        page: Rect { x0: 0.0, y0: 0.0, x1: width.0, y1: height.0 },
        covers: &covers,
        raster: (!covers.list().is_empty()).then(|| Raster::new(width.0, height.0, max_work)),
        n_below: covers.list().len(),
        edges_left: MAX_EDGES.min(max_work),
        work: 0,
    };
    // The last painted first: covers are painted in the same order.
    let mut order: Vec<usize> = (0..runs.len().min(inks.len())).collect();
    order.sort_by_key(|&idx| std::cmp::Reverse(inks.get(idx).map_or(0, |ink| ink.after)));
    let mut verdicts: Vec<Option<Vec<Visibility>>> = vec![None; runs.len()];
    for idx in order {
        if let (Some(run), Some(ink), Some(slot)) = (runs.get(idx), inks.get(idx), verdicts.get_mut(idx)) {
            *slot = judge.run(run, ink);
        }
    }
    let is_cut =
        covers.is_cut() || judge.edges_left == 0 || judge.raster.as_ref().is_some_and(Raster::is_exhausted);
    let work = judge.work + judge.raster.as_ref().map_or(0, Raster::work);
    let mut judged = Vec::with_capacity(runs.len());
    for ((run, verdicts), ink) in runs.into_iter().zip(verdicts).zip(inks) {
        match verdicts {
            Some(verdicts) => split(run, &verdicts, ink, &mut judged),
            None => judged.push(run),
        }
    }
    Judged { runs: judged, is_cut, work }
}

impl Judge<'_> {
    /// Visibility of each character of a run; `None` if it stays as it is.
    fn run(&mut self, run: &Run, ink: &Ink) -> Option<Vec<Visibility>> {
        self.paint_above(ink.after);
        if run.visibility == Visibility::Invisible {
            self.work += self.covers.n_images();
        }
        let alone = match run.visibility {
            Visibility::Visible => Visibility::Visible,
            Visibility::Invisible if self.covers.touches_image(&run.rect) => Visibility::Invisible,
            Visibility::Invisible => Visibility::Unpainted,
            _ => return None,
        };
        let is_below = self.raster.is_some() && ink.after < self.covers.last();
        let is_inside = |bounds: &Rect| {
            let Rect { x0, y0, x1, y1 } = run.rect;
            bounds.x0 <= x0 && bounds.y0 <= y0 && x1 <= bounds.x1 && y1 <= bounds.y1
        };
        let is_whole = is_inside(&self.page)
            && ink.clip.is_box()
            && ink.clip.bounds().is_none_or(|clip| is_inside(&clip));
        if !is_below && is_whole && ink.lost.is_none() {
            return (alone != run.visibility).then(|| vec![alone; run.text.chars().count()]);
        }
        let lost = ink.lost.as_ref().filter(|lost| lost.len() + 1 == run.edges.len());
        let mut verdicts: Vec<Visibility> = Vec::with_capacity(run.edges.len());
        let mut first = None;
        for (c, edges) in run.text.chars().zip(run.edges.windows(2)) {
            let &[start, end] = edges else { continue };
            if c.is_whitespace() {
                // White has no ink: it goes with the character before it.
                verdicts.push(verdicts.last().copied().unwrap_or(alone));
                continue;
            }
            let is_lost = lost.and_then(|lost| lost.get(verdicts.len())) == Some(&true);
            let verdict = match self.tally(ink, c, (start, end), alone).verdict(alone) {
                Visibility::Visible if is_lost => Visibility::Background,
                verdict => verdict,
            };
            if first.is_none() {
                // White at the start goes with the first character.
                first = Some(verdict);
                verdicts.fill(verdict);
            }
            verdicts.push(verdict);
        }
        spare_marks(&run.text, &mut verdicts);
        Some(verdicts)
    }

    /// Paints the covers with numbers above this one.
    fn paint_above(&mut self, number: usize) {
        let Some(raster) = &mut self.raster else { return };
        while let Some(idx) = self.n_below.checked_sub(1)
            && let Some(cover) = self.covers.list().get(idx)
            && cover.number > number
        {
            cover.paint(raster);
            self.n_below = idx;
        }
    }

    /// Numbers of the points of a glyph by what becomes of them, up to where its verdict is certain.
    fn tally(&mut self, ink: &Ink, c: char, edges: (f32, f32), alone: Visibility) -> Tally {
        let mut tally = Tally::default();
        let n_edges = ink.clip.n_points();
        for dot in ink.samples::<COLUMNS, ROWS>(c, edges) {
            let is_followed = n_edges == 0 || self.edges_left > 0;
            self.edges_left = self.edges_left.saturating_sub(n_edges);
            self.work = self.work.saturating_add(if is_followed { 1 + n_edges } else { 1 });
            let slot = match self.raster.as_ref().and_then(|raster| raster.kind_at(dot)) {
                _ if !contains(&self.page, dot) || is_followed && !ink.clip.contains(dot) => &mut tally.away,
                Some(CoverKind::Area) => &mut tally.areas,
                Some(CoverKind::Picture) => &mut tally.pictures,
                Some(CoverKind::Scan) => &mut tally.scans,
                None => &mut tally.seen,
            };
            *slot += 1;
            if tally.is_decided(alone) {
                break;
            }
        }
        tally
    }
}

impl Tally {
    /// True if no further point can hide a glyph of this visibility.
    fn is_decided(&self, alone: Visibility) -> bool {
        let Self { seen, away, pictures, scans, .. } = *self;
        let shown = if alone == Visibility::Visible { seen } else { seen + away + pictures + scans };
        shown >= ENOUGH
    }

    /// Visibility of a glyph that is of this visibility if nothing covers or clips it.
    fn verdict(&self, alone: Visibility) -> Visibility {
        let Self { seen, away, areas, pictures, scans } = *self;
        let all = seen + away + areas + pictures + scans;
        if alone != Visibility::Visible {
            // Without ink it may be the layer of a scan, over it or under it: only what hides the scan there hides it.
            let is_hidden = (all - areas) * 100 < MIN_SEEN * all;
            return if is_hidden { Visibility::Covered } else { alone };
        }
        if seen * 100 >= MIN_SEEN * all {
            Visibility::Visible
        } else if areas + pictures >= scans.max(away) {
            Visibility::Covered
        } else if scans >= away {
            Visibility::Invisible
        } else {
            Visibility::OffPage
        }
    }
}

/// Takes a covered mark between visible letters for visible: a line that strikes a word out hides its hyphen.
fn spare_marks(text: &str, verdicts: &mut [Visibility]) {
    let marks: Vec<bool> = text.chars().map(|c| matches!(c, '-' | '.' | ',' | '_' | '\'')).collect();
    for idx in 1..verdicts.len().saturating_sub(1) {
        let is_covered = |at: usize| verdicts.get(at) == Some(&Visibility::Covered);
        if marks.get(idx) == Some(&true)
            && is_covered(idx)
            && !is_covered(idx - 1)
            && !is_covered(idx + 1)
            && let (Some(before), Some(slot)) = (verdicts.get(idx - 1).copied(), verdicts.get_mut(idx))
        {
            *slot = before;
        }
    }
}

fn contains(page: &Rect, (x, y): Dot) -> bool {
    page.x0 <= x && x <= page.x1 && page.y0 <= y && y <= page.y1
}

/// Splits a run where the visibility of its characters changes.
fn split(mut run: Run, verdicts: &[Visibility], ink: &Ink, into: &mut Vec<Run>) {
    let Some(&first) = verdicts.first() else {
        into.push(run);
        return;
    };
    if verdicts.iter().all(|&verdict| verdict == first) {
        run.visibility = first;
        into.push(run);
        return;
    }
    let mut chars = run.text.chars();
    let mut from = 0;
    for part in verdicts.chunk_by(|a, b| a == b) {
        let to = from + part.len();
        let text: String = chars.by_ref().take(part.len()).collect();
        let edges = run.edges.get(from..=to).unwrap_or_default();
        let (start, end) = (edges.first().copied().unwrap_or(0.0), edges.last().copied().unwrap_or(0.0));
        let rect = ink.part(start, end);
        let visibility = part.first().copied().unwrap_or(first);
        into.push(Run {
            text,
            edges: edges.iter().map(|edge| edge - start).collect(),
            rect,
            visibility,
            ..run.clone()
        });
        from = to;
    }
}
