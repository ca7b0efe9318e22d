//! Grids: rules that cross, and the cells that they enclose.
//!
//! Rules on one line are put together, then those that touch make components. The places of a component's
//! rules cut it into elementary cells; where no rule parts two of them they are one cell, whose text stands at its
//! first row and column. A band between two rules that holds many short lines is cut into rows by them.
//!
//! Cost: rules across times rules down of a page, both capped; then linear in the words.

use document::Rect;

use crate::footnotes::PageLines;
use crate::lines::{Line, usual_size};
use crate::tables::columns::Celled;
use crate::tables::rows::rows;
use crate::tables::segments::{is_figure, is_leader, segments};
use crate::tables::{Row, Table};
use crate::words::Word;

/// Rules of one direction on a page beyond which no grid is looked for.
const MAX_RULES: usize = 600;
/// Places of rules in one grid beyond which it is none.
const MAX_PLACES: usize = 400;
/// Rules this close, in points, touch.
const TOUCH: f32 = 3.0;

/// A grid on a page.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub rect: Rect,
    /// Places of the rules down, from the left.
    xs: Vec<f32>,
    /// Places of the rules across, from the top.
    ys: Vec<f32>,
    across: Vec<Rect>,
    down: Vec<Rect>,
}

/// The grids that these rules make.
pub(crate) fn grids(across: &[Rect], down: &[Rect]) -> Vec<Grid> {
    let across = joined(across, false);
    let down = joined(down, true);
    if down.is_empty() || across.len() < 2 || across.len() > MAX_RULES || down.len() > MAX_RULES {
        return Vec::new();
    }
    let mut parents: Vec<usize> = (0..across.len() + down.len()).collect();
    for (a, rule) in across.iter().enumerate() {
        for (d, other) in down.iter().enumerate() {
            let touches = rule.x0 - TOUCH <= other.x_mid()
                && other.x_mid() <= rule.x1 + TOUCH
                && other.y0 - TOUCH <= rule.y_mid()
                && rule.y_mid() <= other.y1 + TOUCH;
            if touches {
                union(&mut parents, a, across.len() + d);
            }
        }
    }
    let mut grids = Vec::new();
    for root in 0..parents.len() {
        if find_root(&mut parents, root) != root {
            continue;
        }
        let mut own_across = Vec::new();
        let mut own_down = Vec::new();
        for (i, rule) in across.iter().chain(&down).enumerate() {
            if find_root(&mut parents, i) == root {
                if i < across.len() { own_across.push(*rule) } else { own_down.push(*rule) }
            }
        }
        grids.extend(grid(own_across, own_down));
    }
    grids.sort_by(|a, b| a.rect.y0.total_cmp(&b.rect.y0).then(a.rect.x0.total_cmp(&b.rect.x0)));
    // A grid inside another is a part of a cell of it.
    let inside = |a: &Grid, b: &Grid| {
        a.rect.x0 >= b.rect.x0 - 1.0
            && a.rect.x1 <= b.rect.x1 + 1.0
            && a.rect.y0 >= b.rect.y0 - 1.0
            && a.rect.y1 <= b.rect.y1 + 1.0
            && a.rect.width() * a.rect.height() < 0.98 * b.rect.width() * b.rect.height()
    };
    let outer: Vec<bool> = grids.iter().map(|a| !grids.iter().take(64).any(|b| inside(a, b))).collect();
    let mut keep = outer.into_iter();
    grids.retain(|_| keep.next().unwrap_or(true));
    grids
}

fn grid(across: Vec<Rect>, down: Vec<Rect>) -> Option<Grid> {
    let rect = across.iter().chain(&down).copied().reduce(|a, b| a.union(&b))?;
    let mut xs: Vec<f32> = down.iter().map(Rect::x_mid).chain([rect.x0, rect.x1]).collect();
    let mut ys: Vec<f32> = across.iter().map(Rect::y_mid).chain([rect.y0, rect.y1]).collect();
    places(&mut xs);
    places(&mut ys);
    let is_grid = across.len() >= 2 && xs.len() >= 3 && ys.len() >= 2 && rect.height() > 12.0;
    (is_grid && xs.len() <= MAX_PLACES && ys.len() <= MAX_PLACES).then_some(Grid {
        rect,
        xs,
        ys,
        across,
        down,
    })
}

