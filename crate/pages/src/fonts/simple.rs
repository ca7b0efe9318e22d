//! SimpleFont fonts (Type 1, TrueType, Type 3): one byte a code, 256 texts and 256 widths, settled at load.

use lopdf::{Dictionary, Object};

use super::cmap::CMap;
use super::drawn::{DrawnText, DrawnTexts};
use super::program::{BuiltInEncoding, FontProgram};
use super::standard::{self, StandardFont};
use super::symbols::SymbolFont;
use super::{encoding, glyphs, widths};
use crate::meter::Meter;
use crate::objects::{Objects, integer};

/// Font descriptor flag: the font has glyphs outside the standard Latin set.
const SYMBOLIC: i64 = 1 << 2;
/// Font descriptor flag: glyphs have serifs.
const SERIF: i64 = 1 << 1;

/// Maximum length of a glyph name in bytes.
const MAX_GLYPH_NAME: usize = 256;

/// Codes of a simple font.
#[derive(Clone, Debug)]
pub(crate) struct SimpleFont {
    texts: Vec<Option<Box<str>>>,
    /// Advances in ems.
    widths: Vec<f64>,
    drawn: DrawnTexts,
}

/// Kind of a simple font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SimpleKind {
    Type1,
    TrueType,
    /// With the horizontal scale of its `FontMatrix`.
    Type3(f64),
}

/// Dictionaries and properties of a simple font.
pub(crate) struct FontParts<'a, 'b> {
    pub(crate) font: &'a Dictionary,
    pub(crate) descriptor: Option<&'a Dictionary>,
    pub(crate) kind: SimpleKind,
    /// Font name without subset tag.
    pub(crate) name: &'b str,
    /// Symbol set of its private codes.
    pub(crate) symbols: SymbolFont,
    pub(crate) to_unicode: Option<&'b CMap>,
}

impl SimpleFont {
    pub(crate) fn load<'a>(objects: &Objects<'a>, parts: &FontParts<'a, '_>) -> Self {
        let standard = standard::find(parts.name);
        let encoding = FontEncoding::read(objects, parts, standard);
        let texts = (0u32..256).map(|code| encoding.text(code, parts.to_unicode)).collect();
        let drawn = encoding.drawn_texts(parts);
        let widths = code_widths(objects, parts, standard, &encoding);
        Self { texts, widths, drawn }
    }

    /// Text of a code, if it has any.
    pub(crate) fn text(&self, code: u8) -> Option<&str> {
        self.texts.get(usize::from(code))?.as_deref()
    }

    /// Texts by the font itself.
    pub(crate) fn drawn(&self) -> &DrawnTexts {
        &self.drawn
    }

    /// Advance of a code in ems.
    pub(crate) fn width(&self, code: u8) -> f64 {
        self.widths.get(usize::from(code)).copied().unwrap_or(0.0)
    }
}

/// Glyph names by code, and texts that the font program gives without a name.
struct FontEncoding {
    names: [Option<String>; 256],
    texts: [Option<String>; 256],
    /// True if names are those of ZapfDingbats.
    dingbats: bool,
    /// True if codes are those of Wingdings, whatever encoding is named.
    wingdings: bool,
    /// Encoding of the codes of a Type 3 font whose glyph names are only labels.
    base: Option<&'static encoding::GlyphNames>,
    program: Option<FontProgram>,
    is_embedded: bool,
    /// Codes whose names neither the file nor the font program states.
    guessed: [bool; 256],
}

