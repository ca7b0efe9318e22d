//! Unicode for symbol fonts, whose bullets and check boxes have private codes.

/// Text of a bullet in a common symbol font, at most four characters.
pub(crate) fn bullet(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            // Word draws hollow bullets as the letter "o" of a typewriter font.
            'o' if text.chars().count() == 1 => Some('◦'),
            _ => shown(u32::from(c)),
        })
        .take(4)
        .collect()
}

/// Character of `w:sym`: a code of a symbol font.
pub(crate) fn symbol(font: &str, code: u32) -> Option<char> {
    let is_symbol = font.eq_ignore_ascii_case("symbol");
    if is_symbol && let Some(letter) = greek(code & 0xFF) {
        return Some(letter);
    }
    shown(code)
}

/// Character of a code of Wingdings or Symbol.
fn shown(code: u32) -> Option<char> {
    match code {
        0xF0A7 | 0xF06E => Some('▪'),
        0xF0A8 | 0xF06F | 0xF071 => Some('☐'),
        0xF0FE | 0xF053 | 0xF054 => Some('☒'),
        0xF052 => Some('☑'),
        0xF0FC => Some('✓'),
        0xF0D8 => Some('➢'),
        0xF076 => Some('❖'),
        0xF0E0 | 0xF0AE => Some('→'),
        0xF0B0 => Some('°'),
        0xF0B1 => Some('±'),
        0xF0A3 => Some('≤'),
        0xF0B3 => Some('≥'),
        0xF0B4 => Some('×'),
        0xF0D7 => Some('·'),
        0xF0B7 | 0xF06C | 0xF09F => Some('•'),
        // Symbol fonts have ASCII in the private use area.
        0xF020..=0xF07E => char::from_u32(code - 0xF000),
        0xE000..=0xF8FF => Some('•'),
        code => char::from_u32(code).filter(|c| !c.is_control()),
    }
}

/// Greek letter of a code of the font "Symbol".
fn greek(code: u32) -> Option<char> {
    const LOWER: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    const UPPER: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    let at = |base: u8, letters: &str| {
        let at = code.checked_sub(u32::from(base)).filter(|&at| at < 26)?;
        letters.chars().nth(usize::try_from(at).ok()?)
    };
    at(b'a', LOWER).or_else(|| at(b'A', UPPER))
}
