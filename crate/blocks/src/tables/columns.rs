//! The columns of a table: where segments stand under each other.
//!
//! The lines with the most figures show the columns: what their segments cover, taken together, falls into
//! extents with white between. Then the other lines are fitted in. A segment over several columns (the head
//! "Year ended 31 December") is one cell, at the first of them. Cost: a sort of the segments.

use document::Slice as _;

use crate::page::{Line, Word};
use crate::tables::segments::{Segment, is_figure, segments};
use crate::typography::list_marker;

/// Least white between columns, in multiples of the type size.
const MIN_WHITE: f32 = 0.1;
/// Most columns of a table.
pub(crate) const MAX_COLUMNS: usize = 40;

/// Horizontal extent of a column: its left and right edge, in points.
pub(crate) type ColumnExtent = (f32, f32);

/// A line of a table, cut into cells.
#[derive(Clone, Debug)]
pub(crate) struct TableLine {
    /// Its words by column.
    pub cells: Vec<Vec<Word>>,
    /// For each column, whether its cell is a figure.
    pub figures: Vec<bool>,
    /// It has a segment that lies over several columns.
    pub spans: bool,
    /// It has several segments.
    pub is_tabular: bool,
}

impl TableLine {
    pub(crate) fn is_filled(&self, column: usize) -> bool {
        self.cells.get(column).is_some_and(|cell| !cell.is_empty())
    }

    /// True if the cell of a column is a figure.
    pub(crate) fn is_figure(&self, column: usize) -> bool {
        self.figures.get(column).copied().unwrap_or(false)
    }

    pub(crate) fn n_filled(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.is_empty()).count()
    }

    /// Number of figures right of the first column.
    pub(crate) fn n_figures(&self) -> usize {
        let filled = self.cells.iter().zip(&self.figures).skip(1);
        filled.filter(|(cell, is_figure)| !cell.is_empty() && **is_figure).count()
    }

    /// The text of a cell.
    pub(crate) fn text(&self, column: usize) -> String {
        let words = self.cells.get(column).map_or(&[][..], Vec::as_slice);
        let mut text = String::with_capacity(words.iter().map(|word| word.text.len() + 1).sum());
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
        text
    }
}

/// True if a line has segments that may be cells.
pub(crate) fn is_tabular(segments: &[Segment], line: &Line) -> bool {
    let [first, .., last] = segments else { return false };
    let widest = segments.windows(2).map(|pair| pair[1].x0 - pair[0].x1).fold(0.0, f32::max);
    let is_item = segments.len() == 2
        && !last.is_figure
        && last.words.len() >= 5
        && list_marker(line).is_some_and(|marker| marker.n_words <= first.words.len());
    (widest >= 1.2 * line.size || last.is_figure) && !is_item
}

