//! Simple fonts (Type 1, TrueType, Type 3): one byte a code, 256 texts and 256 widths, settled at load.

use lopdf::{Dictionary, Object};

use super::cmap::CMap;
use super::program::Program;
use super::standard::{self, StandardFont};
use super::symbols::Symbols;
use super::{encoding, glyphs, widths};
use crate::objects::{Objects, integer};

/// The codes of a simple font.
#[derive(Clone, Debug)]
pub(crate) struct Simple {
    texts: Vec<Option<Box<str>>>,
    /// In ems.
    widths: Vec<f64>,
}

/// What kind of simple font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Type1,
    TrueType,
    /// With the horizontal scale of its FontMatrix.
    Type3(f64),
}

/// Where the parts of a simple font are.
pub(crate) struct Parts<'a, 'b> {
    pub(crate) font: &'a Dictionary,
    pub(crate) descriptor: Option<&'a Dictionary>,
    pub(crate) kind: Kind,
    /// Its name without subset tag.
    pub(crate) name: &'b str,
    /// The pictures that its codes may mean.
    pub(crate) symbols: Symbols,
    pub(crate) to_unicode: Option<&'b CMap>,
}

impl Simple {
    pub(crate) fn load<'a>(objects: &Objects<'a>, parts: &Parts<'a, '_>) -> Self {
        let standard = standard::find(parts.name);
        let encoding = Encoding::read(objects, parts, standard);
        let texts = (0u32..256).map(|code| encoding.text(code, parts.to_unicode)).collect();
        let widths = code_widths(objects, parts, standard, &encoding);
        Self { texts, widths }
    }

    /// The text of a code, where it has any.
    pub(crate) fn text(&self, code: u8) -> Option<&str> {
        self.texts.get(usize::from(code))?.as_deref()
    }

    /// Its advance in ems.
    pub(crate) fn width(&self, code: u8) -> f64 {
        self.widths.get(usize::from(code)).copied().unwrap_or(0.0)
    }
}

/// Glyph names by code, and texts that come from the font program without a name.
struct Encoding {
    names: [Option<String>; 256],
    texts: [Option<String>; 256],
    /// ZapfDingbats' names have a meaning of their own.
    dingbats: bool,
    /// Wingdings' codes have one too, whatever encoding is named.
    wingdings: bool,
    /// What codes mean where names do not, for Type 3 fonts none of whose names means anything.
    base: Option<&'static encoding::Names>,
    program: Option<Program>,
}