impl FontEncoding {
    fn read<'a>(objects: &Objects<'a>, parts: &FontParts<'a, '_>, standard: Option<StandardFont>) -> Self {
        let encoding = objects.get(parts.font, b"Encoding");
        let dict = encoding.and_then(|encoding| encoding.as_dict().ok());
        let base = match encoding {
            Some(Object::Name(name)) => encoding::by_name(name),
            _ => dict.and_then(|dict| objects.name(dict, b"BaseEncoding")).and_then(encoding::by_name),
        };
        let flags = parts.descriptor.and_then(|d| objects.integer(d, b"Flags")).unwrap_or(0);
        let is_symbolic = flags & SYMBOLIC != 0;
        let is_embedded = parts.descriptor.is_some_and(|descriptor| {
            [&b"FontFile"[..], b"FontFile2", b"FontFile3"].iter().any(|key| descriptor.has(key))
        });
        // A symbolic TrueType font is drawn by its own cmap, whatever encoding is named.
        let is_built_in =
            is_embedded && (base.is_none() || is_symbolic && parts.kind == SimpleKind::TrueType);
        // Inflating the program is work: it is read only if the dictionary may not say enough.
        let is_read = is_embedded && (is_built_in || dict.is_some() || !parts.font.has(b"Widths"));
        let program = parts.descriptor.filter(|_| is_read).and_then(|d| FontProgram::load(objects, d));
        let built_in =
            program.as_ref().filter(|_| is_built_in).map(|program| program.built_in_encoding(objects.meter));
        let BuiltInEncoding { names, texts } = built_in.unwrap_or_default();
        // An embedded TrueType font called Symbol that names a text encoding was made with that encoding.
        let standard =
            standard.filter(|_| !is_embedded || base.is_none() || parts.kind != SimpleKind::TrueType);
        let fallback = match (base, standard, parts.kind) {
            (_, Some(StandardFont::Symbol), _) => Some(encoding::symbol()),
            (_, Some(StandardFont::Dingbats), _) => Some(encoding::dingbats()),
            (Some(base), _, _) => Some(base),
            (None, _, SimpleKind::TrueType) => Some(encoding::win_ansi()),
            (None, _, SimpleKind::Type1)
                if !is_embedded || !is_symbolic || names.iter().all(Option::is_none) =>
            {
                Some(encoding::standard())
            }
            (None, _, _) => None,
        };
        let mut encoding = Self {
            names,
            texts,
            dingbats: standard == Some(StandardFont::Dingbats) || parts.name.contains("Dingbat"),
            wingdings: parts.symbols == SymbolFont::Wingdings,
            base: None,
            program,
            is_embedded,
            guessed: [false; 256],
        };
        let is_drawn_by = !is_embedded && (standard.is_some() || dict.is_some());
        encoding.fill(fallback, is_drawn_by || base.is_some() && !is_built_in);
        let has_known_names = dict.is_some_and(|dict| encoding.apply_differences(objects, dict));
        if matches!(parts.kind, SimpleKind::Type3(_)) && !has_known_names {
            encoding.base = Some(base.unwrap_or(encoding::win_ansi()));
        }
        encoding.name_by_program(objects.meter);
        encoding
    }

    /// Names the codes that have neither name nor text by `fallback`, which the file states or not.
    fn fill(&mut self, fallback: Option<&'static encoding::GlyphNames>, is_stated: bool) {
        let slots = self.names.iter_mut().zip(&self.texts).zip(&mut self.guessed);
        for (((slot, text), guessed), name) in slots.zip(fallback.into_iter().flatten()) {
            if slot.is_none() && text.is_none() {
                *slot = name.map(str::to_owned);
                *guessed = !is_stated;
            }
        }
    }

    /// Applies `Differences`; true if it holds a glyph name with a known meaning, two-letter labels aside.
    fn apply_differences<'a>(&mut self, objects: &Objects<'a>, dict: &'a Dictionary) -> bool {
        let mut has_known_names = false;
        differences(objects, dict, |code, name| {
            has_known_names |= name.len() != 2 && glyphs::text(&name).is_some();
            if let (Some(slot), Some(text)) = (self.names.get_mut(code), self.texts.get_mut(code)) {
                *slot = Some(name);
                *text = None;
            }
            if let Some(guessed) = self.guessed.get_mut(code) {
                *guessed = false;
            }
        });
        has_known_names
    }

    /// Finds text for names without a meaning (`g12`) through the cmap of the font program.
    fn name_by_program(&mut self, meter: &Meter) {
        let Some(program) = &self.program else { return };
        let is_unknown = |name: &String| glyphs::text(name).is_none() && name != ".notdef";
        if !self.names.iter().flatten().any(is_unknown) {
            return;
        }
        let by_glyph = program.texts_by_glyph(meter);
        let n_unknown = self.names.iter().flatten().filter(|name| is_unknown(name)).count();
        meter.steps(n_unknown * program.n_glyphs());
        for (name, text) in self.names.iter().zip(&mut self.texts) {
            if let Some(name) = name.as_ref().filter(|name| is_unknown(name)) {
                *text = program.glyph_by_name(name).and_then(|glyph| by_glyph.get(&glyph).cloned());
            }
        }
    }

    /// Texts that the font itself gives, beside those of `ToUnicode`. Glyph names of Type 3 and symbol fonts are labels.
    fn drawn_texts(&self, parts: &FontParts<'_, '_>) -> DrawnTexts {
        let is_silent =
            matches!(parts.kind, SimpleKind::Type3(_)) || self.dingbats || parts.symbols != SymbolFont::None;
        if is_silent {
            return DrawnTexts::default();
        }
        let texts = (0u32..256).filter_map(|code| {
            let drawn = self.drawn_text(code)?;
            let claimed = parts.to_unicode.and_then(|map| claim(map, code, parts.symbols));
            Some(DrawnText { code, claimed, drawn })
        });
        DrawnTexts::new(texts, self.is_embedded)
    }

    /// Text that the font itself gives to a code.
    fn drawn_text(&self, code: u32) -> Option<String> {
        let idx = usize::try_from(code).ok()?;
        if *self.guessed.get(idx)? {
            return None;
        }
        let text = self.texts.get(idx)?.clone().filter(|text| !is_meaningless(text));
        text.or_else(|| glyphs::text(self.names.get(idx)?.as_deref()?))
    }

    fn text(&self, code: u32, to_unicode: Option<&CMap>) -> Option<Box<str>> {
        let mut text = String::new();
        if to_unicode.is_some_and(|map| map.push_text(code, &mut text)) && !is_meaningless(&text) {
            return Some(text.into());
        }
        let idx = usize::try_from(code).ok()?;
        if let Some(text) = self.texts.get(idx)?.as_deref().filter(|text| !is_meaningless(text)) {
            return Some(text.into());
        }
        if self.wingdings {
            return SymbolFont::Wingdings.text(u8::try_from(code).ok()?).map(Into::into);
        }
        let name = self.names.get(idx)?.as_deref()?;
        let dingbat = || standard::dingbat(name).filter(|_| self.dingbats).map(String::from);
        let known = || dingbat().or_else(|| glyphs::text(name)).or_else(|| code_label(name, code));
        // Names of Type 3 glyphs are often labels (`B8`): then the codes are those of the base encoding.
        let by_base = || glyphs::text(self.base?.get(idx).copied().flatten()?);
        let text = known().or_else(by_base)?;
        (!text.is_empty()).then(|| text.into())
    }
}

