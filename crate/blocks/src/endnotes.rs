//! Endnotes: the numbered run below a heading "Notes" at the end of a document or chapter, and the raised numbers
//! of the text before it that call them.
//!
//! A run is taken as notes only when the text calls it: of the raised or bracketed numbers before it, the longest
//! rising sequence must reach half of its notes. So exponents, numbers of provisions and lists below a heading
//! "Notes" stay what they are: a number out of sequence is no call. The notes keep their place in the text.
//!
//! Cost: linear in the lines; the sequence by patience sorting.

use document::{BlockKind, PageId, Slice as _};

use crate::page::{Line, NoteReferences, Paragraph, Word};
use crate::typography::{is_exponent, leading_mark, line_part, ordinal, raised_numbers};

/// Fewest notes in a run.
const MIN_NOTES: usize = 2;
/// Titles of a run of notes, in lower case without spaces and punctuation.
const TITLES: [&str; 12] = [
    "notes",
    "endnotes",
    "endnote",
    "footnotes",
    "notestotext",
    "notestothetext",
    "references",
    "尾注",
    "注释",
    "注解",
    "附注",
    "注",
];

/// Makes notes of the runs that are called, and adds what calls them.
pub(crate) fn take(paragraphs: &mut Vec<Paragraph>, references: &mut NoteReferences) {
    let mut from = 0;
    let mut at = 0;
    while at < paragraphs.len() {
        if !paragraphs.get(at).is_some_and(is_title) {
            at += 1;
            continue;
        }
        let (notes, end) = run(paragraphs, at + 1);
        let found = callers(paragraphs.slice(from..at), notes.len());
        if notes.len() < MIN_NOTES || found.len() * 2 < notes.len() {
            at += 1;
            continue;
        }
        for (word, page, markers) in found {
            references.insert(&word, page, markers);
        }
        let n = notes.len();
        paragraphs.splice(at + 1..end, notes);
        at += 1 + n;
        from = at;
    }
}

fn is_title(paragraph: &Paragraph) -> bool {
    if paragraph.lines.len() > 1 || paragraph.kind == BlockKind::Table {
        return false;
    }
    let text = paragraph.text().to_lowercase();
    let bare: String = text.chars().filter(|c| c.is_alphabetic()).collect();
    TITLES.contains(&bare.as_str()) && text.chars().count() < 24
}

/// The notes of the run that begins at a position, and one past its last paragraph.
fn run(paragraphs: &[Paragraph], start: usize) -> (Vec<Paragraph>, usize) {
    let mut notes: Vec<Paragraph> = Vec::new();
    let mut end = start;
    let mut left = None;
    for paragraph in paragraphs.slice(start..) {
        if matches!(paragraph.kind, BlockKind::Heading | BlockKind::Table) {
            // A note that looks like a heading, as the first line of one may, goes on with the count.
            let begins =
                paragraph.lines.first().is_some_and(|line| begins(line, notes.len(), left).is_some());
            if !begins || paragraph.kind == BlockKind::Table {
                break;
            }
        }
        for (i, line) in paragraph.lines.iter().enumerate() {
            match begins(line, notes.len(), left) {
                Some((marker, n_words)) => {
                    left = left.or(Some(line.rect.x0));
                    let rest = line.words.slice(n_words..).to_vec();
                    let first = line_part(rest, line);
                    notes.push(Paragraph::note(marker, first.into_iter().collect()));
                }
                None => match notes.last_mut() {
                    Some(note) => note.lines.push(line.clone()),
                    None if i == 0 => return (Vec::new(), start),
                    None => {}
                },
            }
        }
        end += 1;
    }
    (notes, end)
}

/// The marker with which a line begins the next note, and how many words it takes.
fn begins(line: &Line, n_notes: usize, left: Option<f32>) -> Option<(String, usize)> {
    let mark = leading_mark(line)?;
    let n = ordinal(&mark.marker)?;
    let in_place = left.is_none_or(|left| (line.rect.x0 - left).abs() < 2.5 * line.size);
    (n as usize == n_notes + 1 && in_place && mark.marker.bytes().any(|b| b.is_ascii_digit()))
        .then_some((mark.marker, mark.n_words))
}

/// The words that call notes 1 to `n_notes`: the longest rising sequence of raised numbers.
fn callers(paragraphs: &[Paragraph], n_notes: usize) -> Vec<(Word, PageId, Vec<String>)> {
    let mut candidates: Vec<(u32, usize)> = Vec::new();
    let mut words: Vec<(&Word, PageId, Vec<String>)> = Vec::new();
    for line in paragraphs.iter().flat_map(|paragraph| &paragraph.lines) {
        let mut last: Option<&Word> = None;
        for word in &line.words {
            let prev = last.replace(word);
            let markers = raised_numbers(word);
            if markers.is_empty() || prev.is_some_and(|prev| is_exponent(prev, word)) {
                continue;
            }
            let values: Vec<u32> = markers.iter().filter_map(|marker| marker.parse().ok()).collect();
            if values.len() == markers.len()
                && values.iter().all(|&value| value >= 1 && value as usize <= n_notes)
            {
                candidates.extend(values.iter().map(|&value| (value, words.len())));
                words.push((word, line.page, markers));
            }
        }
    }
    let chosen = longest_rising(&candidates);
    let mut out: Vec<(Word, PageId, Vec<String>)> = Vec::new();
    let mut last = None;
    for at in chosen {
        if last.replace(at) != Some(at)
            && let Some((word, page, markers)) = words.get(at)
        {
            out.push(((*word).clone(), *page, markers.clone()));
        }
    }
    out
}

/// The second parts of the longest sequence whose first parts rise.
fn longest_rising(items: &[(u32, usize)]) -> Vec<usize> {
    // For each length, the position of the smallest last value of a sequence that long; and what comes before.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(items.len());
    for (i, &(value, _)) in items.iter().enumerate() {
        let at = tails.partition_point(|&tail| items.get(tail).is_some_and(|item| item.0 < value));
        before.push(at.checked_sub(1).and_then(|at| tails.get(at)).copied());
        match tails.get_mut(at) {
            Some(slot) => *slot = i,
            None => tails.push(i),
        }
    }
    let mut chosen = Vec::with_capacity(tails.len());
    let mut next = tails.last().copied();
    while let Some(i) = next {
        chosen.extend(items.get(i).map(|item| item.1));
        next = before.get(i).copied().flatten();
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_sequence_is_left_out() {
        let items: Vec<(u32, usize)> = [1, 2, 3, 2, 4, 6, 5, 6].into_iter().zip(0..).collect();
        assert_eq!(longest_rising(&items), vec![0, 1, 2, 4, 6, 7]);
        assert!(longest_rising(&[]).is_empty());
    }
}
