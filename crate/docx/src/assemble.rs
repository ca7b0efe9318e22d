//! The stories of a file as a layout (one text, its blocks, its note marks) and an outline.
//!
//! A footnote follows the paragraph that references it, where the page would end at the earliest. Endnotes stand
//! at the end, unless they are numbered like the footnotes: then only their order tells the two apart. Cost:
//! linear in the text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use document::{
    Block, BlockKind, BlockStyle, Caveat, CaveatRange, Caveats, Layout, NoteMark, OutlineItem, Pt, Rect,
    Role, Slice as _, TextRange, never,
};
use text::rules::Rules;

use crate::classify::{BlockClass, classify};
use crate::content::{
    BlockElement, Cell, Inline, NoteKind, NoteNumbering, NoteReference, Paragraph, ReferenceMark, Table,
};
use crate::flow::{FlowItem, flow};
use crate::normalize::{NormalizedParagraph, normalize};

/// Maximum length of a heading in the outline, in bytes.
const MAX_OUTLINE: usize = 240;

/// Stories of a file.
pub(crate) struct Stories {
    pub(crate) body: Vec<BlockElement>,
    pub(crate) notes: BTreeMap<(NoteKind, i64), Vec<BlockElement>>,
    pub(crate) footnotes: NoteNumbering,
    pub(crate) endnotes: NoteNumbering,
}

/// Assembles the layout of a file and its outline.
pub(crate) fn assemble(stories: Stories, rules: &Rules) -> (Layout, Vec<OutlineItem>) {
    let Stories { body, notes, footnotes, endnotes } = stories;
    let flow = flow(body);
    let paragraphs: Vec<&NormalizedParagraph> = flow.iter().filter_map(FlowItem::paragraph).collect();
    let mut classes = classify(&paragraphs, &followed(&flow), rules).into_iter();
    let has = |kind: NoteKind| notes.keys().any(|(of, _)| *of == kind);
    let same_numbering =
        footnotes.format == endnotes.format && has(NoteKind::Footnote) && has(NoteKind::Endnote);
    let mut builder = LayoutBuilder {
        layout: Layout::default(),
        notes,
        footnotes,
        endnotes,
        due: Vec::new(),
        at_end: Vec::new(),
        endnotes_in_text: same_numbering,
        caveats: Vec::new(),
    };
    let mut outline = OutlineBuilder::default();
    for item in &flow {
        match item {
            FlowItem::Paragraph(paragraph) => {
                let Some(class) = classes.next() else {
                    never("the class of a paragraph");
                    continue;
                };
                outline.add(&paragraph.text, &class);
                builder.paragraph(paragraph, class);
            }
            FlowItem::Table(table) => builder.table(table),
        }
        let due = std::mem::take(&mut builder.due);
        builder.notes(due);
    }
    let at_end = std::mem::take(&mut builder.at_end);
    builder.notes(at_end);
    let LayoutBuilder { mut layout, caveats, .. } = builder;
    layout.caveats = Caveats::new(caveats);
    (layout, outline.items)
}

/// For each paragraph of a flow: true if something follows it, which it could head.
fn followed(flow: &[FlowItem]) -> Vec<bool> {
    let last = flow.len().saturating_sub(1);
    flow.iter().enumerate().filter(|(_, item)| item.paragraph().is_some()).map(|(at, _)| at < last).collect()
}

/// Outline of the headings whose style gives their level.
///
/// A heading is left out if an earlier short paragraph has the same words: a search for the heading would find
/// that paragraph.
#[derive(Default)]
struct OutlineBuilder {
    items: Vec<OutlineItem>,
    /// Letters and digits of the short paragraphs so far.
    plain: BTreeSet<String>,
}

impl OutlineBuilder {
    fn add(&mut self, text: &str, class: &BlockClass) {
        if text.len() > MAX_OUTLINE || class.role == Role::Title {
            return;
        }
        let key: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        match class.level {
            Some(level) if !self.plain.contains(&key) => {
                self.items.push(OutlineItem { title: text.to_owned(), level, page: None, y: None });
            }
            Some(_) => {}
            None => {
                self.plain.insert(key);
            }
        }
    }
}

