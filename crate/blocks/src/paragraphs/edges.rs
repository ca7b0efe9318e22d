//! The edges against which a line is measured, and whether it ends before them.

use document::Slice as _;

use crate::page::Line;
use crate::typography::{is_unspaced, usual_size};

/// The edges around a line: those of the lines near it that are not set to its left.
#[derive(Clone, Copy)]
pub(super) struct LineMeasure {
    pub(super) left: f32,
    pub(super) right: f32,
}

/// Left and right edges of a region.
pub(super) struct RegionEdges {
    pub(super) left: f32,
    pub(super) right: f32,
    /// The type size of most of its characters.
    pub(super) size: f32,
}

impl RegionEdges {
    pub(super) fn of(lines: &[Line]) -> Self {
        let column = lines.first().map_or((0.0, 0.0), |line| line.column);
        // The edges that several lines share; those of the column when lines are few.
        let edge = |mut values: Vec<f32>, share: f32, fallback: f32| {
            values.sort_by(f32::total_cmp);
            let at = ((values.len() as f32 - 1.0) * share).round();
            if values.len() < 4 { fallback } else { values.get(at as usize).copied().unwrap_or(fallback) }
        };
        Self {
            left: edge(lines.iter().map(|line| line.rect.x0).collect(), 0.1, column.0),
            right: edge(lines.iter().map(|line| line.rect.x1).collect(), 0.92, column.1),
            size: usual_size(lines.iter().map(|line| (line.size, line.n_chars()))).unwrap_or_default(),
        }
    }

    /// True if a line stands in the middle with white on both sides.
    pub(super) fn is_centred(&self, line: &Line) -> bool {
        let (column_left, column_right) = line.column;
        let em = line.size;
        let fits = |left: f32, right: f32| {
            let (before, after) = (line.rect.x0 - left, right - line.rect.x1);
            let least = before.min(after);
            let off = (before - after).abs();
            // A heading in capitals may nearly fill a narrow column.
            least > 1.2 * em && off < (0.03 * (right - left)).max(0.8 * em)
                || line.style.caps && least > 0.5 * em && off < 0.4 * em
        };
        fits(self.left, self.right) || fits(column_left, column_right)
    }

    /// The measure of the lines around line `i` that do not begin left of it.
    pub(super) fn around(&self, lines: &[Line], i: usize) -> LineMeasure {
        let Some(line) = lines.get(i) else {
            return LineMeasure { left: self.left, right: self.right };
        };
        let next_left = lines.get(i + 1).map_or(line.rect.x0, |next| next.rect.x0);
        let floor = line.rect.x0.min(next_left) - 0.5 * line.size;
        let window = lines.slice(i.saturating_sub(5)..(i + 6).min(lines.len()));
        let near = |other: &&Line| (other.size - line.size).abs() < 0.08 * line.size;
        let right =
            window.iter().filter(near).filter(|other| other.rect.x0 >= floor).map(|other| other.rect.x1);
        let left = window.iter().filter(near).map(|other| other.rect.x0).fold(line.rect.x0, f32::min);
        LineMeasure { left, right: right.fold(line.rect.x1, f32::max) }
    }
}

/// True if a line ends although the first word of the next would have fitted. Where the sentence goes on, as
/// in ragged text that was broken early, much more room is asked for.
pub(super) fn ends_short(line: &Line, next: Option<&Line>, around: LineMeasure) -> bool {
    let room = around.right - line.rect.x1;
    let width = around.right - around.left;
    let first = next.map_or(2.5 * line.size, first_word_width);
    let is_ended = line.words.last().is_some_and(|word| ends_clause(&word.text));
    let goes_on = next.and_then(|next| next.words.first()).is_some_and(|word| {
        let is_numbered = word.text.contains('.') && word.text.starts_with(|c: char| c.is_ascii_digit());
        !is_numbered && word.text.starts_with(|c: char| c.is_lowercase() || c.is_numeric())
    });
    let slack = match (is_ended, goes_on) {
        (true, false) => 0.35 * line.size + 0.01 * width,
        (false, true) => 0.5 * width,
        _ => 0.15 * width,
    };
    room > first + slack
}

/// True if a word ends a sentence or a clause that ends a paragraph.
pub(super) fn ends_clause(word: &str) -> bool {
    let bare = word.trim_end_matches(['”', '"', '’', '\'', ')', ']', '）', '」', '』', '*', '†', '‡']);
    let bare = bare.trim_end_matches(|c: char| c.is_ascii_digit() && bare.len() < 4);
    bare.is_empty() || bare.ends_with(['.', ':', ';', '?', '!', '。', '：', '；', '？', '！', '—', '…'])
}

/// The width of the first word with what is glued to it.
pub(super) fn first_word_width(line: &Line) -> f32 {
    let Some(first) = line.words.first() else { return 0.0 };
    let is_cjk = first.text.chars().next().is_some_and(is_unspaced);
    let glued = line.words.iter().skip(1).take_while(|word| word.glued && !is_cjk);
    glued.last().unwrap_or(first).rect.x1 - first.rect.x0
}
