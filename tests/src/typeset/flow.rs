//! The parts of a manuscript into lines, each with its words in place across and its needs down the page.

use std::collections::BTreeMap;

use super::font::{Face, Font};
use super::lines::{Atom, MARK_SIZE, atoms, break_lines};
use super::markup::{Element, Inline, Manuscript};
use super::printed::{Mark, SetPart, SetWord};
use super::style::{HeadingStyle, Style};

/// A line that waits for its page.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Its words, with `x` in place and the baseline still 0.
    pub words: Vec<SetWord>,
    /// From the baseline above to its own.
    pub leading: f64,
    /// White above it, which vanishes at the top of a page.
    pub before: f64,
    /// True if a page may end above it.
    pub may_break: bool,
    /// True if a page must end above it.
    pub must_break: bool,
    /// Notes that are called in it.
    pub notes: Vec<String>,
    /// Horizontal rules: left, right, and distance below its baseline.
    pub rules: Vec<(f64, f64, f64)>,
}

/// The lines of each note, by marker.
pub(super) type Notes = BTreeMap<String, Vec<Line>>;

/// All lines of the body, and those of the notes.
pub(super) fn lines(manuscript: &Manuscript, style: &Style) -> (Vec<Line>, Notes) {
    let mut flow = Flow { style, lines: Vec::new(), space: 0.0, element: 0, keep: false, new_page: false };
    for (at, element) in manuscript.elements.iter().enumerate() {
        flow.element = at;
        flow.add(element);
    }
    let notes = manuscript
        .notes
        .iter()
        .enumerate()
        .map(|(at, (marker, text))| (marker.clone(), note(at, marker, text, style)))
        .collect();
    (flow.lines, notes)
}

struct Flow<'a> {
    style: &'a Style,
    lines: Vec<Line>,
    /// White owed above the next line.
    space: f64,
    element: usize,
    /// True if the next line must stay with the one above.
    keep: bool,
    new_page: bool,
}

/// Setting of a paragraph.
#[derive(Clone, Copy)]
struct Shape {
    left: f64,
    right: f64,
    indent: f64,
    size: f64,
    leading: f64,
    align: Align,
}

#[derive(Clone, Copy, PartialEq)]
enum Align {
    Left,
    Justify,
    Center,
}

impl Flow<'_> {
    fn add(&mut self, element: &Element) {
        let style = self.style;
        let body = self.shape();
        match element {
            Element::PageBreak => self.new_page = true,
            Element::Space(points) => self.space += points,
            Element::Title(text) => {
                let size = style.title_size;
                let text = in_face(text, Face::Bold);
                let shape = Shape { size, leading: size * 1.25, align: Align::Center, indent: 0.0, ..body };
                self.paragraph(&text, shape, &[]);
                self.space = self.space.max(style.skip * 1.5);
            }
            Element::Heading { level, number, text } => {
                let heading = style.headings[(level - 1).min(style.headings.len() - 1)];
                self.heading(number, text, heading);
            }
            Element::Paragraph(text) => self.paragraph(text, body, &[]),
            Element::Item { markers, text } => {
                let depth = markers.last().map_or(1, |(depth, _)| *depth);
                let left = body.left + style.tabs[depth.min(style.tabs.len() - 1)];
                self.paragraph(text, Shape { left, indent: 0.0, ..body }, markers);
            }
            Element::Quote(text) => {
                let (left, right) = (body.left + 28.0, body.right - 28.0);
                self.paragraph(text, Shape { left, right, indent: 0.0, ..body }, &[]);
            }
            Element::Centered(text) => {
                self.paragraph(text, Shape { align: Align::Center, indent: 0.0, ..body }, &[]);
            }
            Element::Lines(lines) => {
                let shape = Shape { align: Align::Left, indent: 0.0, ..body };
                for (at, line) in lines.iter().enumerate() {
                    if at > 0 {
                        self.space = 0.0;
                        self.keep = true;
                    }
                    self.paragraph(line, shape, &[]);
                }
            }
            Element::Table(rows) => self.table(rows),
        }
    }

    fn shape(&self) -> Shape {
        let style = self.style;
        Shape {
            left: style.margins[0],
            right: style.page.0 - style.margins[2],
            indent: style.first_indent,
            size: style.size,
            leading: style.leading,
            align: if style.justify { Align::Justify } else { Align::Left },
        }
    }

    fn paragraph(&mut self, text: &[Inline], shape: Shape, markers: &[(usize, String)]) {
        let mut set = set_paragraph(text, shape, self.style, self.element);
        let n = set.len();
        for (at, line) in set.iter_mut().enumerate() {
            let orphan = at == 1 || (at + 1 == n && n > 1);
            line.may_break = if at == 0 { !self.keep } else { !orphan && n > 3 };
        }
        if let Some(first) = set.first_mut() {
            first.before = self.space;
            first.must_break = std::mem::take(&mut self.new_page);
            let font = Font { family: self.style.family, face: Face::Roman };
            let mut words = Vec::new();
            for (depth, marker) in markers {
                let face = if is_rule_number(marker) { Face::Bold } else { Face::Roman };
                let x = self.style.margins[0] + self.style.tabs[depth - 1];
                words.push(word(marker, Font { face, ..font }, x, shape.size, self.element));
            }
            first.words.splice(0..0, words);
        }
        self.lines.append(&mut set);
        self.space = self.style.skip;
        self.keep = false;
    }

    fn heading(&mut self, number: &[Inline], text: &[Inline], heading: HeadingStyle) {
        let body = self.shape();
        let (number, text) = (in_face(number, heading.face), in_face(text, heading.face));
        let mut shape = Shape { size: heading.size, leading: heading.size * 1.25, indent: 0.0, ..body };
        if self.lines.last().is_some() {
            self.space = self.space.max(heading.before);
        }
        match heading.hang {
            None => {
                shape.align = Align::Center;
                let mut whole = number;
                if !whole.is_empty() {
                    whole.push(Inline::Text(" — ".to_owned(), heading.face));
                }
                whole.extend(text);
                self.paragraph(&whole, shape, &[]);
            }
            Some(hang) => {
                shape.align = Align::Left;
                if !number.is_empty() {
                    shape.left += hang;
                }
                let first = self.lines.len();
                self.paragraph(&text, shape, &[]);
                let set =
                    set_paragraph(&number, Shape { left: body.left, ..shape }, self.style, self.element);
                if let Some(set) = set.into_iter().next() {
                    self.lines[first].words.splice(0..0, set.words);
                }
            }
        }
        self.space = heading.after;
        self.keep = true;
    }

    /// Rows between rules; cells are one line each.
    fn table(&mut self, rows: &[Vec<Vec<Inline>>]) {
        let body = self.shape();
        for (row_at, row) in rows.iter().enumerate() {
            let mut line =
                Line { leading: body.leading + 3.0, may_break: row_at == 0 && !self.keep, ..Line::default() };
            line.before = if row_at == 0 { self.space + 4.0 } else { 0.0 };
            for (cell, column) in row.iter().zip(self.style.columns) {
                let text = if row_at == 0 { in_face(cell, Face::Bold) } else { cell.clone() };
                let shape = Shape { left: body.left + column, indent: 0.0, align: Align::Left, ..body };
                for set in set_paragraph(&text, shape, self.style, self.element).into_iter().take(1) {
                    line.words.extend(set.words);
                }
            }
            if row_at == 0 {
                line.rules.push((body.left, body.right, -body.size - 2.0));
            }
            if row_at == 0 || row_at + 1 == rows.len() {
                line.rules.push((body.left, body.right, 4.5));
            }
            self.lines.push(line);
        }
        self.space = self.style.skip + 6.0;
        self.keep = false;
    }
}

