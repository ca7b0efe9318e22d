//! Tables: consecutive lines whose words stand in cells, one under the other.
//!
//! A run of lines is a table when all of them have white at the same places and something says that this is
//! meant: rules above and below, three columns or more over three rows, or a column of figures. Tables of
//! contents (leaders), lists (markers) and the captions of court papers (a column of brackets) are none.
//! Where rules part the lines into bands, a band is a row and its lines are lines of cells.
//!
//! Cost: linear in the lines, times the few gaps of a line.

use document::{BlockKind, Rect};

use crate::lines::Line;
use crate::marker::list_marker;
use crate::paragraphs::Paragraph;

/// White this wide, in multiples of the type size, may part cells.
const MIN_GAP: f32 = 0.8;
/// Least white that all rows must share.
const MIN_SHARED: f32 = 0.4;

/// White between two words of a line: from, to.
type Gap = (f32, f32);

/// A table among the lines of a region.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Positions of its first line and one past its last.
    pub lines: std::ops::Range<usize>,
    /// The white between its columns, from the left.
    strips: Vec<Gap>,
}

/// The tables among these lines, which are of one region, from top to bottom.
pub(crate) fn find(lines: &[Line], rules: &[Rect]) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut i = 0;
    while i < lines.len() {
        let Some(table) = run_at(lines, i) else {
            i += 1;
            continue;
        };
        let rows = lines.get(table.lines.clone()).unwrap_or_default();
        if is_meant(rows, &table.strips, rules) {
            i = table.lines.end;
            tables.push(table);
        } else {
            // A later start may make a table of a short run; long ones are passed over, to stay linear.
            i += if rows.len() > 64 { rows.len() } else { 1 };
        }
    }
    tables
}

/// The lines from `start` on that have white at the same places.
fn run_at(lines: &[Line], start: usize) -> Option<Table> {
    let first = lines.get(start)?;
    let mut strips = gaps(first);
    if strips.is_empty() {
        return None;
    }
    let mut end = start + 1;
    while let Some(line) = lines.get(end) {
        let above = lines.get(end - 1)?;
        if line.baseline - above.baseline > 3.0 * line.size.max(above.size) {
            break;
        }
        let found = shared(&strips, line);
        if !found.is_empty() && !gaps(line).is_empty() {
            strips = found;
            end += 1;
            continue;
        }
        // A line within one column continues a cell, when the table goes on below it.
        let below = lines.get(end + 1).filter(|below| below.baseline - line.baseline < 2.0 * line.size);
        let goes_on = below
            .is_some_and(|below| !gaps(below).is_empty() && shared(&strips, below).len() == strips.len());
        if !goes_on || end - start < 2 || white(&strips, line).len() < strips.len() {
            break;
        }
        end += 1;
    }
    Some(Table { lines: start..end, strips })
}

/// The white of a line that is wide enough to part cells.
fn gaps(line: &Line) -> Vec<Gap> {
    let pairs = line.words.windows(2);
    let gaps = pairs.map(|pair| (pair[0].rect.x1, pair[1].rect.x0));
    gaps.filter(|gap| gap.1 - gap.0 >= MIN_GAP * line.size).collect()
}

/// What of the strips is white in this line too, where words stand to the left of it.
fn shared(strips: &[Gap], line: &Line) -> Vec<Gap> {
    let mut shared = white(strips, line);
    shared.retain(|strip| strip.1 > line.rect.x0 + line.size);
    shared
}

/// What of the strips no word of this line touches.
fn white(strips: &[Gap], line: &Line) -> Vec<Gap> {
    let mut shared = Vec::new();
    for strip in strips {
        // The largest part of the strip that no word touches.
        let mut at = strip.0;
        let mut best: Option<Gap> = None;
        for word in line.words.iter().filter(|word| word.rect.x1 > strip.0 && word.rect.x0 < strip.1) {
            let part = (at, word.rect.x0);
            if part.1 - part.0 > best.map_or(0.0, |best| best.1 - best.0) {
                best = Some(part);
            }
            at = at.max(word.rect.x1);
        }
        let part = (at, strip.1);
        if part.1 - part.0 > best.map_or(0.0, |best| best.1 - best.0) {
            best = Some(part);
        }
        shared.extend(best.filter(|best| best.1 - best.0 >= MIN_SHARED * line.size));
    }
    shared
}