/// Text that a `ToUnicode` map claims for a code.
pub(super) fn claim(map: &CMap, code: u32, symbols: SymbolFont) -> Option<String> {
    let mut text = String::new();
    let is_claim = map.push_text(code, &mut text) && !is_meaningless(&text);
    is_claim.then(|| symbols.of_private_use(&text).unwrap_or(text))
}

/// True for text that maps give to codes they do not know.
fn is_meaningless(text: &str) -> bool {
    text.chars().all(|c| c == '\u{FFFD}' || c == '\0' || ('\u{1}'..'\u{8}').contains(&c))
}

/// Character of a label with the code in it (`a65`, `c65`), as Type 3 fonts of old converters name glyphs.
fn code_label(name: &str, code: u32) -> Option<String> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let same = name.len() - digits.len() <= 2 && digits.parse() == Ok(code);
    char::from_u32(code).filter(|c| same && (' '..='~').contains(c)).map(String::from)
}

/// Calls `set` with the code and the glyph name of each entry of `Differences`.
fn differences<'a>(objects: &Objects<'a>, encoding: &'a Dictionary, mut set: impl FnMut(usize, String)) {
    let mut code = 0usize;
    for item in objects.array(encoding, b"Differences").unwrap_or_default().iter().take(4096) {
        match objects.resolve(item) {
            Object::Name(name) => {
                if code < 256 {
                    set(
                        code,
                        String::from_utf8_lossy(name.get(..MAX_GLYPH_NAME).unwrap_or(name)).into_owned(),
                    );
                }
                code = code.saturating_add(1);
            }
            number => {
                if let Some(n) = integer(number).and_then(|n| usize::try_from(n).ok()) {
                    code = n;
                }
            }
        }
    }
}

/// Advances of all codes in ems: `Widths`, else the font program, else the metrics of a standard font.
fn code_widths<'a>(
    objects: &Objects<'a>,
    parts: &FontParts<'a, '_>,
    standard: Option<StandardFont>,
    encoding: &FontEncoding,
) -> Vec<f64> {
    let given = widths::simple(objects, parts.font);
    if let SimpleKind::Type3(scale) = parts.kind {
        return given.iter().map(|width| (width.unwrap_or(0.0) * scale).clamp(-100.0, 100.0)).collect();
    }
    let missing = parts.descriptor.and_then(|d| objects.number(d, b"MissingWidth"));
    let has_widths = given.iter().any(Option::is_some);
    let own = (!has_widths).then(|| encoding.program.as_ref()?.widths(&encoding.names)).flatten();
    let metrics = standard.unwrap_or_else(|| substitute(objects, parts));
    let measured = |code: usize| {
        if let Some(width) = own.as_ref().and_then(|widths| widths.get(code).copied().flatten()) {
            return width;
        }
        let name = encoding.names.get(code).and_then(Option::as_deref);
        match name.and_then(|name| standard::glyph_width(metrics, name)) {
            Some(width) if standard.is_some() || !has_widths => f64::from(width) / 1000.0,
            _ => widths::em(missing.unwrap_or(if has_widths { 0.0 } else { 500.0 })),
        }
    };
    given.iter().enumerate().map(|(code, width)| width.map_or_else(|| measured(code), widths::em)).collect()
}

/// Standard font nearest to a font that is neither embedded nor has widths.
fn substitute<'a>(objects: &Objects<'a>, parts: &FontParts<'a, '_>) -> StandardFont {
    let style = super::style::style(objects, parts.name.as_bytes(), parts.descriptor);
    let flags = parts.descriptor.and_then(|d| objects.integer(d, b"Flags")).unwrap_or(0);
    let serif = flags & SERIF != 0 || parts.name.contains("Times") || parts.name.contains("Roman");
    match (style.monospace, serif, style.bold, style.italic) {
        (true, ..) => StandardFont::Courier,
        (_, true, false, false) => StandardFont::Latin(2),
        (_, true, true, false) => StandardFont::Latin(3),
        (_, true, false, true) => StandardFont::Latin(4),
        (_, true, true, true) => StandardFont::Latin(5),
        (_, false, bold, _) => StandardFont::Latin(usize::from(bold)),
    }
}
