//! A loaded font: decodes the codes of shown strings.

use document::{Attestation, FontStyle};

use super::cmap::CMap;
use super::composite::CompositeFont;
use super::simple::SimpleFont;
use super::symbols::SymbolFont;
use crate::claims::{Comparison, compare};

/// Font, ready to decode strings.
pub(crate) struct Font {
    pub(crate) style: FontStyle,
    /// Height of glyphs above the baseline, in ems.
    pub(crate) ascent: f64,
    /// Depth of glyphs below the baseline, in ems; negative.
    pub(crate) descent: f64,
    /// True if it writes down the page (writing mode 1).
    pub(crate) vertical: bool,
    /// Type size per unit of `Tf` size; 1 for all but Type 3 fonts.
    pub(crate) size_factor: f64,
    /// True for Type 3 fonts, whose glyphs may choose their own colours.
    pub(crate) own_colours: bool,
    pub(super) symbols: SymbolFont,
    pub(super) codes: Codes,
    pub(super) to_unicode: ToUnicode,
}

/// Entries of a simple font.
const SIMPLE_ENTRIES: usize = 256;

/// Codes of a font by its kind.
pub(super) enum Codes {
    Simple(Box<SimpleFont>),
    Composite(Box<CompositeFont>),
}

/// `ToUnicode` CMap of a font.
pub(super) enum ToUnicode {
    None,
    /// The first source of text.
    Reliable(CMap),
    /// The last source: it says too little about the text.
    Unreliable(CMap),
}

impl ToUnicode {
    pub(super) fn new(map: Option<CMap>) -> Self {
        match map {
            None => Self::None,
            Some(map) if map.is_uninformative() => Self::Unreliable(map),
            Some(map) => Self::Reliable(map),
        }
    }

    pub(super) fn reliable(&self) -> Option<&CMap> {
        if let Self::Reliable(map) = self { Some(map) } else { None }
    }

    fn unreliable(&self) -> Option<&CMap> {
        if let Self::Unreliable(map) = self { Some(map) } else { None }
    }
}

/// Decoded character code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DecodedCode {
    /// Length in bytes, at least 1.
    pub(crate) length: usize,
    /// Advance in ems: to the right, or upwards in vertical fonts, where it is negative.
    pub(crate) advance: f64,
    /// True if word spacing applies: for the single byte 32.
    pub(crate) word_space: bool,
    /// True if some source gave it text.
    pub(crate) mapped: bool,
    /// Who vouches for its text where it is drawn. If it differs, [`Font::put_drawn`] has what is drawn.
    pub(crate) attestation: Attestation,
    code: u32,
    cid: u32,
}

impl Font {
    /// Entries of its tables: what it takes of memory.
    pub(super) fn n_entries(&self) -> usize {
        let map = match &self.to_unicode {
            ToUnicode::None => 0,
            ToUnicode::Reliable(map) | ToUnicode::Unreliable(map) => map.n_entries(),
        };
        let codes = match &self.codes {
            Codes::Simple(_) => SIMPLE_ENTRIES,
            Codes::Composite(composite) => composite.n_entries(),
        };
        map + codes
    }

    /// Reads the next code of `bytes` and appends its text, U+FFFD if it has none; `None` at the end.
    pub(crate) fn next_code(&self, bytes: &[u8], text: &mut String) -> Option<DecodedCode> {
        let first = *bytes.first()?;
        let start = text.len();
        let code = match &self.codes {
            Codes::Simple(simple) => {
                let mapped = match simple.text(first) {
                    Some(known) => {
                        text.push_str(known);
                        true
                    }
                    None => {
                        let map = self.to_unicode.unreliable();
                        map.is_some_and(|map| map.push_known_text(first.into(), text))
                    }
                };
                let attestation = simple.drawn().attestation(first.into());
                let (advance, word_space) = (simple.width(first), first == b' ');
                DecodedCode {
                    length: 1,
                    advance,
                    word_space,
                    mapped,
                    attestation,
                    code: first.into(),
                    cid: 0,
                }
            }
            Codes::Composite(composite) => {
                let (code, length, cid) = composite.next_code(bytes)?;
                let push = |map: Option<&CMap>, text: &mut String| {
                    map.is_some_and(|map| map.push_known_text(code, text))
                };
                let is_claimed = push(self.to_unicode.reliable(), text);
                let mapped = is_claimed
                    || composite.push_text(code, cid, text)
                    || push(self.to_unicode.unreliable(), text);
                let attestation = if composite.is_drawn_by_collection() {
                    let claimed = text.get(start..).filter(|_| is_claimed);
                    attested_by_collection(composite, code, cid, claimed)
                } else {
                    composite.drawn().attestation(code)
                };
                let word_space = length == 1 && first == b' ';
                let advance = if self.vertical { composite.height(cid) } else { composite.width(cid) };
                DecodedCode { length, advance, word_space, mapped, attestation, code, cid }
            }
        };
        if let Some(symbols) = text.get(start..).and_then(|text| self.symbols.of_private_use(text)) {
            text.truncate(start);
            text.push_str(&symbols);
        }
        if text.len() == start && !code.mapped {
            // A control code without text draws nothing, or a gap.
            let control = matches!(self.codes, Codes::Simple(_)) && first < b' ';
            text.push(if control { ' ' } else { '\u{FFFD}' });
        }
        Some(code)
    }

    /// Puts what is drawn for a code in the place of other letters that are claimed for it.
    pub(crate) fn put_drawn(&self, code: DecodedCode, text: &mut String) {
        let DecodedCode { code, cid, .. } = code;
        let drawn = match &self.codes {
            Codes::Simple(simple) => simple.drawn().differing(code),
            Codes::Composite(composite) => composite.drawn().differing(code),
        };
        let mut by_collection = String::new();
        if let Some(drawn) = drawn {
            text.clear();
            text.push_str(drawn);
        } else if let Codes::Composite(composite) = &self.codes
            && composite.push_text(code, cid, &mut by_collection)
        {
            *text = by_collection;
        }
    }
}

/// Who vouches for the text of a code of a font that viewers draw by its character collection.
fn attested_by_collection(
    composite: &CompositeFont,
    code: u32,
    cid: u32,
    claimed: Option<&str>,
) -> Attestation {
    let mut drawn = String::new();
    if !composite.push_text(code, cid, &mut drawn) {
        return Attestation::Claimed;
    }
    match claimed.map_or(Comparison::Same, |claimed| compare(claimed, &drawn)) {
        Comparison::Same => Attestation::Drawn,
        Comparison::Differs => Attestation::Differs,
        Comparison::Incomparable => Attestation::Claimed,
    }
}
