//! Hidden text: runs that nobody can see on the page, kept apart from the text.
//!
//! White on white, off the page, below an opaque box, or drawn without ink where that is no recognised scan: such text
//! may be harmless (a label for a search engine), an attack on whoever reads by machine, or what somebody thought to
//! have blacked out. It is not part of the document's text; it is listed with the furniture, and each page with some is
//! told once. Passages under boxes are counted besides. Cost: linear in the runs, capped.

use std::collections::BTreeMap;

use document::{Diag, DiagCode, Furniture, FurnitureKind, Page, PageId, Rect, Run, Severity, Visibility};

use crate::typography::reads_invisible;

/// Characters kept of a page's hidden text.
const MAX_CHARS: usize = 4_000;
/// Pages on which a piece recurs that is a running line.
const MIN_RUNNING: usize = 3;
/// Pieces kept of it.
const MAX_PIECES: usize = 200;
/// Covered passages of a document that are told one by one.
const MAX_TOLD: usize = 1_000;
/// Distance of the baselines of lines that may belong to one passage, in multiples of the type size.
const NEXT_LINE: f32 = 2.0;

/// Hidden text of one page.
pub(crate) struct HiddenText {
    page: PageId,
    /// Height of the page as shown, in points.
    height: f32,
    pieces: Vec<Furniture>,
    /// Passage of each piece, if it is covered.
    passages: Vec<Option<usize>>,
    /// Number of covered passages, those among them whose pieces are not kept too.
    n_passages: usize,
    has_some: bool,
}

/// The hidden text of all pages, and a word of warning for each page with some. What recurs at the edge of several
/// pages, as the line that a typesetter's program leaves, is a running line that nobody need be warned of.
pub(crate) fn take(mut of_pages: Vec<HiddenText>) -> (Vec<Furniture>, Vec<Diag>) {
    let mut counts: BTreeMap<(String, i32), usize> = BTreeMap::new();
    for piece in of_pages.iter().flat_map(|hidden| &hidden.pieces) {
        *counts.entry(place(piece)).or_default() += 1;
    }
    let mut diags = Vec::new();
    let mut covered: Vec<PageId> = Vec::new();
    for hidden in &mut of_pages {
        let height = hidden.height;
        for piece in &mut hidden.pieces {
            let recurs = counts.get(&place(piece)).is_some_and(|&n| n >= MIN_RUNNING);
            if recurs && piece.rect.y1 < 0.12 * height {
                piece.kind = FurnitureKind::Header;
            } else if recurs && piece.rect.y0 > 0.88 * height {
                piece.kind = FurnitureKind::Footer;
            }
        }
        if hidden.has_some && hidden.pieces.iter().any(|piece| piece.kind == FurnitureKind::Hidden) {
            diags.push(warning(hidden.page));
        }
        covered.extend(std::iter::repeat_n(hidden.page, hidden.n_covered()));
    }
    diags.extend(told(&covered));
    (of_pages.into_iter().flat_map(|hidden| hidden.pieces).collect(), diags)
}

/// The text of a piece with its digits folded, and about where on its page it stands.
fn place(piece: &Furniture) -> (String, i32) {
    let folded = piece.text.chars().filter(|c| !c.is_numeric() && !c.is_whitespace()).collect();
    // A box of a hostile file may lie anywhere; the cast saturates.
    (folded, (piece.rect.y_mid() / 12.0).round() as i32)
}

impl HiddenText {
    /// Number of covered passages without running lines and without those that hold no letter or digit.
    fn n_covered(&self) -> usize {
        let mut counts: BTreeMap<usize, bool> = BTreeMap::new();
        for (piece, passage) in self.pieces.iter().zip(&self.passages) {
            let Some(passage) = passage else { continue };
            let says = piece.kind == FurnitureKind::Hidden && piece.text.chars().any(char::is_alphanumeric);
            *counts.entry(*passage).or_default() |= says;
        }
        self.n_passages - counts.values().filter(|counts| !**counts).count()
    }
}

/// The hidden text of a page.
pub(crate) fn of(page: &Page) -> HiddenText {
    let invisible_is_layer = reads_invisible(page) || page.image_cover >= 0.5;
    let is_hidden = |run: &&Run| match run.visibility {
        Visibility::Visible => false,
        Visibility::Invisible => !invisible_is_layer,
        Visibility::Background | Visibility::OffPage | Visibility::Covered | Visibility::Unpainted => true,
    };
    let mut hidden = HiddenText {
        page: page.id,
        height: page.geometry.size().1.0,
        pieces: Vec::new(),
        passages: Vec::new(),
        n_passages: 0,
        has_some: false,
    };
    let mut last: Option<&Run> = None;
    let mut last_covered: Option<&Run> = None;
    let mut n_chars = 0;
    for run in page.runs.iter().filter(is_hidden) {
        let text = run.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            continue;
        }
        hidden.has_some = true;
        let mut passage = None;
        if run.visibility == Visibility::Covered {
            let goes_on = last_covered.replace(run).is_some_and(|before| is_of_passage(before, run));
            hidden.n_passages += usize::from(!goes_on);
            passage = Some(hidden.n_passages);
        }
        n_chars += text.chars().count();
        if n_chars > MAX_CHARS || hidden.pieces.len() >= MAX_PIECES {
            continue;
        }
        let before = last.replace(run);
        let follows = before.is_some_and(|before| is_beside(before, run));
        let same = hidden.passages.last() == Some(&passage);
        match hidden.pieces.last_mut().filter(|_| follows && same) {
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
                let kind = FurnitureKind::Hidden;
                hidden.pieces.push(Furniture { kind, text, page: page.id, rect: run.rect });
                hidden.passages.push(passage);
            }
        }
    }
    let is_finite = |rect: &Rect| [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|v| v.is_finite());
    for piece in &mut hidden.pieces {
        if !is_finite(&piece.rect) {
            piece.rect = Rect::default();
        }
    }
    hidden
}

fn warning(page: PageId) -> Diag {
    Diag {
        code: DiagCode::HiddenText,
        severity: Severity::Warning,
        message: "the page holds text that cannot be seen; it is kept apart and not searched".to_owned(),
        hint: "look at the page's hidden pieces if it was not expected".to_owned(),
        page: Some(page),
    }
}

/// A word of warning for the document with this many covered passages, given by their pages, and one for each of them.
fn told(covered: &[PageId]) -> Vec<Diag> {
    let message = match covered.len() {
        0 => return Vec::new(),
        1 => "1 passage is covered in this document".to_owned(),
        n => format!("{n} passages are covered in this document"),
    };
    let diag = |message: String, hint: &str, page: Option<PageId>| Diag {
        code: DiagCode::CoveredText,
        severity: Severity::Warning,
        message,
        hint: hint.to_owned(),
        page,
    };
    let hint = "the text is still in the file; whoever covered it may think that it was removed";
    let passages = covered.iter().take(MAX_TOLD).map(|&page| {
        diag("a passage is covered by a box, an image or an annotation".to_owned(), "", Some(page))
    });
    std::iter::once(diag(message, hint, None)).chain(passages).collect()
}

/// True if a covered run goes on with the passage of the one before it, on the same line or the next.
fn is_of_passage(last: &Run, run: &Run) -> bool {
    let size = last.size.0.abs().max(0.1);
    let down = run.baseline - last.baseline;
    is_beside(last, run) || (0.0..NEXT_LINE * size).contains(&down) && last.rect.x_overlap(&run.rect) > 0.0
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
