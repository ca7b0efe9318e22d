//! Tables without a grid of rules: lines whose pieces stand under each other.
//!
//! A candidate is a stretch of lines in pieces, with at most a few lines between that are labels or the rest of
//! a cell. Its columns are looked for; when they do not hold, or nothing says that a table is meant, the
//! stretch is cut at its widest white and its parts are tried, a few times. At last the head above and the rest
//! of the last cells below are taken in.
//!
//! Cost: linear in the lines, times the few cuts.

use std::ops::Range;

use document::{Place, Rect, Slice as _};
use text::rules::Rules;

use crate::page::{Line, Table};
use crate::tables::columns::{ColumnExtent, TableLine, column_extents, is_tabular, table_line};
use crate::tables::rows::rows;
use crate::tables::rules::{RULES, TableEvidence, TableVerdict};
use crate::tables::segments::segments;

/// Most white between two lines of a table, in multiples of the type size.
const MAX_STEP: f32 = 4.2;
/// Most lines without columns that follow each other in a table.
const MAX_LABELS: usize = 3;
/// The same where they stand right of the first column.
const MAX_BESIDE: usize = 12;
/// Depth to which a stretch is cut.
const MAX_DEPTH: usize = 5;
/// Most lines of a head above the first line in pieces.
const MAX_HEAD: usize = 4;

/// Adds the tables among the lines of a range.
pub(crate) fn find(
    lines: &[Line],
    range: Range<usize>,
    rules: &[Rect],
    named_rules: &Rules,
    tables: &mut Vec<Table>,
) {
    let tabular: Vec<bool> = (0..lines.len())
        .map(|i| range.contains(&i) && lines.get(i).is_some_and(|line| is_tabular(&segments(line), line)))
        .collect();
    let mut search = TableSearch { lines, tabular, rules, named_rules, tables };
    let mut i = range.start;
    while i < range.end {
        if !search.is_tabular(i) {
            i += 1;
            continue;
        }
        let end = stretch_end(lines, i..range.end, &search.tabular);
        let floor = search.tables.last().map_or(range.start, |table| table.lines.end).max(range.start);
        search.resolve(i..end, floor, range.end, MAX_DEPTH);
        i = end.max(i + 1);
    }
}

/// One past the last line in pieces of the stretch that begins where the range does.
fn stretch_end(lines: &[Line], range: Range<usize>, tabular: &[bool]) -> usize {
    let mut end = range.start + 1;
    // Lines right of the first column are the rest of a cell.
    let beside = lines
        .get(range.start)
        .and_then(|line| segments(line).get(1).map(|segment| segment.x0))
        .unwrap_or(f32::INFINITY);
    let (mut x0, mut x1) = lines.get(range.start).map_or((0.0, 0.0), |line| (line.rect.x0, line.rect.x1));
    for i in range.start + 1..range.end {
        let (Some(above), Some(line)) = (lines.get(i - 1), lines.get(i)) else { break };
        if line.baseline - above.baseline > MAX_STEP * line.size.max(above.size) {
            break;
        }
        if tabular.get(i).copied().unwrap_or(false) {
            end = i + 1;
            x0 = x0.min(line.rect.x0);
            x1 = x1.max(line.rect.x1);
            continue;
        }
        let is_beside = line.rect.x0 > beside - line.size;
        if i + 1 - end > if is_beside { MAX_BESIDE } else { MAX_LABELS }
            || !is_beside && is_running(line, x0, x1)
        {
            break;
        }
    }
    end
}

/// True if a line without pieces is running text and no label of rows: it fills the width of the table.
fn is_running(line: &Line, x0: f32, x1: f32) -> bool {
    let width = (x1 - x0).max(1.0);
    let n_words = line.words.len();
    line.rect.width() > 0.8 * width && n_words >= 6
        || n_words >= 8 && line.rect.x1 > x1 + 2.0 * line.size
        || n_words >= 6 && line.rect.x0 < x0 - 2.0 * line.size
}

/// A search for tables in the lines of a region.
struct TableSearch<'a> {
    lines: &'a [Line],
    /// For each line, whether it has segments that may be cells.
    tabular: Vec<bool>,
    /// Horizontal rules of the page, from the top.
    rules: &'a [Rect],
    named_rules: &'a Rules,
    tables: &'a mut Vec<Table>,
}

