//! Fonts: from the bytes of a shown string to Unicode and advance widths.
//!
//! A font is loaded when it is first selected, and cached. Sources of a code's text, in order: `ToUnicode`; the
//! encoding (glyph names, Unicode CMaps, Adobe's character collections); the embedded font program. A `ToUnicode`
//! CMap without information (one character for all codes, or no text at all) comes last instead of first. A code
//! without text becomes U+FFFD: the glyph is there, its meaning is not.

mod cache;
mod cmap;
mod composite;
mod drawn;
pub(crate) mod encoding;
mod font;
pub(crate) mod glyphs;
mod load;
mod program;
mod simple;
mod standard;
mod style;
mod symbols;
mod type3;
mod widths;

pub(crate) use cache::FontCache;
pub(crate) use font::{DecodedCode, Font};
pub use standard::standard_widths;
