//! Letters of the alphabets with trained tables, without case and accents.

use unicode_normalization::char::decompose_canonical;

/// Letters of the Latin alphabet.
pub(super) const LATIN: usize = 26;
/// Letters of the Russian alphabet without ё.
pub(super) const CYRILLIC: usize = 32;
/// Letters of the Greek alphabet; final sigma is a sigma.
pub(super) const GREEK: usize = 24;

/// Alphabet with a trained table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Latin,
    Cyrillic,
    Greek,
}

/// Letter of an alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) alphabet: Class,
    /// Its place in the alphabet, from 0.
    pub(super) index: u8,
}

impl Letter {
    /// The letter that a character is without case and accents, if it is of an alphabet with a table.
    pub(super) fn of(c: char) -> Option<Self> {
        if c.is_ascii() {
            return Self::plain(c.to_ascii_lowercase());
        }
        let lower = c.to_lowercase().next().unwrap_or(c);
        Self::plain(lower).or_else(|| Self::plain(variant(lower))).or_else(|| {
            let mut base = lower;
            let mut first = true;
            decompose_canonical(lower, |part| {
                if std::mem::take(&mut first) {
                    base = part;
                }
            });
            Self::plain(base).or_else(|| Self::plain(variant(base)))
        })
    }

    /// A letter of one of the alphabets themselves.
    fn plain(c: char) -> Option<Self> {
        let (alphabet, index) = match c {
            'a'..='z' => (Class::Latin, u32::from(c) - u32::from('a')),
            'а'..='я' => (Class::Cyrillic, u32::from(c) - u32::from('а')),
            'α'..='ρ' => (Class::Greek, u32::from(c) - u32::from('α')),
            // Final sigma has a place of its own in Unicode.
            'ς' => (Class::Greek, 17),
            'σ'..='ω' => (Class::Greek, u32::from(c) - u32::from('α') - 1),
            _ => return None,
        };
        Some(Self { alphabet, index: u8::try_from(index).ok()? })
    }

    /// True for a vowel; of the Latin alphabet none is asked for.
    pub(super) fn is_vowel(self) -> bool {
        match self.alphabet {
            Class::Latin => false,
            // а е и й о у ы э ю я
            Class::Cyrillic => matches!(self.index, 0 | 5 | 8 | 9 | 14 | 19 | 27 | 29..=31),
            // α ε η ι ο υ ω
            Class::Greek => matches!(self.index, 0 | 4 | 6 | 8 | 14 | 19 | 23),
        }
    }
}

/// Letter that stands for one without a decomposition, or for one of another language's alphabet.
fn variant(c: char) -> char {
    match c {
        'ß' => 's',
        'æ' => 'a',
        'ø' | 'œ' => 'o',
        'đ' | 'ð' => 'd',
        'ł' => 'l',
        'ı' => 'i',
        'þ' => 't',
        'ħ' => 'h',
        'ё' | 'є' => 'е',
        'і' | 'ї' => 'и',
        'ґ' | 'ѓ' | 'ғ' => 'г',
        'ў' | 'ұ' | 'ү' => 'у',
        'ј' => 'й',
        'љ' => 'л',
        'њ' | 'ң' => 'н',
        'ћ' => 'ч',
        'ђ' => 'д',
        'џ' => 'ц',
        'ќ' | 'қ' => 'к',
        'ѕ' => 'з',
        'ө' => 'о',
        'ә' => 'а',
        'һ' => 'х',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_without_case_and_accents() {
        for (c, alphabet, index) in [
            ('A', Class::Latin, 0),
            ('z', Class::Latin, 25),
            ('É', Class::Latin, 4),
            ('ợ', Class::Latin, 14),
            ('ß', Class::Latin, 18),
            ('Й', Class::Cyrillic, 9),
            ('ё', Class::Cyrillic, 5),
            ('Ї', Class::Cyrillic, 8),
            ('я', Class::Cyrillic, 31),
            ('ς', Class::Greek, 17),
            ('Σ', Class::Greek, 17),
            ('ώ', Class::Greek, 23),
            ('ΐ', Class::Greek, 8),
        ] {
            assert_eq!(Letter::of(c), Some(Letter { alphabet, index }), "{c}");
        }
        for c in ['3', '§', '第', 'ש', '\u{FFFD}', '٣', 'あ'] {
            assert_eq!(Letter::of(c), None, "{c}");
        }
    }
}