impl TableSearch<'_> {
    fn is_tabular(&self, i: usize) -> bool {
        self.tabular.get(i).copied().unwrap_or(false)
    }

    /// Adds the tables of a stretch: the whole, or else its parts. What stands above and below it, from `floor` to
    /// `ceiling`, may belong to it.
    fn resolve(&mut self, range: Range<usize>, floor: usize, ceiling: usize, depth: usize) {
        if range.clone().filter(|&i| self.is_tabular(i)).count() < 2 {
            return;
        }
        let own = self.lines.slice(range.clone());
        let head = repeated_head(own, self.tabular.slice(range.clone()));
        let head = head.map(|at| range.start + at);
        if head.is_none()
            && let Some(columns) = column_extents(own)
        {
            let cells: Vec<TableLine> = own.iter().map(|line| table_line(line, &columns)).collect();
            match self.judge(&range, floor, &cells, &columns) {
                TableVerdict::Table if holds(&cells) => {
                    self.tables.push(table(self.lines, range, floor, ceiling, &columns, self.rules));
                    return;
                }
                TableVerdict::Other => return,
                TableVerdict::Table | TableVerdict::Unclear => {}
            }
        }
        let cut = head.or_else(|| widest_white(self.lines, &range));
        if depth > 0
            && let Some(cut) = cut.filter(|&at| at > range.start && at < range.end)
        {
            self.resolve_parts(range, cut, floor, ceiling, depth - 1);
        }
    }

    /// Adds the tables of the two parts of a stretch.
    fn resolve_parts(&mut self, range: Range<usize>, cut: usize, floor: usize, ceiling: usize, depth: usize) {
        let n_before = self.tables.len();
        // Lines above the cut that are in no pieces may be the head of what follows.
        let end = (range.start..cut).rev().find(|&i| self.is_tabular(i)).map_or(cut, |i| i + 1);
        self.resolve(range.start..end, floor, cut, depth);
        let added = self.tables.last().filter(|_| self.tables.len() > n_before);
        let floor = added.map_or(floor, |table| table.lines.end);
        // A part begins and ends with a line in pieces.
        if let Some(start) = (cut..range.end).find(|&i| self.is_tabular(i)) {
            self.resolve(start..range.end, floor.max(end), ceiling, depth);
        }
    }

    /// The verdict of the rules on the lines of a range.
    fn judge(
        &self,
        range: &Range<usize>,
        floor: usize,
        cells: &[TableLine],
        columns: &[ColumnExtent],
    ) -> TableVerdict {
        let lines = self.lines.slice(range.clone());
        let evidence = TableEvidence {
            lines,
            cells,
            columns,
            rules: self.rules,
            is_captioned: is_captioned(self.lines, range.start, floor),
            at_top: range.start == 0,
            at_bottom: range.end + 1 >= self.lines.len(),
            rows: cells.iter().filter(|line| line.n_filled() >= 2).collect(),
        };
        let first = self.named_rules.first(&RULES, &evidence);
        let verdict = first.map_or(TableVerdict::Unclear, |(verdict, _)| verdict);
        let words = match verdict {
            TableVerdict::Table => "table",
            TableVerdict::Unclear => "parts may be tables",
            TableVerdict::Other => "no table",
        };
        if let Some(line) = lines.first() {
            self.named_rules.record("table", words, first.map(|(_, rule)| rule), || {
                (Place::Page(line.page), line.text())
            });
        }
        verdict
    }
}

/// The table of these lines with what belongs to it above and below.
fn table(
    lines: &[Line],
    range: Range<usize>,
    floor: usize,
    ceiling: usize,
    columns: &[ColumnExtent],
    rules: &[Rect],
) -> Table {
    let start = head_start(lines, range.start, floor, columns);
    let end = cells_end(lines, range.end, ceiling, columns, rules);
    let own = lines.slice(start..end);
    let cells: Vec<TableLine> = own.iter().map(|line| table_line(line, columns)).collect();
    let (rows, n_head) = rows(own, &cells, columns, rules);
    Table { lines: start..end, rows, n_head }
}

/// True if the lines in pieces agree with the columns: few of them lie over several.
fn holds(cells: &[TableLine]) -> bool {
    let tabular = || cells.iter().filter(|line| line.is_tabular);
    let n_spanning = tabular().filter(|line| line.spans).count();
    n_spanning * 4 <= tabular().count()
}

