//! Fonts: from the bytes of a shown string to Unicode and advance widths.
//!
//! A font is settled once, when first selected, and cached. The order in which a code gets its text:
//! `ToUnicode`; what its encoding says (glyph names, Unicode CMaps, Adobe's character collections); what the
//! embedded program says. A `ToUnicode` map that says nothing (all codes one character, or none that is text)
//! comes last instead of first. Where nothing does, the text is U+FFFD: the glyph is there, its meaning is not.

mod cmap;
mod composite;
pub(crate) mod encoding;
pub(crate) mod glyphs;
mod program;
mod simple;
mod standard;
mod style;
mod symbols;
mod widths;

use std::collections::BTreeMap;
use std::sync::Arc;

use document::FontStyle;
use lopdf::{Dictionary, Object};

use cmap::{CMap, Collection, PredefinedCMap};
use composite::{Composite, Tables};
use simple::{Kind, Parts, Simple};
pub use standard::standard_widths;
use symbols::Symbols;

use crate::objects::{Objects, as_dict, number};

/// Fonts kept of one file; when there are more, all are dropped and loaded anew.
const MAX_FONTS: usize = 2_000;

/// A table used by more than one font.
pub(crate) type Shared<T> = Arc<T>;

/// A font, ready to decode strings.
pub(crate) struct Font {
    pub(crate) style: FontStyle,
    /// How far glyphs reach above and below the baseline, in ems.
    pub(crate) ascent: f64,
    pub(crate) descent: f64,
    /// Writes down the page.
    pub(crate) vertical: bool,
    /// What one unit of the `Tf` size is worth as type size; 1 but for Type 3 fonts.
    pub(crate) size_factor: f64,
    /// Its glyphs are drawings that may choose their own colours: Type 3.
    pub(crate) own_colours: bool,
    symbols: Symbols,
    codes: Codes,
    to_unicode: Option<CMap>,
    /// The map says too little to be asked first.
    distrusted: bool,
}

enum Codes {
    Simple(Box<Simple>),
    Composite(Box<Composite>),
}

/// One decoded code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Code {
    /// Bytes that it takes.
    pub(crate) length: usize,
    /// Its advance in ems: to the right, or for vertical fonts upwards, so negative.
    pub(crate) advance: f64,
    /// Word spacing applies to it: the single byte 32.
    pub(crate) word_space: bool,
    /// Something gave it text.
    pub(crate) mapped: bool,
}

impl Font {
    /// Reads the next code of `bytes` and appends its text, U+FFFD where nothing knows it; `None` at the end.
    pub(crate) fn next_code(&self, bytes: &[u8], text: &mut String) -> Option<Code> {
        let first = *bytes.first()?;
        let start = text.len();
        let code = match &self.codes {
            Codes::Simple(simple) => {
                let known = simple.text(first);
                let map = self.to_unicode.as_ref().filter(|_| self.distrusted && known.is_none());
                let mapped = match known {
                    Some(known) => {
                        text.push_str(known);
                        true
                    }
                    None => map.is_some_and(|map| map.push_known(first.into(), text)),
                };
                Code { length: 1, advance: simple.width(first), word_space: first == b' ', mapped }
            }
            Codes::Composite(composite) => {
                let (code, length, cid) = composite.next_code(bytes)?;
                let map = self.to_unicode.as_ref();
                let by_map = |text: &mut String| map.is_some_and(|map| map.push_known(code, text));
                let by_font = |text: &mut String| composite.push_text(code, cid, text);
                let mapped = if self.distrusted {
                    by_font(text) || by_map(text)
                } else {
                    by_map(text) || by_font(text)
                };
                let word_space = length == 1 && first == b' ';
                let advance = if self.vertical { composite.height(cid) } else { composite.width(cid) };
                Code { length, advance, word_space, mapped }
            }
        };
        if let Some(meant) = text.get(start..).and_then(|text| self.symbols.of_private(text)) {
            text.truncate(start);
            text.push_str(&meant);
        }
        if text.len() == start && !code.mapped {
            // A control code that nothing knows draws nothing, or a gap.
            let control = matches!(self.codes, Codes::Simple(_)) && first < b' ';
            text.push(if control { ' ' } else { '\u{FFFD}' });
        }
        Some(code)
    }
}

/// The fonts of one file, by the address of their dictionary: the file's objects do not move while it is read.
#[derive(Default)]
pub(crate) struct Cache {
    fonts: BTreeMap<usize, Arc<Font>>,
    predefined: BTreeMap<Vec<u8>, Option<Shared<PredefinedCMap>>>,
    collections: BTreeMap<Vec<u8>, Option<Shared<Collection>>>,
}

impl Cache {
    /// The font of a dictionary, if it has been loaded.
    pub(crate) fn cached(&self, font: &Dictionary) -> Option<Arc<Font>> {
        self.fonts.get(&std::ptr::from_ref(font).addr()).map(Arc::clone)
    }

    /// Loads the font of a dictionary and keeps it.
    pub(crate) fn load<'a>(&mut self, objects: &Objects<'a>, font: &'a Dictionary) -> Arc<Font> {
        if self.fonts.len() >= MAX_FONTS {
            self.fonts.clear();
        }
        let loaded = Arc::new(load(objects, font, self));
        self.fonts.insert(std::ptr::from_ref(font).addr(), Arc::clone(&loaded));
        loaded
    }
}

impl Tables for Cache {
    fn predefined(&mut self, name: &[u8]) -> Option<Shared<PredefinedCMap>> {
        if name.starts_with(b"Identity") {
            return None;
        }
        let load = || PredefinedCMap::load(name).map(Arc::new);
        self.predefined.entry(name.to_vec()).or_insert_with(load).clone()
    }

