//! Rows of tables with their column heads and group heads.
//!
//! A figure means nothing without its column head, so a row is quoted with the head rows of the table and the line that
//! opens its group ("Series B"). A PDF marks neither: the heads are the first rows without a figure, if figures follow.
//! Cost per row: the first rows of its table and the nearest above it, both bounded in bytes.

use document::{Block, BlockKind, Document, Slice as _, TextRange};

/// Most head rows of a table.
const MAX_HEADS: usize = 3;
/// Most bytes of heads quoted with a row.
const MAX_HEAD_BYTES: usize = 400;
/// Longest row that is one statement, in bytes; a longer one is running text in cells.
const MAX_ROW_BYTES: usize = 900;
/// Farthest group head above a row, in rows.
const MAX_GROUP: usize = 40;
/// Rows from the top that are examined for heads.
const N_LOOKED_AT: usize = 16;
/// Most letters beside an amount in a figure cell: "up to", "per hour".
const MAX_LETTERS: usize = 12;
/// Most words of a head cell above a column of text.
const MAX_HEAD_WORDS: usize = 5;

/// The table around a range.
pub(crate) fn table_at(source: &Document, range: TextRange) -> Option<&Block> {
    let at = source.layout.blocks.partition_point(|block| block.range.end <= range.start);
    let block = source.layout.blocks.get(at)?;
    (block.kind == BlockKind::Table && block.range.contains(range)).then_some(block)
}

/// The rows of a part of a table; a row over the length of a statement is split into sentences.
pub(crate) fn rows(source: &Document, part: TextRange) -> Vec<TextRange> {
    let mut rows = Vec::new();
    for row in lines(source, part) {
        if row.len() <= MAX_ROW_BYTES {
            rows.push(row);
            continue;
        }
        let sentences = text::sentences(source.layout.slice(row));
        let start = row.start as usize;
        rows.extend(sentences.iter().map(|one| TextRange::new(start + one.start, start + one.end)));
    }
    rows
}

/// Ranges to quote before a row: its column heads and its group head; none for a head row.
pub fn heads_of(source: &Document, row: TextRange) -> Vec<TextRange> {
    let Some(table) = table_at(source, row) else { return Vec::new() };
    let top = top_of(source, table);
    let top = top.slice(..n_heads(source, &top));
    let end = top.last().map_or(table.range.start, |last| last.end);
    if row.start < end {
        return Vec::new();
    }
    let mut heads: Vec<TextRange> = Vec::new();
    let all = TextRange { start: table.range.start, end };
    heads.extend((!all.is_empty() && all.len() <= MAX_HEAD_BYTES).then_some(all));
    if !cells(source, row).skip(1).any(is_figure) {
        return heads;
    }
    let mut stop = row.start as usize;
    let between = source.layout.slice(TextRange { start: end, end: row.start });
    // As many bytes as rows of statements have. A longer row is running text: it opens no group and ends the search.
    let first = between.ceil_char_boundary(between.len().saturating_sub(MAX_GROUP * (MAX_ROW_BYTES + 1)));
    let near = between.slice(first..).rsplit('\n').take(MAX_GROUP);
    for line in near.take_while(|line| line.len() <= MAX_ROW_BYTES) {
        let start = stop - line.len();
        let range = trimmed(source, TextRange::new(start, stop));
        stop = start.saturating_sub(1);
        let mut filled = line.split('\t').filter(|cell| !cell.trim().is_empty());
        if filled.next().is_none() || line.split('\t').skip(1).any(is_figure) {
            continue;
        }
        // The nearest row without figures opens the group if it is one cell.
        heads.extend((filled.next().is_none() && line.len() <= MAX_HEAD_BYTES).then_some(range));
        break;
    }
    heads
}

/// True for a column head or a group head.
pub(crate) fn is_head(source: &Document, row: TextRange) -> bool {
    let Some(table) = table_at(source, row) else { return false };
    let top = top_of(source, table);
    let n_heads = n_heads(source, &top);
    if n_heads < top.len() && top.slice(..n_heads).iter().any(|head| head.contains(row)) {
        return true;
    }
    let words = source.layout.slice(row);
    let is_wide = top.iter().any(|line| cells(source, *line).nth(1).is_some());
    is_wide
        && cells(source, row).filter(|cell| !cell.is_empty()).count() == 1
        && !is_figure(words.trim())
        && !text::wording::ends_sentence(words)
}

