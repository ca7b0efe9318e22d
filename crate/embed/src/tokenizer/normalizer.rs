//! BERT's normal form, one character at a time: control characters dropped, ideographs set apart, accents
//! stripped, letters lower-cased.
//!
//! The original normalises the whole text and then splits it. Done per character the result is the same and
//! offsets into the source come for free: canonical decomposition is per character except for the order of
//! combining marks, and nonspacing marks are dropped anyway. (Two *spacing* marks of different combining class
//! in the wrong order would stay unsorted here; no text of a living language has them.)

use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Casing of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casing {
    /// Lower case without accents ("uncased" models).
    Folded,
    /// As written ("cased" models).
    Kept,
}

/// The tokenizer's class of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Dropped.
    Dropped,
    /// White space: ends a word.
    Space,
    /// An ideograph: a word of its own.
    Ideograph,
    /// Anything else.
    Other,
}

/// The class of `c`.
pub(super) fn char_class(c: char) -> CharClass {
    match c {
        ' ' | '\t' | '\n' | '\r' => CharClass::Space,
        '!'..='~' => CharClass::Other,
        '\0' | '\u{fffd}' => CharClass::Dropped,
        _ if is_control(c) => CharClass::Dropped,
        _ if c.is_whitespace() => CharClass::Space,
        _ if is_ideograph(c) => CharClass::Ideograph,
        _ => CharClass::Other,
    }
}

/// Passes the normalised characters of `c` to `give`: none for a stripped accent, several for some ligatures.
pub(super) fn normalise(c: char, casing: Casing, mut give: impl FnMut(char)) {
    match casing {
        Casing::Kept => give(c),
        Casing::Folded if c.is_ascii() => give(c.to_ascii_lowercase()),
        Casing::Folded => decompose_canonical(c, |part| {
            if part.general_category() != GeneralCategory::NonspacingMark {
                part.to_lowercase().for_each(&mut give);
            }
        }),
    }
}

/// Control, format and private-use characters. Unassigned ones are kept: they may have become
/// letters since the model was trained.
fn is_control(c: char) -> bool {
    matches!(
        c.general_category(),
        GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
    )
}

/// Punctuation: every ASCII sign that is neither letter nor digit, and the Unicode category.
pub(super) fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// The blocks that the original sets apart; kana and hangul are not among them.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}'
        | '\u{2b920}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{2f800}'..='\u{2fa1f}')
}
