//! Hidden text: runs that nobody can see on the page, kept apart from the text.
//!
//! White on white, off the page, or drawn without ink where that is no recognised scan: such text may be harmless
//! (a label for a search engine) or an attack on whoever reads by machine. It is not part of the document's text;
//! it is listed with the furniture, and each page with some is told once. Cost: linear in the runs, capped.

use std::collections::BTreeMap;

use document::{Diag, DiagCode, Furniture, FurnitureKind, Page, Rect, Run, Severity, Visibility};

use crate::typography::reads_invisible;

/// Characters kept of a page's hidden text.
const MAX_CHARS: usize = 4_000;
/// Pages on which a piece recurs that is a running line.
const MIN_RUNNING: usize = 3;
/// Pieces kept of it.
const MAX_PIECES: usize = 200;

/// The hidden text of all pages, and a word of warning for each page with some. What recurs at the edge of several
/// pages, as the line that a typesetter's program leaves, is a running line that nobody need be warned of.
pub(crate) fn take(pages: &[Page]) -> (Vec<Furniture>, Vec<Diag>) {
    let mut of_pages: Vec<(Vec<Furniture>, Option<Diag>)> = pages.iter().map(of).collect();
    let mut counts: BTreeMap<(String, i32), usize> = BTreeMap::new();
    for piece in of_pages.iter().flat_map(|(pieces, _)| pieces) {
        *counts.entry(place(piece)).or_default() += 1;
    }
    for ((pieces, diag), page) in of_pages.iter_mut().zip(pages) {
        let height = page.geometry.size().1.0;
        for piece in pieces.iter_mut() {
            let recurs = counts.get(&place(piece)).is_some_and(|&n| n >= MIN_RUNNING);
            if recurs && piece.rect.y1 < 0.12 * height {
                piece.kind = FurnitureKind::Header;
            } else if recurs && piece.rect.y0 > 0.88 * height {
                piece.kind = FurnitureKind::Footer;
            }
        }
        if pieces.iter().all(|piece| piece.kind != FurnitureKind::Hidden) {
            *diag = None;
        }
    }
    let (furniture, diags): (Vec<Vec<Furniture>>, Vec<Option<Diag>>) = of_pages.into_iter().unzip();
    (furniture.into_iter().flatten().collect(), diags.into_iter().flatten().collect())
}

/// The text of a piece with its digits folded, and about where on its page it stands.
fn place(piece: &Furniture) -> (String, i32) {
    let folded = piece.text.chars().filter(|c| !c.is_numeric() && !c.is_whitespace()).collect();
    // A box of a hostile file may lie anywhere; the cast saturates.
    (folded, (piece.rect.y_mid() / 12.0).round() as i32)
}

/// The hidden text of a page, and a word of warning if there is some.
fn of(page: &Page) -> (Vec<Furniture>, Option<Diag>) {
    let invisible_is_layer = reads_invisible(page) || page.image_cover >= 0.5;
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
        let before = last.replace(run);
        let follows = before.is_some_and(|before| is_beside(before, run));
        match pieces.last_mut().filter(|_| follows) {
            Some(piece) => {
                if run.text.starts_with(char::is_whitespace)
                    || before.is_some_and(|before| gap(before, run) > 0.15)
                {
                    piece.text.push(' ');
                }
                piece.text.push_str(&text);
                piece.rect = piece.rect.union(&run.rect);
            }
            None => {
                pieces.push(Furniture { kind: FurnitureKind::Hidden, text, page: page.id, rect: run.rect });
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

/// True if a run goes on with the line of the one before it.
fn is_beside(last: &Run, run: &Run) -> bool {
    (last.baseline - run.baseline).abs() < 0.2 * run.size.0.abs().max(0.1)
        && (-1.0..3.0).contains(&gap(last, run))
}

/// The white between two runs, in multiples of the type size.
fn gap(last: &Run, run: &Run) -> f32 {
    (run.rect.x0 - last.rect.x1) / run.size.0.abs().max(0.1)
}