/// Whether lines in cells are a table.
fn is_meant(rows: &[Line], strips: &[Gap], rules: &[Rect]) -> bool {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    let n_rows = rows.len();
    let cells: Vec<Vec<String>> = rows.iter().map(|row| texts(row, strips)).collect();
    let count = |is: &dyn Fn(&[String]) -> bool| cells.iter().filter(|row| is(row)).count();
    let is_leader = |row: &[String]| row.iter().any(|cell| cell.contains("....") || cell.contains(". . ."));
    let is_bracket = |cell: &String| {
        !cell.is_empty() && cell.chars().all(|c| matches!(c, ')' | '(' | '§' | ':' | '|' | ' '))
    };
    if count(&is_leader) * 3 > n_rows || count(&|row| row.iter().any(is_bracket)) * 2 > n_rows {
        return false;
    }
    let n_lists = rows.iter().filter(|row| list_marker(row).is_some()).count();
    if strips.len() == 1 && n_lists > 0 {
        return false;
    }
    let is_figure = |cell: &String| {
        let n_digits = cell.chars().filter(char::is_ascii_digit).count();
        n_digits > 0 && n_digits * 5 >= cell.chars().filter(|c| !c.is_whitespace()).count() * 2
    };
    let n_figures = count(&|row| row.iter().skip(1).any(is_figure));
    let n_words: usize = cells.iter().flatten().map(|cell| cell.split_whitespace().count()).sum();
    let n_cells: usize = cells.iter().flatten().filter(|cell| !cell.is_empty()).count();
    let is_terse = n_words <= 8 * n_cells;
    // Rules over the width of the rows, above the first and below the last.
    let (x0, x1) =
        rows.iter().fold((f32::MAX, f32::MIN), |(x0, x1), row| (x0.min(row.rect.x0), x1.max(row.rect.x1)));
    let spans = |rule: &&Rect| rule.x0 < x0 + 3.0 && rule.x1 > x1 - 3.0;
    let near = |top: f32, bottom: f32| {
        let from = rules.partition_point(|rule| rule.y_mid() < top);
        rules
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|rule| rule.y_mid() < bottom)
            .any(|rule| spans(&rule))
    };
    let em = first.size;
    let above = near(first.rect.y0 - 1.2 * em, first.rect.y0 + 0.3 * em);
    let below = near(last.rect.y1 - 0.3 * em, last.rect.y1 + 1.2 * em);
    let is_ruled = above && below && n_rows >= 2;
    (is_ruled && is_terse)
        || (n_rows >= 3 && strips.len() >= 2 && is_terse && n_figures * 2 >= n_rows)
        || (n_rows >= 3 && strips.len() == 1 && is_terse && n_figures * 4 >= n_rows * 3)
        || (n_rows >= 4 && strips.len() >= 2 && n_words <= 4 * n_cells)
}

/// Words of a line cell by cell.
fn cells_of<'a>(line: &'a Line, strips: &[Gap]) -> Vec<Vec<&'a crate::words::Word>> {
    let mut cells = vec![Vec::new(); strips.len() + 1];
    for word in &line.words {
        let at = strips.iter().filter(|strip| word.rect.x_mid() > 0.5 * (strip.0 + strip.1)).count();
        if let Some(cell) = cells.get_mut(at) {
            cell.push(word);
        }
    }
    cells
}

fn texts(line: &Line, strips: &[Gap]) -> Vec<String> {
    let text = |cell: Vec<&crate::words::Word>| {
        let words: Vec<&str> = cell.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    };
    cells_of(line, strips).into_iter().map(text).collect()
}

impl Table {
    /// The table as a block: its cells row by row.
    pub(crate) fn into_paragraph(self, lines: &[Line], rules: &[Rect]) -> Paragraph {
        let rows = lines.get(self.lines.clone()).unwrap_or_default();
        let mut paragraph = Paragraph::of(Vec::new());
        paragraph.kind = BlockKind::Table;
        for band in bands(rows, rules) {
            for column in 0..=self.strips.len() {
                if column > 0 || !paragraph.lines.is_empty() {
                    let separator = if column == 0 { '\n' } else { '\t' };
                    paragraph.cells.push((paragraph.lines.len(), separator));
                }
                for row in band {
                    let words = cells_of(row, &self.strips).into_iter().nth(column).unwrap_or_default();
                    let words = words.into_iter().cloned().collect();
                    paragraph.lines.extend(Line::of(words, row.page, row.region, row.column, &[]));
                }
            }
        }
        paragraph
    }
}

/// The rows of a table, each as its lines: the bands between rules where there is a rule for every few lines,
/// else a row a line.
fn bands<'a>(rows: &'a [Line], rules: &[Rect]) -> Vec<&'a [Line]> {
    let is_parted = |pair: &[Line]| {
        let (top, bottom) = (pair[0].baseline, pair[1].rect.y1);
        let from = rules.partition_point(|rule| rule.y_mid() < top);
        rules.get(from..).unwrap_or_default().iter().take_while(|rule| rule.y_mid() < bottom).any(|rule| {
            rule.x_overlap(&pair[1].rect) > 0.5 * pair[1].rect.width() && rule.y_mid() < pair[1].baseline
        })
    };
    let n_parted = rows.windows(2).filter(|pair| is_parted(pair)).count();
    if n_parted < 2 || n_parted * 4 < rows.len() {
        return rows.chunks(1).collect();
    }
    let mut bands = Vec::new();
    let mut start = 0;
    for (i, pair) in rows.windows(2).enumerate() {
        if is_parted(pair) {
            bands.extend(rows.get(start..=i));
            start = i + 1;
        }
    }
    bands.extend(rows.get(start..).filter(|band| !band.is_empty()));
    bands
}
