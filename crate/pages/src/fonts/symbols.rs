//! Symbol fonts: Unicode for codes of the private use area.
//!
//! TrueType symbol fonts have their glyphs at U+F000 to U+F0FF. Many files give these code points as text; others
//! give the letter or the `§` that the same code has in a text font. In a legal text a bullet that reads `§` is worse
//! than none.

use super::{encoding, glyphs, standard};

/// Symbol set of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolFont {
    /// Adobe's Symbol.
    Symbol,
    /// ZapfDingbats.
    Dingbats,
    /// Wingdings, not Wingdings 2 or 3.
    Wingdings,
    /// Any other font; its private codes are ASCII plus U+F000.
    None,
}

impl SymbolFont {
    /// Symbol set of the font with this name.
    pub(crate) fn of(name: &str) -> Self {
        let is = |part: &str| name.contains(part);
        if is("Wingdings")
            && !is("Wingdings2")
            && !is("Wingdings3")
            && !is("Wingdings 2")
            && !is("Wingdings 3")
        {
            Self::Wingdings
        } else if is("ZapfDingbats") {
            Self::Dingbats
        } else if name.starts_with("Symbol") {
            Self::Symbol
        } else {
            Self::None
        }
    }

    /// Text of a single-byte code.
    pub(crate) fn text(self, code: u8) -> Option<String> {
        let name = |names: &'static encoding::GlyphNames| names.get(usize::from(code)).copied().flatten();
        match self {
            Self::Symbol => glyphs::text(name(encoding::symbol())?),
            Self::Dingbats => standard::dingbat(name(encoding::dingbats())?).map(String::from),
            Self::Wingdings => wingding(code).map(String::from),
            Self::None => Some(char::from(code)).filter(|c| (' '..='~').contains(c)).map(String::from),
        }
    }

    /// Text of a string that is one code point of the private use area.
    pub(crate) fn of_private_use(self, text: &str) -> Option<String> {
        let mut chars = text.chars();
        let c = chars.next().filter(|c| ('\u{F000}'..='\u{F0FF}').contains(c))?;
        let code = u8::try_from(u32::from(c) & 0xFF).ok()?;
        self.text(code).filter(|_| chars.next().is_none())
    }
}

fn wingding(code: u8) -> Option<char> {
    WINGDINGS.iter().find(|(known, _)| *known == code).map(|(_, c)| *c)
}

/// Codes of Wingdings whose glyphs have Unicode characters.
const WINGDINGS: &[(u8, char)] = &[
    (0x20, ' '),
    (0x21, '✏'),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2A, '✉'),
    (0x36, '⌛'),
    (0x3F, '✍'),
    (0x41, '✌'),
    (0x45, '☜'),
    (0x46, '☞'),
    (0x47, '☝'),
    (0x48, '☟'),
    (0x4A, '☺'),
    (0x4C, '☹'),
    (0x52, '☼'),
    (0x6C, '●'),
    (0x6D, '❍'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x70, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x73, '⬧'),
    (0x74, '⧫'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x77, '⬥'),
    (0x78, '⌧'),
    (0x81, '①'),
    (0x82, '②'),
    (0x83, '③'),
    (0x84, '④'),
    (0x85, '⑤'),
    (0x86, '⑥'),
    (0x87, '⑦'),
    (0x88, '⑧'),
    (0x89, '⑨'),
    (0x8A, '⑩'),
    (0x8C, '❶'),
    (0x8D, '❷'),
    (0x8E, '❸'),
    (0x8F, '❹'),
    (0x90, '❺'),
    (0x91, '❻'),
    (0x92, '❼'),
    (0x93, '❽'),
    (0x94, '❾'),
    (0x95, '❿'),
    (0x9E, '·'),
    (0x9F, '•'),
    (0xA1, '○'),
    (0xA4, '◉'),
    (0xA5, '◎'),
    (0xA7, '▪'),
    (0xA8, '◻'),
    (0xAA, '✦'),
    (0xAB, '★'),
    (0xAC, '✶'),
    (0xB5, '✪'),
    (0xD8, '➢'),
    (0xDC, '➲'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xE8, '➔'),
    (0xEF, '⇦'),
    (0xF0, '⇨'),
    (0xF1, '⇧'),
    (0xF2, '⇩'),
    (0xFB, '✗'),
    (0xFC, '✔'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_use_codes_map_to_unicode() {
        for (font, text, expected) in [
            ("SymbolMT", "\u{F0B7}", Some("•")),
            ("Wingdings-Regular", "\u{F0A7}", Some("▪")),
            ("Wingdings-Regular", "\u{F0D8}", Some("➢")),
            ("Wingdings2", "\u{F0A7}", None),
            ("ZapfDingbats", "\u{F06E}", Some("■")),
            ("Barcode", "\u{F041}", Some("A")),
            ("SymbolMT", "§", None),
            ("SymbolMT", "\u{F0B7}x", None),
        ] {
            assert_eq!(SymbolFont::of(font).of_private_use(text).as_deref(), expected, "{font} {text:?}");
        }
    }
}