/// Sorts places and takes those together that are close.
fn places(values: &mut Vec<f32>) {
    values.sort_by(f32::total_cmp);
    values.dedup_by(|next, kept| *next - *kept < TOUCH + 1.0);
}

fn find_root(parents: &mut [usize], mut i: usize) -> usize {
    while let Some(&parent) = parents.get(i) {
        if parent == i {
            break;
        }
        let grand = parents.get(parent).copied().unwrap_or(parent);
        if let Some(slot) = parents.get_mut(i) {
            *slot = grand;
        }
        i = grand;
    }
    i
}

fn union(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find_root(parents, a), find_root(parents, b));
    if let Some(slot) = parents.get_mut(a.max(b)) {
        *slot = a.min(b);
    }
}

/// Rules that lie on one line and touch as one rule.
fn joined(rules: &[Rect], upright: bool) -> Vec<Rect> {
    let turned = |rule: &Rect| {
        if upright { Rect { x0: rule.y0, y0: rule.x0, x1: rule.y1, y1: rule.x1 } } else { *rule }
    };
    let mut turned_rules: Vec<Rect> = rules.iter().take(8 * MAX_RULES).map(turned).collect();
    turned_rules.sort_by(|a, b| a.y_mid().total_cmp(&b.y_mid()).then(a.x0.total_cmp(&b.x0)));
    let mut out: Vec<Rect> = Vec::new();
    let mut rest = turned_rules.as_mut_slice();
    while let Some(first) = rest.first() {
        let limit = first.y_mid() + 1.5;
        let n = rest.partition_point(|rule| rule.y_mid() <= limit).max(1);
        let (line, tail) = rest.split_at_mut(n);
        line.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let mut open: Option<Rect> = None;
        for rule in line.iter() {
            match &mut open {
                Some(last) if rule.x0 <= last.x1 + TOUCH => *last = last.union(rule),
                _ => out.extend(open.replace(*rule)),
            }
        }
        out.extend(open);
        rest = tail;
    }
    out.iter().map(turned).collect()
}

/// The tables of a region whose cells are enclosed by rules.
pub(crate) fn find(lines: &[Line], page: &PageLines) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for grid in &page.grids {
        let inside = |line: &Line| line.rect.y_mid() > grid.rect.y0 && line.rect.y_mid() < grid.rect.y1;
        let Some(start) = lines.iter().position(inside) else { continue };
        let n = lines.get(start..).unwrap_or_default().iter().take_while(|line| inside(line)).count();
        let own = lines.get(start..start + n).unwrap_or_default();
        let n_words: usize = own.iter().map(|line| line.words.len()).sum();
        let n_out = own
            .iter()
            .flat_map(|line| &line.words)
            .filter(|word| {
                word.rect.x_mid() < grid.rect.x0 - TOUCH || word.rect.x_mid() > grid.rect.x1 + TOUCH
            })
            .count();
        let after_last = tables.last().is_none_or(|last| last.lines.end <= start);
        if n_out * 20 > n_words || !after_last {
            continue;
        }
        tables.extend(grid.table(own, start, &page.rules));
    }
    tables
}

impl Grid {
    /// Whether a box lies in it.
    pub(crate) fn holds(&self, rect: &Rect) -> bool {
        let (x, y) = (rect.x_mid(), rect.y_mid());
        (self.rect.x0..=self.rect.x1).contains(&x) && (self.rect.y0..=self.rect.y1).contains(&y)
    }

    /// Whether it has so many rows that it is no frame around a running line.
    pub(crate) fn is_long(&self) -> bool {
        self.ys.len() > 5
    }

    fn table(&self, lines: &[Line], start: usize, rules: &[Rect]) -> Option<Table> {
        let mut grid = self.clone();
        grid.add_silent_columns(lines);
        grid.table_of_cells(lines, start, rules)
    }

