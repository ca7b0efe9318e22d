//! Composite fonts (Type 0): codes of one to four bytes, a CMap from codes to CIDs, and Unicode from codes, CIDs or
//! glyphs.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::{Dictionary, Object};

use super::cmap::{CMap, CharacterCollection, PredefinedCMap, prefix};
use super::drawn::{DrawnText, DrawnTexts};
use super::program::FontProgram;
use super::simple::claim;
use super::symbols::SymbolFont;
use super::widths::CidWidths;
use crate::meter::Meter;
use crate::objects::{Objects, as_dict};

/// Maximum size in bytes, as stored, of a font program that is read for comparison alone.
const MAX_COMPARED: usize = 8 << 20;
/// Steps of comparing the text of a code with the one claimed.
const COMPARISON: usize = 100;
/// Bytes of a table that count as an entry.
const ENTRY: usize = 64;

/// Codes of a composite font.
pub(crate) struct CompositeFont {
    encoding: Encoding,
    widths: CidWidths,
    collection: Option<Arc<CharacterCollection>>,
    /// Text by the glyphs of the embedded font program.
    program: Option<GlyphTexts>,
    /// True if the character collection says that CIDs are Unicode.
    cids_are_unicode: bool,
    /// True if viewers draw by the character collection, since no program is embedded.
    is_drawn_by_collection: bool,
    drawn: DrawnTexts,
}

/// CMap from codes to CIDs.
enum Encoding {
    /// Two bytes; the code is the CID.
    Identity {
        vertical: bool,
    },
    Predefined(Arc<PredefinedCMap>),
    Embedded {
        map: CMap,
        base: Option<Arc<PredefinedCMap>>,
    },
}

/// Text by glyph of an embedded font program.
struct GlyphTexts {
    texts: BTreeMap<u16, String>,
    /// `CIDToGIDMap`, two bytes per CID; `None` if CIDs are glyph ids.
    cid_to_gid: Option<Vec<u8>>,
    /// Glyphs by the CIDs of a CFF program.
    cff_cids: Option<BTreeMap<u16, u16>>,
}

/// Predefined tables, which fonts of a file share.
pub(crate) trait PredefinedTables {
    /// CMap of this name.
    fn cmap(&mut self, name: &[u8]) -> Option<Arc<PredefinedCMap>>;
    /// Character collection with this `Ordering`.
    fn collection(&mut self, ordering: &[u8]) -> Option<Arc<CharacterCollection>>;
}

