//! Blocks to the document's one text: the text itself, where each word of it stands, and its note marks.
//!
//! Lines are joined by a space, or by nothing between CJK characters and after a hyphen. A hyphen at the end
//! of a line is dropped when the rest of the document writes the word without it, or does not know its parts
//! as words; it is kept when the document writes the compound with it ("third-party").

mod caveats;
mod hyphenation;
mod note_references;

use document::{
    Block, BlockKind, BlockStyle, Furniture, Layout, NoteMark, PageId, PageInfo, PlacedWord, Pt, Role,
    TextMap, TextRange,
};

use crate::assemble::caveats::CaveatWriter;
use crate::assemble::hyphenation::Vocabulary;
use crate::assemble::note_references::ReferableNotes;
use crate::page::{Frame, Line, Note, NoteReferences, Paragraph, Word};
use crate::typography::{is_unspaced, usual_size};

/// The layout of a document from its parts.
pub(crate) fn document(
    pages: Vec<PageInfo>,
    frames: &[Frame],
    paragraphs: Vec<Paragraph>,
    notes: &[Note],
    references: &NoteReferences,
    furniture: Vec<Furniture>,
) -> Layout {
    let mut vocabulary = Vocabulary::default();
    let (mut n_words, mut n_bytes) = (0, 0);
    for line in paragraphs.iter().flat_map(|p| &p.lines).chain(notes.iter().flat_map(|note| &note.lines)) {
        vocabulary.learn(line);
        n_words += line.words.len();
        n_bytes += line.words.iter().map(|word| word.text.len() + 1).sum::<usize>();
    }
    let mut writer = Writer {
        text: String::with_capacity(n_bytes),
        words: Vec::with_capacity(n_words),
        caveats: CaveatWriter::default(),
        blocks: Vec::new(),
        marks: Vec::new(),
        callable: ReferableNotes::new(notes, references),
        vocabulary,
        frames,
    };
    // The notes of a page stand after the paragraph with which the page ends.
    let mut pending = notes.iter().peekable();
    for paragraph in paragraphs {
        while let Some(note) = pending.next_if(|note| note.page < paragraph.page()) {
            writer.note(note);
        }
        writer.paragraph(&paragraph);
    }
    pending.for_each(|note| writer.note(note));
    let Writer { text, words, caveats, blocks, marks, .. } = writer;
    let (words, caveats) = (TextMap::new(words), caveats.finish());
    Layout { pages, text, words, blocks, marks, furniture, caveats }
}

/// Separator of two words.
enum WordSeparator {
    Space,
    Nothing,
    /// Nothing, and the hyphen at the end of the text goes.
    DropHyphen,
}

struct Writer<'a> {
    text: String,
    words: Vec<PlacedWord>,
    caveats: CaveatWriter,
    blocks: Vec<Block>,
    marks: Vec<NoteMark>,
    callable: ReferableNotes<'a>,
    vocabulary: Vocabulary,
    frames: &'a [Frame],
}

