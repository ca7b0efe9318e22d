//! Rules by which lines in cells are a table or are not.

use document::Rect;
use text::rules::{Decides, Rule, rule};
use text::wording::marker_kind;

use crate::page::{Line, Word};
use crate::tables::columns::{ColumnExtent, TableLine};
use crate::tables::other_cells::{
    is_axis, is_contents, is_court_caption, is_form, is_framed, is_prose_beside, is_signatures,
};
use crate::tables::segments::is_leader;
use crate::typography::list_marker;

use self::TableVerdict::{Other, Table, Unclear};

/// Fewest rows of a table.
const MIN_ROWS: usize = 2;
/// Fewest rows that only their figures tell to be a table.
const MIN_FIGURE_ROWS: usize = 3;
/// Fewest rows and columns of a table of words without rules and caption.
const MIN_WORD_ROWS: usize = 4;
const MIN_WORD_COLUMNS: usize = 3;
/// Most words of a cell, on average over the table.
const MAX_CELL_WORDS: usize = 8;
/// The same in a table of words: with a head, and without.
const MAX_WORDS_WITH_HEAD: usize = 5;
const MAX_WORDS_WITHOUT_HEAD: usize = 4;
/// Fewest words, and least share of its column's width, of a line of running text.
const MIN_RUNNING_WORDS: usize = 4;
const MIN_RUNNING_WIDTH: f32 = 0.7;

/// The decision about lines in cells.
pub(super) struct IsTable;

impl Decides for IsTable {
    type Context<'a> = TableEvidence<'a>;
    type Verdict = TableVerdict;
    const NAME: &'static str = "table";
}

/// Verdict on lines in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableVerdict {
    Table,
    /// Not as a whole; parts of them may be.
    Unclear,
    /// Something else that stands in cells.
    Other,
}

/// Lines in cells and what is known of them.
pub(super) struct TableEvidence<'a> {
    pub lines: &'a [Line],
    pub cells: &'a [TableLine],
    pub columns: &'a [ColumnExtent],
    /// Horizontal rules of the page, from the top.
    pub rules: &'a [Rect],
    /// True if the paragraph above is a caption: "Table 3".
    pub is_captioned: bool,
    /// True if its first line is the first of its region: it may go on from the page before.
    pub at_top: bool,
    /// True if its last line is the last of its region.
    pub at_bottom: bool,
    /// The lines with two filled cells or more: the rows.
    pub rows: Vec<&'a TableLine>,
}

impl TableEvidence<'_> {
    fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows that `is` holds of.
    fn n_rows(&self, is: impl Fn(&TableLine) -> bool) -> usize {
        self.rows.iter().filter(|row| is(row)).count()
    }

    /// Number of lines that begin with the marker of an item.
    fn n_items(&self) -> usize {
        self.lines.iter().filter(|line| list_marker(line).is_some()).count()
    }

    /// The lines that only go on in the last column: the rest of its cells, or running text beside numbers and
    /// headings.
    fn last_column_lines(&self) -> impl Iterator<Item = &[Word]> {
        let last = self.n_columns().saturating_sub(1);
        let is_alone = move |line: &&TableLine| line.n_filled() == 1 && line.is_filled(last) && last > 0;
        self.cells.iter().filter(is_alone).filter_map(move |line| line.cells.get(last)).map(Vec::as_slice)
    }

    /// True if there are more lines of running text in the last column than rows.
    fn is_running_text(&self) -> bool {
        let width = self.columns.last().map_or(1.0, |column| column.1 - column.0);
        let is_full = |cell: &&[Word]| {
            let (Some(first), Some(end)) = (cell.first(), cell.last()) else { return false };
            cell.len() >= MIN_RUNNING_WORDS && end.rect.x1 - first.rect.x0 > MIN_RUNNING_WIDTH * width
        };
        self.last_column_lines().filter(is_full).count() > self.rows.len()
    }

    fn n_filled(&self) -> usize {
        self.rows.iter().map(|row| row.n_filled()).sum()
    }

    /// Number of words in the rows, leaders left out.
    fn n_words(&self) -> usize {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.map(|cell| cell.iter().filter(|word| !is_leader(word)).count()).sum()
    }

    /// True if the cells hold a few words each.
    fn is_terse(&self) -> bool {
        self.n_words() <= MAX_CELL_WORDS * self.n_filled()
    }

    /// True if rules stand above the first line and below the last; at the end of a page one is enough if every row
    /// is full, since a running line may have a rule too.
    fn is_ruled(&self) -> bool {
        let is_complete = self.rows.iter().all(|row| row.n_filled() == self.n_columns());
        is_framed(self.lines, self.rules, self.at_top && is_complete, self.at_bottom && is_complete)
    }

    /// True if the first row names the columns.
    fn has_head(&self) -> bool {
        self.rows.first().is_some_and(|row| row.n_filled() == self.n_columns() && row.n_figures() == 0)
    }
}