impl CompositeFont {
    pub(crate) fn load<'a>(
        objects: &Objects<'a>,
        font: &'a Dictionary,
        descendant: &'a Dictionary,
        to_unicode: Option<&CMap>,
        symbols: SymbolFont,
        tables: &mut dyn PredefinedTables,
    ) -> Self {
        let encoding = match objects.get(font, b"Encoding") {
            Some(Object::Name(name)) => match (name.as_slice(), tables.cmap(name)) {
                (b"Identity-H" | b"Identity-V", _) | (_, None) => {
                    Encoding::Identity { vertical: name.ends_with(b"-V") }
                }
                (_, Some(map)) => Encoding::Predefined(map),
            },
            Some(Object::Stream(stream)) => {
                let map =
                    objects.data(stream).map(|data| CMap::parse(&data, objects.meter)).unwrap_or_default();
                let named = objects.name(&stream.dict, b"UseCMap").map(<[u8]>::to_vec);
                let base = named.or_else(|| map.base.clone()).and_then(|name| tables.cmap(&name));
                match objects.name(&stream.dict, b"CMapName") {
                    Some(b"Identity-H") => Encoding::Identity { vertical: false },
                    Some(b"Identity-V") => Encoding::Identity { vertical: true },
                    _ => Encoding::Embedded { map, base },
                }
            }
            _ => Encoding::Identity { vertical: false },
        };
        let info = objects.dict(descendant, b"CIDSystemInfo");
        let ordering = info.and_then(|info| match objects.get(info, b"Ordering")? {
            Object::String(ordering, _) | Object::Name(ordering) => Some(ordering.as_slice()),
            _ => None,
        });
        let collection = ordering.and_then(|ordering| tables.collection(ordering));
        let widths = CidWidths::read(objects, descendant);
        // The font program is read if `ToUnicode` leaves out CIDs with widths, which are probably used.
        let complete = to_unicode.is_some_and(|map| {
            let known = |&cid: &u32| map.push_text(cid, &mut String::new());
            !matches!(encoding, Encoding::Identity { .. }) || widths.measured().all(|cid| known(&cid))
        });
        let is_identity = matches!(encoding, Encoding::Identity { .. });
        let (needs_texts, claims) = (!complete && collection.is_none(), to_unicode.filter(|_| is_identity));
        let compares = claims.is_some() && has_small_program(objects, descendant);
        let program = (needs_texts || compares).then(|| GlyphProgram::load(objects, descendant)).flatten();
        let drawn = program
            .as_ref()
            .zip(claims)
            .map(|(program, map)| program.drawn_texts(map, symbols, objects.meter));
        let program =
            program.as_ref().filter(|_| needs_texts).and_then(|program| program.texts(objects.meter));
        let cids_are_unicode = ordering == Some(b"UCS") && is_identity;
        let is_drawn_by_collection = collection.is_some() && !is_embedded(objects, descendant);
        let drawn = drawn.unwrap_or_default();
        Self { encoding, widths, collection, program, cids_are_unicode, is_drawn_by_collection, drawn }
    }

    /// True if it writes down the page.
    pub(crate) fn vertical(&self) -> bool {
        match &self.encoding {
            Encoding::Identity { vertical } => *vertical,
            Encoding::Predefined(map) => map.vertical,
            Encoding::Embedded { map, base } => {
                map.vertical || base.as_ref().is_some_and(|base| base.vertical)
            }
        }
    }

    /// Next code of `bytes`, its length in bytes and its CID; `None` at the end.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> Option<(u32, usize, u32)> {
        match &self.encoding {
            Encoding::Identity { .. } => prefix(bytes, 2).map(|(code, length)| (code, length, code)),
            Encoding::Predefined(map) => {
                let (code, length) = map.next_code(bytes)?;
                Some((code, length, map.cid(code, length).unwrap_or(0)))
            }
            Encoding::Embedded { map, base } => {
                let (code, length) = match base {
                    _ if map.has_codespaces() => map.next_code(bytes)?,
                    Some(base) => base.next_code(bytes)?,
                    None => prefix(bytes, 2)?,
                };
                let inherited = || base.as_ref().and_then(|base| base.cid(code, length));
                let identity = (!map.has_cids() && base.is_none()).then_some(code);
                Some((code, length, map.cid(code).or_else(inherited).or(identity).unwrap_or(0)))
            }
        }
    }

    /// Appends the text of a code without the help of `ToUnicode`; false if it has none.
    pub(crate) fn push_text(&self, code: u32, cid: u32, out: &mut String) -> bool {
        let by_code = match &self.encoding {
            Encoding::Predefined(map) => map.push_text(code, out),
            Encoding::Embedded { map, base } => {
                map.push_text(code, out) || base.as_ref().is_some_and(|base| base.push_text(code, out))
            }
            Encoding::Identity { .. } => false,
        };
        by_code
            || self.collection.as_ref().is_some_and(|collection| collection.push_text(cid, out))
            || self.program.as_ref().is_some_and(|program| program.push_text(cid, out))
            || self.cids_are_unicode && CMap::identity().push_text(cid, out)
    }

    /// Texts by the font itself.
    pub(crate) fn drawn(&self) -> &DrawnTexts {
        &self.drawn
    }

    /// True if viewers draw its codes by what [`Self::push_text`] gives.
    pub(crate) fn is_drawn_by_collection(&self) -> bool {
        self.is_drawn_by_collection
    }

    /// Entries of its tables: what it takes of memory.
    pub(crate) fn n_entries(&self) -> usize {
        let map = match &self.encoding {
            Encoding::Embedded { map, .. } => map.n_entries(),
            Encoding::Identity { .. } | Encoding::Predefined(_) => 0,
        };
        map + self.widths.n_ranges()
            + self.drawn.n_entries()
            + self.program.as_ref().map_or(0, GlyphTexts::n_entries)
    }

    /// Horizontal advance of a CID in ems.
    pub(crate) fn width(&self, cid: u32) -> f64 {
        self.widths.width(cid)
    }

    /// Vertical advance of a CID in ems; negative is down.
    pub(crate) fn height(&self, cid: u32) -> f64 {
        self.widths.height(cid)
    }
}

