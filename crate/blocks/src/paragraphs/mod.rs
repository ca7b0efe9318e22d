//! Paragraphs: lines that belong together.
//!
//! Two lines of a region are parted by more white than usual, by a change of size or weight, by an indent,
//! by a line that ends although the next word would have fitted, or by the marker of a list item. The edges
//! against which a line is measured are those of the lines around it, so that block quotations and columns of
//! any width follow the same rules.
//!
//! Cost: linear in the lines (a window of a few lines around each).

use text::wording::{is_contents_title, marker_kind};

use crate::page::{Line, Paragraph, Word};
use crate::typography::{Marker, ends_in_page_number, is_lone_number, is_unspaced, list_marker, usual_size};

/// Markers that may stand before the text of a line, as in "1.1.1 (1) (a)".
const MAX_MARKERS: usize = 2;
/// Fewest line ends within a sentence that tell the leading of a region.
const MIN_CONTINUED: usize = 2;
/// The same where they are parted by more than lines usually are.
const MIN_WIDER: usize = 4;

/// The edges around a line: those of the lines near it that are not set to its left.
#[derive(Clone, Copy)]
struct Measure {
    left: f32,
    right: f32,
}

/// Adds the paragraphs of these lines, which are of one region and of no table.
pub(crate) fn group(lines: &[Line], paragraphs: &mut Vec<Paragraph>) {
    let edges = Edges::of(lines);
    let leading = usual_leading(lines, &edges);
    let markers: Vec<Option<Marker>> = lines.iter().map(list_marker).collect();
    let breaks: Vec<bool> = (0..lines.len()).map(|i| i == 0 || is_break(lines, i, leading, &edges)).collect();
    let centred: Vec<bool> = lines.iter().map(|line| edges.is_centred(line)).collect();
    let mut last_baseline: Option<f32> = None;
    let mut open: Option<Paragraph> = None;
    for (i, line) in lines.iter().enumerate() {
        let begins = match &open {
            None => true,
            Some(paragraph) => {
                breaks.get(i).copied().unwrap_or(true) || breaks_within(paragraph, i, lines, &markers, &edges)
            }
        };
        if begins {
            paragraphs.extend(open.take());
            let mut paragraph = Paragraph::of(Vec::new());
            paragraph.white =
                last_baseline.map_or(f32::INFINITY, |last| (line.baseline - last) / line.size.max(0.1));
            paragraph.indented = line.rect.x0 > edges.around(lines, i).left + 0.8 * line.size;
            paragraph.centered = centred.get(i).copied().unwrap_or(false);
            open = Some(paragraph);
        }
        if let Some(paragraph) = &mut open {
            paragraph.centered &= centred.get(i).copied().unwrap_or(false);
            let next = lines.get(i + 1);
            let mut around = edges.around(lines, i);
            if next.is_none() {
                around.right = around.right.max(edges.right);
            }
            paragraph.ends_short = ends_short(line, next, around);
            paragraph.lines.push(line.clone());
        }
        last_baseline = Some(line.baseline);
    }
    paragraphs.extend(open);
}

/// The usual distance between baselines within a paragraph, in points: measured where a sentence certainly goes
/// on in the next line, because on a page of short paragraphs most lines are parted by more.
fn usual_leading(lines: &[Line], edges: &Edges) -> f32 {
    let steps_of = |of: &dyn Fn(&Line, &Line) -> bool| -> Vec<f32> {
        let alike = |pair: &&[Line]| (pair[0].size - pair[1].size).abs() < 0.05 * pair[0].size;
        let pairs = lines.windows(2).filter(alike).filter(|pair| of(&pair[0], &pair[1]));
        let mut steps: Vec<f32> =
            pairs.map(|pair| pair[1].baseline - pair[0].baseline).filter(|&step| step > 0.5).collect();
        steps.sort_by(f32::total_cmp);
        steps
    };
    let steps = steps_of(&|_, _| true);
    let usual = steps.get(steps.len() * 2 / 5).copied().unwrap_or(f32::INFINITY);
    let continued = steps_of(&|line, next| is_continued(line, next, edges.right));
    match continued.get(continued.len() / 2) {
        Some(&step) if continued.len() >= MIN_CONTINUED && (step < usual || continued.len() >= MIN_WIDER) => {
            step
        }
        _ => usual,
    }
}

