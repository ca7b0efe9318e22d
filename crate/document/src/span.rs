//! Ranges of a document's text, and what stands there on its pages.

use serde::{Deserialize, Serialize};

use crate::{PageId, Quad, Rect};

/// A byte range of [`crate::Layout::text`]; both ends lie on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl TextRange {
    /// The range `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end.max(start)) }
    }

    /// As a range of `usize`, to slice with.
    pub fn to_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True if empty.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// True if `other` lies within it.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The intersection, if not empty.
    pub fn intersect(self, other: Self) -> Option<Self> {
        let common = Self { start: self.start.max(other.start), end: self.end.min(other.end) };
        (common.start < common.end).then_some(common)
    }
}

/// A range of text on one page, as a citation highlights it.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The page; `None` if the source has no pages.
    pub page: Option<PageId>,
    /// The range of the document's text.
    pub range: TextRange,
    /// One quad per line, in PDF user space; empty if the source has no pages.
    pub quads: Vec<Quad>,
}

/// A word with its position on a page. A word never spans lines; text without spaces (CJK) is split into a few
/// characters at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedWord {
    /// Its range of the document's text.
    pub range: TextRange,
    /// Its page.
    pub page: PageId,
    /// Its box: advance widths horizontally, font ascent to descent vertically.
    pub rect: Rect,
}