/// Embedded program of a font, with the glyphs of its CIDs.
struct GlyphProgram {
    program: FontProgram,
    /// `CIDToGIDMap`, two bytes per CID; `None` if CIDs are glyph ids.
    cid_to_gid: Option<Vec<u8>>,
}

impl GlyphProgram {
    fn load<'a>(objects: &Objects<'a>, descendant: &'a Dictionary) -> Option<Self> {
        let descriptor = objects.get(descendant, b"FontDescriptor").and_then(as_dict)?;
        let program = FontProgram::load(objects, descriptor)?;
        let map = objects.stream(descendant, b"CIDToGIDMap");
        let cid_to_gid = map.and_then(|stream| objects.data(stream).ok());
        Some(Self { program, cid_to_gid })
    }

    fn texts(&self, meter: &Meter) -> Option<GlyphTexts> {
        let texts = self.program.texts_by_glyph(meter);
        let (cid_to_gid, cff_cids) = (self.cid_to_gid.clone(), self.program.glyph_by_cid());
        (!texts.is_empty()).then_some(GlyphTexts { texts, cid_to_gid, cff_cids })
    }

    /// Letters that the program's cmap gives to codes, which are CIDs, beside those of `ToUnicode`.
    fn drawn_texts(&self, claims: &CMap, symbols: SymbolFont, meter: &Meter) -> DrawnTexts {
        let letters = self.program.letters_by_glyph(meter);
        let codes: Vec<(u32, char)> = match &self.cid_to_gid {
            None => letters.iter().map(|(&glyph, &c)| (u32::from(glyph), c)).collect(),
            Some(map) => {
                let glyphs = map.as_chunks().0.iter().map(|&pair| u16::from_be_bytes(pair));
                (0..=0xFFFF)
                    .zip(glyphs)
                    .filter_map(|(cid, glyph)| Some((cid, *letters.get(&glyph)?)))
                    .collect()
            }
        };
        meter.steps(codes.len().saturating_mul(COMPARISON));
        let texts = codes.into_iter().filter_map(|(code, c)| {
            Some(DrawnText { code, claimed: Some(claim(claims, code, symbols)?), drawn: c.to_string() })
        });
        DrawnTexts::new(texts, true)
    }
}

/// True if a font embeds a program with a cmap that is cheap to read.
fn has_small_program<'a>(objects: &Objects<'a>, descendant: &'a Dictionary) -> bool {
    let descriptor = objects.get(descendant, b"FontDescriptor").and_then(as_dict);
    let program = descriptor.and_then(|descriptor| {
        let open_type = || {
            let stream = objects.stream(descriptor, b"FontFile3")?;
            (objects.name(&stream.dict, b"Subtype") == Some(b"OpenType")).then_some(stream)
        };
        objects.stream(descriptor, b"FontFile2").or_else(open_type)
    });
    program.is_some_and(|stream| stream.content.len() <= MAX_COMPARED)
}

/// True if a font embeds a program.
fn is_embedded<'a>(objects: &Objects<'a>, descendant: &'a Dictionary) -> bool {
    let descriptor = objects.get(descendant, b"FontDescriptor").and_then(as_dict);
    descriptor.is_some_and(|descriptor| {
        [&b"FontFile"[..], b"FontFile2", b"FontFile3"].iter().any(|key| descriptor.has(key))
    })
}

impl GlyphTexts {
    fn n_entries(&self) -> usize {
        let cids = self.cff_cids.as_ref().map_or(0, BTreeMap::len);
        self.texts.len() + cids + self.cid_to_gid.as_ref().map_or(0, |map| map.len() / ENTRY)
    }

    fn push_text(&self, cid: u32, out: &mut String) -> bool {
        let glyph = match (&self.cid_to_gid, &self.cff_cids) {
            (Some(map), _) => {
                let at = usize::try_from(cid).unwrap_or(usize::MAX).saturating_mul(2);
                map.get(at..).and_then(|rest| rest.first_chunk()).map(|&pair| u16::from_be_bytes(pair))
            }
            (None, Some(own)) => u16::try_from(cid).ok().and_then(|cid| own.get(&cid).copied()),
            (None, None) => u16::try_from(cid).ok(),
        };
        match glyph.and_then(|glyph| self.texts.get(&glyph)) {
            Some(text) => {
                out.push_str(text);
                true
            }
            None => false,
        }
    }
}
