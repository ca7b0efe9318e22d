//! Notes of a table: the lines right below it that begin with a mark which its cells print.
//!
//! They are notes of the table and not of the page: "(1) Restated.", "* Less than one percent.", "a Unaudited."
//! The mark must stand in a cell, raised, as a symbol, or in parentheses behind the text of the cell; so a list below a
//! table stays a list. Cost: linear in the words of the tables.

use document::BlockKind;

use crate::endnotes::Calls;
use crate::footnotes::{lead, plain};
use crate::lines::Line;
use crate::paragraphs::Paragraph;
use crate::words::Word;

/// Most paragraphs below a table that are looked at.
const MAX_NOTES: usize = 40;

/// Makes notes of what stands below tables and is called from them.
pub(crate) fn settle(paragraphs: &mut [Paragraph], calls: &mut Calls) {
    let tables: Vec<usize> = (0..paragraphs.len())
        .filter(|&i| paragraphs.get(i).is_some_and(|p| p.kind == BlockKind::Table))
        .collect();
    for at in tables {
        let (above, below) = paragraphs.split_at_mut(at + 1);
        let Some(table) = above.last_mut() else { continue };
        // Only where a note may follow.
        if !below
            .first()
            .and_then(|p| p.lines.first())
            .is_some_and(|line| lead(line).is_some() || line.text().contains(':'))
        {
            continue;
        }
        for line in &mut table.lines {
            part_indices(line);
        }
        let table = &*table;
        let Some(page) = table.lines.last().map(|line| line.page) else { continue };
        let marks = marks(table);
        if marks.is_empty() {
            continue;
        }
        for paragraph in below.iter_mut().take(MAX_NOTES) {
            let Some(first) = paragraph.lines.first().filter(|line| line.page == page) else { break };
            if !matches!(paragraph.kind, BlockKind::Paragraph | BlockKind::ListItem) {
                break;
            }
            let Some(lead) = lead(first) else {
                // "Source: …" and the like may stand before the notes.
                if paragraph.lines.len() <= 2 && first.text().contains(':') { continue } else { break }
            };
            let bare = lead.marker.trim_matches(['(', ')']).to_owned();
            let mut is_called = false;
            for (word, line_page, marker) in marks.iter().filter(|(.., marker)| *marker == bare) {
                calls.add(word, *line_page, vec![marker.clone()]);
                is_called = true;
            }
            if !is_called {
                break;
            }
            paragraph.kind = BlockKind::Footnote;
            paragraph.marker = Some(bare);
            let rest = first.words.get(lead.n_words..).unwrap_or_default().to_vec();
            let line = Line::of(rest, first.page, first.region, first.column, &[]);
            paragraph.lines.splice(..1, line);
        }
    }
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
                let mut first = Word { text: head.to_owned(), ..word.clone() };
                let mut second = Word { text: tail.to_owned(), spaced: false, glued: true, ..word.clone() };
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
fn marks(table: &Paragraph) -> Vec<(Word, document::PageId, String)> {
    let mut marks = Vec::new();
    for line in &table.lines {
        for (i, word) in line.words.iter().enumerate() {
            let text = plain(&word.text);
            let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            let bare = inner.unwrap_or(&text);
            let is_short = !bare.is_empty() && bare.chars().count() <= 3;
            let is_symbol = crate::footnotes::is_symbol(bare);
            let is_index = bare.bytes().all(|b| b.is_ascii_digit())
                || bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_lowercase());
            let is_mark = word.raised && (is_index || is_symbol)
                || i > 0 && (is_symbol || inner.is_some() && is_index && bare.len() <= 2);
            if is_short && is_mark {
                marks.push((word.clone(), line.page, bare.to_owned()));
            }
        }
    }
    marks
}
