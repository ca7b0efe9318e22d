//! Lines: the words of a region that are read in one go, raised words among them.
//!
//! Words with one baseline make a line. A smaller word whose baseline lies above or below a line's, within
//! its reach, belongs to that line: above it is raised, as note marks are.
//!
//! Cost: a sort of the words of a region.

use document::{PageId, Rect};

use crate::bidi;
use crate::columns::Region;
use crate::rows::{has_space, rows};
use crate::words::{Looks, Sheet, Word};

/// A line of a column.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub page: PageId,
    /// Position of its region on its page.
    pub region: usize,
    /// Left and right edge of its column.
    pub column: (f32, f32),
    pub words: Vec<Word>,
    pub rect: Rect,
    pub baseline: f32,
    /// The type size of most of its characters.
    pub size: f32,
    pub looks: LineLooks,
}

/// The looks of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LineLooks {
    /// All of it is bold.
    pub bold: bool,
    /// All of it is italic.
    pub italic: bool,
    /// All its letters are capitals or small capitals, and there are some.
    pub caps: bool,
    /// A rule runs under all of it but its number.
    pub underlined: bool,
    /// A rule runs under its first word.
    pub starts_underlined: bool,
}

impl Line {
    /// Its text, words separated by spaces where there are gaps.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (i, word) in self.words.iter().enumerate() {
            if i > 0 && !word.glued {
                text.push(' ');
            }
            text.push_str(word.text.trim_end_matches('\u{ad}'));
        }
        text
    }

    /// Number of characters, spaces left out.
    pub(crate) fn n_chars(&self) -> usize {
        self.words.iter().map(Word::n_chars).sum()
    }

    /// The line of these words; `None` without words.
    pub(crate) fn of(
        words: Vec<Word>,
        page: PageId,
        region: usize,
        column: (f32, f32),
        rules: &[Rect],
    ) -> Option<Self> {
        let rect = words.iter().map(|word| word.rect).reduce(|a, b| a.union(&b))?;
        let size =
            usual_size(words.iter().filter(|word| !word.raised).map(|word| (word.size, word.n_chars())))
                .or_else(|| words.first().map(|word| word.size))?;
        let baseline =
            words.iter().find(|word| !word.raised && word.size >= 0.85 * size).or(words.first())?.baseline;
        let looks = looks(&words, &rect, baseline, size, rules);
        let size = if looks.caps { capital_size(&words, size) } else { size };
        let mut line = Self { page, region, column, words, rect, baseline, size, looks };
        line.space();
        Some(line)
    }

    /// Decides which words are glued to the word before them.
    fn space(&mut self) {
        let spaces: Vec<bool> = self.words.windows(2).map(|pair| has_space(&pair[0], &pair[1])).collect();
        for (i, word) in self.words.iter_mut().enumerate() {
            word.glued = i > 0 && !spaces.get(i - 1).copied().unwrap_or(true);
        }
    }
}

/// The nominal size of a line of capitals: small capitals are often made of capitals of a smaller size, each
/// word behind a first letter of the full one.
fn capital_size(words: &[Word], size: f32) -> f32 {
    let is_initial = |pair: &&[Word]| {
        let ratio = pair[0].size / pair[1].size.max(0.1);
        !pair[0].raised
            && pair[0].n_chars() == 1
            && (1.1..1.5).contains(&ratio)
            && !has_space(&pair[0], &pair[1])
    };
    let initials = words.windows(2).filter(is_initial).map(|pair| pair[0].size);
    initials.fold(size, f32::max)
}

/// The size that most characters have.
pub(crate) fn usual_size(sizes: impl Iterator<Item = (f32, usize)>) -> Option<f32> {
    let mut counts: Vec<(f32, usize)> = Vec::new();
    for (size, n) in sizes {
        match counts.iter_mut().find(|(other, _)| (*other - size).abs() <= 0.02 * size + 0.05) {
            Some((_, count)) => *count += n.max(1),
            None => counts.push((size, n.max(1))),
        }
        // Sizes of a hostile file may be as many as its characters.
        if counts.len() > 64 {
            counts.sort_by(|a, b| b.1.cmp(&a.1).then(b.0.total_cmp(&a.0)));
            counts.truncate(32);
        }
    }
    counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0))).map(|(size, _)| size)
}

/// The lines of a region from top to bottom.
pub(crate) fn build(region: Region, at: usize, sheet: &Sheet) -> Vec<Line> {
    let Region { words, x0, x1 } = region;
    let rows = rows(&words);
    let host = hosts(&rows, &words);
    let mut slots: Vec<Option<Word>> = words.into_iter().map(Some).collect();
    let mut lines: Vec<Vec<Word>> = vec![Vec::new(); rows.len()];
    for (r, row) in rows.iter().enumerate() {
        for (&i, &to) in row.words.iter().zip(host.get(r).map_or(&[][..], Vec::as_slice)) {
            let Some(mut word) = slots.get_mut(i).and_then(Option::take) else { continue };
            if to != r {
                let above = rows.get(to).is_some_and(|line| line.baseline > word.baseline);
                word.raised |= above;
            }
            if let Some(line) = lines.get_mut(to) {
                line.push(word);
            }
        }
    }
    lines
        .into_iter()
        .filter_map(|mut words| {
            words.sort_by(|a, b| a.rect.x0.total_cmp(&b.rect.x0));
            Line::of(words, sheet.page, at, (x0, x1), &sheet.rules)
        })
        .map(bidi::in_reading_order)
        .collect()
}

