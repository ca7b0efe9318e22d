//! Lines into pages: as many as fit above their notes, with the last note cut where it does not fit whole.
//!
//! Pages end where they may (not after a heading, not after the first line of a paragraph or before its last).
//! Quadratic in the lines of a page.

use anyhow::{Result, bail};

use super::flow::{Line, Notes, word};
use super::font::{Face, Font};
use super::printed::{Flow, SetPage, SetWord};
use super::style::Style;

/// White above the rule that stands over the notes, and below it.
const NOTE_GAP: (f64, f64) = (9.0, 3.0);

/// Distributes lines over pages.
pub(super) fn paginate(lines: Vec<Line>, mut notes: Notes, style: &Style) -> Result<Vec<SetPage>> {
    let mut pages: Vec<SetPage> = Vec::new();
    let mut carried: Vec<Line> = Vec::new();
    let mut start = 0;
    while start < lines.len() || !carried.is_empty() {
        let end = page_end(&lines, start, &carried, &notes, style);
        if end == start && carried.is_empty() {
            bail!("line {start} does not fit a page");
        }
        let mut foot = std::mem::take(&mut carried);
        for marker in lines[start..end].iter().flat_map(|line| &line.notes) {
            let Some(note) = notes.remove(marker) else { bail!("note {marker} is missing or called twice") };
            foot.extend(note);
        }
        let room = text_height(style) - height(&lines[start..end]);
        let n_fit = n_notes_that_fit(&foot, room);
        carried = foot.split_off(n_fit);
        pages.push(page(&lines[start..end], foot, pages.len(), style));
        start = end;
    }
    if let Some(marker) = notes.keys().next() {
        bail!("note {marker} is never called");
    }
    Ok(pages)
}

fn text_height(style: &Style) -> f64 {
    style.page.1 - style.margins[1] - style.margins[3]
}

/// Height of body lines, white above the first left out.
fn height(lines: &[Line]) -> f64 {
    let before = lines.first().map_or(0.0, |line| line.before);
    lines.iter().map(|line| line.leading + line.before).sum::<f64>() - before
}

fn n_notes_that_fit(foot: &[Line], room: f64) -> usize {
    let mut left = room - NOTE_GAP.0 - NOTE_GAP.1;
    let fits = |line: &&Line| {
        left -= line.leading + line.before;
        left >= -0.01
    };
    foot.iter().take_while(fits).count()
}

/// The last line that this page can hold, such that each note has two lines on it and only the last is cut.
fn page_end(lines: &[Line], start: usize, carried: &[Line], notes: &Notes, style: &Style) -> usize {
    let mut best = start;
    for end in start + 1..=lines.len() {
        if end - 1 > start && lines[end - 1].must_break {
            break;
        }
        let room = text_height(style) - height(&lines[start..end]);
        let mut needed = carried.len();
        let mut foot: Vec<Line> = carried.to_vec();
        for marker in lines[start..end].iter().flat_map(|line| &line.notes) {
            let note = notes.get(marker).map(Vec::as_slice).unwrap_or_default();
            let least = if note.len() > 3 { 2 } else { note.len() };
            needed = foot.len() + least;
            foot.extend_from_slice(note);
        }
        if room < -0.01 || n_notes_that_fit(&foot, room) < needed {
            break;
        }
        if lines.get(end).is_none_or(|next| next.may_break || next.must_break) {
            best = end;
        }
    }
    best
}

fn page(body: &[Line], foot: Vec<Line>, at: usize, style: &Style) -> SetPage {
    let label = format!("{}{}", style.label_prefix.unwrap_or_default(), at + 1);
    let mut page = SetPage { label, ..SetPage::default() };
    let mut y = style.margins[1];
    for (line_at, line) in body.iter().enumerate() {
        y += line.leading + if line_at == 0 { 0.0 } else { line.before };
        put(&mut page, line, y, Flow::Body);
    }
    if !foot.is_empty() {
        let notes_height: f64 = foot.iter().map(|line| line.leading + line.before).sum();
        y = style.page.1 - style.margins[3] - notes_height - NOTE_GAP.1;
        page.rules.push((style.margins[0], style.margins[0] + 144.0, y));
        y += NOTE_GAP.1;
        for line in &foot {
            y += line.leading + line.before;
            put(&mut page, line, y, Flow::Note);
        }
    }
    running(&mut page, at, style);
    page
}

fn put(page: &mut SetPage, line: &Line, baseline: f64, flow: Flow) {
    let words = line.words.iter().map(|word| SetWord { baseline, flow, ..word.clone() }).collect();
    page.lines.push(words);
    page.rules.extend(line.rules.iter().map(|(left, right, below)| (*left, *right, baseline + below)));
}

/// Running head and foot.
fn running(page: &mut SetPage, at: usize, style: &Style) {
    const SIZE: f64 = 8.5;
    let font = Font { family: style.family, face: Face::Roman };
    let (left, right) = (style.margins[0], style.page.0 - style.margins[2]);
    let mut add = |text: &str, place: f64, baseline: f64, flow: Flow| {
        let text = text.replace("{page}", &page.label);
        let text: Vec<&str> = text.split_whitespace().collect();
        let width = font.measure(&text.join(" "), SIZE);
        let mut x = left + (right - left - width) * place;
        let mut line = Vec::new();
        for piece in text {
            let set = SetWord { baseline, flow, ..word(piece, font, x, SIZE, usize::MAX) };
            x += set.width + font.measure(" ", SIZE);
            line.push(set);
        }
        if !line.is_empty() {
            page.lines.push(line);
        }
    };
    let has_head = at > 0 || style.head_on_first;
    if has_head {
        let baseline = style.margins[1] - 24.0;
        add(style.head[0], 0.0, baseline, Flow::Head);
        add(style.head[1], 1.0, baseline, Flow::Head);
    }
    let baseline = style.page.1 - style.margins[3] + 30.0;
    for (text, place) in style.foot.iter().zip([0.0, 0.5, 1.0]) {
        add(text, place, baseline, Flow::Foot);
    }
    if has_head && style.head.iter().any(|text| !text.is_empty()) {
        page.rules.push((left, right, style.margins[1] - 19.0));
    }
}
