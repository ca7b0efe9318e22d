//! Right-to-left lines: from the order in which characters stand on the page to the order in which they are read.
//!
//! A PDF places glyphs; Hebrew and Arabic come out of it from left to right, back to front. The Unicode
//! bidirectional algorithm turns reading order into the order on the page, and nearly undoes itself: run over
//! the characters as they stand, with the base direction that the line seems to have, it gives the
//! order in which they are read, with numbers and words of other scripts left as they are. Presentation forms
//! become the letters that they show.
//!
//! Lines without a right-to-left character are not touched. Linear in the characters of the others.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use crate::page::{Line, Word};
use crate::typography::has_rtl;

/// Characters of a line that are put in order; no printed line has a tenth of them.
const MAX_CHARS: usize = 20_000;

/// The line with its words, and the characters in them, in the order in which they are read.
pub(crate) fn in_reading_order(mut line: Line) -> Line {
    if line.words.iter().any(|word| has_rtl(&word.text)) {
        line.words = reordered(std::mem::take(&mut line.words));
    }
    line
}

/// A character with its word and its position in the word, from 0.
#[derive(Clone, Copy)]
struct PlacedChar {
    c: char,
    word: usize,
    at: usize,
    reversed: bool,
}

fn reordered(words: Vec<Word>) -> Vec<Word> {
    let mut text = String::new();
    // One entry for each character of the text; spaces belong to no word.
    let mut chars: Vec<Option<PlacedChar>> = Vec::new();
    for (idx, word) in words.iter().enumerate() {
        if idx > 0 && !word.glued {
            text.push(' ');
            chars.push(None);
        }
        for (at, c) in word.text.chars().enumerate() {
            text.push(c);
            chars.push(Some(PlacedChar { c, word: idx, at, reversed: false }));
        }
    }
    if chars.len() > MAX_CHARS {
        return words;
    }
    let base = base(&text);
    // Separators of paragraphs cannot occur: a word has no white space in it. Were there one, its part is left out.
    let info = BidiInfo::new(&text, Some(base));
    let levels: Vec<Level> =
        text.char_indices().map(|(at, _)| info.levels.get(at).copied().unwrap_or(base)).collect();
    let order = BidiInfo::reorder_visual(&levels);
    let mut logical: Vec<Option<PlacedChar>> = order
        .iter()
        .filter_map(|&idx| {
            let reversed = levels.get(idx).is_some_and(Level::is_rtl);
            Some(chars.get(idx)?.map(|placed| PlacedChar { reversed, ..placed }))
        })
        .collect();
    mirror(&mut logical);
    rebuilt(&words, &logical)
}

/// The direction of the line as a whole: that of its letters at both ends, or of most letters where those differ.
fn base(text: &str) -> Level {
    let strong = || {
        text.chars().filter_map(|c| match bidi_class(c) {
            BidiClass::R | BidiClass::AL => Some(true),
            BidiClass::L => Some(false),
            _ => None,
        })
    };
    let right = match (strong().next(), strong().next_back()) {
        (Some(first), Some(last)) if first == last => first,
        _ => 2 * strong().filter(|right| *right).count() >= strong().count(),
    };
    if right { Level::rtl() } else { Level::ltr() }
}

/// Turns the brackets of right-to-left text round where they are given by their looks and not by their meaning:
/// where more of them pair up after than before.
fn mirror(chars: &mut [Option<PlacedChar>]) {
    let brackets = || chars.iter().flatten().filter(|placed| placed.reversed).map(|placed| placed.c);
    if unpaired(brackets().map(mirrored)) < unpaired(brackets()) {
        for placed in chars.iter_mut().flatten().filter(|placed| placed.reversed) {
            placed.c = mirrored(placed.c);
        }
    }
}

fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        _ => c,
    }
}

/// Brackets without their other half, by number alone.
fn unpaired(chars: impl Iterator<Item = char>) -> usize {
    let (mut open, mut stray) = (0usize, 0usize);
    for c in chars {
        match c {
            '(' | '[' | '{' | '«' => open += 1,
            ')' | ']' | '}' | '»' => match open.checked_sub(1) {
                Some(left) => open = left,
                None => stray += 1,
            },
            _ => {}
        }
    }
    open + stray
}

