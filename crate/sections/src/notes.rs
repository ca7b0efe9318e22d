//! Footnotes and the marks that call them.
//!
//! A note is linked to the marks on its page that print the same marker, in order, so that numbering which
//! starts again on every page and symbols that repeat are linked rightly. What then is left over is looked
//! for on the pages beside it (a note that began on the next page), and at last, when its marker is
//! left over once only, in the whole document (endnotes). Cost: linear in notes and marks.

use std::collections::{BTreeMap, HashMap};

use document::{BlockId, BlockKind, Diag, DiagCode, Layout, Note, PageId, Severity};

/// Most orphans that are reported one by one.
const MAX_TOLD: usize = 20;

/// Fewest notes without text between that are endnotes.
const MIN_ENDNOTES: usize = 3;

/// The notes of a document in reading order.
pub(crate) fn collect(layout: &Layout, diags: &mut Vec<Diag>) -> Vec<Note> {
    let mut notes = gather(layout);
    link(layout, &mut notes);
    report_orphans(layout, &notes, diags);
    notes
}

/// One note for each footnote block that has a marker; blocks without one go on with the note before them.
fn gather(layout: &Layout) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for (at, block) in layout.blocks.iter().enumerate().filter(|(_, block)| block.kind == BlockKind::Footnote)
    {
        let id = BlockId::from_idx(at);
        let page = layout.words.words_in(block.range).next().map(|word| word.page);
        match (&block.marker, notes.last_mut()) {
            (None, Some(last)) if near(last.page, page) => last.blocks.push(id),
            (marker, _) => notes.push(Note {
                marker: marker.clone().unwrap_or_default(),
                page,
                blocks: vec![id],
                marks: Vec::new(),
            }),
        }
    }
    notes
}

fn near(a: Option<PageId>, b: Option<PageId>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.0.abs_diff(b.0) <= 1,
        _ => true,
    }
}

fn link(layout: &Layout, notes: &mut [Note]) {
    let keys: Vec<String> = notes.iter().map(|note| key(&note.marker)).collect();
    let mut free_marks: BTreeMap<(String, Option<PageId>), Vec<u32>> = BTreeMap::new();
    for (at, mark) in (0u32..).zip(&layout.marks) {
        free_marks.entry((key(&mark.marker), mark.page)).or_default().push(at);
    }
    // On the page: pair in order; what marks are left belong to the last note of that marker.
    let mut on_page: BTreeMap<(String, Option<PageId>), Vec<usize>> = BTreeMap::new();
    for (at, (note, key)) in notes.iter().zip(&keys).enumerate().filter(|(_, (_, key))| !key.is_empty()) {
        on_page.entry((key.clone(), note.page)).or_default().push(at);
    }
    for (place, members) in &on_page {
        let Some(marks) = free_marks.remove(place) else { continue };
        for (n, mark) in marks.into_iter().enumerate() {
            let member = members.get(n).or_else(|| members.last());
            if let Some(note) = member.and_then(|&at| notes.get_mut(at)) {
                note.marks.push(mark);
            }
        }
    }
    // On the pages beside it.
    for (note, key) in
        notes.iter_mut().zip(&keys).filter(|(note, key)| note.marks.is_empty() && !key.is_empty())
    {
        let Some(page) = note.page else { continue };
        let beside = [page.0.checked_sub(1), page.0.checked_add(1)];
        let place = beside
            .into_iter()
            .flatten()
            .map(|page| (key.clone(), Some(PageId(page))))
            .find(|place| free_marks.contains_key(place));
        if let Some(marks) = place.and_then(|place| free_marks.remove(&place)) {
            note.marks = marks;
        }
    }
    link_endnotes(layout, notes, &keys, &mut free_marks);
    // Anywhere, if there is no doubt.
    let mut left: HashMap<&str, usize> = HashMap::new();
    for (note, key) in notes.iter().zip(&keys).filter(|(note, _)| note.marks.is_empty()) {
        if !key.is_empty() && (note.page.is_none() || !key.starts_with(['*', '†', '‡'])) {
            *left.entry(key).or_default() += 1;
        }
    }
    let mut marks_of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for ((key, _), marks) in free_marks {
        marks_of.entry(key).or_default().extend(marks);
    }
    for (note, key) in notes.iter_mut().zip(&keys).filter(|(note, _)| note.marks.is_empty()) {
        if left.get(key.as_str()) == Some(&1)
            && let Some(marks) = marks_of.remove(key).filter(|marks| marks.len() == 1)
        {
            note.marks = marks;
        }
    }
}

