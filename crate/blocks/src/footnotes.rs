//! Footnotes: the lines at the foot of a column that are notes, and the marks in the text that call them.
//!
//! The zone of notes begins below a separator rule, or where the type becomes smaller than the body's down to
//! the foot. Within it a note begins at a line that starts with a mark: a raised one, or a number or letter
//! that continues the sequence. Lines before the first mark continue the last note of the page before.
//! A raised word of the body is a mark when a note with its text stands on the page (or begins the next
//! page's notes, where a long line of notes was pushed over); bracketed marks (`[3]`) the same.
//!
//! Cost: linear in the lines.

use document::{Furniture, FurnitureKind, PageId, Rect, Slice as _};

use crate::page::{Line, Note, PageLines, Word};
use crate::typography::{LeadingMark, bare_mark, is_symbol, leading_mark, line_part, ordinal, usual_size};

/// Type from this share of the document's size on is body type on its page.
const BODY_SIZE: f32 = 0.98;
/// Body type of a page, at most, in multiples of the document's: a page of headings has no larger body.
const MAX_LARGER: f32 = 1.25;
/// Type up to this share of the body's is small: 11 in a text of 12.
const SMALL: f32 = 0.93;
/// The same where the mark is sure: 11.5 in a text of 12.
const SMALLER: f32 = 0.97;
/// The same below a separator rule, which is evidence of its own.
const NOTE_SIZE: f32 = 0.95;
/// Difference of sizes of one note's lines, as a share of the size: raised marks blur the usual size of a line.
const SAME_SIZE: f32 = 0.04;
/// Step from the line above, in multiples of the type size, by which notes are apart; usual pitch is 1.2.
const APART: f32 = 1.3;
/// Distance of marks from the first one's left edge, in multiples of the type size: two digits begin further left.
const SAME_INDENT: f32 = 0.8;
/// Part of a page, from its top, above which no separator stands.
const HEAD: f32 = 0.2;
/// The same for notes in type of the body's size, whose only evidence is their mark.
const FOOT: f32 = 0.3;
/// The same for notes that go on from the page before without a rule.
const LOW: f32 = 0.4;
/// Distance of a rule below a baseline, in multiples of the type size, within which it underlines the line.
const UNDERLINE: f32 = 0.35;
/// Share of a rule that stands under the words that it underlines.
const UNDER_WORDS: f32 = 0.8;
/// Height of small letters above their baseline, in multiples of the type size: a separator stands above them.
const ABOVE_LETTERS: f32 = 0.5;
/// Least width of a separator in points, and most by which it leaves its column: rules are drawn to the page, not to
/// the type.
const MIN_SEPARATOR: f32 = 20.0;
/// Most by which a separator begins left of its column, in points, as rules drawn from a margin's edge do.
const HANGING_RULE: f32 = 12.0;
/// Widest separator of notes in type of the body's size, as a share of the column: a longer rule ends a section.
const MAX_SEPARATOR: f32 = 0.62;
/// The same above small lines without a mark.
const SHORT_RULE: f32 = 0.6;
/// Indent of a separator of notes in type of the body's size, as a share of the column.
const SEPARATOR_INDENT: f32 = 0.1;
/// The same of other separators, some of which are centred.
const MAX_RULE_INDENT: f32 = 0.25;

/// Least dashes of a separator that is printed as text.
const MIN_DASHES: usize = 3;

/// Takes the notes out of the pages, in reading order, and separators that are printed as text, which would part the
/// paragraph that goes on over the page. `body` is the type size of the document's body.
pub(crate) fn take(pages: &mut [PageLines], body: f32, furniture: &mut Vec<Furniture>) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for page in pages.iter_mut() {
        let lines = std::mem::take(&mut page.lines);
        let n_regions = lines.iter().map(|line| line.region + 1).max().unwrap_or(0);
        let mut regions: Vec<Vec<Line>> = vec![Vec::new(); n_regions];
        for line in lines {
            if let Some(region) = regions.get_mut(line.region) {
                region.push(line);
            }
        }
        for region in regions {
            let has_text_above = !page.lines.is_empty();
            let start = zone(&region, page, body, has_text_above, &notes);
            let has_notes = start < region.len();
            let mut region = region.into_iter();
            page.lines.extend(region.by_ref().take(start));
            if let Some(line) = page.lines.pop_if(|line| has_notes && is_printed_separator(line)) {
                let (kind, text) = (FurnitureKind::Other, line.text());
                furniture.push(Furniture { kind, text, page: page.page, rect: line.rect });
            }
            split(region.collect(), page.page, &mut notes);
        }
    }
    notes
}

/// True if a line is a row of dashes or low lines.
fn is_printed_separator(line: &Line) -> bool {
    let text = line.text();
    text.chars().count() >= MIN_DASHES && text.chars().all(|c| matches!(c, '-' | '–' | '—' | '―' | '─' | '_'))
}