impl Writer<'_> {
    fn paragraph(&mut self, paragraph: &Paragraph) {
        let Paragraph {
            kind,
            role,
            marker,
            lines,
            centered,
            cells,
            white: _,
            ends_short: _,
            indented: _,
            table: _,
        } = paragraph;
        let start = self.begin();
        let n_marks = self.marks.len();
        self.lines(lines, start, cells, *kind != BlockKind::Footnote);
        let style = BlockStyle { centered: *centered, ..self.style(lines) };
        self.end(start, n_marks, *kind, *role, style, marker.clone());
    }

    fn note(&mut self, note: &Note) {
        let start = self.begin();
        let n_marks = self.marks.len();
        self.lines(&note.lines, start, &[], false);
        let marker = (!note.marker.is_empty()).then(|| note.marker.clone());
        let style = self.style(&note.lines);
        self.end(start, n_marks, BlockKind::Footnote, Role::Body, style, marker);
    }

    fn begin(&mut self) -> usize {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.len()
    }

    fn end(
        &mut self,
        start: usize,
        n_marks: usize,
        kind: BlockKind,
        role: Role,
        style: BlockStyle,
        marker: Option<String>,
    ) {
        if self.text.len() == start {
            // Nothing but marks, or nothing: no block. Marks go to the end of the text before.
            self.text.truncate(start.saturating_sub(1));
            let end = TextRange::new(self.text.len(), self.text.len()).end;
            for mark in self.marks.iter_mut().skip(n_marks) {
                mark.at = end;
            }
            return;
        }
        self.blocks.push(Block { kind, role, range: TextRange::new(start, self.text.len()), style, marker });
    }

    /// Writes lines; `cells` says before which of them a row or cell of a table begins.
    fn lines(&mut self, lines: &[Line], start: usize, cells: &[(usize, char)], with_marks: bool) {
        let mut cells = cells.iter().peekable();
        // The word before, and whether a mark that was left out had a space before it.
        let mut last: Option<&Word> = None;
        let mut after_space = false;
        for (l, line) in lines.iter().enumerate() {
            let mut is_cell = false;
            while let Some(&(_, separator)) = cells.next_if(|cell| cell.0 <= l) {
                self.text.push(separator);
                is_cell = true;
            }
            for (w, word) in line.words.iter().enumerate() {
                let prev = w.checked_sub(1).and_then(|w| line.words.get(w));
                if with_marks && self.mark(word, prev, line.page) {
                    after_space |= !word.glued && w > 0;
                    continue;
                }
                if self.text.len() > start {
                    let at_line_start = w == 0 || last.is_none();
                    if !std::mem::take(&mut is_cell) {
                        let separator = match last {
                            Some(prev) if w == 0 || self.is_first(line, w) => {
                                self.separator_at_line_end(prev, word)
                            }
                            _ if at_line_start => WordSeparator::Space,
                            _ => self.separator_within_line(word, after_space),
                        };
                        match separator {
                            WordSeparator::Space => self.text.push(' '),
                            WordSeparator::Nothing => {}
                            WordSeparator::DropHyphen => self.drop_hyphen(),
                        }
                    }
                }
                after_space = false;
                self.place(word, line.page);
                last = Some(word);
            }
        }
    }

    /// True if all words of the line before this one were marks.
    fn is_first(&self, line: &Line, at: usize) -> bool {
        let mut prev = None;
        line.words.iter().take(at).all(|word| {
            let is_mark = !self.callable.marks(word, prev, line.page).is_empty();
            prev = Some(word);
            is_mark
        })
    }

    fn separator_within_line(&self, word: &Word, after_space: bool) -> WordSeparator {
        let closes = word.text.starts_with(['.', ',', ';', ':', ')', ']', '”', '’']);
        if word.glued && (!after_space || closes) { WordSeparator::Nothing } else { WordSeparator::Space }
    }

    /// Separator between the last word of a line and the first of the next.
    fn separator_at_line_end(&self, prev: &Word, next: &Word) -> WordSeparator {
        let end = prev.text.chars().next_back().unwrap_or(' ');
        let begin = next.text.chars().next().unwrap_or(' ');
        if end == '\u{ad}' {
            return WordSeparator::DropHyphen;
        }
        if is_unspaced(end) || is_unspaced(begin) {
            return WordSeparator::Nothing;
        }
        let before = prev.text.chars().rev().nth(1);
        match end {
            '-' | '\u{2010}' if before.is_some_and(char::is_alphabetic) && begin.is_lowercase() => {
                let head = self.text.rsplit([' ', '\n', '\t']).next().unwrap_or_default();
                let head = head.strip_suffix(end).unwrap_or(head);
                if self.vocabulary.keeps_hyphen(head, &next.text) {
                    WordSeparator::Nothing
                } else {
                    WordSeparator::DropHyphen
                }
            }
            '-' | '\u{2010}' if before.is_some_and(char::is_alphanumeric) => WordSeparator::Nothing,
            '—' => WordSeparator::Nothing,
            _ => WordSeparator::Space,
        }
    }

    /// Takes the hyphen at the end of the text away, from its word too.
    fn drop_hyphen(&mut self) {
        if self.text.ends_with(['-', '\u{2010}', '\u{ad}']) {
            self.text.pop();
        }
        let end = TextRange::new(self.text.len(), self.text.len()).end;
        self.caveats.cut(end);
        if let Some(last) = self.words.last_mut() {
            last.range.end = last.range.end.min(end);
            if last.range.is_empty() {
                self.words.pop();
            }
        }
    }

    fn place(&mut self, word: &Word, page: PageId) {
        let from = self.text.len();
        // A soft hyphen stays until the next line is known to follow.
        self.text.push_str(word.text.trim_end_matches('\u{ad}'));
        if word.text.ends_with('\u{ad}') && self.text.len() == from {
            return;
        }
        let rect = self.frame(page).map_or(word.rect, |frame| frame.shown_rect(&word.rect));
        let range = TextRange::new(from, self.text.len());
        self.words.push(PlacedWord { range, page, rect });
        self.caveats.add(range, word.caveat);
    }

    /// Notes the marks that a word is; `false` if it is text.
    fn mark(&mut self, word: &Word, prev: Option<&Word>, page: PageId) -> bool {
        let markers = self.callable.marks(word, prev, page);
        let at = TextRange::new(self.text.len(), self.text.len()).end;
        let rect = self.frame(page).map_or(word.rect, |frame| frame.shown_rect(&word.rect));
        let is_mark = !markers.is_empty();
        self.marks.extend(markers.into_iter().map(|marker| NoteMark { at, marker, page: Some(page), rect }));
        is_mark
    }

    fn frame(&self, page: PageId) -> Option<&Frame> {
        self.frames.get(page.idx())
    }

    fn style(&self, lines: &[Line]) -> BlockStyle {
        let Some(first) = lines.first() else { return BlockStyle::default() };
        let words = || lines.iter().flat_map(|line| &line.words);
        let total: usize = words().map(Word::n_chars).sum();
        let most =
            |of: fn(&Word) -> bool| words().filter(|w| of(w)).map(Word::n_chars).sum::<usize>() * 2 > total;
        let size = usual_size(lines.iter().map(|line| (line.size, line.n_chars()))).unwrap_or_default();
        let shown = self.frame(first.page).map_or(first.rect, |frame| frame.shown_rect(&first.rect));
        BlockStyle {
            size: Pt(size),
            indent: Pt(shown.x0),
            bold: most(|word| word.style.is_bold()),
            italic: most(|word| word.style.is_italic()),
            caps: lines.iter().all(|line| line.style.caps),
            centered: false,
        }
    }
}