    /// Adds columns that no rule parts: white of a good width that runs down a column between most of its lines.
    /// Where a line's text crosses it, the cells there are one.
    fn add_silent_columns(&mut self, lines: &[Line]) {
        let em = usual_size(lines.iter().map(|line| (line.size, line.n_chars()))).unwrap_or(10.0);
        let mut added: Vec<f32> = Vec::new();
        for pair in self.xs.windows(2) {
            let (x0, x1) = (pair[0], pair[1]);
            let own = |word: &&Word| word.rect.x_mid() > x0 && word.rect.x_mid() < x1;
            // What each line covers of the column.
            let mut ends: Vec<(f32, i32)> = Vec::new();
            let mut extents: Vec<(f32, f32)> = Vec::new();
            for line in lines {
                let mut covered: Option<(f32, f32)> = None;
                let mut extent: Option<(f32, f32)> = None;
                for word in line.words.iter().filter(own).filter(|word| !is_leader(word)) {
                    extent = Some(extent.map_or((word.rect.x0, word.rect.x1), |e| (e.0, word.rect.x1)));
                    match &mut covered {
                        Some(open) if word.rect.x0 - open.1 < 0.8 * em => open.1 = word.rect.x1,
                        _ => {
                            ends.extend(covered.map(|c| [(c.0, 1), (c.1, -1)]).into_iter().flatten());
                            covered = Some((word.rect.x0, word.rect.x1));
                        }
                    }
                }
                ends.extend(covered.map(|c| [(c.0, 1), (c.1, -1)]).into_iter().flatten());
                extents.extend(extent);
            }
            if extents.len() < 4 {
                continue;
            }
            let tolerated = i32::try_from(extents.len() / 8).unwrap_or(0).max(1);
            ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let (mut open, mut from) = (0, None);
            for (x, change) in ends {
                open += change;
                if open <= tolerated && from.is_none() {
                    from = Some(x);
                } else if open > tolerated
                    && let Some(white) = from.take()
                {
                    let mid = 0.5 * (white + x);
                    let n_left = extents.iter().filter(|e| e.0 < white).count();
                    let n_right = extents.iter().filter(|e| e.1 > x).count();
                    let n_both = extents.iter().filter(|e| e.0 < white && e.1 > x).count();
                    if x - white >= em && n_left >= 3 && n_right >= 3 && n_both >= 2 {
                        added.push(mid);
                    }
                }
            }
        }
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
        let root_of =
            |column: usize, band: usize| roots.get(band * n_columns + column).copied().unwrap_or_default();
        // The words of each cell, line by line.
        let mut cells: Vec<Vec<(usize, Vec<Word>)>> = vec![Vec::new(); n_columns * n_bands];
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
        let mut out: Vec<Row> = Vec::new();
        let mut n_head = 0;
        for band in 0..n_bands {
            let own: Vec<Vec<(usize, Vec<Word>)>> = used_columns
                .iter()
                .map(|&column| {
                    cells.get_mut(band * n_columns + column).map(std::mem::take).unwrap_or_default()
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
        cells: Vec<Vec<(usize, Vec<Word>)>>,
        lines: &[Line],
        columns: &[usize],
        rules: &[Rect],
    ) -> Vec<Row> {
        let of = |l: usize, words: Vec<Word>| {
            lines.get(l).and_then(|line| Line::of(words, line.page, line.region, line.column, &[]))
        };
        let mut used: Vec<usize> = cells.iter().flatten().map(|(l, _)| *l).collect();
        used.sort_unstable();
        used.dedup();
        let n_beside = used
            .iter()
            .filter(|&&l| cells.iter().filter(|cell| cell.iter().any(|(at, _)| *at == l)).count() >= 2)
            .count();
        let width = |at: usize| {
            let column = columns.get(at).copied().unwrap_or_default();
            self.xs.get(column + 1).copied().unwrap_or_default()
                - self.xs.get(column).copied().unwrap_or_default()
        };
        let n_pieces = cells.iter().map(Vec::len).sum::<usize>();
        let is_short = |at: usize, words: &[Word]| {
            let text_end = words.iter().rev().find(|word| !is_leader(word));
            let (Some(first), Some(last)) = (words.first(), text_end) else { return true };
            words.iter().all(|word| is_figure(&word.text)) || last.rect.x1 - first.rect.x0 < 0.6 * width(at)
        };
        let n_short: usize = cells
            .iter()
            .enumerate()
            .map(|(at, cell)| cell.iter().filter(|(_, words)| is_short(at, words)).count())
            .sum();
        let own: Vec<Line> = used.iter().filter_map(|&l| lines.get(l)).cloned().collect();
        let celled: Vec<Celled> = used
            .iter()
            .map(|&l| {
                let words: Vec<Vec<Word>> = cells
                    .iter()
                    .map(|cell| {
                        cell.iter().filter(|(at, _)| *at == l).flat_map(|(_, words)| words.clone()).collect()
                    })
                    .collect();
                let figures = words
                    .iter()
                    .map(|cell: &Vec<Word>| cell.iter().all(|word| is_figure(&word.text)))
                    .collect();
                let is_tabular = words.iter().filter(|cell| !cell.is_empty()).count() > 1;
                Celled { cells: words, figures, spans: false, is_tabular }
            })
            .collect();
        // Leaders end the label of a row.
        let is_led = |line: &Celled| line.cells.first().and_then(|cell| cell.last()).is_some_and(is_leader);
        let n_data =
            celled.iter().filter(|line| line.is_filled(0) && (line.n_figures() > 0 || is_led(line))).count();
        let are_short = used.len() >= 3 && n_beside * 10 >= used.len() * 7 && n_short * 10 >= n_pieces * 7;
        if !are_short && n_data < 2 {
            let row = cells
                .into_iter()
                .map(|cell| cell.into_iter().filter_map(|(l, words)| of(l, words)).collect())
                .collect();
            return vec![row];
        }
        let stretches: Vec<(f32, f32)> = columns
            .iter()
            .map(|&c| {
                (self.xs.get(c).copied().unwrap_or_default(), self.xs.get(c + 1).copied().unwrap_or_default())
            })
            .collect();
        rows(&own, &celled, &stretches, rules).0
    }

    /// For each elementary cell, row by row, the first one of the cell that it is part of.
    fn cells(&self, n_columns: usize, n_bands: usize) -> Vec<usize> {
        let mut parents: Vec<usize> = (0..n_columns * n_bands).collect();
        let mid = |places: &[f32], at: usize| {
            0.5 * (places.get(at).copied().unwrap_or_default()
                + places.get(at + 1).copied().unwrap_or_default())
        };
        for band in 0..n_bands {
            let y = mid(&self.ys, band);
            for column in 0..n_columns {
                let x = mid(&self.xs, column);
                let own = band * n_columns + column;
                let right = self.xs.get(column + 1).copied().unwrap_or_default();
                let below = self.ys.get(band + 1).copied().unwrap_or_default();
                let is_parted =
                    |rule: &Rect| (rule.x_mid() - right).abs() <= TOUCH + 1.0 && rule.y0 <= y && rule.y1 >= y;
                if column + 1 < n_columns && !self.down.iter().any(is_parted) {
                    union(&mut parents, own, own + 1);
                }
                let is_under =
                    |rule: &Rect| (rule.y_mid() - below).abs() <= TOUCH + 1.0 && rule.x0 <= x && rule.x1 >= x;
                if band + 1 < n_bands && !self.across.iter().any(is_under) {
                    union(&mut parents, own, own + n_columns);
                }
            }
        }
        (0..parents.len()).map(|i| find_root(&mut parents, i)).collect()
    }
}

/// Between which of these places a value lies.
fn slot(places: &[f32], value: f32) -> usize {
    places.partition_point(|&place| place <= value).saturating_sub(1).min(places.len().saturating_sub(2))
}