/// Words again: characters of one word that still follow each other. A word that the order tears apart becomes
/// two, each with its share of the box.
fn rebuilt(words: &[Word], logical: &[Option<PlacedChar>]) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut last_word: Option<usize> = None;
    let parts = logical.chunk_by(|a, b| match (a, b) {
        (Some(a), Some(b)) => a.word == b.word,
        _ => false,
    });
    for part in parts {
        let (Some(Some(first)), Some(Some(last))) = (part.first(), part.last()) else {
            last_word = None;
            continue;
        };
        let Some(word) = words.get(first.word) else { continue };
        let total = word.text.chars().count().max(1);
        let positions = || part.iter().flatten().map(|placed| placed.at);
        let (low, high) = (positions().min().unwrap_or(0), positions().max().unwrap_or(0) + 1);
        let x = |at: usize| {
            #[expect(clippy::cast_precision_loss, reason = "a word has few characters")]
            let share = at as f32 / total as f32;
            word.rect.x0 + share * word.rect.width()
        };
        let mut rect = word.rect;
        if high - low < total {
            (rect.x0, rect.x1) = (x(low), x(high));
        }
        let text = plain(part.iter().flatten().map(|placed| placed.c).collect());
        // Without a space between them, a word follows its neighbour on either side.
        let glued = last_word.is_some() && !out.is_empty();
        out.push(Word { text: text.into(), rect, glued, ..word.clone() });
        last_word = Some(last.word);
    }
    out
}

/// The letters of a word that presentation forms show, with marks behind the letters that carry them.
fn plain(text: String) -> String {
    if !has_rtl(&text) {
        return text;
    }
    let is_form = |c: char| matches!(u32::from(c), 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC);
    let mut letters: Vec<char> = Vec::new();
    for c in text.chars() {
        if is_form(c) {
            letters.extend(std::iter::once(c).nfkc().filter(|c| !c.is_whitespace()));
        } else {
            letters.push(c);
        }
    }
    let is_mark = |c: &char| canonical_combining_class(*c) != 0;
    // Marks that the file draws after their letters come out before them.
    if letters.first().is_some_and(is_mark) {
        let mut fixed: Vec<char> = Vec::with_capacity(letters.len());
        let mut waiting: Vec<char> = Vec::new();
        for c in letters {
            if is_mark(&c) {
                waiting.push(c);
            } else {
                fixed.push(c);
                fixed.append(&mut waiting);
            }
        }
        fixed.append(&mut waiting);
        letters = fixed;
    }
    letters.into_iter().nfc().collect()
}

#[cfg(test)]
mod tests {
    use document::Rect;

    use super::*;

    /// Words as they stand from left to right, ten points a character.
    fn words(text: &str) -> Vec<Word> {
        let mut x = 0.0;
        text.split(' ')
            .map(|word| {
                let width = 10.0 * word.chars().count() as f32;
                let rect = Rect { x0: x, y0: 0.0, x1: x + width, y1: 10.0 };
                x += width + 5.0;
                Word { text: word.into(), rect, ..Word::default() }
            })
            .collect()
    }

    fn read(visual: &str) -> String {
        let words = reordered(words(visual));
        let mut text = String::new();
        for (idx, word) in words.iter().enumerate() {
            if idx > 0 && !word.glued {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
        text
    }

    #[test]
    fn lines_are_read_in_their_direction() {
        for (visual, logical) in [
            // "shalom olam", drawn from right to left.
            ("םלוע םולש", "שלום עולם"),
            // A number and a word of another script stay as they are.
            ("2024 תנש", "שנת 2024"),
            ("ףוס hello world םולש", "שלום hello world סוף"),
            // A Hebrew word in an English line.
            ("the word םולש means peace", "the word שלום means peace"),
            // Brackets by their looks turn; by their meaning they stay.
            ("(בא) םולש", "שלום (אב)"),
            (")בא( םולש", "שלום (אב)"),
            // Presentation forms are letters; a ligature is two.
            ("\u{FEE1}\u{FEFC}\u{FEB3}", "سلام"),
            // Marks behind or before their letters.
            ("ם\u{5B8}ש", "שָם"),
            ("plain words", "plain words"),
        ] {
            assert_eq!(read(visual), logical.nfc().collect::<String>(), "{visual}");
        }
    }

    #[test]
    fn every_word_keeps_its_box() {
        let before = words("ףוס hello world םולש");
        let after = reordered(before.clone());
        assert_eq!(after.len(), before.len());
        for word in &after {
            assert!(before.iter().any(|other| other.rect == word.rect), "{word:?}");
        }
        assert_eq!(after[0].rect, before[3].rect);
    }

    #[test]
    fn a_word_of_two_directions_is_parted_where_the_order_tears_it() {
        let parts = reordered(words("abc xyz-בא"));
        let text: Vec<&str> = parts.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(text.concat().len(), "abc xyz-בא".len() - 1, "{text:?}");
        let whole = Rect { x0: 0.0, y0: 0.0, x1: 95.0, y1: 10.0 };
        assert!(parts.iter().all(|word| word.rect.x0 >= whole.x0 && word.rect.x1 <= whole.x1 + 0.01));
    }
}
