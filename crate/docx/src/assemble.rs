//! Paragraphs, tables and notes to the document's one text, its blocks and marks, and its outline.
//!
//! A footnote stands after the paragraph that calls it, where the page would end at the earliest; endnotes
//! stand at the end, unless their marks look like those of the footnotes: then only the order tells which is
//! which. Cost: linear in the text.

use std::collections::{BTreeMap, BTreeSet};

use document::{Block, BlockKind, BlockStyle, Layout, NoteMark, OutlineItem, Pt, Rect, Role, TextRange};

use text::wording::is_contents_title;

use crate::classify::{Class, classify};
use crate::items::{Call, Item, Joint, Mark, NoteKind, NoteNumbers, Para, Piece};
use crate::paragraph::{Paragraph, prepare};
use crate::tables::{Cell, Table};

/// Longest heading that is named in the outline, in bytes.
const MAX_OUTLINE: usize = 240;

/// How far above a table of contents its heading may stand, in paragraphs.
const MAX_CONTENTS_HEADING: usize = 3;
/// Longest paragraph between them, in bytes.
const MAX_COLUMN_HEADS: usize = 40;

/// The stories of a file.
pub(crate) struct Stories {
    pub(crate) body: Vec<Item>,
    pub(crate) notes: BTreeMap<(NoteKind, i64), Vec<Item>>,
    pub(crate) foot: NoteNumbers,
    pub(crate) end: NoteNumbers,
}

/// What follows what, frames taken apart.
enum Flow {
    /// The position of a paragraph.
    Para(usize),
    Table(Table),
}

/// The layout of a document and its outline.
pub(crate) fn document(stories: Stories) -> (Layout, Vec<OutlineItem>) {
    let Stories { body, notes, foot, end } = stories;
    let mut flow = Vec::new();
    let mut paras: Vec<Para> = Vec::new();
    flatten(body, &mut flow, &mut paras);
    let paragraphs: Vec<Paragraph> = paras.iter().map(prepare).collect();
    drop(paras);
    let followed: Vec<bool> = followed(&flow, paragraphs.len());
    let classes = classify(&paragraphs, &followed);
    let has = |kind: NoteKind| notes.keys().any(|(of, _)| *of == kind);
    let mixed = foot.format == end.format && has(NoteKind::Foot) && has(NoteKind::End);
    let mut writer = Assembler {
        layout: Layout::default(),
        notes,
        foot,
        end,
        pending: Vec::new(),
        ends: Vec::new(),
        mixed,
    };
    let mut outline = Outline::default();
    for step in flow {
        match step {
            Flow::Para(at) => {
                if let (Some(paragraph), Some(class)) = (paragraphs.get(at), classes.get(at)) {
                    outline.see(&paragraph.text, class);
                    writer.paragraph(paragraph, class);
                }
            }
            Flow::Table(table) => writer.table(&table),
        }
        writer.footnotes();
    }
    writer.endnotes();
    (writer.layout, outline.items)
}

/// Takes frames apart, joins paragraphs that go on in the next, and drops the headings of tables of contents.
fn flatten(items: Vec<Item>, flow: &mut Vec<Flow>, paras: &mut Vec<Para>) {
    let mut open: Option<(Para, Joint)> = None;
    for item in items {
        match item {
            Item::Para(mut para) => {
                if let Some((before, joint)) = open.take() {
                    para = join(before, para, joint);
                }
                match para.runs_on.take() {
                    Some(joint) => open = Some((para, joint)),
                    None => {
                        flow.push(Flow::Para(paras.len()));
                        paras.push(para);
                    }
                }
            }
            Item::Table(table) if table.is_frame() => {
                for cell in table.rows.into_iter().flatten() {
                    flatten(cell.items, flow, paras);
                }
            }
            Item::Table(table) => flow.push(Flow::Table(table)),
            Item::Contents => drop_contents_heading(flow, paras),
        }
    }
    if let Some((para, _)) = open {
        flow.push(Flow::Para(paras.len()));
        paras.push(para);
    }
}

