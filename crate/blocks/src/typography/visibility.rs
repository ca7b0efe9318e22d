//! Visible and invisible runs of a page, and runs whose numbers can be computed with.

use document::{Page, Rect, Run, Visibility};

/// True if the text of a page is drawn without ink, as that of a recognised scan is.
pub(crate) fn reads_invisible(page: &Page) -> bool {
    let n_chars = |visibility: Visibility| -> usize {
        let of_kind = page.runs.iter().filter(|run| run.visibility == visibility && is_sane(run));
        of_kind.map(|run| run.text.chars().filter(|c| !c.is_whitespace()).count()).sum()
    };
    let (shown, hidden) = (n_chars(Visibility::Visible), n_chars(Visibility::Invisible));
    shown == 0 || page.image_cover >= 0.5 && shown.saturating_mul(5) < hidden
}

/// True if a box can be computed with: its numbers are finite and no larger than any page.
pub(crate) fn is_finite(rect: &Rect) -> bool {
    [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|v| v.is_finite() && v.abs() < 1e5)
}

/// True if the numbers of a run can be computed with.
pub(crate) fn is_sane(run: &Run) -> bool {
    is_finite(&run.rect)
        && run.baseline.is_finite()
        && run.baseline.abs() < 1e5
        && run.size.0.is_finite()
        && (0.5..2000.0).contains(&run.size.0)
        && run.angle.is_finite()
}