/// Whether a sentence certainly goes on in the next line: it is open, and there was no room for the next word.
fn is_continued(line: &Line, next: &Line, right: f32) -> bool {
    let is_open = line.words.last().is_some_and(|word| word.text.ends_with(char::is_alphanumeric));
    is_open
        && right - line.rect.x1 < first_word_width(next) + 0.5 * line.size
        && next.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
}

/// Left and right edges of a region.
struct Edges {
    left: f32,
    right: f32,
    /// The type size of most of its characters.
    size: f32,
}

impl Edges {
    fn of(lines: &[Line]) -> Self {
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

    /// Whether a line stands in the middle with white on both sides.
    fn is_centred(&self, line: &Line) -> bool {
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
    fn around(&self, lines: &[Line], i: usize) -> Measure {
        let Some(line) = lines.get(i) else {
            return Measure { left: self.left, right: self.right };
        };
        let next_left = lines.get(i + 1).map_or(line.rect.x0, |next| next.rect.x0);
        let floor = line.rect.x0.min(next_left) - 0.5 * line.size;
        let window = lines.get(i.saturating_sub(5)..(i + 6).min(lines.len())).unwrap_or_default();
        let near = |other: &&Line| (other.size - line.size).abs() < 0.08 * line.size;
        let right =
            window.iter().filter(near).filter(|other| other.rect.x0 >= floor).map(|other| other.rect.x1);
        let left = window.iter().filter(near).map(|other| other.rect.x0).fold(line.rect.x0, f32::min);
        Measure { left, right: right.fold(line.rect.x1, f32::max) }
    }
}

/// Whether a line ends although the first word of the next would have fitted. Where the sentence goes on, as
/// in ragged text that was broken early, much more room is asked for.
fn ends_short(line: &Line, next: Option<&Line>, around: Measure) -> bool {
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

/// Whether a word ends a sentence or a clause that ends a paragraph.
fn ends_clause(word: &str) -> bool {
    let bare = word.trim_end_matches(['”', '"', '’', '\'', ')', ']', '）', '」', '』', '*', '†', '‡']);
    let bare = bare.trim_end_matches(|c: char| c.is_ascii_digit() && bare.len() < 4);
    bare.is_empty() || bare.ends_with(['.', ':', ';', '?', '!', '。', '：', '；', '？', '！', '—', '…'])
}

/// The width of the first word with what is glued to it.
fn first_word_width(line: &Line) -> f32 {
    let Some(first) = line.words.first() else { return 0.0 };
    let is_cjk = first.text.chars().next().is_some_and(is_unspaced);
    let glued = line.words.iter().skip(1).take_while(|word| word.glued && !is_cjk);
    glued.last().unwrap_or(first).rect.x1 - first.rect.x0
}

/// Whether line `i` begins a paragraph, judged by its neighbours alone.
fn is_break(lines: &[Line], i: usize, leading: f32, edges: &Edges) -> bool {
    let (Some(above), Some(line)) = (i.checked_sub(1).and_then(|i| lines.get(i)), lines.get(i)) else {
        return true;
    };
    let step = line.baseline - above.baseline;
    let size = line.size.max(above.size);
    if step <= 0.0 || (above.size - line.size).abs() > 0.08 * size && !sizes_meet(above, line) {
        return true;
    }
    // The title of a table of contents stands alone; so does its line for a chapter, below a line with room.
    let is_title = |line: &Line| line.words.len() <= 6 && is_contents_title(&line.text());
    if is_title(above) || is_title(line) {
        return true;
    }
    if is_pair(above) && is_pair(line) {
        return true;
    }
    let has_room = edges.right - above.rect.x1 > 3.0 * size;
    if is_article_start(line) && (has_room || edges.is_centred(above) && edges.is_centred(line)) {
        return true;
    }
    if begins_run_in(line)
        && above.words.last().is_some_and(|word| !word.style.bold && ends_clause(&word.text))
    {
        return true;
    }
    if is_loud(above) && is_loud(line) && is_numbered_title(line) {
        return true;
    }
    // More white than between the lines around.
    let usual = if leading.is_finite() { leading.max(size) } else { 1.3 * size };
    // Larger type has wider leading.
    let body = edges.size.max(0.1);
    let usual = if line.size > 1.1 * body && above.size > 1.1 * body { usual * size / body } else { usual };
    // Headings alone in a region tell nothing of its leading.
    let usual =
        if lines.len() < 5 && is_loud(above) && is_loud(line) { usual.min(1.5 * size) } else { usual };
    if step > 1.22 * usual + 0.5 && step > 1.25 * size {
        return true;
    }
    let (a, b) = (above.style, line.style);
    if (a.bold != b.bold && changes_weight(above, line))
        || (a.caps != b.caps
            && above.n_chars().min(line.n_chars()) > 3
            && (a.bold || edges.is_centred(above))
            && a.bold != b.bold)
    {
        return true;
    }
    // A line of another face that leaves room is a heading of its own.
    let room = edges.around(lines, i - 1).right - above.rect.x1;
    let changes_face = a.italic != b.italic
        && above.words.last().map(|w| w.style.italic) != line.words.first().map(|w| w.style.italic);
    let changes_size = (above.size - line.size).abs() > 0.04 * size && !sizes_meet(above, line);
    if changes_face && changes_size {
        return true;
    }
    if (changes_face || changes_size || a.underlined != b.underlined)
        && room > first_word_width(line) + 0.5 * size
    {
        return true;
    }
    if a.underlined && !b.starts_underlined && above.words.len() > 1 {
        return true;
    }
    let is_alike = a.caps == b.caps && a.underlined == b.underlined && a.italic == b.italic;
    if ends_in_page_number(above) {
        return true;
    }
    let (above_centred, centred) = (edges.is_centred(above), edges.is_centred(line));
    let is_lone = above_centred && centred && (is_lone_number(&above.text()) || is_lone_number(&line.text()));
    if is_lone {
        return true;
    }
    if above_centred && centred && is_alike || is_centred_under(above, line, lines.get(i + 1), edges) {
        return false;
    }
    // Centred text leaves room on both sides.
    let is_narrow = above.rect.width() < 0.8 * (edges.right - edges.left);
    if above_centred
        && is_narrow
        && !line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
    {
        return true;
    }
    let around = edges.around(lines, i - 1);
    ends_short(above, Some(line), around) && !is_ragged_title(above, line, around) && !is_stanza(lines, i)
}

/// Whether line `i` goes on in an address or another stanza of short lines: at least three below each other, all
/// much narrower than the column, none of which ends a clause before the last.
fn is_stanza(lines: &[Line], i: usize) -> bool {
    const MIN_LINES: usize = 3;
    let is_short = |line: &Line| line.rect.width() < 0.55 * (line.column.1 - line.column.0);
    let goes_on = |pair: &[Line]| {
        let (above, line) = (&pair[0], &pair[1]);
        let em = line.size;
        is_short(above)
            && is_short(line)
            && above.style == line.style
            && (above.size - line.size).abs() < 0.03 * em
            && (above.rect.x0 - line.rect.x0).abs() < 0.2 * em
            && line.baseline - above.baseline < 1.35 * em
            && !above.words.last().is_some_and(|word| {
                word.text.ends_with(['.', ':', ';', '。', '；', '：']) && word.n_chars() > 3
            })
            && list_marker(line).is_none()
            && !ends_in_page_number(line)
    };
    let after = lines
        .get(i - 1..)
        .unwrap_or_default()
        .windows(2)
        .take(MIN_LINES)
        .take_while(|pair| goes_on(pair))
        .count();
    let before = lines
        .get(..i)
        .unwrap_or_default()
        .windows(2)
        .rev()
        .take(MIN_LINES)
        .take_while(|pair| goes_on(pair))
        .count();
    after > 0 && after + before + 1 >= MIN_LINES
}

/// Whether two lines are of one bold title that was broken where its sense allows.
fn is_ragged_title(above: &Line, line: &Line, around: Measure) -> bool {
    let is_bold = above.style.bold && line.style.bold && above.style == line.style;
    let is_under = (above.rect.x0 - line.rect.x0).abs() < 0.2 * line.size;
    let room = around.right - above.rect.x1;
    let is_open = !above.words.last().is_some_and(|word| ends_clause(&word.text));
    is_bold
        && is_under
        && is_open
        && line.baseline - above.baseline < 1.35 * line.size
        && room < 0.5 * (around.right - around.left)
        && !is_numbered_title(line)
}

/// Whether one line ends in the size in which the next begins, as a sentence behind a run-in heading of another
/// size does.
fn sizes_meet(above: &Line, line: &Line) -> bool {
    let last = above.words.iter().rev().find(|word| !word.raised);
    let (Some(last), Some(first)) = (last, line.words.first()) else { return false };
    let mixed = |line: &Line| line.words.iter().any(|word| (word.size - line.size).abs() > 0.08 * line.size);
    (last.size - first.size).abs() < 0.04 * first.size
        && last.style.bold == first.style.bold
        && (mixed(above) || mixed(line))
}

/// Whether a line begins with a heading that runs into its text: bold words that a colon, a stop or a dash closes,
/// and more that is not bold.
fn begins_run_in(line: &Line) -> bool {
    let n_bold = line.words.iter().take_while(|word| word.style.bold).count();
    let closed = n_bold.checked_sub(1).and_then(|last| line.words.get(last));
    let begins = line.words.first().is_some_and(|word| word.text.starts_with(char::is_uppercase));
    let is_capital = line.words.first().is_some_and(|word| word.n_chars() > 2);
    begins
        && is_capital
        && n_bold < line.words.len()
        && n_bold <= 8
        && closed.is_some_and(|word| word.text.ends_with([':', '.', '—']))
}

/// Whether a line is a label and, far from it, its value.
fn is_pair(line: &Line) -> bool {
    line.words.windows(2).filter(|pair| pair[1].rect.x0 - pair[0].rect.x1 > 4.0 * line.size).count() == 1
}

/// Whether a line is set as headings are.
fn is_loud(line: &Line) -> bool {
    line.style.bold || line.style.caps
}

/// Whether a line begins with the number of a section and goes on: "5. SALES", "ARTICLE IV".
fn is_numbered_title(line: &Line) -> bool {
    let number = line.words.first().map(|word| word.text.as_str()).unwrap_or_default();
    let is_word = matches!(
        number,
        "ARTICLE" | "Article" | "SECTION" | "Section" | "PART" | "Part" | "CHAPTER" | "Chapter"
    ) && line.words.get(1).is_some_and(|word| {
        let bare = word.text.trim_end_matches(['.', ':', '—']);
        text::numerals::long_roman(&bare.to_lowercase()).is_some()
            || bare.starts_with(|c: char| c.is_ascii_digit())
    });
    is_word || list_marker(line).is_some_and(|marker| !marker.is_bullet && marker.text.ends_with('.'))
}

/// Whether a centred line ends what a wide line above it began, as the last line of a long title does.
fn is_centred_under(above: &Line, line: &Line, next: Option<&Line>, edges: &Edges) -> bool {
    let em = line.size;
    let same_middle = (above.rect.x_mid() - line.rect.x_mid()).abs() < 0.6 * em;
    let is_narrower = line.rect.width() < above.rect.width() - 2.0 * em;
    let stands_out = line.style.bold || line.style.caps;
    let is_quote = next.is_some_and(|next| {
        (next.rect.x0 - line.rect.x0).abs() < 0.3 * em && (next.size - line.size).abs() < 0.03 * em
    });
    let is_ended = above.words.last().is_some_and(|word| ends_clause(&word.text));
    let same_looks = above.style.bold == line.style.bold && above.style.caps == line.style.caps;
    same_middle
        && is_narrower
        && same_looks
        && !is_ended
        && edges.is_centred(line)
        && (stands_out || !is_quote)
}

/// Whether the weight changes between two lines, not only within a sentence that begins or ends in bold.
fn changes_weight(above: &Line, line: &Line) -> bool {
    let bold_at = |word: Option<&Word>| word.is_some_and(|word| word.style.bold);
    let (end, start) = (bold_at(above.words.last()), bold_at(line.words.first()));
    end != start
}

/// Whether a line begins a paragraph, judged by the one it would continue.
fn breaks_within(
    paragraph: &Paragraph,
    i: usize,
    lines: &[Line],
    markers: &[Option<Marker>],
    edges: &Edges,
) -> bool {
    let (Some(first), Some(last)) = (paragraph.lines.first(), paragraph.lines.last()) else { return false };
    let Some(line) = lines.get(i) else { return true };
    let n_lines = paragraph.lines.len();
    let is_item = markers.get(i.saturating_sub(n_lines)).is_some_and(Option::is_some);
    let em = line.size;
    // More white than between the paragraph's own lines.
    if let [a, b, ..] = paragraph.lines.as_slice() {
        let own = b.baseline - a.baseline;
        if own > 0.0 && line.baseline - last.baseline > 1.25 * own + 0.5 {
            return true;
        }
    }
    if paragraph.centered && edges.is_centred(line) || is_centred_under(last, line, lines.get(i + 1), edges) {
        return false;
    }
    let last_text = last.text();
    if let Some(Some(marker)) = markers.get(i) {
        let ended = last_text.ends_with(['.', ';', ':', ',', '。', '；', '：', '—', '?', '!'])
            || last_text.ends_with(" and")
            || last_text.ends_with(" or");
        // Another item of the list within a page's length.
        let window = i.saturating_sub(60)..(i + 60).min(lines.len());
        let in_place = window.filter(|&other| other != i).any(|other| {
            markers
                .get(other)
                .is_some_and(|other| other.as_ref().is_some_and(|other| other.kind == marker.kind))
                && lines.get(other).is_some_and(|other| (other.rect.x0 - line.rect.x0).abs() < 0.3 * em)
        });
        let is_set_in = (line.rect.x0 - first.rect.x0).abs() > 0.6 * em || is_item;
        if marker.is_bullet || (ended && (in_place || is_set_in)) {
            return true;
        }
    }
    if is_article_start(line) && last_text.ends_with(['。', '.', ';', '；']) {
        return true;
    }
    // Set in: the first line of a paragraph, unless it hangs under a marker.
    let set_in = line.rect.x0 - last.rect.x0;
    let hangs = n_lines == 1 && hangs_under(last, line.rect.x0);
    let is_lower = line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase));
    let goes_on = is_lower && !last.words.last().is_some_and(|word| ends_clause(&word.text));
    if set_in > 0.7 * em && !hangs && !(goes_on && n_lines == 1) {
        // A first line that hangs out, whose continuation is set in like the line after it.
        let next_agrees = lines.get(i + 1).is_some_and(|next| (next.rect.x0 - line.rect.x0).abs() < 0.3 * em);
        let hanging = n_lines == 1 && next_agrees && is_item;
        if !hanging {
            return true;
        }
    }
    // Two first lines under each other: this one is set in like the paragraph's only line, the next is not.
    let next_out = lines.get(i + 1).is_some_and(|next| next.rect.x0 < line.rect.x0 - 0.7 * em);
    if n_lines == 1 && set_in.abs() < 0.3 * em && next_out && paragraph.indented && !is_lower && !is_item {
        return true;
    }
    // Set out again after at least two lines.
    let second = paragraph.lines.get(1).map_or(first.rect.x0, |line| line.rect.x0);
    n_lines >= 2 && line.rect.x0 < second - 0.7 * em
}

/// Whether text that begins at `x` hangs under a line: where the text after its leading markers begins ("(a)",
/// "1.1.1 (1)"), or after one of its first words that wide white follows.
fn hangs_under(line: &Line, x: f32) -> bool {
    let near = |word: Option<&Word>| word.is_some_and(|word| (word.rect.x0 - x).abs() < 0.8 * line.size);
    let after_marker = list_marker(line).is_some_and(|marker| near(line.words.get(marker.n_words)));
    let mut numbers = line.words.windows(2).take(MAX_MARKERS).take_while(|pair| is_number(&pair[0].text));
    let wide = |pair: &[Word]| pair[1].rect.x0 - pair[0].rect.x1 > 0.9 * line.size;
    after_marker
        || numbers.any(|pair| near(pair.get(1)))
        || line.words.windows(2).take(MAX_MARKERS).any(|pair| wide(pair) && near(pair.get(1)))
}

/// Whether a word numbers what follows: "(1)", "a.", "3.2.1".
fn is_number(word: &str) -> bool {
    let is_decimal = word.contains('.')
        && word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b == b'.' || b.is_ascii_alphanumeric());
    is_decimal || marker_kind(word).is_some()
}

/// Whether a line begins an article ("第十九条").
fn is_article_start(line: &Line) -> bool {
    if !line.words.first().is_some_and(|word| word.text.starts_with('第')) {
        return false;
    }
    let text = line.text();
    let Some(rest) = text.strip_prefix('第') else { return false };
    let digits = rest.chars().take_while(|&c| "〇零一二三四五六七八九十百千0123456789".contains(c)).count();
    digits > 0 && rest.chars().nth(digits).is_some_and(|c| matches!(c, '条' | '章' | '节' | '编'))
}
