//! Text aligned in cells that is no table: a list of contents, the caption of a court paper, signatures, the axis of a
//! chart, the fields of a form, terms beside their definitions.

use document::{Rect, Slice as _};
use text::numerals::long_roman;
use text::provision::heading_word;
use text::wording::marker_kind;

use crate::page::Line;
use crate::tables::columns::{ColumnExtent, TableLine};
use crate::tables::segments::is_leader;

/// True if rules over the width of the lines stand above the first and below the last, but where the page ends.
pub(super) fn is_framed(lines: &[Line], rules: &[Rect], at_top: bool, at_bottom: bool) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let (x0, x1) = lines
        .iter()
        .fold((f32::MAX, f32::MIN), |(x0, x1), line| (x0.min(line.rect.x0), x1.max(line.rect.x1)));
    let near = |top: f32, bottom: f32| {
        let from = rules.partition_point(|rule| rule.y_mid() < top);
        rules
            .slice(from..)
            .iter()
            .take_while(|rule| rule.y_mid() < bottom)
            .any(|rule| rule.x0 < x0 + 3.0 && rule.x1 > x1 - 3.0 && rule.width() < 1.35 * (x1 - x0))
    };
    let em = first.size;
    let above = near(first.rect.y0 - 1.2 * em, first.rect.y0 + 0.3 * em);
    let below = near(last.rect.y1 - 0.3 * em, last.rect.y1 + 1.2 * em);
    (above || below && at_top) && (below || above && at_bottom)
}

/// A list of contents: its last column holds page numbers that do not fall.
pub(super) fn is_contents(lines: &[Line], rows: &[&TableLine], n_columns: usize) -> bool {
    // A table names its columns; a list of contents at most that of the pages.
    let names =
        rows.first().filter(|row| row.n_filled() == n_columns && n_columns > 2 && row.n_figures() == 0);
    if names.is_some_and(|row| !row.text(n_columns - 1).to_lowercase().contains("page")) {
        return false;
    }
    let n_led =
        lines.iter().filter(|line| line.words.iter().filter(|word| is_leader(word)).count() > 0).count();
    let mut pages: Vec<u32> = Vec::new();
    let mut n_labelled = 0;
    for row in rows {
        let Some(last) = (0..row.cells.len()).rev().find(|&at| row.is_filled(at)) else { continue };
        let text = row.text(last);
        let number = text.rsplit(['-', '–']).next().unwrap_or_default();
        let value = number
            .parse::<u32>()
            .ok()
            .or_else(|| long_roman(&number.to_lowercase()))
            .filter(|&page| page < 3000);
        let Some(value) = value else { continue };
        let only_figure = row.n_figures() <= 1 && text.split(' ').count() == 1;
        if last > 0 && only_figure {
            pages.push(value);
            let first = row.text(0);
            let word = first.split(' ').next().unwrap_or_default().trim_end_matches(':');
            let label = word.trim_end_matches(['.', ':']);
            let is_label = heading_word(word).is_some()
                || label.contains('.') && label.starts_with(|c: char| c.is_ascii_digit())
                || marker_kind(&format!("{label}.")).is_some();
            n_labelled += usize::from(is_label);
        }
    }
    let n_rising = pages.windows(2).filter(|pair| pair[1] >= pair[0]).count() + 1;
    let are_pages = pages.len() >= 2 && pages.len() * 4 >= rows.len() * 3 && n_rising * 10 >= pages.len() * 9;
    let is_long = pages.len() >= 6 && pages.windows(2).all(|pair| pair[1] >= pair[0]);
    are_pages
        && (n_led * 3 > lines.len()
            || n_labelled * 2 > pages.len()
            || is_long && years(&pages) * 2 < pages.len())
}

fn years(numbers: &[u32]) -> usize {
    numbers.iter().filter(|&&number| (1900..2100).contains(&number)).count()
}

/// The axis of a chart: a first column of figures that fall by even steps, which no table's do but years.
pub(super) fn is_axis(cells: &[TableLine]) -> bool {
    let values: Vec<f32> = cells
        .iter()
        .filter(|line| line.is_filled(0))
        .filter_map(|line| line.text(0).trim_matches(['%', '$', '€', '£']).replace(',', "").parse().ok())
        .collect();
    let n_filled = cells.iter().filter(|line| line.is_filled(0)).count();
    let steps: Vec<f32> = values.windows(2).map(|pair| pair[0] - pair[1]).collect();
    let Some(&step) = steps.first() else { return false };
    let is_even = steps.iter().all(|other| (other - step).abs() < 0.01 * step.abs());
    values.len() >= 2
        && values.len() * 3 >= n_filled * 2
        && step > 0.0
        && is_even
        && (step - 1.0).abs() > 0.001
}

/// The caption of a court paper: a column of brackets between the parties and the number of the case.
pub(super) fn is_court_caption(cells: &[TableLine], n_columns: usize) -> bool {
    let is_bracket = |text: &str| {
        !text.is_empty() && text.chars().all(|c| matches!(c, ')' | '(' | '§' | ':' | '|' | '}' | ' '))
    };
    let n = cells
        .iter()
        .filter(|line| {
            (0..n_columns).any(|at| is_bracket(&line.text(at)))
                || line.text(0).ends_with([')', '§', '}']) && line.n_filled() <= 2
        })
        .count();
    n * 2 > cells.len()
}

/// Signatures: lines to sign on and what is asked for beside them.
pub(super) fn is_signatures(cells: &[TableLine]) -> bool {
    let is_asked = |text: &str| {
        let lower = text.to_lowercase();
        ["by:", "name:", "title:", "date:", "dated:", "its:", "signature", "/s/", "witness", "by "]
            .iter()
            .any(|ask| lower.starts_with(ask))
            || text.contains("____")
    };
    let n = cells.iter().filter(|line| (0..line.cells.len()).any(|at| is_asked(&line.text(at)))).count();
    n >= 2 && n * 3 >= cells.len()
}

/// Names with their values, each behind a colon.
pub(super) fn is_form(rows: &[&TableLine]) -> bool {
    let n_asked = rows.iter().filter(|row| row.text(0).ends_with(':')).count();
    n_asked * 2 >= rows.len() && rows.iter().all(|row| row.n_filled() <= 2)
}

/// True if the right one of two columns is running text: terms with definitions, numbers that hang, or columns
/// of a page.
pub(super) fn is_prose_beside(cells: &[TableLine], columns: &[ColumnExtent]) -> bool {
    let Some(right) = columns.get(1) else { return false };
    let width = right.1 - right.0;
    let texts: Vec<&TableLine> = cells.iter().filter(|line| line.is_filled(1)).collect();
    let is_full = |line: &&&TableLine| {
        let cell = line.cells.get(1).map_or(&[][..], Vec::as_slice);
        let (Some(first), Some(last)) = (cell.first(), cell.last()) else { return false };
        cell.len() >= 4 && last.rect.x1 - first.rect.x0 > 0.75 * width
    };
    let n_full = texts.iter().filter(is_full).count();
    let n_alone = cells.iter().filter(|line| line.n_filled() == 1 && line.is_filled(1)).count();
    n_full * 3 > texts.len() && (n_alone * 4 > texts.len() || n_full * 3 > texts.len() * 2)
}
