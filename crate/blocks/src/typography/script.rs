//! Scripts: writing without spaces, writing from right to left, superscript digits.

use unicode_bidi::{BidiClass, bidi_class};

/// The digit that a superscript character stands for.
pub(crate) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        _ => return None,
    })
}

/// True if a character belongs to writing without spaces: CJK other than Hangul, and its punctuation.
pub(crate) fn is_unspaced(c: char) -> bool {
    if c < '\u{1100}' {
        return false;
    }
    let is_hangul = matches!(u32::from(c), 0x1100..=0x11FF | 0x3131..=0x318E | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xFFA0..=0xFFDC);
    let is_punctuation = matches!(u32::from(c), 0x3001..=0x303F | 0xFF01..=0xFF60);
    is_punctuation || (text::is_cjk(c) && !is_hangul)
}

/// True if the text has letters that are read from right to left.
pub(crate) fn has_rtl(text: &str) -> bool {
    // No character below U+0590 is; most text is decided here.
    text.bytes().any(|byte| byte >= 0xD6) && text.chars().any(is_rtl)
}

fn is_rtl(c: char) -> bool {
    matches!(u32::from(c), 0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
        && matches!(bidi_class(c), BidiClass::R | BidiClass::AL)
}