/// Where the zone of notes begins in a region: the position of its first line.
fn zone(lines: &[Line], page: &PageLines, body: f32, has_text_above: bool, notes: &[Note]) -> usize {
    let end = lines.len();
    let body_here = usual_size(
        lines.iter().filter(|line| line.size >= BODY_SIZE * body).map(|line| (line.size, line.n_chars())),
    )
    .unwrap_or(body)
    .min(body * MAX_LARGER);
    if let Some(start) = below_separator(lines, page, body_here, has_text_above) {
        return start;
    }
    if let Some(start) = called_zone(lines, page, notes) {
        return start;
    }
    if !has_text_above && is_filled_by_note(lines, page, body, notes) {
        return 0;
    }
    // The lines at the foot in smaller type; the first of them with a mark begins the zone. Type that is only
    // a little smaller needs a surer mark.
    let suffix = |limit: f32| {
        let n = lines.iter().rev().take_while(|line| line.size <= limit * body_here).count();
        end - n
    };
    let (smaller, small) = (suffix(SMALLER), suffix(SMALL));
    // A paragraph of an order begins with "(a)" too, in type as small; a note with such a mark is called by one.
    let may_be_note = |mark: &LeadingMark| {
        mark.raised || !mark.marker.starts_with('(') || {
            let calls = |word: &Word| word.raised && raised_parts(word).contains(&mark.marker);
            page.lines.iter().chain(lines).flat_map(|line| &line.words).any(calls)
        }
    };
    let is_sure = |line: &Line| {
        leading_mark(line).is_some_and(|mark| {
            mark.raised || !mark.dotted && starts_zone(&mark, notes) && may_be_note(&mark)
        })
    };
    if smaller < small && (smaller > 0 || has_text_above) && lines.get(smaller).is_some_and(is_sure) {
        return smaller;
    }
    let start = small;
    let foot = lines.slice(start..);
    if foot.is_empty() || (start == 0 && !has_text_above) {
        return end;
    }
    let first = foot.iter().position(|line| {
        leading_mark(line).is_some_and(|mark| mark.raised || starts_zone(&mark, notes) && may_be_note(&mark))
    });
    match first {
        // Small lines before the first mark continue a note when they stand apart from the body.
        Some(0) => start,
        Some(n) => {
            let continues = notes.last().is_some_and(is_open) && is_apart(lines, start);
            if continues { start } else { start + n }
        }
        None => {
            let continues = notes.last().is_some_and(|note| is_open(note) && note.page.0 + 1 == page.page.0);
            let low = foot.first().is_some_and(|line| line.rect.y0 > LOW * page.height);
            if continues && low && is_apart(lines, start) { start } else { end }
        }
    }
}

/// Where notes begin in type as large as the body's: at a line with the next mark, which the text above calls, set
/// apart by a short rule, or by white when the mark is raised.
fn called_zone(lines: &[Line], page: &PageLines, notes: &[Note]) -> Option<usize> {
    let low = lines.partition_point(|line| line.rect.y0 < FOOT * page.height).max(1);
    let candidates = (low..lines.len()).filter_map(|at| Some((at, leading_mark(lines.get(at)?)?)));
    for (at, mark) in candidates.filter(|(_, mark)| starts_zone(mark, notes)).take(64) {
        let (Some(line), Some(above)) = (lines.get(at), lines.get(at - 1)) else { continue };
        let (x0, x1) = line.column;
        let is_separator = |rule: &Rect| {
            rule.y_mid() > above.baseline + UNDERLINE * above.size
                && rule.y_mid() < line.baseline - ABOVE_LETTERS * line.size
                && rule.width() > MIN_SEPARATOR
                && rule.width() < MAX_SEPARATOR * (x1 - x0)
                && (rule.x0 - x0).abs() < SEPARATOR_INDENT * (x1 - x0)
        };
        let from = page.rules.partition_point(|rule| rule.y_mid() < above.baseline);
        let is_ruled =
            page.rules.slice(from..).iter().take_while(|rule| rule.y_mid() < line.baseline).any(is_separator);
        let is_set_off = is_ruled || mark.raised && is_apart(lines, at);
        let calls = |word: &Word| word.raised && raised_parts(word).contains(&mark.marker);
        let upper = page.lines.iter().chain(lines.slice(..at));
        if is_set_off && upper.flat_map(|line| line.words.iter().skip(1)).any(calls) {
            return Some(at);
        }
    }
    None
}

