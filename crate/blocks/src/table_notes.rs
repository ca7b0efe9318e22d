//! Notes of a table: the lines right below it that begin with a mark which its cells print.
//!
//! They are notes of the table and not of the page: "(1) Restated.", "* Less than one percent.", "a Unaudited."
//! The mark must stand in a cell, raised, as a symbol, or in parentheses behind the text of the cell; so a list below a
//! table stays a list. Cost: linear in the words of the tables.

use document::{BlockKind, PageId, Slice as _};

use crate::page::{Line, NoteReferences, Paragraph, Word};
use crate::typography::{bare_mark, is_symbol, leading_mark, line_part};

/// Most paragraphs below a table that are looked at.
const MAX_NOTES: usize = 40;

/// Makes notes of what stands below tables and is called from them.
pub(crate) fn take(paragraphs: Vec<Paragraph>, references: &mut NoteReferences) -> Vec<Paragraph> {
    let mut out: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    // The marks of the table above, as long as its notes may follow.
    let mut marks: Vec<TableMark> = Vec::new();
    let mut n_left = 0;
    let mut below = paragraphs.into_iter().peekable();
    while let Some(mut paragraph) = below.next() {
        if paragraph.kind == BlockKind::Table {
            let first = below.peek().and_then(|next| next.lines.first());
            marks.clear();
            if first.is_some_and(|line| leading_mark(line).is_some() || line.text().contains(':')) {
                paragraph.lines.iter_mut().for_each(part_indices);
                marks = marks_of(&paragraph);
                n_left = MAX_NOTES;
            }
            out.push(paragraph);
            continue;
        }
        let same_page =
            paragraph.lines.first().is_some_and(|line| marks.iter().any(|mark| mark.page == line.page));
        let is_text = matches!(paragraph.kind, BlockKind::Paragraph | BlockKind::ListItem);
        n_left = if same_page && is_text { n_left.saturating_sub(1) } else { 0 };
        let is_note = paragraph.lines.first().is_some_and(|line| called(line, &marks).is_some());
        // "Source: …" and the like may stand before the notes.
        let is_source = paragraph.lines.len() <= 2 && paragraph.text().contains(':');
        if n_left == 0 || !(is_note || is_source) {
            marks.clear();
            out.push(paragraph);
        } else if is_note {
            split(paragraph.lines, &marks, references, &mut out);
        } else {
            out.push(paragraph);
        }
    }
    out
}

/// A word of a table that may be a mark, and its bare text.
struct TableMark {
    word: Word,
    page: PageId,
    marker: String,
}

/// The mark with which a line begins and that the table prints: its bare text, and how many words it takes.
fn called(line: &Line, marks: &[TableMark]) -> Option<(String, usize)> {
    let mark = leading_mark(line)?;
    let bare = mark.marker.trim_matches(['(', ')']).to_owned();
    marks.iter().any(|mark| mark.marker == bare).then_some((bare, mark.n_words))
}

/// The notes that these lines are, one from each line that begins with a mark of the table.
fn split(lines: Vec<Line>, marks: &[TableMark], references: &mut NoteReferences, out: &mut Vec<Paragraph>) {
    let mut note: Option<Paragraph> = None;
    for line in lines {
        let Some((marker, n_words)) = called(&line, marks) else {
            if let Some(note) = &mut note {
                note.lines.push(line);
            }
            continue;
        };
        for mark in marks.iter().filter(|mark| mark.marker == marker) {
            references.insert(&mark.word, mark.page, vec![marker.clone()]);
        }
        out.extend(note.take());
        let rest = line.words.slice(n_words..).to_vec();
        let first = line_part(rest, &line);
        note = Some(Paragraph::note(marker, first.into_iter().collect()));
    }
    out.extend(note);
}

/// Parts "2023(1)" into a word and its mark.
fn part_indices(line: &mut Line) {
    let mut words: Vec<Word> = Vec::with_capacity(line.words.len());
    for word in line.words.drain(..) {
        let at = word.text.rfind('(').filter(|&at| at > 0);
        let is_index = |inner: &str| {
            inner.len() <= 2
                && !inner.is_empty()
                && (inner.bytes().all(|b| b.is_ascii_digit())
                    || inner.len() == 1 && inner.bytes().all(|b| b.is_ascii_lowercase()))
        };
        let tail = at
            .and_then(|at| word.text.get(at..))
            .and_then(|tail| tail.strip_prefix('('))
            .and_then(|tail| tail.strip_suffix(')'));
        match (at, tail) {
            (Some(at), Some(inner)) if is_index(inner) => {
                let (head, tail) = word.text.split_at(at);
                let share = head.chars().count() as f32 / word.n_chars().max(1) as f32;
                let x = word.rect.x0 + share * word.rect.width();
                let mut first = Word { text: head.into(), ..word.clone() };
                let mut second = Word { text: tail.into(), spaced: false, glued: true, ..word.clone() };
                first.rect.x1 = x;
                second.rect.x0 = x;
                words.push(first);
                words.push(second);
            }
            _ => words.push(word),
        }
    }
    line.words = words;
}

/// The words of a table's cells that may be marks, with their bare text.
fn marks_of(table: &Paragraph) -> Vec<TableMark> {
    let mut marks = Vec::new();
    for line in &table.lines {
        for (i, word) in line.words.iter().enumerate() {
            let text = bare_mark(&word.text);
            let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            let bare = inner.unwrap_or(&text);
            let is_short = !bare.is_empty() && bare.chars().count() <= 3;
            let is_symbol = is_symbol(bare);
            let is_index = bare.bytes().all(|b| b.is_ascii_digit())
                || bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_lowercase());
            let is_mark = word.raised && (is_index || is_symbol)
                || i > 0 && (is_symbol || inner.is_some() && is_index && bare.len() <= 2);
            if is_short && is_mark {
                marks.push(TableMark { word: word.clone(), page: line.page, marker: bare.to_owned() });
            }
        }
    }
    marks
}