/// The columns of these lines; `None` when they share none.
pub(crate) fn column_extents(lines: &[Line]) -> Option<Vec<ColumnExtent>> {
    let all: Vec<Vec<Segment>> = lines.iter().map(segments).collect();
    let em = lines.first()?.size;
    let is_data = |own: &&Vec<Segment>| own.len() >= 2 && own.iter().skip(1).any(|segment| segment.is_figure);
    let n_tabular = all.iter().filter(|own| own.len() >= 2).count();
    let n_data = all.iter().filter(is_data).count();
    let by_data = n_data >= 2 && n_data * 3 >= n_tabular;
    let leading: Vec<&Vec<Segment>> =
        all.iter().filter(|own| if by_data { is_data(own) } else { own.len() >= 2 }).collect();
    let mut counts: Vec<usize> = leading.iter().map(|own| own.len()).collect();
    counts.sort_unstable();
    let usual = counts.get(counts.len() * 7 / 10).copied()?;
    let enough = (usual * 3).div_ceil(5).max(2);
    let strong: Vec<&Vec<Segment>> = leading.into_iter().filter(|own| own.len() >= enough).collect();
    let mut columns = covered(strong.iter().flat_map(|own| own.iter()).map(|s| (s.x0, s.x1)), 0, em);
    if columns.len() < 2.max(usual / 2) && strong.len() >= 6 {
        let tolerated = i32::try_from(strong.len() / 8).unwrap_or(0).max(1);
        columns = covered(strong.iter().flat_map(|own| own.iter()).map(|s| (s.x0, s.x1)), tolerated, em);
    }
    if columns.len() < 2 || columns.len() > MAX_COLUMNS {
        return None;
    }
    // What the other lines put beside the columns is a column too when several of them do.
    let mut beside: Vec<ColumnExtent> = Vec::new();
    // The head may stand beside the figures that it names; what follows it may not.
    let first_data = if by_data { all.iter().position(|own| is_data(&own)).unwrap_or(0) } else { 0 };
    for segment in all.iter().skip(first_data).filter(|own| own.len() >= 2).flatten() {
        let touched = columns.iter().filter(|column| overlaps(column, segment)).count();
        if touched == 0 {
            beside.push((segment.x0, segment.x1));
        }
    }
    if beside.len() >= 2 {
        for extent in covered(beside.iter().copied(), 0, em) {
            let n = beside.iter().filter(|other| other.0 >= extent.0 && other.1 <= extent.1).count();
            let is_clear = columns.iter().all(|column| extent.1 <= column.0 || extent.0 >= column.1);
            if n >= 2 && is_clear {
                columns.push(extent);
            }
        }
        columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    (columns.len() <= MAX_COLUMNS).then_some(columns)
}

fn overlaps(column: &ColumnExtent, segment: &Segment) -> bool {
    segment.x0 < column.1 && segment.x1 > column.0
}

/// The extents that more than `tolerated` of these intervals cover.
fn covered(intervals: impl Iterator<Item = ColumnExtent>, tolerated: i32, em: f32) -> Vec<ColumnExtent> {
    let mut ends: Vec<(f32, i32)> = intervals.flat_map(|(x0, x1)| [(x0, 1), (x1, -1)]).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut extents: Vec<ColumnExtent> = Vec::new();
    let (mut open, mut from) = (0, None);
    for (x, change) in ends {
        open += change;
        match from {
            None if open > tolerated => from = Some(x),
            Some(x0) if open <= tolerated => {
                from = None;
                match extents.last_mut() {
                    Some(last) if x0 - last.1 < MIN_WHITE * em => last.1 = x,
                    _ => extents.push((x0, x)),
                }
            }
            _ => {}
        }
    }
    extents
}

/// A line, cut into the cells of these columns.
pub(crate) fn table_line(line: &Line, columns: &[ColumnExtent]) -> TableLine {
    let own = segments(line);
    let mut cut_line = TableLine {
        cells: vec![Vec::new(); columns.len()],
        figures: vec![true; columns.len()],
        spans: false,
        is_tabular: own.len() >= 2,
    };
    let has_figures = own.iter().skip(1).any(|segment| segment.is_figure);
    for segment in &own {
        let touched: Vec<usize> =
            (0..columns.len()).filter(|&at| columns.get(at).is_some_and(|c| overlaps(c, segment))).collect();
        let words = line.words.slice(segment.words.clone());
        match touched.as_slice() {
            [at] => cut_line.put(*at, words, segment.is_figure),
            [] => cut_line.put(nearest(columns, segment), words, segment.is_figure),
            [first, ..] => {
                let pieces = if has_figures { cut(words, columns, line.size) } else { None };
                match pieces {
                    Some(pieces) => {
                        for (at, piece) in pieces {
                            let is_figure = piece.iter().all(|word| is_figure(&word.text));
                            cut_line.put(at, piece, is_figure);
                        }
                    }
                    None => {
                        cut_line.spans = true;
                        // What only touches the end of a column spans those after it.
                        let at_end =
                            columns.get(*first).is_some_and(|c| segment.x0 > c.0 + 0.4 * (c.1 - c.0));
                        let at = touched.get(usize::from(at_end)).copied().unwrap_or(*first);
                        cut_line.put(at, words, segment.is_figure);
                    }
                }
            }
        }
    }
    cut_line
}

impl TableLine {
    fn put(&mut self, at: usize, words: &[Word], is_figure: bool) {
        if let (Some(cell), Some(figure)) = (self.cells.get_mut(at), self.figures.get_mut(at)) {
            cell.extend_from_slice(words);
            *figure &= is_figure;
        }
    }
}

fn nearest(columns: &[ColumnExtent], segment: &Segment) -> usize {
    let mut best = (0, f32::MAX);
    for (at, column) in columns.iter().enumerate() {
        let away = (column.0 - segment.x1).max(segment.x0 - column.1);
        if away < best.1 {
            best = (at, away);
        }
    }
    best.0
}

/// A segment's words by the columns in which they stand, if no word lies over two.
fn cut<'a>(words: &'a [Word], columns: &[ColumnExtent], em: f32) -> Option<Vec<(usize, &'a [Word])>> {
    let mut pieces: Vec<(usize, &[Word])> = Vec::new();
    let mut start = 0;
    let column_of = |word: &Word| {
        let mut touched = (0..columns.len())
            .filter(|&at| columns.get(at).is_some_and(|c| word.rect.x0 < c.1 && word.rect.x1 > c.0));
        match (touched.next(), touched.next()) {
            (Some(at), None) => Some(at),
            _ => None,
        }
    };
    let mut last = column_of(words.first()?)?;
    for (i, pair) in words.windows(2).enumerate() {
        let at = column_of(&pair[1])?;
        if at != last {
            if pair[1].rect.x0 - pair[0].rect.x1 < 0.15 * em {
                return None;
            }
            pieces.push((last, words.get(start..=i)?));
            start = i + 1;
            last = at;
        }
    }
    pieces.push((last, words.get(start..)?));
    Some(pieces)
}
