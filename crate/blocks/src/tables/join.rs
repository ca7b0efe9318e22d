//! Tables that go on over the page: their parts become one block.
//!
//! The part on the next page is the first thing there, has as many columns at the same place, and no caption. A head
//! that is printed again is left out of the text and kept as furniture, so that the table reads as one.
//! Cost: linear in the paragraphs.

use document::{BlockKind, Furniture, FurnitureKind, Role};

use crate::page::{Frame, Line, Paragraph};

/// Largest distance between the edges of two parts, in points: edges are those of the widest cells, which a page holds or
/// not, and tables are set to the measure of the page in type of any size.
const DRIFT: f32 = 24.0;

/// Joins the parts of tables; heads that are printed again go to the furniture.
pub(crate) fn join(
    paragraphs: Vec<Paragraph>,
    frames: &[Frame],
    furniture: &mut Vec<Furniture>,
) -> Vec<Paragraph> {
    let mut out: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    let mut repeated: Vec<Line> = Vec::new();
    for mut paragraph in paragraphs {
        // "Table 3—Continued" between two parts is printed for the page.
        let is_named_again = paragraph.kind == BlockKind::Table
            && out.last().is_some_and(|last| says_continued(last, &paragraph))
            && out
                .len()
                .checked_sub(2)
                .and_then(|at| out.get(at))
                .is_some_and(|table| goes_on(table, &paragraph));
        if is_named_again && let Some(name) = out.pop() {
            repeated.extend(name.lines);
        }
        let Some(last) = out.last_mut().filter(|last| goes_on(last, &paragraph)) else {
            out.push(paragraph);
            continue;
        };
        let n_again = head_again(last, &paragraph);
        repeated.extend(paragraph.lines.drain(..n_again));
        let base = last.lines.len();
        last.cells.push((base, '\n'));
        // The head's separators go with it, and the one behind it.
        let n_dropped =
            paragraph.table.as_ref().filter(|_| n_again > 0).map_or(0, |shape| shape.head_cells + 1);
        let cells = paragraph.cells.into_iter().skip(n_dropped);
        last.cells.extend(cells.map(|(at, separator)| (at.saturating_sub(n_again) + base, separator)));
        last.lines.append(&mut paragraph.lines);
    }
    furniture.extend(repeated.iter().map(|line| Furniture {
        kind: FurnitureKind::Other,
        text: line.text(),
        page: line.page,
        rect: frames.get(line.page.idx()).map_or(line.rect, |frame: &Frame| frame.shown_rect(&line.rect)),
    }));
    furniture.sort_by_key(|furniture| furniture.page);
    out
}

/// True if a paragraph above a table says that the table goes on.
fn says_continued(paragraph: &Paragraph, table: &Paragraph) -> bool {
    let text = paragraph.text().to_lowercase();
    paragraph.kind != BlockKind::Table
        && paragraph.page() == table.page()
        && paragraph.lines.len() <= 3
        && (text.contains("continued")
            || text.contains("cont’d")
            || text.contains("cont'd")
            || text.contains("（续"))
}

fn goes_on(last: &Paragraph, next: &Paragraph) -> bool {
    if last.kind != BlockKind::Table || next.kind != BlockKind::Table || next.role != Role::Body {
        return false;
    }
    let (Some(a), Some(b)) = (&last.table, &next.table) else { return false };
    let (Some(end), Some(begin)) = (last.lines.last(), next.lines.first()) else { return false };
    let is_next = begin.page.0 == end.page.0 + 1;
    is_next && a.n_columns == b.n_columns && (a.x0 - b.x0).abs() < DRIFT && (a.x1 - b.x1).abs() < DRIFT
        || is_next && a.n_columns == b.n_columns && head_again(last, next) > 0
}

/// Number of leading lines of the second part that repeat the head of the first.
fn head_again(first: &Paragraph, second: &Paragraph) -> usize {
    let n = first.table.as_ref().map_or(0, |shape| shape.head_end);
    let (Some(head), Some(again)) = (first.lines.get(..n), second.lines.get(..n)) else { return 0 };
    let same = n > 0 && second.lines.len() > n && head.iter().zip(again).all(|(a, b)| a.text() == b.text());
    if same { n } else { 0 }
}