/// Note that was referenced and is not yet written.
struct DueNote {
    kind: NoteKind,
    id: i64,
    marker: String,
}

/// Layout under construction.
struct LayoutBuilder {
    layout: Layout,
    notes: BTreeMap<(NoteKind, i64), Vec<BlockElement>>,
    footnotes: NoteNumbering,
    endnotes: NoteNumbering,
    /// Notes that follow the current paragraph or table.
    due: Vec<DueNote>,
    /// Notes that stand at the end of the text.
    at_end: Vec<DueNote>,
    /// True if endnotes follow the paragraphs that reference them, as footnotes do.
    endnotes_in_text: bool,
    caveats: Vec<CaveatRange>,
}

impl LayoutBuilder {
    fn paragraph(&mut self, paragraph: &NormalizedParagraph, class: BlockClass) {
        let BlockClass { kind, role, level: _, marker } = class;
        let block = Block { kind, role, range: TextRange::default(), style: style(paragraph), marker };
        self.block(&paragraph.text, &paragraph.references, &paragraph.changes, block);
    }

    fn table(&mut self, table: &Table) {
        let TableText { text, references, changes } = table_text(table);
        let first_paragraph =
            table.cells().flat_map(|cell| &cell.elements).find_map(|element| match element {
                BlockElement::Paragraph(paragraph) => Some(style(&normalize(paragraph))),
                _ => None,
            });
        let style = first_paragraph.unwrap_or_default();
        let block = Block {
            kind: BlockKind::Table,
            role: Role::Body,
            range: TextRange::default(),
            style,
            marker: None,
        };
        self.block(&text, &references, &changes, block);
    }