    fn collection(&mut self, ordering: &[u8]) -> Option<Shared<Collection>> {
        let load = || Collection::load(ordering).map(Arc::new);
        self.collections.entry(ordering.to_vec()).or_insert_with(load).clone()
    }
}

fn load<'a>(objects: &Objects<'a>, font: &'a Dictionary, tables: &mut dyn Tables) -> Font {
    let subtype = objects.name(font, b"Subtype").unwrap_or_default();
    let descendant = objects
        .array(font, b"DescendantFonts")
        .and_then(|fonts| as_dict(objects.resolve(fonts.first()?)))
        .or_else(|| objects.dict(font, b"DescendantFonts"));
    let descriptor = objects
        .dict(font, b"FontDescriptor")
        .or_else(|| descendant.and_then(|font| objects.dict(font, b"FontDescriptor")));
    let base_font = objects
        .name(font, b"BaseFont")
        .or_else(|| descriptor.and_then(|descriptor| objects.name(descriptor, b"FontName")))
        .or_else(|| objects.name(font, b"Name"))
        .unwrap_or_default();
    let style = style::style(objects, base_font, descriptor);
    let to_unicode = match objects.get(font, b"ToUnicode") {
        Some(Object::Stream(stream)) => objects.data(stream).ok().map(|data| CMap::parse(&data)),
        Some(Object::Name(name)) if name.starts_with(b"Identity") && descendant.is_some() => {
            Some(CMap::identity())
        }
        _ => None,
    };
    let to_unicode = to_unicode.filter(CMap::has_text);
    let distrusted = to_unicode.as_ref().is_some_and(CMap::says_nothing);
    let symbols = Symbols::of(&style.name);
    let standard = standard::find(&style.name);
    // Ideographs fill their em almost to the top.
    let usual = if descendant.is_some() { (0.88, -0.2) } else { (0.75, -0.25) };
    let defaults = standard.map_or(usual, standard::ascent_descent);
    let (mut ascent, mut descent) = ascent_descent(objects, descriptor, defaults);
    let mut size_factor = 1.0;
    let (codes, vertical) = match descendant.filter(|_| subtype == b"Type0" || !font.has(b"Widths")) {
        Some(descendant) => {
            let trusted = to_unicode.as_ref().filter(|_| !distrusted);
            let composite = Composite::load(objects, font, descendant, trusted, tables);
            let vertical = composite.vertical();
            (Codes::Composite(Box::new(composite)), vertical)
        }
        None => {
            let kind = match subtype {
                b"Type3" => {
                    let matrix = type3_matrix(objects, font);
                    size_factor = type3_size(objects, font, matrix);
                    (ascent, descent) = (0.75 * size_factor, -0.25 * size_factor);
                    Kind::Type3(matrix[0])
                }
                b"TrueType" => Kind::TrueType,
                _ => Kind::Type1,
            };
            let trusted = to_unicode.as_ref().filter(|_| !distrusted);
            let parts = Parts { font, descriptor, kind, name: &style.name, symbols, to_unicode: trusted };
            (Codes::Simple(Box::new(Simple::load(objects, &parts))), false)
        }
    };
    let own_colours = subtype == b"Type3";
    Font {
        style,
        ascent,
        descent,
        vertical,
        size_factor,
        own_colours,
        symbols,
        codes,
        to_unicode,
        distrusted,
    }
}

/// Ascent and descent of the descriptor in ems, where they are sensible.
fn ascent_descent<'a>(
    objects: &Objects<'a>,
    descriptor: Option<&'a Dictionary>,
    defaults: (f32, f32),
) -> (f64, f64) {
    let defaults = (f64::from(defaults.0), f64::from(defaults.1));
    let Some(descriptor) = descriptor else { return defaults };
    let value = |key: &[u8]| objects.number(descriptor, key).map(|n| n / 1000.0);
    let ascent = value(b"Ascent").filter(|a| (0.4..=1.0).contains(a)).unwrap_or(defaults.0);
    // Some files give the descent as a positive number.
    let descent =
        value(b"Descent").map(|d| -d.abs()).filter(|d| (-0.4..=-0.05).contains(d)).unwrap_or(defaults.1);
    (ascent, descent)
}

fn type3_matrix<'a>(objects: &Objects<'a>, font: &'a Dictionary) -> [f64; 6] {
    let matrix = objects.numbers::<6>(font, b"FontMatrix");
    matrix.filter(|m| m[0] != 0.0).unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0])
}

/// The type size of a Type 3 font at `Tf` size 1. With the usual matrix it is 1; bitmap fonts of old TeX
/// drivers and of scanners have glyph spaces in pixels, and their FontBBox may be missing or empty: then a
/// character is taken to be half as wide as the type is high.
fn type3_size<'a>(objects: &Objects<'a>, font: &'a Dictionary, matrix: [f64; 6]) -> f64 {
    let (across, up) = (matrix[0].abs(), matrix[3].abs());
    if (0.0009..=0.0011).contains(&up) {
        return 1.0;
    }
    let font_box = objects.array(font, b"FontBBox").unwrap_or_default();
    let corner = |idx: usize| font_box.get(idx).and_then(|object| number(objects.resolve(object)));
    let height = corner(3).zip(corner(1)).map_or(0.0, |(top, bottom)| (top - bottom).abs()) * up;
    let widths = widths::simple(objects, font).into_iter().flatten().filter(|width| *width > 0.0);
    let (sum, count) = widths.fold((0.0, 0.0), |(sum, count), width| (sum + width * across, count + 1.0));
    let guess = if count > 0.0 { 2.0 * sum / count } else { height };
    let size = if height > 0.4 * guess { height } else { guess };
    if (0.001..=1000.0).contains(&size) { size } else { 1.0 }
}
