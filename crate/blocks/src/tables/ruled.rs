//! Ruled tables: the cells that the rules of a grid enclose.
//!
//! Where no rule parts two elementary cells of a grid they are one cell, whose text stands at its first row and
//! column. A band between two rules that holds many short lines is cut into rows by them.
//!
//! Cost: linear in the words and in the elementary cells.

use std::collections::BTreeMap;

use document::{OrNever as _, Rect, Slice as _};

use crate::disjoint_sets::DisjointSets;
use crate::page::{Grid, Line, PageLines, Table, TableRow, Word};
use crate::tables::columns::TableLine;
use crate::tables::rows::rows_below;
use crate::tables::segments::{is_figure, is_leader, segments};
use crate::typography::{line_part, usual_size};

/// White that parts the text of a column, in multiples of the type size.
const CELL_GAP: f32 = 0.8;
/// Width of a short piece of a cell, as a share of its column's.
const SHORT: f32 = 0.6;

/// The lines of a cell: for each its position among the lines of the table, and its words there.
type CellLines = Vec<(usize, Vec<Word>)>;

/// The tables of a region whose cells are enclosed by rules.
pub(crate) fn find(lines: &[Line], page: &PageLines) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for grid in &page.grids {
        let inside = |line: &Line| line.rect.y_mid() > grid.rect.y0 && line.rect.y_mid() < grid.rect.y1;
        let Some(start) = lines.iter().position(inside) else { continue };
        let n = lines.slice(start..).iter().take_while(|line| inside(line)).count();
        let own = lines.slice(start..start + n);
        let n_words: usize = own.iter().map(|line| line.words.len()).sum();
        let n_out = own
            .iter()
            .flat_map(|line| &line.words)
            .filter(|word| {
                word.rect.x_mid() < grid.rect.x0 - Grid::TOUCH
                    || word.rect.x_mid() > grid.rect.x1 + Grid::TOUCH
            })
            .count();
        let after_last = tables.last().is_none_or(|last| last.lines.end <= start);
        if n_out * 20 > n_words || !after_last {
            continue;
        }
        tables.extend(table(grid, own, start, &page.rules));
    }
    tables
}

fn table(grid: &Grid, lines: &[Line], start: usize, rules: &[Rect]) -> Option<Table> {
    let mut grid = grid.clone();
    grid.add_silent_columns(lines);
    grid.table_of_cells(lines, start, rules)
}

impl Grid {
    /// Adds columns that no rule parts: white of a good width that runs down a column between most of its lines.
    /// Where a line's text crosses it, the cells there are one.
    fn add_silent_columns(&mut self, lines: &[Line]) {
        let em = usual_size(lines.iter().map(|line| (line.size, line.n_chars()))).unwrap_or(10.0);
        let columns = self.xs.windows(2).map(|pair| (pair[0], pair[1]));
        let added: Vec<f32> = columns.flat_map(|column| silent_columns(column, lines, em)).collect();
        for x in added {
            let at = self.xs.partition_point(|&place| place < x);
            self.xs.insert(at, x);
            // A rule of its own for each band where no text crosses.
            for pair in self.ys.windows(2) {
                let in_band =
                    |line: &&Line| line.baseline > pair[0] && line.baseline - 0.3 * line.size < pair[1];
                let crosses = |line: &Line| segments(line).iter().any(|s| s.x0 < x && s.x1 > x);
                if !lines.iter().filter(in_band).any(crosses) {
                    self.down.push(Rect { x0: x, x1: x, y0: pair[0], y1: pair[1] });
                }
            }
        }
    }

