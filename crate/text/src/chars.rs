//! Classes of characters that several parts of this crate ask for: CJK scripts and characters without ink.

/// True if a character belongs to a script written without spaces between words: Han, kana, bopomofo. Hangul
/// is counted too, because Korean inflects by suffixes that no stemmer here removes.
#[inline]
pub fn is_cjk(c: char) -> bool {
    // Nearly every character that is asked about is far below the first of them.
    c >= '\u{1100}' && is_in_cjk_block(c)
}

fn is_in_cjk_block(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11FF            // Hangul Jamo
        | 0x2E80..=0x2FDF          // radicals
        | 0x3005..=0x3007          // 々〆〇
        | 0x3021..=0x3029          // Hangzhou numerals
        | 0x3031..=0x3035
        | 0x3038..=0x303C
        | 0x3041..=0x3096          // Hiragana
        | 0x309D..=0x309F
        | 0x30A1..=0x30FA          // Katakana
        | 0x30FC..=0x30FF
        | 0x3105..=0x312F          // Bopomofo
        | 0x3131..=0x318E          // Hangul compatibility Jamo
        | 0x31A0..=0x31BF
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF          // Extension A
        | 0x4E00..=0x9FFF          // Unified Ideographs
        | 0xA960..=0xA97F
        | 0xAC00..=0xD7FF          // Hangul syllables
        | 0xF900..=0xFAFF          // Compatibility Ideographs
        | 0xFF66..=0xFFDC          // half-width kana and Hangul
        | 0x20000..=0x3FFFD)
}

/// True if a text has more CJK characters than words of other scripts; a character is about a word.
pub fn is_mostly_cjk(text: &str) -> bool {
    // Most texts have no such character, which takes less to see than how many words they have.
    if !may_have_cjk(text) {
        return false;
    }
    let (mut n_cjk, mut n_words) = (0_usize, 0_usize);
    let mut in_word = false;
    for c in text.chars() {
        let is_letter = c.is_alphanumeric();
        if is_letter && is_cjk(c) {
            n_cjk += 1;
            in_word = false;
        } else {
            n_words += usize::from(is_letter && !in_word);
            in_word = is_letter;
        }
    }
    n_cjk > n_words
}

/// False only where no character [`is_cjk`]: told by the bytes with which characters begin, many at once.
pub fn may_have_cjk(text: &str) -> bool {
    let bytes = text.as_bytes();
    // E1 begins U+1000 to U+1FFF, E3 and above U+3000 and on; E2 begins punctuation and symbols, and from E2 BA on radicals.
    let begins = |byte: u8, next: u8| (byte == 0xE1) | (byte >= 0xE3) | ((byte == 0xE2) & (next >= 0xBA));
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    pairs.fold(false, |has, (&byte, &next)| has | begins(byte, next))
}

/// Characters that leave no ink and separate nothing: soft hyphens, joiners, variation selectors, marks of
/// direction.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::{is_cjk, is_mostly_cjk, may_have_cjk};

    #[test]
    fn no_character_is_missed_that_a_look_at_each_finds() {
        let mut n_more = 0;
        for c in '\0'..=char::MAX {
            let text = format!("of {c}.");
            assert!(may_have_cjk(&text) || !is_cjk(c), "{c}");
            n_more += usize::from(may_have_cjk(&text) && !is_cjk(c) && c < '\u{2E80}');
        }
        assert!(!may_have_cjk("§ 4 – “Préambule” Статья 1 … €5"));
        // Georgian, Ethiopic, Khmer and others, of which a look at each follows.
        assert_eq!(n_more, 0x1000 - 0x100);
    }

    #[test]
    fn the_script_of_a_text_is_that_of_most_of_its_letters() {
        for text in ["第十九条", "什么是AML？", "규정 12", "《外汇管理条例》第3条 SAFE"] {
            assert!(is_mostly_cjk(text), "{text}");
        }
        for text in ["", "Article 19", "the term 规定 means", "12.3"] {
            assert!(!is_mostly_cjk(text), "{text}");
        }
    }
}
