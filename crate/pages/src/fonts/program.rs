//! Embedded font programs, read where the font dictionary does not say enough: built-in encodings of Type 1, CFF and
//! symbolic TrueType fonts, and Unicode by glyph through their cmaps and glyph names.

use std::collections::BTreeMap;

use document::Slice as _;
use lopdf::Dictionary;
use ttf_parser::{Face, GlyphId, PlatformId, cff, cmap::Subtable};

use super::{encoding, glyphs};
use crate::claims::comparable_letters;
use crate::lexer::{Lexer, Operand, Token};
use crate::meter::Meter;
use crate::objects::Objects;

/// Bytes of a Type 1 program that are searched for its encoding, which is in the clear-text portion at the start.
const TYPE1_HEAD: usize = 1 << 20;

/// Maximum subtables of a cmap that are looked at; fonts have one to six.
const MAX_SUBTABLES: usize = 16;
/// Steps of looking up all codes in one of them.
const LOOKUPS: usize = 220_000;
/// Steps of looking up all letters that are compared in one of them.
const LETTERS: usize = 5_000;
/// Steps of a code that has a glyph.
const FOUND: usize = 30;

/// Embedded font program.
pub(crate) enum FontProgram {
    /// TrueType or OpenType, as bytes that parse as such.
    OpenType(Vec<u8>),
    /// A bare CFF table.
    Cff(Vec<u8>),
    /// Type 1: glyph names by code.
    Type1(Box<[Option<String>; 256]>),
}

impl FontProgram {
    /// Program that a font descriptor embeds.
    pub(crate) fn load<'a>(objects: &Objects<'a>, descriptor: &'a Dictionary) -> Option<Self> {
        let data = [&b"FontFile2"[..], b"FontFile3", b"FontFile"]
            .into_iter()
            .find_map(|key| objects.data(objects.stream(descriptor, key)?).ok())?;
        // The bytes tell the format: files put any kind of program under any key.
        if Face::parse(&data, 0).is_ok() {
            Some(Self::OpenType(data))
        } else if data.starts_with(b"%!") || data.starts_with(&[0x80, 1]) {
            Some(Self::Type1(Box::new(type1_encoding(&data))))
        } else if cff::Table::parse(&data).is_some() {
            Some(Self::Cff(data))
        } else {
            None
        }
    }

    /// Built-in encoding of a simple font.
    pub(crate) fn built_in_encoding(&self, meter: &Meter) -> BuiltInEncoding {
        match self {
            Self::Type1(names) => BuiltInEncoding { names: (**names).clone(), ..BuiltInEncoding::default() },
            Self::Cff(data) => match cff::Table::parse(data) {
                Some(table) => BuiltInEncoding { names: cff_names(&table), ..BuiltInEncoding::default() },
                None => BuiltInEncoding::default(),
            },
            Self::OpenType(data) => match Face::parse(data, 0) {
                Ok(face) => built_in_of_face(&face, meter),
                Err(_) => BuiltInEncoding::default(),
            },
        }
    }

    /// Unicode text by glyph, from the cmap or else from glyph names.
    pub(crate) fn texts_by_glyph(&self, meter: &Meter) -> BTreeMap<u16, String> {
        match self {
            Self::OpenType(data) => {
                Face::parse(data, 0).map(|face| texts_of_face(&face, meter)).unwrap_or_default()
            }
            Self::Cff(data) => cff::Table::parse(data).map(|table| texts_of_cff(&table)).unwrap_or_default(),
            Self::Type1(_) => BTreeMap::new(),
        }
    }

    /// Letters and digits by glyph, from the cmap, as far as claims are compared with them.
    pub(crate) fn letters_by_glyph(&self, meter: &Meter) -> BTreeMap<u16, char> {
        let Self::OpenType(data) = self else { return BTreeMap::new() };
        let mut letters = BTreeMap::new();
        let subtables =
            Face::parse(data, 0).ok().and_then(|face| face.tables().cmap.map(|cmap| cmap.subtables));
        for table in subtables.into_iter().flatten().take(MAX_SUBTABLES) {
            let is_symbol = table.platform_id == PlatformId::Windows && table.encoding_id == 0;
            if !table.is_unicode() || is_symbol {
                continue;
            }
            meter.steps(LETTERS);
            for c in comparable_letters() {
                if let Some(glyph) = table.glyph_index(u32::from(c)).filter(|glyph| glyph.0 != 0) {
                    letters.entry(glyph.0).or_insert(c);
                }
            }
        }
        letters
    }

    /// Number of its glyphs, among which one is searched by name.
    pub(crate) fn n_glyphs(&self) -> usize {
        match self {
            Self::OpenType(data) => Face::parse(data, 0).map_or(0, |face| face.number_of_glyphs()),
            Self::Cff(data) => cff::Table::parse(data).map_or(0, |table| table.number_of_glyphs()),
            Self::Type1(_) => 0,
        }
        .into()
    }

    /// Glyph of a name in `Differences`.
    pub(crate) fn glyph_by_name(&self, name: &str) -> Option<u16> {
        match self {
            Self::OpenType(data) => Face::parse(data, 0).ok()?.glyph_index_by_name(name),
            Self::Cff(data) => cff::Table::parse(data)?.glyph_index_by_name(name),
            Self::Type1(_) => None,
        }
        .map(|glyph| glyph.0)
    }

    /// Glyphs by the CIDs of a CID-keyed CFF program.
    pub(crate) fn glyph_by_cid(&self) -> Option<BTreeMap<u16, u16>> {
        let Self::Cff(data) = self else { return None };
        let table = cff::Table::parse(data)?;
        let glyphs =
            (0..table.number_of_glyphs()).filter_map(|glyph| Some((table.glyph_cid(GlyphId(glyph))?, glyph)));
        let glyphs: BTreeMap<_, _> = glyphs.collect();
        (!glyphs.is_empty()).then_some(glyphs)
    }

    /// Advances of the codes of a simple font in ems, for fonts without `Widths`.
    pub(crate) fn widths(&self, names: &[Option<String>; 256]) -> Option<[Option<f64>; 256]> {
        let Self::OpenType(data) = self else { return None };
        let face = Face::parse(data, 0).ok()?;
        let em = f64::from(face.units_per_em());
        let mut widths = [None; 256];
        for (code, slot) in widths.iter_mut().enumerate() {
            let glyph = names
                .get(code)
                .and_then(Option::as_deref)
                .and_then(|name| {
                    let by_char = || face.glyph_index(glyphs::text(name)?.chars().next()?);
                    face.glyph_index_by_name(name).or_else(by_char)
                })
                .or_else(|| symbolic_glyph(&face, u32::try_from(code).ok()?));
            *slot = glyph.and_then(|glyph| face.glyph_hor_advance(glyph)).map(|width| f64::from(width) / em);
        }
        Some(widths)
    }
}