    /// Appends a block with this text, whose range is set here, and its note marks.
    fn block(
        &mut self,
        text: &str,
        references: &[(usize, NoteReference)],
        changes: &[Range<usize>],
        block: Block,
    ) {
        let layout = &mut self.layout;
        let is_empty = text.trim().is_empty();
        if !is_empty && !layout.text.is_empty() {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        if !is_empty {
            layout.text.push_str(text);
            let range = TextRange::new(start, layout.text.len());
            layout.blocks.push(Block { range, ..block });
            let in_text = |change: &Range<usize>| TextRange::new(start + change.start, start + change.end);
            let tracked = changes.iter().map(in_text);
            self.caveats.extend(tracked.map(|range| CaveatRange { caveat: Caveat::Tracked, range }));
        }
        for (at, reference) in references {
            let at = TextRange::new(start + if is_empty { 0 } else { *at }, 0).start;
            let Some(marker) = self.note_marker(reference) else { continue };
            self.layout.marks.push(NoteMark { at, marker, page: None, rect: Rect::default() });
        }
    }

    /// Printed mark of a reference, whose note becomes due; `None` if there is no such note.
    fn note_marker(&mut self, reference: &NoteReference) -> Option<String> {
        let (kind, id, mark) = match reference {
            NoteReference::CrossReference(mark) => return Some(mark.clone()),
            NoteReference::Note { kind, id, mark } => (*kind, *id, mark),
        };
        let numbering = match kind {
            NoteKind::Footnote => self.footnotes,
            NoteKind::Endnote => self.endnotes,
        };
        let marker = match mark {
            ReferenceMark::Automatic(n) => {
                numbering.format.print(n.saturating_sub(1).saturating_add(numbering.start))
            }
            ReferenceMark::Custom(mark) => mark.clone(),
        };
        if !self.notes.contains_key(&(kind, id)) || marker.is_empty() {
            return None;
        }
        let is_at_end = kind == NoteKind::Endnote && !self.endnotes_in_text;
        let queue = if is_at_end { &mut self.at_end } else { &mut self.due };
        queue.push(DueNote { kind, id, marker: marker.clone() });
        Some(marker)
    }

    /// Writes notes, each once. Its first paragraph has the mark; the others belong to it.
    fn notes(&mut self, notes: Vec<DueNote>) {
        for DueNote { kind, id, marker } in notes {
            let Some(elements) = self.notes.get_mut(&(kind, id)).map(std::mem::take) else { continue };
            let mut marker = Some(marker);
            for item in flow(elements) {
                let (text, changes, style) = match item {
                    FlowItem::Paragraph(paragraph) if paragraph.text.is_empty() => continue,
                    FlowItem::Paragraph(paragraph) => {
                        let style = style(&paragraph);
                        (paragraph.text, paragraph.changes, style)
                    }
                    FlowItem::Table(table) => {
                        let TableText { text, changes, .. } = table_text(&table);
                        (text, changes, BlockStyle::default())
                    }
                };
                let block = Block {
                    kind: BlockKind::Footnote,
                    role: Role::Body,
                    range: TextRange::default(),
                    style,
                    marker: marker.take(),
                };
                self.block(&text, &[], &changes, block);
            }
        }
    }
}

/// Text of a table with its note references and the ranges that touch a tracked change.
#[derive(Default)]
struct TableText {
    text: String,
    references: Vec<(usize, NoteReference)>,
    changes: Vec<Range<usize>>,
}

/// Text of a table, rows separated by `\n` and cells by `\t`. Empty rows are left out.
fn table_text(table: &Table) -> TableText {
    let TableText { mut text, mut references, mut changes } = TableText::default();
    for row in &table.rows {
        let start = text.len();
        let (n_references, n_changes) = (references.len(), changes.len());
        if start > 0 {
            text.push('\n');
        }
        let row_start = text.len();
        for (at, cell) in row.iter().enumerate() {
            if at > 0 {
                text.push('\t');
            }
            let content = cell_text(cell);
            let in_text = |(offset, reference)| (text.len() + offset, reference);
            references.extend(content.references.into_iter().map(in_text));
            let shifted = |change: Range<usize>| text.len() + change.start..text.len() + change.end;
            changes.extend(content.changes.into_iter().map(shifted));
            text.push_str(&content.text);
            text.extend(std::iter::repeat_n('\t', cell.span.saturating_sub(1)));
        }
        let end = row_start + text.slice(row_start..).trim_end_matches('\t').len();
        text.truncate(if end == row_start { start } else { end });
        for (at, _) in references.iter_mut().skip(n_references) {
            *at = text.len().min(*at);
        }
        for change in changes.iter_mut().skip(n_changes) {
            *change = text.len().min(change.start)..text.len().min(change.end);
        }
    }
    TableText { text, references, changes }
}

/// Paragraphs of a cell as one line.
fn cell_text(cell: &Cell) -> NormalizedParagraph {
    let mut joined = Paragraph::default();
    append_inlines(&cell.elements, &mut joined);
    normalize(&joined)
}

fn append_inlines(elements: &[BlockElement], joined: &mut Paragraph) {
    for element in elements {
        match element {
            BlockElement::Paragraph(paragraph) => {
                if !joined.inlines.is_empty() {
                    joined.inlines.push(Inline::Text(" ".to_owned(), paragraph.mark_format));
                }
                if let Some(marker) = &paragraph.marker {
                    let text = format!("{} ", marker.text);
                    joined.inlines.push(Inline::Text(text, paragraph.mark_format));
                }
                joined.inlines.extend(paragraph.inlines.iter().cloned());
            }
            BlockElement::Table(table) => {
                for cell in table.cells() {
                    append_inlines(&cell.elements, joined);
                }
            }
            BlockElement::TableOfContents => {}
        }
    }
}

fn style(paragraph: &NormalizedParagraph) -> BlockStyle {
    let format = paragraph.dominant;
    BlockStyle {
        size: Pt(format.size),
        indent: Pt(paragraph.indent),
        bold: format.bold,
        italic: format.italic,
        caps: format.caps,
        centered: paragraph.centered,
    }
}
