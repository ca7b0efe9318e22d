//! Hidden text: runs that nobody can see on the page, kept apart from the text.
//!
//! White on white, off the page, or drawn without ink where that is no recognised scan: such text may be harmless
//! (a label for a search engine) or an attack on whoever reads by machine. It is not part of the document's text;
//! it is listed with the furniture, and each page with some is told once. Cost: linear in the runs, capped.

use document::{Diag, DiagCode, Furniture, FurnitureKind, Page, Rect, Run, Severity, Visibility};

use crate::words;

/// Characters kept of a page's hidden text.
const MAX_CHARS: usize = 4_000;
/// Pieces kept of it.
const MAX_PIECES: usize = 200;

/// The hidden text of a page, and a word of warning if there is some.
pub(crate) fn of(page: &Page) -> (Vec<Furniture>, Option<Diag>) {
    let invisible_is_layer = words::reads_invisible(page) || page.image_cover >= 0.5;
    let is_hidden = |run: &&Run| match run.visibility {
        Visibility::Visible => false,
        Visibility::Invisible => !invisible_is_layer,
        Visibility::Background | Visibility::OffPage => true,
    };
    let mut pieces: Vec<Furniture> = Vec::new();
    let mut last: Option<&Run> = None;
    let mut n_chars = 0;
    let mut has_some = false;
    for run in page.runs.iter().filter(is_hidden) {
        let text = run.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        has_some = true;
        n_chars += text.chars().count();
        if n_chars > MAX_CHARS || pieces.len() >= MAX_PIECES {
            break;
        }
        let follows = last.replace(run).is_some_and(|last| is_beside(last, run));
        match pieces.last_mut().filter(|_| follows) {
            Some(piece) => {
                if run.text.starts_with(char::is_whitespace) || last.is_some_and(|last| gap(last, run) > 0.15)
                {
                    piece.text.push(' ');
                }
                piece.text.push_str(&text);
                piece.rect = piece.rect.union(&run.rect);
            }
            None => {
                pieces.push(Furniture { kind: FurnitureKind::Hidden, text, page: page.id, rect: run.rect })
            }
        }
    }
    let is_finite = |rect: &Rect| [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|v| v.is_finite());
    for piece in &mut pieces {
        if !is_finite(&piece.rect) {
            piece.rect = Rect::default();
        }
    }
    let diag = has_some.then(|| Diag {
        code: DiagCode::HiddenText,
        severity: Severity::Warning,
        message: "the page holds text that cannot be seen; it is kept apart and not searched".to_owned(),
        hint: "look at the page's hidden pieces if it was not expected".to_owned(),
        page: Some(page.id),
    });
    (pieces, diag)
}

/// Whether a run goes on with the line of the one before it.
fn is_beside(last: &Run, run: &Run) -> bool {
    (last.baseline - run.baseline).abs() < 0.2 * run.size.0.abs().max(0.1)
        && (-1.0..3.0).contains(&gap(last, run))
}

/// The white between two runs, in multiples of the type size.
fn gap(last: &Run, run: &Run) -> f32 {
    (run.rect.x0 - last.rect.x1) / run.size.0.abs().max(0.1)
}
