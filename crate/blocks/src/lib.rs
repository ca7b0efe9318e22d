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
mod differing;
mod disjoint_sets;
mod endnotes;
mod footnotes;
mod furniture;
mod grids;
mod headings;
mod hidden;
mod illegible;
mod lines;
mod margins;
mod order;
mod page;
mod paragraphs;
mod quotes;
mod side_heads;
mod table_notes;
mod tables;
mod typography;
mod words;

use document::{
    Decision, Diag, DiagCode, Layout, Page, PageId, PageInfo, PdfText, RuleInfo, Severity, Warned,
};
use text::rules::Rules;

pub use text::rules::Options;

use crate::hidden::HiddenText;
use crate::page::{BodyStyle, Frame, Gutter, Line, NoteReferences, PageLines, PageWords, Paragraph, Region};
use crate::typography::usual_size;

/// Lays a document out: its text, its blocks in reading order, and where every word stands.
pub fn layout(source: &PdfText) -> Warned<Layout> {
    layout_with(source, &Options::default())
}

/// The same with options.
pub fn layout_with(source: &PdfText, options: &Options) -> Warned<Layout> {
    source.pages.iter().collect::<Pages>().layout(options)
}

/// The decisions by which a document is laid out, and the rule behind each, in the order in which they are made.
pub fn explain(source: &PdfText, options: &Options) -> Vec<Decision> {
    let rules = Rules::recorded(options);
    layout_by(source.pages.iter().collect(), &rules);
    rules.into_decisions()
}

/// All rules of the layout, in the order in which they are asked.
pub fn rules() -> Vec<RuleInfo> {
    tables::rules().chain(paragraphs::rules()).chain(headings::rules()).collect()
}

/// The pages of a document on their way to its layout. Of a page it keeps the words and the rules, and of its runs
/// nothing: a document is read and laid out without all of its runs in memory at once.
#[derive(Default)]
pub struct Pages {
    words: Vec<PageWords>,
    hidden: Vec<HiddenText>,
    /// Pages of the passages that show other letters than the file says.
    differing: Vec<PageId>,
    infos: Vec<PageInfo>,
}

impl Pages {
    /// Takes the words of the next page.
    pub fn push(&mut self, page: &Page) {
        self.words.push(words::read(page));
        self.hidden.push(hidden::of(page));
        self.differing.extend(differing::passages_of(page));
        self.infos.push(PageInfo { label: page.label.clone(), geometry: page.geometry });
    }

    /// Number of pages so far.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// True before the first page.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    /// Lays out the document of these pages.
    pub fn layout(self, options: &Options) -> Warned<Layout> {
        layout_by(self, &Rules::new(options))
    }
}

impl<'p> FromIterator<&'p Page> for Pages {
    fn from_iter<I: IntoIterator<Item = &'p Page>>(pages: I) -> Self {
        let mut all = Self::default();
        pages.into_iter().for_each(|page| all.push(page));
        all
    }
}

fn layout_by(source: Pages, rules: &Rules) -> Warned<Layout> {
    let Pages { words: mut pages, hidden, differing, infos } = source;
    let mut diags: Vec<Diag> = pages.iter().filter(|page| page.cut).map(too_many_glyphs).collect();
    let (illegible, warnings) = illegible::take(&mut pages);
    diags.extend(warnings);
    for page in &mut pages {
        page.grids = grids::find(&page.rules, &page.uprights);
    }
    let frames: Vec<Frame> = pages.iter().map(|page| page.frame).collect();
    let (mut furniture, labels) = furniture::take(&mut pages);
    let (hidden, warnings) = hidden::take(hidden);
    furniture.extend(hidden.into_iter().chain(illegible));
    diags.extend(warnings);
    diags.extend(differing::warnings(&differing));
    let mut pages: Vec<PageLines> = lines_of_pages(pages);
    let body = body_style(&pages);
    let notes = footnotes::take(&mut pages, body.size, &mut furniture);
    let paragraphs = pages.into_iter().flat_map(|page| paragraphs_of_page(page, rules)).collect();
    let mut paragraphs = headings::classify(paragraphs, body, rules);
    captions::mark(&mut paragraphs);
    let mut references = NoteReferences::default();
    let paragraphs = table_notes::take(paragraphs, &mut references);
    let paragraphs = tables::join(paragraphs, &frames, &mut furniture);
    let mut paragraphs = order::join(paragraphs);
    endnotes::take(&mut paragraphs, &mut references);
    quotes::mark(&mut paragraphs, body.size);
    Warned {
        output: assemble::document(
            page_infos(infos, labels),
            &frames,
            paragraphs,
            &notes,
            &references,
            furniture,
        ),
        diags,
    }
}

