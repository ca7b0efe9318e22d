//! Pages to blocks in reading order.
//!
//! [`layout`] takes the text runs of all pages and gives the document's one text: words by the gaps between
//! glyphs, lines by baselines, columns by the white between them, paragraphs by white, indents and line ends;
//! running headers, footers, page and line numbers taken out; footnotes split off and their marks kept;
//! headings and list items told from running text. Paragraphs and notes that run over the end of a column or
//! page are put together again.
//!
//! It is total: any geometry gives some layout. It knows type and place, not what numbers mean: levels and
//! the section tree are made from its output. It does not read pixels: a scan without text has no blocks.
//!
//! ```
//! let layout = blocks::layout(&document::PdfText::default());
//! assert!(layout.output.blocks.is_empty());
//! ```

mod assemble;
mod bidi;
mod captions;
mod columns;
mod contents;
mod endnotes;
mod footnotes;
mod frame;
mod front;
mod furniture;
mod headings;
mod hidden;
mod line_numbers;
mod lines;
mod margins;
mod marker;
mod order;
mod page_number;
mod paragraphs;
mod quotes;
mod rows;
mod side_heads;
mod table_notes;
mod tables;
mod title_block;
mod watermarks;
mod wording;
mod words;

use document::{Diag, DiagCode, Layout, PageInfo, PdfText, Severity, Warned};

use crate::footnotes::PageLines;
use crate::headings::Body;
use crate::lines::{Line, usual_size};
use crate::side_heads::Side;
use crate::words::Sheet;

/// Lays a document out: its text, its blocks in reading order, and where every word stands.
pub fn layout(source: &PdfText) -> Warned<Layout> {
    let mut sheets: Vec<Sheet> = source.pages.iter().map(words::read).collect();
    let mut diags: Vec<Diag> = sheets.iter().filter(|sheet| sheet.cut).map(too_many_glyphs).collect();
    let (mut furniture, labels) = furniture::take(&mut sheets);
    let (hidden, warnings) = hidden::take(&source.pages);
    furniture.extend(hidden);
    diags.extend(warnings);
    let mut pages: Vec<PageLines> = lines_of(&mut sheets);
    let body = body(&pages);
    let notes = footnotes::take(&mut pages, body.size);
    let paragraphs = pages.into_iter().flat_map(paragraphs::group).collect();
    let mut paragraphs = headings::classify(paragraphs, body);
    captions::settle(&mut paragraphs);
    let frames: Vec<frame::Frame> = sheets.iter().map(|sheet| sheet.frame).collect();
    let mut calls = endnotes::Calls::default();
    let paragraphs = table_notes::settle(paragraphs, &mut calls);
    let paragraphs = tables::join(paragraphs, &frames, &mut furniture);
    let mut paragraphs = order::join(paragraphs);
    endnotes::settle(&mut paragraphs, &mut calls);
    quotes::settle(&mut paragraphs, body.size);
    Warned {
        output: assemble::document(infos(source, labels), &frames, &paragraphs, &notes, &calls, furniture),
        diags,
    }
}

/// The lines of each page, region by region in reading order.
fn lines_of(sheets: &mut [Sheet]) -> Vec<PageLines> {
    let mut gutters = Vec::new();
    let margins = margins::of(sheets);
    sheets
        .iter_mut()
        .zip(margins.iter().cycle())
        .map(|(sheet, margins)| page_lines(sheet, *margins, &mut gutters))
        .collect()
}

fn page_lines(sheet: &mut Sheet, margins: margins::Margins, gutters: &mut Vec<columns::Gutter>) -> PageLines {
    let mut lines = Vec::new();
    let mut margin = Vec::new();
    let words = std::mem::take(&mut sheet.words);
    let side_heads = match columns::has_numbered_margin(&words) {
        true => Err(words),
        false => side_heads::part(words, &sheet.grids),
    };
    let parts = match side_heads {
        Ok(parts) => parts,
        Err(words) => {
            sheet.words = words;
            let regions = margins::widen(columns::split(sheet, gutters), margins);
            regions.into_iter().map(|region| (region, Side::Text)).collect()
        }
    };
    for (at, (region, side)) in parts.into_iter().enumerate() {
        if side == Side::Margin {
            margin.push(at);
        }
        lines.extend(lines::build(region, at, sheet));
    }
    PageLines {
        page: sheet.page,
        height: sheet.frame.size().1,
        lines,
        margin,
        rules: std::mem::take(&mut sheet.rules),
        grids: std::mem::take(&mut sheet.grids),
    }
}

/// What the body of the document looks like. Notes may hold more characters than the body, but they stand
/// below it: so only the upper lines of each region are asked.
fn body(pages: &[PageLines]) -> Body {
    let regions = || pages.iter().flat_map(|page| page.lines.chunk_by(|a, b| a.region == b.region));
    let upper = || regions().flat_map(|lines| lines.iter().take(lines.len().div_ceil(3)));
    let n_chars = |of: fn(&Line) -> bool| upper().filter(|line| of(line)).map(Line::n_chars).sum::<usize>();
    let total = n_chars(|_| true);
    Body {
        size: usual_size(upper().map(|line| (line.size, line.n_chars()))).unwrap_or(10.0),
        bold: n_chars(|line| line.looks.bold) * 2 > total,
        caps: n_chars(|line| line.looks.caps) * 2 > total,
    }
}

/// What is kept of the pages; where the file does not say how they are numbered, what is printed on them does.
fn infos(source: &PdfText, printed: Vec<Option<String>>) -> Vec<PageInfo> {
    let says = source.pages.iter().any(|page| page.label.is_some());
    let printed = printed.into_iter().map(|label| label.filter(|_| !says)).chain(std::iter::repeat(None));
    let pages = source.pages.iter().zip(printed);
    pages
        .map(|(page, printed)| PageInfo { label: page.label.clone().or(printed), geometry: page.geometry })
        .collect()
}

fn too_many_glyphs(sheet: &Sheet) -> Diag {
    Diag {
        code: DiagCode::LimitReached,
        severity: Severity::Warning,
        message: "the page holds more glyphs than can be laid out; the rest is left out".to_owned(),
        hint: String::new(),
        page: Some(sheet.page),
    }
}