/// Takes out "Contents" above a table of contents, and the heads of its columns between ("Section", "Page").
fn drop_contents_heading(flow: &mut Vec<Flow>, paras: &mut Vec<Para>) {
    let heading = (1..=MAX_CONTENTS_HEADING).find(|&back| {
        let is_para = flow.len().checked_sub(back).and_then(|at| flow.get(at));
        let para = paras.len().checked_sub(back).and_then(|at| paras.get(at));
        matches!(is_para, Some(Flow::Para(_)))
            && para.is_some_and(|para| is_contents_title(&prepare(para).text))
    });
    let is_short = |back: usize| {
        let para = paras.len().checked_sub(back).and_then(|at| paras.get(at));
        para.is_some_and(|para| prepare(para).text.len() <= MAX_COLUMN_HEADS)
    };
    if let Some(back) = heading
        && (1..back).all(is_short)
        && flow.iter().rev().take(back).all(|step| matches!(step, Flow::Para(_)))
    {
        flow.truncate(flow.len() - back);
        paras.truncate(paras.len() - back);
    }
}

/// Two paragraphs that are shown as one.
fn join(mut first: Para, second: Para, joint: Joint) -> Para {
    let gap = |pieces: &mut Vec<Piece>| {
        if let Some(Piece::Text(text, _)) =
            pieces.iter_mut().rev().find(|piece| matches!(piece, Piece::Text(..)))
        {
            text.push(' ');
        }
    };
    match joint {
        Joint::Deleted => {
            first.pieces.extend(second.pieces);
            Para { pieces: first.pieces, ..second }
        }
        Joint::Separator => {
            gap(&mut first.pieces);
            first.pieces.extend(second.pieces);
            Para { pieces: first.pieces, marker: first.marker.or(second.marker), heading: None, ..second }
        }
    }
}

/// For each paragraph whether another one follows it directly.
fn followed(flow: &[Flow], n: usize) -> Vec<bool> {
    let mut followed = vec![false; n];
    for pair in flow.windows(2) {
        if let [Flow::Para(at), _] = pair
            && let Some(slot) = followed.get_mut(*at)
        {
            *slot = true;
        }
    }
    followed
}

/// The headings that have their level from their style. A heading whose words stand in a short paragraph before
/// it is left out: whoever looks it up would take that paragraph for it.
#[derive(Default)]
struct Outline {
    items: Vec<OutlineItem>,
    plain: BTreeSet<String>,
}