    fn table_of_cells(&self, lines: &[Line], start: usize, rules: &[Rect]) -> Option<Table> {
        let (n_columns, n_bands) = (self.xs.len() - 1, self.ys.len() - 1);
        let roots = self.cells(n_columns, n_bands);
        let root_of = |column: usize, band: usize| {
            roots.get(band * n_columns + column).copied().or_never("a cell of the grid")
        };
        // The words of each cell, line by line.
        let mut cells: Vec<CellLines> = vec![Vec::new(); n_columns * n_bands];
        for (l, line) in lines.iter().enumerate() {
            for word in &line.words {
                let column = slot(&self.xs, word.rect.x_mid());
                // The middle of a word in its x-height: ascents and descents may reach over a rule.
                let band = slot(&self.ys, word.baseline - 0.3 * word.size);
                let Some(cell) = cells.get_mut(root_of(column, band)) else { continue };
                match cell.last_mut() {
                    Some((last, words)) if *last == l => words.push(word.clone()),
                    _ => cell.push((l, vec![word.clone()])),
                }
            }
        }
        let filled = |band: usize| {
            (0..n_columns)
                .filter(|&column| cells.get(band * n_columns + column).is_some_and(|cell| !cell.is_empty()))
                .count()
        };
        let n_used = (0..n_bands).filter(|&band| filled(band) > 0).count();
        let n_wide = (0..n_bands).filter(|&band| filled(band) >= 2).count();
        let used_columns: Vec<usize> = (0..n_columns)
            .filter(|&column| {
                (0..n_bands)
                    .any(|band| cells.get(band * n_columns + column).is_some_and(|cell| !cell.is_empty()))
            })
            .collect();
        if used_columns.len() < 2 || n_wide == 0 {
            return None;
        }
        let mut out: Vec<TableRow> = Vec::new();
        let mut n_head = 0;
        for band in 0..n_bands {
            let own: Vec<CellLines> = used_columns
                .iter()
                .map(|&column| {
                    cells
                        .get_mut(band * n_columns + column)
                        .map(std::mem::take)
                        .or_never("a cell of the grid")
                })
                .collect();
            if own.iter().all(Vec::is_empty) {
                continue;
            }
            if out.len() == 1 {
                n_head = 1;
            }
            out.extend(self.band(own, lines, &used_columns, rules));
        }
        let is_table = n_wide >= 2 || out.len() >= 3 && n_used >= 1;
        let is_caption = out.iter().flatten().flatten().filter(|line| line.text().trim() == ")").count() > 2;
        (is_table && !is_caption).then_some(Table { lines: start..start + lines.len(), rows: out, n_head })
    }

    /// The rows of one band: one, or as many as it has short lines that stand beside each other.
    fn band(
        &self,
        cells: Vec<CellLines>,
        lines: &[Line],
        columns: &[usize],
        rules: &[Rect],
    ) -> Vec<TableRow> {
        let mut used: Vec<usize> = cells.iter().flatten().map(|(l, _)| *l).collect();
        used.sort_unstable();
        used.dedup();
        let table_lines: Vec<TableLine> = used.iter().map(|&l| line_in_cells(&cells, l)).collect();
        // Leaders end the label of a row.
        let is_led =
            |line: &TableLine| line.cells.first().and_then(|cell| cell.last()).is_some_and(is_leader);
        let n_data = table_lines
            .iter()
            .filter(|line| line.is_filled(0) && (line.n_figures() > 0 || is_led(line)))
            .count();
        if n_data < 2 && !self.are_short(&cells, used.len(), columns) {
            let of = |(l, words): (usize, Vec<Word>)| lines.get(l).and_then(|line| line_part(words, line));
            return vec![cells.into_iter().map(|cell| cell.into_iter().filter_map(of).collect()).collect()];
        }
        let own: Vec<Line> = used.iter().filter_map(|&l| lines.get(l)).cloned().collect();
        let extents: Vec<(f32, f32)> = columns.iter().map(|&column| self.extent(column)).collect();
        rows_below(0, &own, &table_lines, &extents, rules).0
    }

    /// Left and right edge of a column.
    fn extent(&self, column: usize) -> (f32, f32) {
        let place = |at: usize| self.xs.get(at).copied().or_never("a column has a rule on both sides");
        (place(column), place(column + 1))
    }