/// The marks that a raised word prints.
fn raised_parts(word: &Word) -> Vec<String> {
    bare_mark(&word.text)
        .split([',', ';'])
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// True if a page holds nothing but the rest of a note that the page before left open: all of it in the note's type,
/// which is smaller than the body's.
fn is_filled_by_note(lines: &[Line], page: &PageLines, body: f32, notes: &[Note]) -> bool {
    let Some(last) = notes.last().filter(|note| is_open(note)) else { return false };
    let Some(end) = last.lines.last().filter(|line| line.page.0 + 1 == page.page.0) else { return false };
    !lines.is_empty()
        && end.size <= SMALL * body
        && lines.iter().all(|line| (line.size - end.size).abs() <= SAME_SIZE * end.size)
        && lines.first().is_some_and(|line| {
            leading_mark(line).is_none()
                && line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
        })
}

/// True if a mark that is not raised may begin the notes of a page: it begins a sequence, or continues it.
fn starts_zone(mark: &LeadingMark, notes: &[Note]) -> bool {
    match ordinal(&mark.marker) {
        Some(n) => {
            n == 1
                || notes
                    .last()
                    .and_then(|note| ordinal(&note.marker))
                    .is_some_and(|last| n > last && n <= last + 3)
        }
        None => is_symbol(&mark.marker),
    }
}

/// True if the last note seems to go on: it does not end a sentence.
fn is_open(note: &Note) -> bool {
    let text = note.lines.last().map(Line::text).unwrap_or_default();
    !text.trim_end_matches(['”', '"', ')', '’', ']']).ends_with(['.', '!', '?', '。', '；', ';'])
}

/// True if there is more white above this line than between the lines before it.
fn is_apart(lines: &[Line], at: usize) -> bool {
    let (Some(above), Some(line)) = (at.checked_sub(1).and_then(|i| lines.get(i)), lines.get(at)) else {
        return true;
    };
    line.baseline - above.baseline > APART * line.size.max(above.size)
}

/// The first line below a separator rule with notes below it.
fn below_separator(lines: &[Line], page: &PageLines, body: f32, has_text_above: bool) -> Option<usize> {
    let (x0, x1) = lines.first()?.column;
    let is_separator = |rule: &&Rect| {
        let width = rule.width();
        let starts_left = rule.x0 > x0 - HANGING_RULE && rule.x0 < x0 + MAX_RULE_INDENT * (x1 - x0);
        width > MIN_SEPARATOR
            && rule.x1 < x1 + MIN_SEPARATOR
            && starts_left
            && rule.y_mid() > HEAD * page.height
    };
    for rule in page.rules.iter().filter(is_separator).rev().take(16) {
        let start = lines.iter().position(|line| line.rect.y_mid() > rule.y_mid())?;
        let (Some(first), above) = (lines.get(start), start.checked_sub(1).and_then(|i| lines.get(i))) else {
            continue;
        };
        if above.is_none() && !has_text_above {
            continue;
        }
        let is_underline = above.is_some_and(|line| {
            rule.y_mid() - line.baseline < UNDERLINE * line.size
                && rule.x_overlap(&line.rect) > UNDER_WORDS * rule.width()
        });
        let below = lines.slice(start..);
        let n_small: usize = below.iter().filter(|line| line.size <= NOTE_SIZE * body).count();
        let all_small = n_small * 10 >= below.len() * 8;
        let has_lead = below.iter().any(|line| leading_mark(line).is_some());
        let raised_lead = leading_mark(first).is_some_and(|mark| mark.raised);
        if !is_underline && has_lead && (all_small || (raised_lead && below.len() <= 40)) {
            return Some(start);
        }
        // Without a mark of their own, small lines under a short rule continue the page before.
        if !is_underline && all_small && !has_lead && rule.width() < SHORT_RULE * (x1 - x0) {
            return Some(start);
        }
    }
    None
}

/// Cuts the lines of a zone into notes and adds them; lines before the first mark go to the last note.
fn split(lines: Vec<Line>, page: PageId, notes: &mut Vec<Note>) {
    let expected = notes.last().and_then(|note| ordinal(&note.marker)).map_or(1, |last| last + 1);
    let is_sure = |line: &&Line| {
        leading_mark(line).is_some_and(|mark| mark.raised || ordinal(&mark.marker) == Some(expected))
    };
    let first = lines.iter().find(is_sure).or_else(|| lines.iter().find(|line| leading_mark(line).is_some()));
    let first_left = first.map(|line| line.rect.x0);
    for mut line in lines {
        let begins = leading_mark(&line).filter(|mark| {
            let in_place =
                first_left.is_some_and(|left| (line.rect.x0 - left).abs() < SAME_INDENT * line.size);
            let last_here = notes.last().filter(|note| note.page == page);
            match (ordinal(&mark.marker), notes.last().and_then(|note| ordinal(&note.marker))) {
                (Some(n), Some(last)) if last_here.is_some() => {
                    (n == last + 1 && (in_place || mark.raised)) || (mark.raised && n > last && n <= last + 3)
                }
                (Some(n), Some(last)) => in_place && (mark.raised || n == 1 || (n > last && n <= last + 3)),
                (Some(_), None) => in_place || mark.raised,
                (None, _) => is_symbol(&mark.marker) && (in_place || mark.raised),
            }
        });
        match begins {
            Some(LeadingMark { marker, n_words, .. }) => {
                let words = line.words.split_off(n_words.min(line.words.len()));
                // The mark itself stands nowhere in the text.
                let rest = line_part(words, &line);
                notes.push(Note { marker, page, lines: rest.into_iter().collect() });
            }
            None => match notes.last_mut() {
                Some(note) => note.lines.push(line),
                None => notes.push(Note { marker: String::new(), page, lines: vec![line] }),
            },
        }
    }
}