impl Outline {
    fn see(&mut self, text: &str, class: &Class) {
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

struct Assembler {
    layout: Layout,
    notes: BTreeMap<(NoteKind, i64), Vec<Item>>,
    foot: NoteNumbers,
    end: NoteNumbers,
    /// Notes that are called and not yet written, with their marks.
    pending: Vec<(NoteKind, i64, String)>,
    /// Those that wait for the end of the text.
    ends: Vec<(NoteKind, i64, String)>,
    /// Endnotes stand with the footnotes.
    mixed: bool,
}

impl Assembler {
    fn paragraph(&mut self, paragraph: &Paragraph, class: &Class) {
        let Class { kind, role, level: _, marker } = class;
        let style = style(paragraph);
        self.block(&paragraph.text, &paragraph.calls, *kind, *role, style, marker.clone());
    }

    fn block(
        &mut self,
        text: &str,
        calls: &[(usize, Call)],
        kind: BlockKind,
        role: Role,
        style: BlockStyle,
        marker: Option<String>,
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
            layout.blocks.push(Block { kind, role, range, style, marker });
        }
        for (at, call) in calls {
            let at = TextRange::new(start + if is_empty { 0 } else { *at }, 0).start;
            let Some(marker) = self.call(call) else { continue };
            self.layout.marks.push(NoteMark { at, marker, page: None, rect: Rect::default() });
        }
    }

    /// The mark of a call, whose note is remembered.
    fn call(&mut self, call: &Call) -> Option<String> {
        match call {
            Call::Again(mark) => Some(mark.clone()),
            Call::Note { kind, id, mark } => {
                let numbers = match kind {
                    NoteKind::Foot => self.foot,
                    NoteKind::End => self.end,
                };
                let marker = match mark {
                    Mark::Nth(n) => numbers.format.print(n.saturating_sub(1).saturating_add(numbers.start)),
                    Mark::Own(mark) => mark.clone(),
                };
                if !self.notes.contains_key(&(*kind, *id)) || marker.is_empty() {
                    return None;
                }
                let waits = *kind == NoteKind::End && !self.mixed;
                let waiting = if waits { &mut self.ends } else { &mut self.pending };
                waiting.push((*kind, *id, marker.clone()));
                Some(marker)
            }
        }
    }

    /// Writes the notes that were called and need not wait.
    fn footnotes(&mut self) {
        for (kind, id, marker) in std::mem::take(&mut self.pending) {
            self.note(kind, id, marker);
        }
    }

    fn endnotes(&mut self) {
        for (kind, id, marker) in std::mem::take(&mut self.ends) {
            self.note(kind, id, marker);
        }
    }

    /// Writes a note, once: its first paragraph has the mark, the others belong to it.
    fn note(&mut self, kind: NoteKind, id: i64, marker: String) {
        let Some(items) = self.notes.get_mut(&(kind, id)).map(std::mem::take) else { return };
        let mut flow = Vec::new();
        let mut paras = Vec::new();
        flatten(items, &mut flow, &mut paras);
        let mut marker = Some(marker);
        for step in flow {
            match step {
                Flow::Para(at) => {
                    let Some(paragraph) = paras.get(at).map(prepare) else { continue };
                    if !paragraph.text.is_empty() {
                        let style = style(&paragraph);
                        self.block(
                            &paragraph.text,
                            &[],
                            BlockKind::Footnote,
                            Role::Body,
                            style,
                            marker.take(),
                        );
                    }
                }
                Flow::Table(table) => {
                    let (text, _) = grid(&table);
                    self.block(
                        &text,
                        &[],
                        BlockKind::Footnote,
                        Role::Body,
                        BlockStyle::default(),
                        marker.take(),
                    );
                }
            }
        }
    }

    fn table(&mut self, table: &Table) {
        let (text, calls) = grid(table);
        let look = table.rows.iter().flatten().flat_map(|cell| &cell.items).find_map(|item| match item {
            Item::Para(para) => Some(style(&prepare(para))),
            _ => None,
        });
        self.block(&text, &calls, BlockKind::Table, Role::Body, look.unwrap_or_default(), None);
    }
}

/// The rows and cells of a table as text, with the marks in it. Rows that hold nothing are left out.
fn grid(table: &Table) -> (String, Vec<(usize, Call)>) {
    let mut text = String::new();
    let mut calls = Vec::new();
    for row in &table.rows {
        let start = text.len();
        let n_calls = calls.len();
        if start > 0 {
            text.push('\n');
        }
        let row_start = text.len();
        for (at, cell) in row.iter().enumerate() {
            if at > 0 {
                text.push('\t');
            }
            let content = cell_text(cell);
            calls.extend(content.calls.into_iter().map(|(offset, call)| (text.len() + offset, call)));
            text.push_str(&content.text);
            text.extend(std::iter::repeat_n('\t', cell.span.saturating_sub(1)));
        }
        let end = row_start + text.get(row_start..).unwrap_or_default().trim_end_matches('\t').len();
        text.truncate(if end == row_start { start } else { end });
        for (at, _) in calls.iter_mut().skip(n_calls) {
            *at = text.len().min(*at);
        }
    }
    (text, calls)
}

/// The paragraphs of a cell on one line.
fn cell_text(cell: &Cell) -> Paragraph {
    let mut whole = Para::default();
    gather(&cell.items, &mut whole);
    prepare(&whole)
}

fn gather(items: &[Item], whole: &mut Para) {
    for item in items {
        match item {
            Item::Para(para) => {
                if !whole.pieces.is_empty() {
                    whole.pieces.push(Piece::Text(" ".to_owned(), para.look));
                }
                if let Some(marker) = &para.marker {
                    whole.pieces.push(Piece::Text(format!("{} ", marker.text), para.look));
                }
                whole.pieces.extend(para.pieces.iter().cloned());
            }
            Item::Table(table) => {
                for cell in table.rows.iter().flatten() {
                    gather(&cell.items, whole);
                }
            }
            Item::Contents => {}
        }
    }
}

fn style(paragraph: &Paragraph) -> BlockStyle {
    let look = paragraph.most;
    BlockStyle {
        size: Pt(look.size),
        indent: Pt(paragraph.indent),
        bold: look.bold,
        italic: look.italic,
        caps: look.caps,
        centered: paragraph.centered,
    }
}