/// The rules in order. Lines that none of them names may have parts that are tables.
pub(super) static RULES: [Rule<IsTable>; 16] = [
    rule(
        "list-of-contents",
        "a last column of page numbers that do not fall is a list of contents",
        "contents",
        |t| is_contents(t.lines, &t.rows, t.n_columns()).then_some(Other),
    ),
    rule(
        "court-caption",
        "a column of brackets parts the parties from the number of the case",
        "court-cover",
        |t| is_court_caption(t.cells, t.n_columns()).then_some(Other),
    ),
    rule("signature-block", "lines to sign on stand beside what is asked for", "By: ____ Name: ____", |t| {
        is_signatures(t.cells).then_some(Other)
    }),
    rule(
        "axis",
        "figures that fall by even steps are the axis of a chart",
        "60, 50, 40 (beside a chart)",
        |t| is_axis(t.cells).then_some(Other),
    ),
    rule("led-items", "items with leaders are a list of contents", "(a) Scope ........ 3", |t| {
        let n_led = t.lines.iter().filter(|line| line.words.iter().any(is_leader)).count();
        (t.n_items() * 3 > t.rows.len() && n_led * 4 > t.lines.len()).then_some(Other)
    }),
    rule(
        "few-rows",
        "a table has two rows, and a third of its lines are rows",
        "one line in two pieces",
        |t| {
            let n_in_columns = t.rows.len() + t.last_column_lines().count();
            (t.rows.len() < MIN_ROWS || n_in_columns * 3 < t.cells.len()).then_some(Unclear)
        },
    ),
    rule("running-text", "full lines in the last column are running text beside numbers", "rulebook", |t| {
        t.is_running_text().then_some(Unclear)
    }),
    rule("form-fields", "names with their values behind colons are a form", "Name: Smith", |t| {
        is_form(&t.rows).then_some(Unclear)
    }),
    rule(
        "strewn-words",
        "words strewn over a map or chart fill few of the cells",
        "the names on a map",
        |t| {
            let n_labelled = t.n_rows(|row| row.is_filled(0));
            let n_cells = t.rows.len() * t.n_columns();
            (t.n_filled() * 2 < n_cells && n_labelled * 3 < t.rows.len() * 2).then_some(Unclear)
        },
    ),
    rule("hanging-markers", "markers beside text in two columns are a list", "definitions", |t| {
        let is_marked = |row: &TableLine| {
            row.cells.first().is_some_and(|cell| cell.len() == 1) && marker_kind(&row.text(0)).is_some()
        };
        let n_rows = t.rows.len();
        let is_list = t.n_items() * 3 > n_rows || t.n_rows(is_marked) * 2 > n_rows;
        (t.n_columns() == 2 && is_list).then_some(Unclear)
    }),
    rule(
        "spanning-rows",
        "rows whose cells lie over several columns show that the columns are others",
        "two lists beside each other",
        |t| (t.n_rows(|row| row.spans) * 3 > t.rows.len()).then_some(Unclear),
    ),
    rule(
        "text-beside",
        "running text in the right one of two columns explains the terms in the left",
        "definitions",
        |t| (t.n_columns() == 2 && is_prose_beside(t.cells, t.columns) && !t.is_ruled()).then_some(Unclear),
    ),
    rule("ruled-table", "terse cells between rules are a table", "table-unruled", |t| {
        (t.is_terse() && t.is_ruled()).then_some(Table)
    }),
    rule("captioned-table", "terse cells below a caption are a table", "Table 3: Fees", |t| {
        (t.is_terse() && t.is_captioned).then_some(Table)
    }),
    rule("figures", "terse rows of which most have figures are a table", "table-over-pages", |t| {
        let n_figured = t.n_rows(|row| row.n_figures() > 0);
        let by_figures = match t.n_columns() {
            2 => n_figured * 4 >= t.rows.len() * 3,
            _ => n_figured * 2 >= t.rows.len(),
        };
        (t.is_terse() && t.rows.len() >= MIN_FIGURE_ROWS && by_figures).then_some(Table)
    }),
    rule(
        "words-in-columns",
        "four rows of three columns with a few words each are a table",
        "a table of names and offices",
        |t| {
            let most = if t.has_head() { MAX_WORDS_WITH_HEAD } else { MAX_WORDS_WITHOUT_HEAD };
            let is_large = t.rows.len() >= MIN_WORD_ROWS && t.n_columns() >= MIN_WORD_COLUMNS;
            (is_large && t.n_words() <= most * t.n_filled()).then_some(Table)
        },
    ),
];