/// The line that repeats the first one, as the head of a second table does.
fn repeated_head(lines: &[Line], tabular: &[bool]) -> Option<usize> {
    let first = lines.first()?;
    let text = first.text();
    let has_figures = segments(first).iter().any(|segment| segment.is_figure);
    if has_figures && !segments(first).iter().all(|segment| segment.is_figure) {
        return None;
    }
    let later = lines.iter().enumerate().zip(tabular).skip(3).filter(|(_, tabular)| **tabular);
    later
        .map(|((at, line), _)| (at, line))
        .find(|(_, line)| line.words.len() == first.words.len() && line.text() == text)
        .map(|(at, _)| at)
}

/// The line above which there is most white, if it is clearly more than usual; else the middle.
fn widest_white(lines: &[Line], range: &Range<usize>) -> Option<usize> {
    let step = |i: usize| Some(lines.get(i)?.baseline - lines.get(i.checked_sub(1)?)?.baseline);
    let mut best: Option<(usize, f32)> = None;
    let mut steps: Vec<f32> = Vec::new();
    for i in range.start + 1..range.end {
        let Some(step) = step(i) else { continue };
        steps.push(step);
        if best.is_none_or(|(_, most)| step > most) {
            best = Some((i, step));
        }
    }
    steps.sort_by(f32::total_cmp);
    let usual = steps.get(steps.len() / 2).copied()?;
    let (at, most) = best?;
    if most > 1.25 * usual {
        return Some(at);
    }
    // Where the form of the lines changes: figures begin or end.
    let n_segments = |i: usize| lines.get(i).map_or(0, |line| segments(line).len());
    let change = (range.start + 1..range.end).find(|&i| n_segments(i) != n_segments(i - 1));
    change.or(Some(range.start + range.len() / 2))
}

/// True if the line above, or the one above that, begins a caption.
fn is_captioned(lines: &[Line], start: usize, floor: usize) -> bool {
    let above = lines.slice(start.saturating_sub(3).max(floor)..start);
    above.iter().any(|line| text::wording::is_caption(&line.text()))
}

/// Where the head begins that stands above the first line in pieces: lines over the columns of figures.
fn head_start(lines: &[Line], start: usize, floor: usize, columns: &[ColumnExtent]) -> usize {
    let (Some(second), Some(last)) = (columns.get(1), columns.last()) else { return start };
    let mut at = start;
    while at > floor && start - at < MAX_HEAD {
        let (Some(line), Some(below)) = (lines.get(at - 1), lines.get(at)) else { break };
        let em = line.size;
        let step = below.baseline - line.baseline;
        let is_over = line.rect.x0 > second.0 - 3.0 * em && line.rect.x1 < last.1 + 3.0 * em;
        let is_label = columns.first().is_some_and(|first| second.0 - first.1 < 6.0 * em);
        let starts_after_label =
            columns.first().is_some_and(|first| line.rect.x0 > first.0 + 0.3 * (first.1 - first.0));
        if step > 2.2 * em
            || !is_over
            || is_label && !starts_after_label
            || line.words.len() > 24
            || (line.size - below.size).abs() > 0.15 * em
            || text::wording::is_caption(&line.text())
        {
            break;
        }
        at -= 1;
    }
    at
}

/// One past the rest of the last row's cells: lines within a column right under it, or down to the rule that
/// closes the table.
fn cells_end(lines: &[Line], end: usize, ceiling: usize, columns: &[ColumnExtent], rules: &[Rect]) -> usize {
    let mut at = end;
    while at < ceiling && at - end < MAX_HEAD {
        let (Some(line), Some(above)) = (lines.get(at), lines.get(at - 1)) else { break };
        let step = line.baseline - above.baseline;
        // The rest of a label, beside figures that are centred on it or in lower case.
        let is_rest = step < 0.8 * line.size
            || line
                .words
                .first()
                .is_some_and(|word| word.text.starts_with(|c: char| c.is_lowercase() || c == '('));
        let is_within = columns.iter().skip(usize::from(!is_rest)).any(|column| {
            line.rect.x0 > column.0 - 0.6 * line.size && line.rect.x1 < column.1 + 1.5 * line.size
        });
        let rule_between = rules.iter().any(|rule| {
            rule.y_mid() > above.baseline
                && rule.y_mid() < line.baseline - 0.4 * line.size
                && rule.x_overlap(&line.rect) > 0.3 * line.rect.width()
        });
        if step > 1.36 * line.size || step < 0.0 || !is_within || rule_between {
            break;
        }
        at += 1;
    }
    at
}