impl Encoding {
    fn read<'a>(objects: &Objects<'a>, parts: &Parts<'a, '_>, standard: Option<StandardFont>) -> Self {
        let encoding = objects.get(parts.font, b"Encoding");
        let dict = encoding.and_then(|encoding| encoding.as_dict().ok());
        let base = match encoding {
            Some(Object::Name(name)) => encoding::by_name(name),
            _ => dict.and_then(|dict| objects.name(dict, b"BaseEncoding")).and_then(encoding::by_name),
        };
        let flags = parts.descriptor.and_then(|d| objects.integer(d, b"Flags")).unwrap_or(0);
        let symbolic = flags & 4 != 0;
        let embedded = parts.descriptor.is_some_and(|descriptor| {
            [&b"FontFile"[..], b"FontFile2", b"FontFile3"].iter().any(|key| descriptor.has(key))
        });
        // A symbolic TrueType font is drawn by its own cmap, whatever its dictionary says.
        let own = embedded && (base.is_none() || symbolic && parts.kind == Kind::TrueType);
        // Inflating the program is work: it is asked only where the dictionary may not say enough.
        let asked = embedded && (own || dict.is_some() || !parts.font.has(b"Widths"));
        let program = parts.descriptor.filter(|_| asked).and_then(|d| Program::load(objects, d));
        let (mut names, mut texts) = (std::array::from_fn(|_| None), std::array::from_fn(|_| None));
        if let Some(program) = program.as_ref().filter(|_| own) {
            let built_in = program.built_in();
            names = built_in.names;
            texts = built_in.texts;
        }
        // An embedded TrueType font called Symbol that names an encoding of letters was made with that encoding.
        let standard = standard.filter(|_| !embedded || base.is_none() || parts.kind != Kind::TrueType);
        let fallback = match (base, standard, parts.kind) {
            (_, Some(StandardFont::Symbol), _) => Some(encoding::symbol()),
            (_, Some(StandardFont::Dingbats), _) => Some(encoding::dingbats()),
            (Some(base), _, _) => Some(base),
            (None, _, Kind::TrueType) => Some(encoding::win_ansi()),
            (None, _, Kind::Type1) if !embedded || !symbolic || names.iter().all(Option::is_none) => {
                Some(encoding::standard())
            }
            (None, _, _) => None,
        };
        for (idx, name) in fallback.into_iter().flatten().enumerate() {
            if let (Some(slot), Some(name)) = (names.get_mut(idx), name)
                && slot.is_none()
                && texts.get(idx).is_none_or(Option::is_none)
            {
                *slot = Some((*name).to_owned());
            }
        }
        let mut meaningful = false;
        if let Some(dict) = dict {
            differences(objects, dict, |code, name| {
                meaningful |= name.len() != 2 && glyphs::text(&name).is_some();
                if let (Some(slot), Some(text)) = (names.get_mut(code), texts.get_mut(code)) {
                    *slot = Some(name);
                    *text = None;
                }
            });
        }
        let dingbats = standard == Some(StandardFont::Dingbats) || parts.name.contains("Dingbat");
        let labels = matches!(parts.kind, Kind::Type3(_)) && !meaningful;
        let base = labels.then(|| base.unwrap_or(encoding::win_ansi()));
        let wingdings = parts.symbols == Symbols::Wingdings;
        let mut encoding = Self { names, texts, dingbats, wingdings, base, program };
        encoding.name_by_program();
        encoding
    }

    /// Names that mean nothing by themselves (`g12`) may name a glyph that the font's cmap knows.
    fn name_by_program(&mut self) {
        let Some(program) = &self.program else { return };
        let odd = |name: &String| glyphs::text(name).is_none() && name != ".notdef";
        if !self.names.iter().flatten().any(odd) {
            return;
        }
        let by_glyph = program.texts_by_glyph();
        for (name, text) in self.names.iter().zip(&mut self.texts) {
            if let Some(name) = name.as_ref().filter(|name| odd(name)) {
                *text = program.glyph_by_name(name).and_then(|glyph| by_glyph.get(&glyph).cloned());
            }
        }
    }

    fn text(&self, code: u32, to_unicode: Option<&CMap>) -> Option<Box<str>> {
        let mut text = String::new();
        if to_unicode.is_some_and(|map| map.push_text(code, &mut text)) && !meaningless(&text) {
            return Some(text.into());
        }
        let idx = usize::try_from(code).ok()?;
        if let Some(text) = self.texts.get(idx)?.as_deref().filter(|text| !meaningless(text)) {
            return Some(text.into());
        }
        if self.wingdings {
            return Symbols::Wingdings.text(u8::try_from(code).ok()?).map(Into::into);
        }
        let name = self.names.get(idx)?.as_deref()?;
        let dingbat = || standard::dingbat(name).filter(|_| self.dingbats).map(String::from);
        let known = || dingbat().or_else(|| glyphs::text(name)).or_else(|| numbered(name, code));
        // Names of Type 3 glyphs are often mere labels (`B8`): then the codes are those of the base encoding.
        let by_base = || glyphs::text(self.base?.get(idx).copied().flatten()?);
        let text = known().or_else(by_base)?;
        (!text.is_empty()).then(|| text.into())
    }
}

/// Text that a map gives where it knows nothing.
fn meaningless(text: &str) -> bool {
    text.chars().all(|c| c == '\u{FFFD}' || c == '\0' || ('\u{1}'..'\u{8}').contains(&c))
}

/// `a65`, `c65`, `A65`: Type 3 fonts of old converters name each glyph by its code.
fn numbered(name: &str, code: u32) -> Option<String> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let same = name.len() - digits.len() <= 2 && digits.parse() == Ok(code);
    char::from_u32(code).filter(|c| same && (' '..='~').contains(c)).map(String::from)
}

fn differences<'a>(objects: &Objects<'a>, encoding: &'a Dictionary, mut set: impl FnMut(usize, String)) {
    let mut code = 0usize;
    for item in objects.array(encoding, b"Differences").unwrap_or_default().iter().take(4096) {
        match objects.resolve(item) {
            Object::Name(name) => {
                if code < 256 {
                    set(
                        code,
                        String::from_utf8_lossy(name.get(..name.len().min(256)).unwrap_or_default())
                            .into_owned(),
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

fn code_widths<'a>(
    objects: &Objects<'a>,
    parts: &Parts<'a, '_>,
    standard: Option<StandardFont>,
    encoding: &Encoding,
) -> Vec<f64> {
    let given = widths::simple(objects, parts.font);
    if let Kind::Type3(scale) = parts.kind {
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

/// The standard font nearest to one that is neither embedded nor measured.
fn substitute<'a>(objects: &Objects<'a>, parts: &Parts<'a, '_>) -> StandardFont {
    let style = super::style::style(objects, parts.name.as_bytes(), parts.descriptor);
    let flags = parts.descriptor.and_then(|d| objects.integer(d, b"Flags")).unwrap_or(0);
    let serif = flags & 2 != 0 || parts.name.contains("Times") || parts.name.contains("Roman");
    match (style.monospace, serif, style.bold, style.italic) {
        (true, ..) => StandardFont::Courier,
        (_, true, false, false) => StandardFont::Latin(2),
        (_, true, true, false) => StandardFont::Latin(3),
        (_, true, false, true) => StandardFont::Latin(4),
        (_, true, true, true) => StandardFont::Latin(5),
        (_, false, bold, _) => StandardFont::Latin(usize::from(bold)),
    }
}