/// A trimmed range.
fn trimmed(source: &Document, range: TextRange) -> TextRange {
    let words = source.layout.slice(range);
    let start = range.start as usize + (words.len() - words.trim_start().len());
    TextRange::new(start, start + words.trim().len())
}

/// The first lines of a table, within the bytes of `n` statements. A truncated last line is kept only if it is longer
/// than a statement; a shorter one may end in half a figure.
fn top_of(source: &Document, table: &Block) -> Vec<TextRange> {
    let words = source.layout.slice(table.range);
    let mut end = words.floor_char_boundary(N_LOOKED_AT * (MAX_ROW_BYTES + 1));
    let rest = words.slice(..end).rsplit('\n').next().map_or(0, str::len);
    if end < words.len() && rest <= MAX_ROW_BYTES {
        end -= rest;
    }
    let start = table.range.start as usize;
    lines(source, TextRange::new(start, start + end)).take(N_LOOKED_AT).collect()
}

/// The non-empty lines of a part.
fn lines(source: &Document, part: TextRange) -> impl Iterator<Item = TextRange> {
    let mut next = part.start as usize;
    source.layout.slice(part).split_inclusive('\n').filter_map(move |line| {
        let start = next + (line.len() - line.trim_start().len());
        next += line.len();
        let words = line.trim();
        (!words.is_empty()).then(|| TextRange::new(start, start + words.len()))
    })
}

fn cells(source: &Document, line: TextRange) -> impl Iterator<Item = &str> {
    source.layout.slice(line).split('\t').map(str::trim)
}

/// Number of head rows, counted up to the first row longer than a statement.
fn n_heads(source: &Document, lines: &[TextRange]) -> usize {
    let is_long = |line: &TextRange| line.len() > MAX_ROW_BYTES;
    let n_short = lines.iter().position(is_long).unwrap_or(lines.len());
    n_by_figures(source, lines).min(n_short)
}

/// Number of rows above the figures or, without figures, above the running text.
fn n_by_figures(source: &Document, lines: &[TextRange]) -> usize {
    let has_figure = |line: &&TextRange| {
        let mut values = cells(source, **line).filter(|cell| is_figure(cell) && !is_year(cell));
        values.next().is_some()
    };
    match lines.iter().position(|line| has_figure(&line)) {
        Some(first) => {
            let first = first.min(MAX_HEADS);
            // A one-cell line directly above the figures is the first group head.
            let filled = |line: &TextRange| cells(source, *line).filter(|cell| !cell.is_empty()).count();
            let opens = first > 1 && first.checked_sub(1).and_then(|at| lines.get(at)).map(filled) == Some(1);
            first - usize::from(opens)
        }
        None => {
            // Only text: a first row of short column names over longer cells.
            let [first, rest @ ..] = lines else { return 0 };
            let n_words = |cell: &str| cell.split_whitespace().count();
            let is_name = |cell: &str| n_words(cell) <= MAX_HEAD_WORDS && !cell.ends_with('.');
            let longest = |line: &TextRange| cells(source, *line).map(n_words).max().unwrap_or(0);
            let is_longer =
                rest.iter().filter(|line| longest(line) > MAX_HEAD_WORDS).count() * 2 > rest.len();
            usize::from(
                cells(source, *first).nth(1).is_some() && cells(source, *first).all(is_name) && is_longer,
            )
        }
    }
}

/// True for a cell with a figure and little else: "$1,200", "12.5 %", "(3)", "Up to $500". "---" holds none, "sec. 12(a)"
/// and "Top 20" name something, and `[*4]` marks a page.
fn is_figure(cell: &str) -> bool {
    let n_digits = cell.chars().filter(char::is_ascii_digit).count();
    let n_letters = cell.chars().filter(|c| c.is_alphabetic()).count();
    let opens = cell.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| c.is_ascii_digit());
    let is_amount = cell.contains(['$', '€', '£', '¥', '%']);
    let is_short = if is_amount { n_letters <= MAX_LETTERS } else { opens && n_letters <= n_digits };
    n_digits > 0 && is_short && !cell.starts_with('[')
}