/// Glyph name or Unicode text of each code of a simple font.
pub(crate) struct BuiltInEncoding {
    pub(crate) names: [Option<String>; 256],
    pub(crate) texts: [Option<String>; 256],
}

impl Default for BuiltInEncoding {
    fn default() -> Self {
        Self { names: [const { None }; 256], texts: [const { None }; 256] }
    }
}

fn cff_names(table: &cff::Table<'_>) -> [Option<String>; 256] {
    std::array::from_fn(|code| {
        let glyph = table.glyph_index(u8::try_from(code).ok()?).filter(|glyph| glyph.0 != 0)?;
        table.glyph_name(glyph).map(str::to_owned)
    })
}

fn texts_of_cff(table: &cff::Table<'_>) -> BTreeMap<u16, String> {
    (1..table.number_of_glyphs())
        .filter_map(|glyph| Some((glyph, glyphs::text(table.glyph_name(GlyphId(glyph))?)?)))
        .collect()
}

/// Built-in encoding of a symbolic TrueType font, by its (3, 0) or (1, 0) cmap (ISO 32000-1, 9.6.6.4).
fn built_in_of_face(face: &Face<'_>, meter: &Meter) -> BuiltInEncoding {
    let names = match face.tables().cff {
        Some(table) => cff_names(&table),
        None => [const { None }; 256],
    };
    let texts = texts_of_face(face, meter);
    let texts = std::array::from_fn(|code| {
        let glyph = symbolic_glyph(face, u32::try_from(code).ok()?)?;
        texts.get(&glyph.0).cloned()
    });
    BuiltInEncoding { names, texts }
}

