//! Trained tables: trigrams of letters in half bits, and the Han characters of our texts.

use super::alphabet::{CYRILLIC, Class, GREEK, LATIN, Letter};

/// Tables one after the other: Latin, Cyrillic, Greek, Han.
static TABLES: &[u8] = include_bytes!("tables.bin");
/// Value that a half byte of 0 stands for, in half bits.
const LEAST: i32 = -8;
/// Letters of each alphabet with the end of a word.
const N_LATIN: usize = LATIN + 1;
const N_CYRILLIC: usize = CYRILLIC + 1;
const N_GREEK: usize = GREEK + 1;
/// Bytes of the tables.
const LATIN_BYTES: usize = (N_LATIN * N_LATIN * N_LATIN).div_ceil(2);
const CYRILLIC_BYTES: usize = (3 * N_CYRILLIC * N_CYRILLIC).div_ceil(2);
const GREEK_BYTES: usize = (3 * N_GREEK * N_GREEK).div_ceil(2);
/// First Han character of the bitmap.
const FIRST_HAN: u32 = 0x4E00;

/// Evidence of a letter after two others, in half bits: its probability in language over that of any letter of its
/// alphabet. `None` stands for the end of a word.
pub(super) fn trigram(alphabet: Class, a: Option<Letter>, b: Option<Letter>, c: Option<Letter>) -> i32 {
    let index = |letter: Option<Letter>| letter.map_or(0, |letter| usize::from(letter.index) + 1);
    let class = |letter: Option<Letter>| letter.map_or(0, |letter| if letter.is_vowel() { 1 } else { 2 });
    let (start, size, first) = match alphabet {
        Class::Latin => (0, N_LATIN, index(a)),
        Class::Cyrillic => (LATIN_BYTES, N_CYRILLIC, class(a)),
        Class::Greek => (LATIN_BYTES + CYRILLIC_BYTES, N_GREEK, class(a)),
    };
    let at = (first * size + index(b)) * size + index(c);
    let pair = TABLES.get(start + at / 2).copied().unwrap_or_default();
    LEAST + i32::from(if at.is_multiple_of(2) { pair & 0xF } else { pair >> 4 })
}

/// True for a Han character of our texts.
pub(super) fn is_known_han(c: char) -> bool {
    let Some(at) = u32::from(c).checked_sub(FIRST_HAN) else { return false };
    let start = LATIN_BYTES + CYRILLIC_BYTES + GREEK_BYTES;
    let byte = usize::try_from(at / 8).ok().and_then(|at| TABLES.get(start + at));
    byte.is_some_and(|byte| byte >> (at % 8) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_their_size() {
        assert_eq!(TABLES.len(), LATIN_BYTES + CYRILLIC_BYTES + GREEK_BYTES + 0x5200 / 8);
    }
}