fn is_year(cell: &str) -> bool {
    cell.len() == 4
        && (cell.starts_with("19") || cell.starts_with("20"))
        && cell.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::of_blocks;

    fn heads<'a>(source: &'a Document, row: &str) -> Vec<&'a str> {
        let range = crate::fixture::range_of(source, row);
        heads_of(source, range).into_iter().map(|range| source.layout.slice(range)).collect()
    }

    #[test]
    fn a_row_has_the_heads_of_its_columns_and_the_line_that_opens_its_group() {
        let table = "Year\tFee\tTax\n(in $)\t\nSeries A\n2024\t1,200\t30\nSeries B\n2024\t900\t20";
        let source = of_blocks(&[(BlockKind::Table, table)]);
        assert_eq!(heads(&source, "2024\t900\t20"), ["Year\tFee\tTax\n(in $)", "Series B"]);
        assert_eq!(heads(&source, "Year\tFee\tTax"), [] as [&str; 0]);
    }

    #[test]
    fn a_table_of_text_has_heads_only_where_names_stand_over_text() {
        let rule = "A firm must keep all of its records in order";
        let named = format!("Term\tMeaning\nBook\t{rule}\nPage\t{rule}");
        let source = of_blocks(&[(BlockKind::Table, &named)]);
        assert_eq!(heads(&source, &format!("Page\t{rule}")), ["Term\tMeaning"]);
        let glossary = format!("Book\t{rule} and so.\nPage\t{rule}");
        let source = of_blocks(&[(BlockKind::Table, &glossary)]);
        assert!(heads(&source, &format!("Page\t{rule}")).is_empty());
    }

    #[test]
    fn what_names_something_is_no_figure() {
        for figure in ["$1,200", "12.5 %", "(3)", "Up to $500", "1 035.00"] {
            assert!(is_figure(figure), "{figure}");
        }
        for name in ["", "---", "sec. 12(a)", "Top 20", "[*4]", "Class A"] {
            assert!(!is_figure(name), "{name}");
        }
    }

    #[test]
    fn heads_and_lines_that_open_a_group_are_told_from_rows() {
        let source =
            of_blocks(&[(BlockKind::Table, "Year\tFee\nSeries A\n2024\t1,200\nLate filing is free.")]);
        let is = |row: &str| is_head(&source, crate::fixture::range_of(&source, row));
        assert!(is("Year\tFee") && is("Series A") && !is("2024\t1,200") && !is("Late filing is free."));
    }

    #[test]
    fn a_line_longer_than_a_statement_heads_nothing() {
        let long = "of a year ".repeat(200);
        let top = format!("Year {long}\tFee\n2023\t900\n2024\t1,200");
        let source = of_blocks(&[(BlockKind::Table, &top)]);
        assert!(heads(&source, "2024\t1,200").is_empty());
        let inner = format!("Year\tFee\nSeries A\n2022\t300\nOne {long}\tTwo\n2024\t1,200");
        let source = of_blocks(&[(BlockKind::Table, &inner)]);
        assert_eq!(heads(&source, "2024\t1,200"), ["Year\tFee"]);
        let cells = format!("Term\tMeaning\nBook\t{long}\nPage\t{long}");
        let source = of_blocks(&[(BlockKind::Table, &cells)]);
        assert_eq!(heads(&source, &format!("Page\t{}", long.trim())), ["Term\tMeaning"]);
    }

    #[test]
    fn the_top_of_a_table_is_bounded_in_bytes() {
        let long = "é".repeat(400_000);
        let source = of_blocks(&[(BlockKind::Table, &format!("Year\tFee\n{long}\n2024\t1,200"))]);
        let table = table_at(&source, crate::fixture::range_of(&source, "2024\t1,200")).unwrap();
        let top = top_of(&source, table);
        let n_bytes: usize = top.iter().map(|line| line.len()).sum();
        assert!(top.len() == 2 && n_bytes <= N_LOOKED_AT * (MAX_ROW_BYTES + 1), "{n_bytes}");
        // A short rest of a line that is cut says nothing.
        let row = format!("{}\n", "x".repeat(MAX_ROW_BYTES));
        let source = of_blocks(&[(BlockKind::Table, &format!("{row}a\n{}", row.repeat(20)))]);
        let table = table_at(&source, crate::fixture::range_of(&source, "a\n")).unwrap();
        assert_eq!(top_of(&source, table).len(), N_LOOKED_AT);
    }

    #[test]
    fn a_range_outside_of_tables_has_no_heads() {
        let source = of_blocks(&[(BlockKind::Paragraph, "A fee of 3 is due.")]);
        assert!(heads(&source, "A fee of 3 is due.").is_empty());
    }
}