    /// True if most of the lines of a band stand in several cells, and most pieces in the cells are short.
    fn are_short(&self, cells: &[CellLines], n_lines: usize, columns: &[usize]) -> bool {
        let is_short = |column: usize, words: &[Word]| {
            let text_end = words.iter().rev().find(|word| !is_leader(word));
            let (Some(first), Some(last)) = (words.first(), text_end) else { return true };
            let (x0, x1) = self.extent(column);
            words.iter().all(|word| is_figure(&word.text)) || last.rect.x1 - first.rect.x0 < SHORT * (x1 - x0)
        };
        let pieces =
            || cells.iter().zip(columns).flat_map(|(cell, &at)| cell.iter().map(move |own| (at, own)));
        let n_short = pieces().filter(|(column, (_, words))| is_short(*column, words)).count();
        let mut n_of_line: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, (l, _)) in pieces() {
            *n_of_line.entry(*l).or_default() += 1;
        }
        let n_beside = n_of_line.values().filter(|&&n| n >= 2).count();
        n_lines >= 3 && n_beside * 10 >= n_lines * 7 && n_short * 10 >= pieces().count() * 7
    }

    /// For each elementary cell, row by row, the first one of the cell that it is part of.
    fn cells(&self, n_columns: usize, n_bands: usize) -> Vec<usize> {
        let mut sets = DisjointSets::new(n_columns * n_bands);
        let place = |places: &[f32], at: usize| places.get(at).copied().or_never("a rule of the grid");
        let mid = |places: &[f32], at: usize| 0.5 * (place(places, at) + place(places, at + 1));
        for band in 0..n_bands {
            let y = mid(&self.ys, band);
            for column in 0..n_columns {
                let x = mid(&self.xs, column);
                let own = band * n_columns + column;
                let right = place(&self.xs, column + 1);
                let below = place(&self.ys, band + 1);
                let is_parted = |rule: &Rect| {
                    (rule.x_mid() - right).abs() <= Grid::ONE_PLACE && rule.y0 <= y && rule.y1 >= y
                };
                if column + 1 < n_columns && !self.down.iter().any(is_parted) {
                    sets.union(own, own + 1);
                }
                let is_under = |rule: &Rect| {
                    (rule.y_mid() - below).abs() <= Grid::ONE_PLACE && rule.x0 <= x && rule.x1 >= x
                };
                if band + 1 < n_bands && !self.across.iter().any(is_under) {
                    sets.union(own, own + n_columns);
                }
            }
        }
        sets.roots()
    }
}

/// A line of a band by its cells.
fn line_in_cells(cells: &[CellLines], l: usize) -> TableLine {
    let of_line = |cell: &CellLines| -> Vec<Word> {
        cell.iter().filter(|(at, _)| *at == l).flat_map(|(_, words)| words.clone()).collect()
    };
    let words: Vec<Vec<Word>> = cells.iter().map(of_line).collect();
    let figures = words.iter().map(|cell| cell.iter().all(|word| is_figure(&word.text))).collect();
    let is_tabular = words.iter().filter(|cell| !cell.is_empty()).count() > 1;
    TableLine { cells: words, figures, spans: false, is_tabular }
}

/// The middles of white that runs down a column between most of its lines.
fn silent_columns((x0, x1): (f32, f32), lines: &[Line], em: f32) -> Vec<f32> {
    let own = |word: &&Word| word.rect.x_mid() > x0 && word.rect.x_mid() < x1 && !is_leader(word);
    // The stretches of the column that each line covers, and from where to where it reaches.
    let mut covered: Vec<(f32, f32)> = Vec::new();
    let mut extents: Vec<(f32, f32)> = Vec::new();
    for line in lines {
        let mut extent: Option<(f32, f32)> = None;
        for word in line.words.iter().filter(own) {
            match covered.last_mut().filter(|last| extent.is_some() && word.rect.x0 - last.1 < CELL_GAP * em)
            {
                Some(last) => last.1 = word.rect.x1,
                None => covered.push((word.rect.x0, word.rect.x1)),
            }
            extent = Some((extent.map_or(word.rect.x0, |extent| extent.0), word.rect.x1));
        }
        extents.extend(extent);
    }
    if extents.len() < 4 {
        return Vec::new();
    }
    let tolerated = i32::try_from(extents.len() / 8).unwrap_or(0).max(1);
    let mut ends: Vec<(f32, i32)> = covered.iter().flat_map(|&(x0, x1)| [(x0, 1), (x1, -1)]).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut open, mut from, mut middles) = (0, None, Vec::new());
    for (x, change) in ends {
        open += change;
        if open <= tolerated && from.is_none() {
            from = Some(x);
        } else if open > tolerated
            && let Some(white) = from.take()
        {
            let n_left = extents.iter().filter(|extent| extent.0 < white).count();
            let n_right = extents.iter().filter(|extent| extent.1 > x).count();
            let n_both = extents.iter().filter(|extent| extent.0 < white && extent.1 > x).count();
            if x - white >= em && n_left >= 3 && n_right >= 3 && n_both >= 2 {
                middles.push(0.5 * (white + x));
            }
        }
    }
    middles
}

/// Between which of these places a value lies.
fn slot(places: &[f32], value: f32) -> usize {
    places.partition_point(|&place| place <= value).saturating_sub(1).min(places.len().saturating_sub(2))
}
