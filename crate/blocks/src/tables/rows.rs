//! The rows of a table from its lines: several lines are one row where a cell has several.
//!
//! Rules between lines decide when there is one for every few lines. Else a line goes on with the row above when
//! their lines overlap (cells centred on each other), when it only continues a text cell, when a label that filled
//! its column has its figures on the next line, and in the head, whose lines are one row unless they span.
//!
//! Cost: linear in the lines, and for each the rules at its height.

use document::{Rect, Slice as _};

use crate::page::{Line, TableRow, Word};
use crate::tables::columns::{ColumnExtent, TableLine};
use crate::typography::line_part;

/// Most lines of a head.
const MAX_HEAD: usize = 9;
/// Baselines this close, in multiples of the type size, are lines of one cell.
const TIGHT: f32 = 1.36;
/// Baselines this close, in multiples of the type size, are lines of cells centred on each other.
const CENTRED: f32 = 0.8;

/// The rows of these lines and how many of them are the head.
pub(crate) fn rows(
    lines: &[Line],
    cells: &[TableLine],
    columns: &[ColumnExtent],
    rules: &[Rect],
) -> (Vec<TableRow>, usize) {
    let parted = parted(lines, columns, rules);
    rows_below(head(cells, &parted), lines, cells, columns, rules)
}

/// Before which lines a rule lies.
fn parted(lines: &[Line], columns: &[ColumnExtent], rules: &[Rect]) -> Vec<bool> {
    (0..lines.len()).map(|i| i > 0 && is_ruled_off(lines, i, columns, rules)).collect()
}

/// The same where it is known how many lines are the head.
pub(crate) fn rows_below(
    n_head_lines: usize,
    lines: &[Line],
    cells: &[TableLine],
    columns: &[ColumnExtent],
    rules: &[Rect],
) -> (Vec<TableRow>, usize) {
    let parted = parted(lines, columns, rules);
    let n_parted = parted.iter().filter(|&&parted| parted).count();
    let by_rules = n_parted >= 2 && n_parted * 4 >= lines.len() && are_rows(cells, &parted);
    let mut rows: Vec<TableRow> = Vec::new();
    let mut n_head = 0;
    let mut first = 0;
    for (i, (line, own)) in lines.iter().zip(cells).enumerate() {
        let goes_on = i > 0
            && if by_rules {
                !parted.get(i).copied().unwrap_or(true)
            } else {
                !parted.get(i).copied().unwrap_or(true)
                    && goes_on(&OpenRow { lines, cells, first, columns, n_head_lines }, i)
            };
        if !goes_on {
            rows.push(vec![Vec::new(); columns.len()]);
            first = i;
            n_head += usize::from(i < n_head_lines);
        }
        let Some(row) = rows.last_mut() else { continue };
        for (cell, words) in row.iter_mut().zip(&own.cells) {
            cell.extend(line_part(words.clone(), line));
        }
    }
    (rows, n_head)
}

/// True if what lies between rules can be one row each: none holds several lines with a label and figures.
fn are_rows(cells: &[TableLine], parted: &[bool]) -> bool {
    let mut n_data = 0;
    for (i, line) in cells.iter().enumerate() {
        if parted.get(i).copied().unwrap_or(false) {
            n_data = 0;
        }
        n_data += usize::from(line.is_filled(0) && line.n_figures() > 0);
        if n_data > 1 {
            return false;
        }
    }
    true
}

/// The row that is open: the lines from `first` to before the one in question.
struct OpenRow<'a> {
    lines: &'a [Line],
    cells: &'a [TableLine],
    first: usize,
    columns: &'a [ColumnExtent],
    n_head_lines: usize,
}

/// True if line `i` goes on with the open row.
fn goes_on(row: &OpenRow<'_>, i: usize) -> bool {
    let OpenRow { lines, cells, first, n_head_lines, .. } = *row;
    let (Some(above), Some(line)) = (lines.get(i - 1), lines.get(i)) else { return false };
    let (Some(over), Some(own)) = (cells.get(i - 1), cells.get(i)) else { return false };
    let em = line.size.min(above.size).max(0.1);
    let step = line.baseline - above.baseline;
    if step < CENTRED * em {
        return stands_between(row, line, own, em, i);
    }
    if step > TIGHT * em {
        return false;
    }
    if i < n_head_lines {
        return !own.spans
            && !over.spans
            && own.n_filled() + over.n_filled() > 2
            && are_stacked(over, own, em);
    }
    let starts_lower = own
        .cells
        .iter()
        .find_map(|cell| cell.first())
        .is_some_and(|word| word.text.starts_with(|c: char| c.is_lowercase() || c == '('));
    if i == n_head_lines && !(starts_lower && own.n_figures() == 0) {
        return false;
    }
    let so_far = cells.slice(first..i);
    if own.is_filled(0) {
        label_goes_on(row, so_far, over, own, starts_lower, em)
    } else {
        cells_go_on(so_far, own)
    }
}