/// The lines of each page, region by region in reading order.
fn lines_of_pages(pages: Vec<PageWords>) -> Vec<PageLines> {
    let mut gutters = Vec::new();
    let margins = margins::of(&pages);
    let margins = margins.iter().cycle();
    pages
        .into_iter()
        .zip(margins)
        .map(|(page, margins)| lines_of_page(page, *margins, &mut gutters))
        .collect()
}

fn lines_of_page(mut page: PageWords, margins: margins::Margins, gutters: &mut Vec<Gutter>) -> PageLines {
    let regions = regions(&mut page, margins, gutters);
    let in_margin = |(at, region): (usize, &Region)| region.in_margin.then_some(at);
    let margin = regions.iter().enumerate().filter_map(in_margin).collect();
    let lines = regions.into_iter().enumerate().flat_map(|(at, region)| lines::build(region, at, &page));
    let lines = lines.map(bidi::in_reading_order).collect();
    PageLines {
        page: page.page,
        height: page.frame.size().1,
        lines,
        margin,
        rules: page.rules,
        grids: page.grids,
    }
}

/// The regions of a page in reading order: side headings beside their text, or else columns.
fn regions(page: &mut PageWords, margins: margins::Margins, gutters: &mut Vec<Gutter>) -> Vec<Region> {
    if !columns::has_numbered_margin(&page.words) {
        match side_heads::part(std::mem::take(&mut page.words), &page.grids) {
            Ok(regions) => return regions,
            Err(words) => page.words = words,
        }
    }
    margins::widen(columns::split(page, gutters), margins)
}

/// The paragraphs and tables of a page, region by region.
fn paragraphs_of_page(mut page: PageLines, rules: &Rules) -> Vec<Paragraph> {
    let mut paragraphs = Vec::new();
    let mut lines = std::mem::take(&mut page.lines).into_iter().peekable();
    while let Some(first) = lines.next() {
        let at = first.region;
        let mut region = vec![first];
        region.extend(std::iter::from_fn(|| lines.next_if(|line| line.region == at)));
        if page.margin.contains(&at) {
            paragraphs.push(side_heads::paragraph(region));
        } else {
            paragraphs_of_region(region, &page, rules, &mut paragraphs);
        }
    }
    paragraphs
}

/// Adds the paragraphs and tables of a region.
fn paragraphs_of_region(region: Vec<Line>, page: &PageLines, rules: &Rules, paragraphs: &mut Vec<Paragraph>) {
    let tables = tables::find(&region, page, rules);
    let (mut lines, mut from) = (region.into_iter(), 0);
    for table in tables {
        let start = table.lines.start.max(from);
        paragraphs::group(lines.by_ref().take(start - from).collect(), rules, paragraphs);
        from = table.lines.end.max(start);
        // Its cells have copies of the words.
        lines.by_ref().take(from - start).for_each(drop);
        paragraphs.push(tables::paragraph(table));
    }
    paragraphs::group(lines.collect(), rules, paragraphs);
}

/// The usual style of the document's running text. Notes may hold more characters than the body but stand below
/// it, so only the upper third of each region is counted.
fn body_style(pages: &[PageLines]) -> BodyStyle {
    let regions = || pages.iter().flat_map(|page| page.lines.chunk_by(|a, b| a.region == b.region));
    let upper = || regions().flat_map(|lines| lines.iter().take(lines.len().div_ceil(3)));
    let n_chars = |of: fn(&Line) -> bool| upper().filter(|line| of(line)).map(Line::n_chars).sum::<usize>();
    let total = n_chars(|_| true);
    BodyStyle {
        size: usual_size(upper().map(|line| (line.size, line.n_chars()))).unwrap_or(10.0),
        bold: n_chars(|line| line.style.bold) * 2 > total,
        caps: n_chars(|line| line.style.caps) * 2 > total,
    }
}

/// Sizes and labels of the pages; printed numbers stand in for missing labels of the file.
fn page_infos(pages: Vec<PageInfo>, printed: Vec<Option<String>>) -> Vec<PageInfo> {
    let says = pages.iter().any(|page| page.label.is_some());
    let printed = printed.into_iter().map(|label| label.filter(|_| !says)).chain(std::iter::repeat(None));
    let label =
        |(page, printed): (PageInfo, Option<String>)| PageInfo { label: page.label.or(printed), ..page };
    pages.into_iter().zip(printed).map(label).collect()
}

fn too_many_glyphs(page: &PageWords) -> Diag {
    Diag {
        code: DiagCode::LimitReached,
        severity: Severity::Warning,
        message: "the page holds more glyphs than can be laid out; the rest is left out".to_owned(),
        hint: String::new(),
        page: Some(page.page),
    }
}
