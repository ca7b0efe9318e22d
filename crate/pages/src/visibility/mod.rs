//! Visibility of text, judged after the whole page is painted.
//!
//! While a page is interpreted, every run keeps how its glyphs lie on the page ([`Ink`]) and how much was painted before
//! it; every opaque area that is painted over earlier text is kept as a cover. At the end [`judge()`] paints the covers
//! into a bitmap from the last to the first, and looks at each glyph when exactly the covers above it are painted. A
//! glyph of which next to nothing stays is hidden, and a run that is hidden in part is split.
//!
//! What pdf.js paints is what a reader sees. Only certain covers count: text below anything that may show it through is
//! visible. Cost: linear in glyphs and covers, with caps on covers, their points and the painting.

mod clip;
mod cover_kind;
mod covers;
mod ink;
mod judge;
mod raster;
mod shape;

pub(crate) use clip::Clip;
pub(crate) use cover_kind::CoverKind;
pub(crate) use covers::Covers;
pub(crate) use ink::Ink;
pub(crate) use judge::{Judged, judge};
pub(crate) use shape::{Dot, Shape};