/// Notes that follow each other without text between are endnotes: a mark calls the next one after it with its
/// marker, so that chapters whose numbering starts again keep theirs; past the last run, the one before it.
fn link_endnotes(
    layout: &Layout,
    notes: &mut [Note],
    keys: &[String],
    free_marks: &mut BTreeMap<(String, Option<PageId>), Vec<u32>>,
) {
    let block = |note: &Note, first: bool| {
        if first { note.blocks.first() } else { note.blocks.last() }.map(|id| id.0)
    };
    let follows =
        |a: &Note, b: &Note| matches!((block(a, false), block(b, true)), (Some(a), Some(b)) if b == a + 1);
    let mut by_key: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut from = 0;
    while from < notes.len() {
        let mut end = from + 1;
        while end < notes.len()
            && matches!((notes.get(end - 1), notes.get(end)), (Some(a), Some(b)) if follows(a, b))
        {
            end += 1;
        }
        if end - from >= MIN_ENDNOTES {
            for at in from..end {
                if let (Some(note), Some(key)) = (notes.get(at), keys.get(at))
                    && note.marks.is_empty()
                    && !key.is_empty()
                {
                    by_key.entry(key).or_default().push(at);
                }
            }
        }
        from = end;
    }
    let mut marks_of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    free_marks.retain(|(key, _), marks| {
        let taken = by_key.contains_key(key.as_str());
        if taken {
            marks_of.entry(key.clone()).or_default().append(marks);
        }
        !taken
    });
    for (key, marks) in marks_of {
        let Some(own) = by_key.get(key.as_str()) else { continue };
        let start = |at: usize| {
            let id = notes.get(at).and_then(|note| note.blocks.first())?;
            layout.blocks.get(id.idx()).map(|block| block.range.start)
        };
        let starts: Vec<u32> = own.iter().map(|&at| start(at).unwrap_or(u32::MAX)).collect();
        for mark in marks {
            let Some(place) = layout.marks.get(mark as usize).map(|mark| mark.at) else { continue };
            let next = starts.partition_point(|&start| start < place).min(own.len().saturating_sub(1));
            if let Some(note) = own.get(next).and_then(|&at| notes.get_mut(at)) {
                note.marks.push(mark);
            }
        }
    }
}

/// A marker without what may stand around it: `[3]`, `3.`, `³` and `(3)` are all 3.
fn key(marker: &str) -> String {
    marker
        .chars()
        .map(|c| match c {
            '⁰' => '0',
            '¹' => '1',
            '²' => '2',
            '³' => '3',
            '⁴'..='⁹' => char::from_digit(u32::from(c) - 0x2070, 10).unwrap_or(c),
            '①'..='⑨' => char::from_digit(u32::from(c) - 0x245F, 10).unwrap_or(c),
            '∗' | '＊' => '*',
            c => c,
        })
        .filter(|c| c.is_alphanumeric() || matches!(c, '*' | '†' | '‡' | '§' | '¶' | '#' | '‖'))
        .flat_map(char::to_lowercase)
        .take(16)
        .collect()
}

fn report_orphans(layout: &Layout, notes: &[Note], diags: &mut Vec<Diag>) {
    let mut called = vec![false; layout.marks.len()];
    for &mark in notes.iter().flat_map(|note| &note.marks) {
        if let Some(slot) = called.get_mut(mark as usize) {
            *slot = true;
        }
    }
    let orphan = |message: &str, page: Option<PageId>| Diag {
        code: DiagCode::OrphanNote,
        severity: Severity::Info,
        message: message.to_owned(),
        hint: String::new(),
        page,
    };
    let without_mark = notes.iter().filter(|note| note.marks.is_empty());
    let without_note = layout.marks.iter().zip(&called).filter(|(_, called)| !**called);
    let reported: Vec<Diag> = without_mark
        .map(|note| orphan("a footnote that no mark calls", note.page))
        .chain(without_note.map(|(mark, _)| orphan("a footnote mark without a note", mark.page)))
        .collect();
    let n_more = reported.len().saturating_sub(MAX_TOLD);
    diags.extend(reported.into_iter().take(MAX_TOLD));
    if n_more > 0 {
        diags.push(orphan(&format!("{n_more} more footnotes or marks without their counterpart"), None));
    }
}