/// For each word of each row, the row to whose line it belongs: its own, or a neighbour's for a small word
/// beside larger ones.
fn hosts(rows: &[crate::rows::Row], words: &[Word]) -> Vec<Vec<usize>> {
    let mut hosts: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    for (r, row) in rows.iter().enumerate() {
        let of = |i: &usize| -> usize {
            let Some(word) = words.get(*i) else { return r };
            let near = [r + 1, r.wrapping_sub(1), r + 2, r.wrapping_sub(2)];
            let candidate =
                near.into_iter().find(|&n| rows.get(n).is_some_and(|line| belongs(word, row, line, words)));
            candidate.unwrap_or(r)
        };
        hosts.push(row.words.iter().map(of).collect());
    }
    // A row that gives all its words away takes none.
    for r in 0..hosts.len() {
        for i in 0..hosts.get(r).map_or(0, Vec::len) {
            let to = hosts.get(r).and_then(|own| own.get(i)).copied().unwrap_or(r);
            let gone = to != r && hosts.get(to).is_some_and(|own| own.iter().all(|&next| next != to));
            if gone && let Some(slot) = hosts.get_mut(r).and_then(|own| own.get_mut(i)) {
                *slot = r;
            }
        }
    }
    hosts
}

fn belongs(word: &Word, own: &crate::rows::Row, line: &crate::rows::Row, words: &[Word]) -> bool {
    let is_small = word.size <= 0.85 * line.size;
    let is_lone = own.words.len() <= 2
        && word.n_chars() <= 4
        && word.size <= 1.02 * line.size
        && own.words.len() < line.words.len();
    let up = line.baseline - word.baseline;
    let reach = if is_small { -0.35 * line.size..0.75 * line.size } else { 0.0..0.5 * line.size };
    if !(is_small || is_lone) || !reach.contains(&up) {
        return false;
    }
    let em = line.size;
    // The words of a row are in order: only those around the word's place can touch it.
    let x0_of = |&i: &usize| words.get(i).map_or(f32::MAX, |word| word.rect.x0);
    let after = line.words.partition_point(|i| x0_of(i) <= word.rect.x1 + 0.8 * em);
    let near = line.words.get(after.saturating_sub(8)..after).unwrap_or_default();
    near.iter().filter_map(|&i| words.get(i)).any(|other| {
        other.size >= word.size
            && word.rect.x0 < other.rect.x1 + 0.6 * em
            && word.rect.x1 > other.rect.x0 - 0.8 * em
    })
}

fn looks(words: &[Word], rect: &Rect, baseline: f32, size: f32, rules: &[Rect]) -> LineLooks {
    let mut all = Looks { bold: true, italic: true, small_caps: true };
    let (mut n_letters, mut n_lower) = (0usize, 0usize);
    let mut any = false;
    for word in words.iter().filter(|word| !word.raised && word.text.chars().any(char::is_alphanumeric)) {
        any = true;
        all.bold &= word.looks.bold;
        all.italic &= word.looks.italic;
        all.small_caps &= word.looks.small_caps;
        for c in word.text.chars().filter(|c| c.is_alphabetic()) {
            n_letters += 1;
            n_lower += usize::from(c.is_lowercase());
        }
    }
    let has_cases = words.iter().any(|word| word.text.chars().any(char::is_uppercase));
    let first = rules.partition_point(|rule| rule.y_mid() < baseline - 0.05 * size);
    let near = rules
        .get(first..)
        .unwrap_or_default()
        .iter()
        .take_while(|rule| rule.y_mid() < baseline + 0.35 * size);
    let within = |rule: &&Rect| rule.x0 > rect.x0 - 0.5 * size && rule.x1 < rect.x1 + 0.5 * size;
    let rules: Vec<&Rect> = near.take(64).filter(within).collect();
    let under = |rect: &Rect| -> f32 { rules.iter().map(|rule| rule.x_overlap(rect)).sum() };
    // The number of a heading is seldom underlined.
    let titled = match words {
        [number, title, ..]
            if number.n_chars() <= 6 && text::wording::marker_kind(&number.text).is_some() =>
        {
            Rect { x0: title.rect.x0, ..*rect }
        }
        _ => *rect,
    };
    LineLooks {
        bold: any && all.bold,
        italic: any && all.italic,
        caps: n_letters >= 3 && has_cases && (n_lower == 0 || (all.small_caps && n_lower > 0)),
        underlined: any
            && under(&titled) > 0.85 * titled.width()
            && words.last().is_some_and(|word| under(&word.rect) > 0.5 * word.rect.width()),
        starts_underlined: words.first().is_some_and(|word| under(&word.rect) > 0.5 * word.rect.width()),
    }
}
