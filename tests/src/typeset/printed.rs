//! The content of a printed page: words in place, their parts by face, the raised marks behind them. Lengths in points.

use super::font::Font;
use super::lines::{MARK_RISE, MARK_SIZE};

/// Where a word belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// The running text.
    #[default]
    Body,
    /// A note at the foot.
    Note,
    /// The running head.
    Head,
    /// The running foot.
    Foot,
}

/// A word in place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SetWord {
    /// Left edge, from the left edge of the page.
    pub x: f64,
    /// Width, marks of notes left out.
    pub width: f64,
    /// Baseline, from the top of the page.
    pub baseline: f64,
    /// Size of its type.
    pub size: f64,
    /// Its parts, one for each face. Empty for the mark in front of a note.
    pub parts: Vec<SetPart>,
    /// Raised marks behind it.
    pub marks: Vec<Mark>,
    /// Where it belongs.
    pub flow: Flow,
    /// Index of the element of the manuscript, or of the note, that it comes from.
    pub element: usize,
}

impl SetWord {
    /// Its characters.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// Size of the raised marks behind it, and how far they are raised.
    pub fn mark_type(&self) -> (f64, f64) {
        (self.size * MARK_SIZE, self.size * MARK_RISE)
    }
}

/// The part of a word that is in one face.
#[derive(Clone, Debug, PartialEq)]
pub struct SetPart {
    /// Its font.
    pub font: Font,
    /// Its characters.
    pub text: String,
    /// Left edge.
    pub x: f64,
    /// Width.
    pub width: f64,
}

/// The raised mark of a note.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its text.
    pub marker: String,
    /// Left edge.
    pub x: f64,
    /// Width.
    pub width: f64,
}

/// A page in print.
#[derive(Clone, Debug, Default)]
pub struct SetPage {
    /// Its printed label.
    pub label: String,
    /// Its lines in the order in which they are read: body, notes, then the running head and foot.
    pub lines: Vec<Vec<SetWord>>,
    /// Horizontal rules: left, right, and distance from the top.
    pub rules: Vec<(f64, f64, f64)>,
}