fn symbolic_glyph(face: &Face<'_>, code: u32) -> Option<GlyphId> {
    let subtables = face.tables().cmap?.subtables;
    let of = |platform: PlatformId, encoding: u16| {
        subtables.into_iter().find(|table| table.platform_id == platform && table.encoding_id == encoding)
    };
    let symbol = of(PlatformId::Windows, 0);
    let glyph = |table: &Subtable<'_>, code: u32| table.glyph_index(code).filter(|glyph| glyph.0 != 0);
    let by_symbol = symbol.as_ref().and_then(|table| {
        [0xF000, 0, 0xF100, 0xF200].into_iter().find_map(|page: u32| glyph(table, page + code))
    });
    by_symbol.or_else(|| glyph(&of(PlatformId::Macintosh, 0)?, code))
}

fn texts_of_face(face: &Face<'_>, meter: &Meter) -> BTreeMap<u16, String> {
    let mut texts = BTreeMap::new();
    let subtables = face.tables().cmap.map(|cmap| cmap.subtables);
    let mut symbolic = false;
    for table in subtables.into_iter().flatten().take(MAX_SUBTABLES) {
        // A symbol cmap numbers its glyphs from U+F000 in the private use area, which is no text.
        symbolic |= table.platform_id == PlatformId::Windows && table.encoding_id == 0;
        if !table.is_unicode() || table.platform_id == PlatformId::Windows && table.encoding_id == 0 {
            continue;
        }
        meter.steps(LOOKUPS);
        let mut n_found = 0;
        // Codes are looked up one by one: a hostile table lists four thousand million of them.
        for code in (0x20..0xE000u32).chain(0xF900..0x1_0000).chain(0x1D400..0x1D800).chain(0x20000..0x2A6E0)
        {
            if let (Some(glyph), Some(c)) = (table.glyph_index(code), char::from_u32(code))
                && glyph.0 != 0
            {
                texts.entry(glyph.0).or_insert_with(|| c.to_string());
                n_found += 1;
            }
        }
        meter.steps(n_found * FOUND);
    }
    // Glyph names fill the gaps of the cmap.
    if texts.is_empty() || symbolic {
        for glyph in 1..face.number_of_glyphs() {
            if let Some(text) = face.glyph_name(GlyphId(glyph)).and_then(glyphs::text) {
                texts.entry(glyph).or_insert(text);
            }
        }
    }
    texts
}

/// Encoding of a Type 1 program: `dup 65 /A put` entries between `/Encoding` and `def`, or StandardEncoding.
fn type1_encoding(data: &[u8]) -> [Option<String>; 256] {
    let mut names = [const { None }; 256];
    let head = data.get(..TYPE1_HEAD).unwrap_or(data);
    let Some(start) = head.windows(9).position(|window| window == b"/Encoding") else { return names };
    let mut lexer = Lexer::new(head.slice(start..));
    let mut operands: Vec<Operand> = Vec::new();
    while let Some(token) = lexer.next_token() {
        match token {
            Token::Operand(operand) if operands.len() < 1024 => operands.push(operand),
            Token::Operand(_) => {}
            Token::Operator(b"StandardEncoding") => {
                return encoding::standard().map(|name| name.map(str::to_owned));
            }
            Token::Operator(b"put") => {
                if let [.., Operand::Number(code), Operand::Name(name)] = operands.as_slice() {
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "the cast saturates"
                    )]
                    let slot = names.get_mut(*code as usize);
                    if let Some(slot) = slot.filter(|_| name != b".notdef") {
                        *slot = Some(String::from_utf8_lossy(name).into_owned());
                    }
                }
                operands.clear();
            }
            Token::Operator(b"def" | b"readonly" | b"eexec" | b"currentfile") => break,
            Token::Operator(_) => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type1_encoding_is_read_from_the_clear_text_portion() {
        let names = type1_encoding(
            b"%!PS-AdobeFont-1.0: X\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n\
              dup 65 /B put\ndup 66 /.notdef put\nreadonly def\ndup 67 /C put",
        );
        assert_eq!(names[65].as_deref(), Some("B"));
        assert_eq!((&names[66], &names[67]), (&None, &None));
        let standard = type1_encoding(b"%!PS\n/Encoding StandardEncoding def");
        assert_eq!(standard[0x27].as_deref(), Some("quoteright"));
    }
}