/// Numbers of provisions ("3.2.1") hang in bold; those of their parts ("(2)", "(a)") in roman.
fn is_rule_number(marker: &str) -> bool {
    marker.split('.').count() > 1 && marker.split('.').all(|part| part.parse::<u32>().is_ok())
}

fn in_face(text: &[Inline], face: Face) -> Vec<Inline> {
    text.iter()
        .map(|inline| match inline {
            Inline::Text(text, _) => Inline::Text(text.clone(), face),
            mark => mark.clone(),
        })
        .collect()
}

/// The lines of a note: its mark raised at the margin, its text behind it.
fn note(at: usize, marker: &str, text: &[Inline], style: &Style) -> Vec<Line> {
    let (size, leading) = style.notes;
    let shape = Shape {
        left: style.margins[0],
        right: style.page.0 - style.margins[2],
        indent: 9.0,
        size,
        leading,
        align: if style.justify { Align::Justify } else { Align::Left },
    };
    let mut lines = set_paragraph(text, shape, style, at);
    if let Some(first) = lines.first_mut() {
        let font = Font { family: style.family, face: Face::Roman };
        let mark =
            Mark { marker: marker.to_owned(), x: shape.left, width: font.measure(marker, size * MARK_SIZE) };
        first
            .words
            .insert(0, SetWord { x: shape.left, size, element: at, marks: vec![mark], ..SetWord::default() });
        first.before = 1.5;
    }
    lines
}

fn set_paragraph(text: &[Inline], shape: Shape, style: &Style, element: usize) -> Vec<Line> {
    let atoms = atoms(text, style.family, shape.size);
    let roman = Font { family: style.family, face: Face::Roman };
    let space = roman.measure(" ", shape.size);
    let width = shape.right - shape.left;
    let broken = break_lines(&atoms, width, shape.indent, space, shape.align == Align::Justify);
    let mut lines = Vec::new();
    for (at, broken) in broken.into_iter().enumerate() {
        let words = &atoms[broken.words];
        let natural: f64 = words.iter().map(|atom| atom.width).sum();
        let used = natural + broken.gap * words.len().saturating_sub(1) as f64;
        let mut x = shape.left + if at == 0 { shape.indent } else { 0.0 };
        if shape.align == Align::Center {
            x += (width - used) / 2.0;
        }
        let mut line = Line { leading: shape.leading, ..Line::default() };
        for atom in words {
            line.words.push(set_atom(atom, roman, x, shape.size, element));
            line.notes.extend(atom.marks.iter().cloned());
            x += atom.width + broken.gap;
        }
        lines.push(line);
    }
    lines
}

fn set_atom(atom: &Atom, roman: Font, x: f64, size: f64, element: usize) -> SetWord {
    let mut word = SetWord { x, size, element, ..SetWord::default() };
    let mut at = x;
    for (font, text) in &atom.parts {
        let width = font.measure(text, size);
        word.parts.push(SetPart { font: *font, text: text.clone(), x: at, width });
        at += width;
    }
    word.width = at - x;
    for marker in &atom.marks {
        let width = roman.measure(marker, size * MARK_SIZE);
        word.marks.push(Mark { marker: marker.clone(), x: at, width });
        at += width;
    }
    word
}

/// A word in one face.
pub(super) fn word(text: &str, font: Font, x: f64, size: f64, element: usize) -> SetWord {
    let width = font.measure(text, size);
    let part = SetPart { font, text: text.to_owned(), x, width };
    SetWord { x, width, size, element, parts: vec![part], ..SetWord::default() }
}
