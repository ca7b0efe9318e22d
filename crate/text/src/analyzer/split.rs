//! Text to words by UAX #29 (Unicode text segmentation), and Lucene's reading of it.

use std::ops::Range;

use unicode_properties::{EmojiStatus, GeneralCategory, UnicodeEmoji as _, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::chars::is_cjk;

/// The segments that hold a letter or a digit, with their byte offsets.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.unicode_word_indices()
}

/// End of the label that begins with `word`, if parenthesised parts follow it without a space: `401(k)`,
/// `4.2(a)(iv)`. `end` is where the word ends in `text`.
pub fn label_end(text: &str, word: &str, end: usize) -> Option<usize> {
    const MAX_PART: usize = 6;
    const MAX_PARTS: usize = 8;
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut at = end;
    for _ in 0..MAX_PARTS {
        let Some(part) = text.get(at..).and_then(|rest| rest.strip_prefix('(')) else { break };
        let n = part.bytes().take(MAX_PART).take_while(u8::is_ascii_alphanumeric).count();
        if n == 0 || part.as_bytes().get(n) != Some(&b')') {
            break;
        }
        at += n + 2;
    }
    (at > end).then_some(at)
}

/// Lucene's `StandardTokenizer`: the words of UAX #29 as of Unicode 12, where a colon between letters still
/// joins them; ideographs and hiragana one by one; runs of Thai and its like whole; emoji as words; tokens
/// over 255 characters cut.
pub fn lucene(text: &str, f: &mut dyn FnMut(Range<usize>, &str)) {
    let mut pending: Option<Range<usize>> = None;
    let mut segments = text.split_word_bound_indices().peekable();
    while let Some((start, segment)) = segments.next() {
        let end = start + segment.len();
        if let Some(open) = &mut pending {
            let joins_before = is_colon(segment) && ends_in_letter(text, open);
            if joins_before
                && segments.peek().is_some_and(|(_, next)| next.chars().next().is_some_and(is_letter))
            {
                open.end = end;
                continue;
            }
            let after_colon = text.get(open.clone()).is_some_and(|token| token.ends_with(COLONS));
            if after_colon || (is_complex(segment) && text.get(open.clone()).is_some_and(is_complex)) {
                open.end = end;
                continue;
            }
        }
        if let Some(done) = pending.take() {
            emit(text, done, f);
        }
        if is_token(segment) {
            pending = Some(start..end);
        }
    }
    if let Some(done) = pending {
        emit(text, done, f);
    }
}

const COLONS: [char; 4] = [':', '\u{FE13}', '\u{FE55}', '\u{FF1A}'];
const MAX_TOKEN_CHARS: usize = 255;

fn emit(text: &str, range: Range<usize>, f: &mut dyn FnMut(Range<usize>, &str)) {
    let Some(mut rest) = text.get(range.clone()) else { return };
    let mut start = range.start;
    while let Some((cut, _)) = rest.char_indices().nth(MAX_TOKEN_CHARS) {
        let (head, tail) = rest.split_at(cut);
        f(start..start + cut, head);
        start += cut;
        rest = tail;
    }
    f(start..range.end, rest);
}

fn is_colon(segment: &str) -> bool {
    let mut chars = segment.chars();
    chars.next().is_some_and(|c| COLONS.contains(&c)) && chars.next().is_none()
}

fn ends_in_letter(text: &str, range: &Range<usize>) -> bool {
    text.get(range.clone()).and_then(|token| token.chars().next_back()).is_some_and(is_letter)
}

/// UAX #29's `ALetter` and `Hebrew_Letter`, near enough: letters that are written with spaces between words.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !is_spaceless(c) && !is_complex_char(c)
}

/// Ideographs and kana, between which UAX #29 breaks (or which are joined only to themselves).
fn is_spaceless(c: char) -> bool {
    is_cjk(c)
        && !matches!(u32::from(c), 0x1100..=0x11FF | 0x3131..=0x318E | 0xA960..=0xA97F | 0xAC00..=0xD7FF)
}

/// Line-break class `SA`: Thai, Lao, Myanmar, Tai, Khmer, which need a dictionary.
fn is_complex_char(c: char) -> bool {
    matches!(u32::from(c), 0x0E01..=0x0E3A | 0x0E40..=0x0E4E | 0x0E81..=0x0ECD | 0x0EDC..=0x0EDF | 0x1000..=0x103F
        | 0x1050..=0x108F | 0x109A..=0x109F | 0x1780..=0x17D3 | 0x17D7 | 0x17DC..=0x17DD | 0x1950..=0x1974
        | 0x1980..=0x19C9 | 0x19DA | 0x19DE..=0x19DF | 0x1A20..=0x1AAD | 0xA9E0..=0xA9FE | 0xAA60..=0xAADF)
}

fn is_complex(segment: &str) -> bool {
    segment.chars().next().is_some_and(is_complex_char)
}

/// True if a segment is a token. Numbers that are not digits (`²`, `½`) are not: their word break class is
/// `Other`.
fn is_token(segment: &str) -> bool {
    segment.chars().any(|c| c.is_alphanumeric() && c.general_category() != GeneralCategory::OtherNumber)
        || is_emoji(segment)
}

/// Emoji, without the characters that are emoji only by a variation selector (`#`, `*`, digits, ©, ®, ™).
fn is_emoji(segment: &str) -> bool {
    let selected = segment.contains('\u{FE0F}');
    segment.chars().next().is_some_and(|c| match c.emoji_status() {
        EmojiStatus::NonEmoji | EmojiStatus::NonEmojiButEmojiComponent => false,
        _ => selected || !matches!(c, '#' | '*' | '0'..='9' | '©' | '®' | '™' | '〰' | '〽'),
    })
}
