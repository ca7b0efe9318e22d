//! Loading of a font from its dictionary (ISO 32000-1, 9.6 and 9.7).

use lopdf::{Dictionary, Object};

use super::cmap::CMap;
use super::composite::{CompositeFont, PredefinedTables};
use super::font::{Codes, Font, ToUnicode};
use super::simple::{FontParts, SimpleFont, SimpleKind};
use super::symbols::SymbolFont;
use super::{standard, style, type3};
use crate::objects::{Objects, as_dict};

/// Ascent and descent in ems of CID fonts without metrics: ideographs fill their em almost to the top.
const CID_METRICS: (f32, f32) = (0.88, -0.2);
/// Ascent and descent in ems of other fonts without metrics.
const SIMPLE_METRICS: (f32, f32) = (0.75, -0.25);

/// Loads a font.
pub(super) fn load<'a>(
    objects: &Objects<'a>,
    font: &'a Dictionary,
    tables: &mut dyn PredefinedTables,
) -> Font {
    let subtype = objects.name(font, b"Subtype").unwrap_or_default();
    let descendant = descendant(objects, font);
    let descriptor = objects
        .dict(font, b"FontDescriptor")
        .or_else(|| descendant.and_then(|font| objects.dict(font, b"FontDescriptor")));
    let base_font = objects
        .name(font, b"BaseFont")
        .or_else(|| descriptor.and_then(|descriptor| objects.name(descriptor, b"FontName")))
        .or_else(|| objects.name(font, b"Name"))
        .unwrap_or_default();
    let style = style::style(objects, base_font, descriptor);
    let to_unicode = ToUnicode::new(to_unicode(objects, font, descendant.is_some()));
    let symbols = SymbolFont::of(&style.name);
    let composite = descendant.filter(|_| subtype == b"Type0" || !font.has(b"Widths"));
    let (mut size_factor, mut type3_scale) = (1.0, None);
    let (ascent, descent) = if subtype == b"Type3" && composite.is_none() {
        let matrix = type3::font_matrix(objects, font);
        size_factor = type3::size_factor(objects, font, matrix);
        type3_scale = Some(matrix[0]);
        (0.75 * size_factor, -0.25 * size_factor)
    } else {
        let usual = if descendant.is_some() { CID_METRICS } else { SIMPLE_METRICS };
        let defaults = standard::find(&style.name).map_or(usual, standard::ascent_descent);
        ascent_descent(objects, descriptor, defaults)
    };
    let (codes, vertical) = match composite {
        Some(descendant) => {
            let composite =
                CompositeFont::load(objects, font, descendant, to_unicode.reliable(), symbols, tables);
            let vertical = composite.vertical();
            (Codes::Composite(Box::new(composite)), vertical)
        }
        None => {
            let kind = match type3_scale {
                Some(scale) => SimpleKind::Type3(scale),
                None if subtype == b"TrueType" => SimpleKind::TrueType,
                None => SimpleKind::Type1,
            };
            let to_unicode = to_unicode.reliable();
            let parts = FontParts { font, descriptor, kind, name: &style.name, symbols, to_unicode };
            (Codes::Simple(Box::new(SimpleFont::load(objects, &parts))), false)
        }
    };
    let own_colours = subtype == b"Type3";
    Font { style, ascent, descent, vertical, size_factor, own_colours, symbols, codes, to_unicode }
}

/// First descendant font of a Type 0 font; some files give it without the array.
fn descendant<'a>(objects: &Objects<'a>, font: &'a Dictionary) -> Option<&'a Dictionary> {
    objects
        .array(font, b"DescendantFonts")
        .and_then(|fonts| as_dict(objects.resolve(fonts.first()?)))
        .or_else(|| objects.dict(font, b"DescendantFonts"))
}

/// `ToUnicode` CMap, if it maps any code to text.
fn to_unicode<'a>(objects: &Objects<'a>, font: &'a Dictionary, is_composite: bool) -> Option<CMap> {
    let map = match objects.get(font, b"ToUnicode")? {
        Object::Stream(stream) => CMap::parse(&objects.data(stream).ok()?, objects.meter),
        Object::Name(name) if name.starts_with(b"Identity") && is_composite => CMap::identity(),
        _ => return None,
    };
    map.has_text().then_some(map)
}

/// Ascent and descent of the descriptor in ems; the defaults where they are missing or implausible.
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
