//! Patterns and soft masks of a page, with what is known of each.

use lopdf::{Dictionary, Object};

use super::backdrop::Backdrop;
use super::state::Matrix;

/// Pattern of a page.
pub(super) struct Pattern<'a> {
    pub(super) object: &'a Object,
    /// True if nothing below it can be seen; `None` before it is known.
    pub(super) is_opaque: Option<bool>,
}

/// Soft mask of a page.
pub(super) struct SoftMask<'a> {
    pub(super) dict: &'a Dictionary,
    pub(super) ctm: Matrix,
    /// Mask of the group around it.
    pub(super) outer: Option<usize>,
    /// Paint of its form; `None` before it is known.
    pub(super) painted: Option<Painted>,
}

/// Paint of the form of a soft mask.
pub(super) enum Painted {
    Areas(Backdrop),
    /// It cannot be told, and hides nothing.
    Unknown,
}
