//! Kinds of covers, by what they do to the text below them.

/// Kind of cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoverKind {
    /// Filled or stroked path, shading, or an image of one colour.
    Area,
    /// Any other image.
    Picture,
    /// Image of a scanned page, whose text may lie below it.
    Scan,
}
