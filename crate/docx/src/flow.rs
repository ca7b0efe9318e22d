//! Block-level content as one flow of text paragraphs and data tables.
//!
//! Layout tables are replaced by their content, paragraphs that are shown as one are merged, and the headings of
//! tables of contents are dropped with them. Cost: linear in the content.

use text::wording::is_contents_title;

use crate::content::{BlockElement, Inline, MergeReason, Paragraph, Table};
use crate::normalize::{NormalizedParagraph, normalize};

/// Maximum distance from a table of contents to its heading, in paragraphs.
const MAX_CONTENTS_HEADING_DISTANCE: usize = 3;
/// Maximum length of the column heads between them, in bytes.
const MAX_COLUMN_HEAD: usize = 40;
/// Mean length of cells, in bytes, above which a table holds running text.
const RUNNING_TEXT: usize = 400;

/// Paragraph or data table of the flow.
pub(crate) enum FlowItem {
    Paragraph(NormalizedParagraph),
    Table(Table),
}

impl FlowItem {
    /// The paragraph, if it is one.
    pub(crate) fn paragraph(&self) -> Option<&NormalizedParagraph> {
        match self {
            Self::Paragraph(paragraph) => Some(paragraph),
            Self::Table(_) => None,
        }
    }
}

/// Flow of a story.
pub(crate) fn flow(elements: Vec<BlockElement>) -> Vec<FlowItem> {
    let mut flow = Vec::new();
    flatten(elements, &mut flow);
    flow
}

fn flatten(elements: Vec<BlockElement>, flow: &mut Vec<FlowItem>) {
    let mut open: Option<(Paragraph, MergeReason)> = None;
    for element in elements {
        match element {
            BlockElement::Paragraph(mut paragraph) => {
                if let Some((before, reason)) = open.take() {
                    paragraph = merge(before, paragraph, reason);
                }
                match paragraph.merges_with_next.take() {
                    Some(reason) => open = Some((paragraph, reason)),
                    None => flow.push(FlowItem::Paragraph(normalize(&paragraph))),
                }
            }
            BlockElement::Table(table) if is_layout_table(&table) => {
                for cell in table.rows.into_iter().flatten() {
                    flatten(cell.elements, flow);
                }
            }
            BlockElement::Table(table) => flow.push(FlowItem::Table(table)),
            BlockElement::TableOfContents => drop_contents_heading(flow),
        }
    }
    if let Some((paragraph, _)) = open {
        flow.push(FlowItem::Paragraph(normalize(&paragraph)));
    }
}

/// Drops the heading of a table of contents that follows ("Contents"), and its column heads ("Section", "Page").
fn drop_contents_heading(flow: &mut Vec<FlowItem>) {
    let mut before = flow.iter().rev().map_while(FlowItem::paragraph).take(MAX_CONTENTS_HEADING_DISTANCE);
    let Some(n_column_heads) = before.position(|paragraph| is_contents_title(&paragraph.text)) else {
        return;
    };
    let mut column_heads = flow.iter().rev().filter_map(FlowItem::paragraph).take(n_column_heads);
    if column_heads.all(|paragraph| paragraph.text.len() <= MAX_COLUMN_HEAD) {
        flow.truncate(flow.len() - 1 - n_column_heads);
    }
}

/// Merges two paragraphs that are shown as one.
fn merge(mut first: Paragraph, second: Paragraph, reason: MergeReason) -> Paragraph {
    let (marker, heading) = match reason {
        MergeReason::DeletedMark => (second.marker, second.heading),
        MergeReason::StyleSeparator => {
            let mut texts = first.inlines.iter_mut().rev();
            if let Some(Inline::Text(text, _)) = texts.find(|inline| matches!(inline, Inline::Text(..))) {
                text.push(' ');
            }
            (first.marker.or(second.marker), None)
        }
    };
    first.inlines.extend(second.inlines);
    Paragraph { inlines: first.inlines, marker, heading, ..second }
}

/// True if a table only places paragraphs: it has one column, holds headings, or holds running text.
fn is_layout_table(table: &Table) -> bool {
    let filled = || table.cells().filter(|cell| !cell.elements.is_empty());
    let bytes: usize = filled().map(|cell| text_len(&cell.elements)).sum();
    table.rows.iter().all(|row| row.len() <= 1)
        || table.cells().any(|cell| cell.elements.iter().any(is_heading))
        || bytes > RUNNING_TEXT * filled().count()
}

fn is_heading(element: &BlockElement) -> bool {
    matches!(element, BlockElement::Paragraph(paragraph) if paragraph.heading.is_some())
}

/// Length of the text in bytes, nested tables included.
fn text_len(elements: &[BlockElement]) -> usize {
    let inline_len = |inline: &Inline| match inline {
        Inline::Text(text, _) => text.len(),
        Inline::NoteReference(_) | Inline::Change(_) => 0,
    };
    elements
        .iter()
        .map(|element| match element {
            BlockElement::Paragraph(paragraph) => paragraph.inlines.iter().map(inline_len).sum(),
            BlockElement::Table(table) => table.cells().map(|cell| text_len(&cell.elements)).sum(),
            BlockElement::TableOfContents => 0,
        })
        .sum()
}