/// True if the cells of a line lie between those of the row, each in a column of its own or centred on the others.
fn stands_between(row: &OpenRow<'_>, line: &Line, own: &TableLine, em: f32, i: usize) -> bool {
    let lines = row.lines.slice(row.first..i);
    let so_far = || row.cells.slice(row.first..i).iter().zip(lines);
    (0..row.columns.len()).filter(|&at| own.is_filled(at)).all(|at| {
        so_far().all(|(other, over)| {
            !other.is_filled(at)
                || line.baseline - over.baseline > em && own.n_figures() + other.n_figures() == 0
        })
    })
}

/// True if a line without a label is the next line of a text cell of the row, or of several.
fn cells_go_on(so_far: &[TableLine], own: &TableLine) -> bool {
    let is_filled = |at: usize| so_far.iter().any(|line| line.is_filled(at));
    let filled: Vec<usize> = (0..own.cells.len()).filter(|&at| own.is_filled(at)).collect();
    let n_on = filled.iter().filter(|&&at| is_filled(at)).count();
    let only_goes_on = n_on == filled.len() && filled.len() * 2 <= own.cells.len().max(2);
    // Figures at the foot of a text cell, where the line above has none.
    let completes = n_on > 0 && n_on < filled.len() && is_filled(0);
    filled.iter().all(|&at| !is_filled(at) || !own.is_figure(at)) && (only_goes_on || completes)
}

/// True if a line with a label goes on with the row: the label goes on below its figures, or all cells do.
fn label_goes_on(
    row: &OpenRow<'_>,
    so_far: &[TableLine],
    over: &TableLine,
    own: &TableLine,
    starts_lower: bool,
    em: f32,
) -> bool {
    let ends_open = !over.text(0).ends_with(':');
    let left = |line: &TableLine| {
        line.cells.first().and_then(|label| label.first()).map_or(0.0, |word| word.rect.x0)
    };
    if so_far.iter().all(|line| line.n_filled() == 1 && line.is_filled(0)) {
        let end = over.cells.first().and_then(|label| label.last());
        let right = end.map_or(0.0, |word| word.rect.x1);
        let is_full = row.columns.first().is_some_and(|c| right > c.1 - 0.3 * (c.1 - c.0));
        let set_in = left(own) > left(over) + 0.4 * em;
        return ends_open && (starts_lower || set_in && is_full && own.n_filled() > 1);
    }
    let is_filled = |at: usize| so_far.iter().any(|line| line.is_filled(at));
    let mut filled = (0..own.cells.len()).filter(|&at| own.is_filled(at));
    starts_lower && ends_open && filled.all(|at| is_filled(at) && !(at > 0 && own.is_figure(at)))
}

/// True if the pieces of two lines of a head stand under each other, one over one. One that stands over two is a
/// head of its own.
fn are_stacked(over: &TableLine, under: &TableLine, em: f32) -> bool {
    let extents = |line: &TableLine| -> Vec<(f32, f32)> {
        let ends = |cell: &Vec<Word>| Some((cell.first()?.rect.x0, cell.last()?.rect.x1));
        line.cells.iter().filter_map(ends).collect()
    };
    let (a, b) = (extents(over), extents(under));
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    few.iter().all(|x| {
        many.iter().any(|y| {
            (x.0 + x.1 - y.0 - y.1).abs() < 2.4 * em
                || (x.0 - y.0).abs() < 0.4 * em
                || (x.1 - y.1).abs() < 0.4 * em
        })
    })
}

/// Number of head lines: those above the first rule across, or above the first line with a label and figures.
fn head(cells: &[TableLine], parted: &[bool]) -> usize {
    let is_data = |line: &TableLine| {
        line.is_filled(0) && line.n_figures() > 0 && line.n_figures() * 2 + 1 >= line.n_filled()
    };
    let first_data = cells.iter().position(is_data).unwrap_or(cells.len());
    let mut above =
        parted.iter().take(MAX_HEAD.min(first_data + 1)).enumerate().filter(|(_, parted)| **parted);
    // Where figures follow, rules may stand between the lines of the head too.
    let ruled = if first_data < cells.len() { above.next_back() } else { above.next() }.map(|(at, _)| at);
    match ruled {
        Some(at) => at,
        None if first_data < cells.len() => first_data,
        // A table of words: its head may be bold.
        None => {
            let is_bold = |line: &&TableLine| line.cells.iter().flatten().all(|word| word.style.is_bold());
            let n_bold = cells.iter().take_while(is_bold).count();
            if n_bold < cells.len() { n_bold.max(1) } else { 1 }
        }
    }
}

/// True if a rule lies between a line and the one above it, under a good part of the table.
fn is_ruled_off(lines: &[Line], i: usize, columns: &[ColumnExtent], rules: &[Rect]) -> bool {
    let (Some(above), Some(line)) = (lines.get(i - 1), lines.get(i)) else { return false };
    let (Some(first), Some(last)) = (columns.first(), columns.last()) else { return false };
    let from = rules.partition_point(|rule| rule.y_mid() < above.baseline - 0.1 * above.size);
    let between = rules
        .slice(from..)
        .iter()
        .take_while(|rule| rule.y_mid() < line.baseline - 0.4 * line.size)
        .take(256);
    // Rules of single cells (below figures that are summed) do not part rows.
    let table = Rect { x0: first.0, x1: last.1, y0: 0.0, y1: 1.0 };
    let width: f32 = between.map(|rule| rule.x_overlap(&table)).sum();
    width > 0.7 * (last.1 - first.0)
}
