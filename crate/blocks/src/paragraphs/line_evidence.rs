//! Evidence in two lines below each other that they belong together or are apart.

use document::Slice as _;
use text::provision::{self, Rank};
use text::wording::marker_kind;

use crate::page::{Line, Word};
use crate::paragraphs::edges::{RegionEdges, ends_clause};
use crate::typography::{ends_in_page_number, list_marker};

/// Markers that may stand before the text of a line, as in "1.1.1 (1) (a)".
const MAX_MARKERS: usize = 2;

/// True if line `i` goes on in an address or another stanza of short lines: at least three below each other, all
/// much narrower than the column, none of which ends a clause before the last.
pub(super) fn is_stanza(lines: &[Line], i: usize) -> bool {
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
    let after = lines.slice(i - 1..).windows(2).take(MIN_LINES).take_while(|pair| goes_on(pair)).count();
    let before = lines.slice(..i).windows(2).rev().take(MIN_LINES).take_while(|pair| goes_on(pair)).count();
    after > 0 && after + before + 1 >= MIN_LINES
}

/// True if one line ends in the size in which the next begins, as a sentence behind a run-in heading of another
/// size does.
pub(super) fn sizes_meet(above: &Line, line: &Line) -> bool {
    let last = above.words.iter().rev().find(|word| !word.raised);
    let (Some(last), Some(first)) = (last, line.words.first()) else { return false };
    let mixed = |line: &Line| line.words.iter().any(|word| (word.size - line.size).abs() > 0.08 * line.size);
    (last.size - first.size).abs() < 0.04 * first.size
        && last.style.is_bold() == first.style.is_bold()
        && (mixed(above) || mixed(line))
}

/// True if a line begins with a heading that runs into its text: bold words that a colon, a stop or a dash closes,
/// and more that is not bold.
pub(super) fn begins_run_in(line: &Line) -> bool {
    let n_bold = line.words.iter().take_while(|word| word.style.is_bold()).count();
    let closed = n_bold.checked_sub(1).and_then(|last| line.words.get(last));
    let begins = line.words.first().is_some_and(|word| word.text.starts_with(char::is_uppercase));
    let is_capital = line.words.first().is_some_and(|word| word.n_chars() > 2);
    begins
        && is_capital
        && n_bold < line.words.len()
        && n_bold <= 8
        && closed.is_some_and(|word| word.text.ends_with([':', '.', '—']))
}

/// True if a line is a label and, far from it, its value.
pub(super) fn is_pair(line: &Line) -> bool {
    line.words.windows(2).filter(|pair| pair[1].rect.x0 - pair[0].rect.x1 > 4.0 * line.size).count() == 1
}

/// True if a line is set as headings are.
pub(super) fn is_loud(line: &Line) -> bool {
    line.style.bold || line.style.caps
}

/// True if a centred line ends what a wide line above it began, as the last line of a long title does.
pub(super) fn is_centred_under(above: &Line, line: &Line, next: Option<&Line>, edges: &RegionEdges) -> bool {
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

/// True if the weight changes between two lines, not only within a sentence that begins or ends in bold.
pub(super) fn changes_weight(above: &Line, line: &Line) -> bool {
    let bold_at = |word: Option<&Word>| word.is_some_and(|word| word.style.is_bold());
    let (end, start) = (bold_at(above.words.last()), bold_at(line.words.first()));
    end != start
}

/// True if text that begins at `x` hangs under a line: where the text after its leading markers begins ("(a)",
/// "1.1.1 (1)"), or after one of its first words that wide white follows.
pub(super) fn hangs_under(line: &Line, x: f32) -> bool {
    let near = |word: Option<&Word>| word.is_some_and(|word| (word.rect.x0 - x).abs() < 0.8 * line.size);
    let after_marker = list_marker(line).is_some_and(|marker| near(line.words.get(marker.n_words)));
    let mut numbers = line.words.windows(2).take(MAX_MARKERS).take_while(|pair| is_number(&pair[0].text));
    let wide = |pair: &[Word]| pair[1].rect.x0 - pair[0].rect.x1 > 0.9 * line.size;
    after_marker
        || numbers.any(|pair| near(pair.get(1)))
        || line.words.windows(2).take(MAX_MARKERS).any(|pair| wide(pair) && near(pair.get(1)))
}

/// True if a word numbers what follows: "(1)", "a.", "3.2.1".
fn is_number(word: &str) -> bool {
    let is_decimal = word.contains('.')
        && word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b == b'.' || b.is_ascii_alphanumeric());
    is_decimal || marker_kind(word).is_some()
}

/// True if a line begins an article or a division ("第十九条", "第三章").
pub(super) fn is_article_start(line: &Line) -> bool {
    line.words.first().is_some_and(|word| word.text.starts_with('第'))
        && provision::han_numbered(&line.text()).is_some_and(|unit| unit.rank <= Rank::Section)
}
