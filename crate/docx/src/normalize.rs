//! Paragraphs as they stand in the text: normalized, with their list numbers and note references in place.
//!
//! The normal form is that of text read from pages: NFC, ligatures expanded, soft hyphens and invisible characters
//! dropped, one space between words, none between CJK characters at a line end. Cost: linear in the text.

use std::ops::Range;

use document::Slice as _;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::content::{ChangeMark, CharacterFormat, Inline, LINE_END, NoteReference, Paragraph};
use crate::numbering::LevelSuffix;
use crate::styles::StyleRole;

/// Maximum distinct type sizes that are counted in a paragraph.
const MAX_SIZES: usize = 64;

/// Paragraph with its final text.
#[derive(Clone, Debug, Default)]
pub(crate) struct NormalizedParagraph {
    pub(crate) text: String,
    /// Note references, each with the byte of [`Self::text`] before which it stands.
    pub(crate) references: Vec<(usize, NoteReference)>,
    /// Bytes of [`Self::text`] that touch a pending tracked change.
    pub(crate) changes: Vec<Range<usize>>,
    /// List number at the start of the text.
    pub(crate) marker: Option<String>,
    pub(crate) style_role: StyleRole,
    /// Heading level by style, from 1 to 9.
    pub(crate) heading: Option<u8>,
    /// Id of the paragraph style; empty if none is named.
    pub(crate) style: String,
    /// Indent of the first line in points.
    pub(crate) indent: f32,
    pub(crate) centered: bool,
    /// True if the paragraph is kept on one page with the next.
    pub(crate) keep_next: bool,
    /// Spacing above in points, with that of an empty paragraph there.
    pub(crate) space_above: f32,
    /// Format of all letters and digits: bold only if each of them is.
    pub(crate) uniform: CharacterFormat,
    /// Format of more than half of the letters and digits.
    pub(crate) dominant: CharacterFormat,
}

/// Normalizes a paragraph.
pub(crate) fn normalize(paragraph: &Paragraph) -> NormalizedParagraph {
    let mut normalizer = TextNormalizer::default();
    let mut tally = FormatTally::default();
    let marker = paragraph.marker.as_ref().map(|marker| {
        normalizer.push(&marker.text);
        let printed = normalizer.compose().trim().to_owned();
        if marker.suffix == LevelSuffix::Separated {
            normalizer.push(" ");
        }
        printed
    });
    let mut references = Vec::new();
    let mut marks = Vec::new();
    for inline in &paragraph.inlines {
        match inline {
            Inline::Text(text, format) => {
                tally.add(text, *format);
                normalizer.push(text);
            }
            Inline::NoteReference(reference) => {
                references.push((normalizer.compose().len(), reference.clone()));
            }
            Inline::Change(mark) => marks.push((normalizer.compose().len(), *mark)),
        }
    }
    normalizer.compose();
    let (uniform, dominant) = tally.formats(paragraph.mark_format);
    let mut text = normalizer.text;
    let mut changes = changes(&text, &marks);
    if !changes.is_empty() && !is_nfc(&text) {
        // A change begins within a character: an accent was inserted.
        text = text.nfc().collect();
        changes = std::iter::once(0..text.len()).collect();
        for (at, _) in &mut references {
            *at = text.floor_char_boundary(*at);
        }
    }
    NormalizedParagraph {
        changes,
        text,
        references,
        marker: marker.filter(|marker| !marker.is_empty()),
        style_role: paragraph.style_role,
        heading: paragraph.heading,
        style: paragraph.style.clone(),
        indent: paragraph.indent,
        centered: paragraph.centered,
        keep_next: paragraph.keep_next,
        space_above: paragraph.space_above,
        uniform,
        dominant,
    }
}

/// Ranges of a text that touch a change: inserted text, and the characters on both sides of a cut. An insertion
/// without an end goes on to the end of the text.
fn changes(text: &str, marks: &[(usize, ChangeMark)]) -> Vec<Range<usize>> {
    let mut changes = Vec::new();
    let mut open: Option<usize> = None;
    let mut n_open = 0_usize;
    for &(at, mark) in marks {
        match mark {
            ChangeMark::Begin => {
                open = open.or(Some(at));
                n_open += 1;
            }
            ChangeMark::End => {
                n_open = n_open.saturating_sub(1);
                if n_open == 0 {
                    changes.extend(open.take().map(|start| start..at));
                }
            }
            ChangeMark::Cut => {
                let is_printed = |(_, c): &(usize, char)| !c.is_whitespace();
                let before = text.slice(..at).char_indices().rev().find(is_printed);
                let after = text.slice(at..).char_indices().find(is_printed);
                let start = before.map_or(at, |(start, _)| start);
                changes.push(start..after.map_or(at, |(offset, c)| at + offset + c.len_utf8()));
            }
        }
    }
    changes.extend(open.map(|start| start..text.len()));
    changes
}

/// Writer of text in normal form.
#[derive(Debug, Default)]
struct TextNormalizer {
    text: String,
    /// Text that is not yet composed.
    open: String,
    pending: Option<PendingSpace>,
}

/// White space that is written, or not, with the character after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingSpace {
    Space,
    LineEnd,
}

impl TextNormalizer {
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                LINE_END => self.pending = self.pending.or(Some(PendingSpace::LineEnd)),
                c if c.is_whitespace() => self.pending = Some(PendingSpace::Space),
                c if is_invisible(c) => {}
                c => self.push_char(c),
            }
        }
    }

    fn push_char(&mut self, c: char) {
        let before = self.open.chars().next_back().or_else(|| self.text.chars().next_back());
        if let (Some(pending), Some(before)) = (self.pending.take(), before)
            && (pending == PendingSpace::Space || !(is_unspaced(before) || is_unspaced(c)))
        {
            self.open.push(' ');
        }
        match c {
            'ﬀ' => self.open.push_str("ff"),
            'ﬁ' => self.open.push_str("fi"),
            'ﬂ' => self.open.push_str("fl"),
            'ﬃ' => self.open.push_str("ffi"),
            'ﬄ' => self.open.push_str("ffl"),
            'ﬅ' | 'ﬆ' => self.open.push_str("st"),
            c => self.open.push(c),
        }
    }

    /// Composes the open text; the whole text so far.
    fn compose(&mut self) -> &str {
        if is_nfc(&self.open) {
            self.text.push_str(&self.open);
        } else {
            self.text.extend(self.open.nfc());
        }
        self.open.clear();
        &self.text
    }
}

/// True for characters that no reader sees: soft hyphens, joiners, direction marks, controls.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffc}')
}

/// True for characters of scripts without spaces: CJK other than Hangul, and its punctuation.
fn is_unspaced(c: char) -> bool {
    let is_hangul = matches!(u32::from(c), 0x1100..=0x11FF | 0x3131..=0x318E | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xFFA0..=0xFFDC);
    let is_punctuation = matches!(u32::from(c), 0x3001..=0x303F | 0xFF01..=0xFF60);
    is_punctuation || (text::is_cjk(c) && !is_hangul)
}

/// Counts of letters and digits by format.
#[derive(Default)]
struct FormatTally {
    total: usize,
    bold: usize,
    italic: usize,
    caps: usize,
    underlined: usize,
    has_lower: bool,
    has_upper: bool,
    sizes: Vec<(f32, usize)>,
}

impl FormatTally {
    fn add(&mut self, text: &str, format: CharacterFormat) {
        let n = text.chars().filter(|c| c.is_alphanumeric()).count();
        if n == 0 {
            return;
        }
        self.total += n;
        for (is_set, count) in [
            (format.bold, &mut self.bold),
            (format.italic, &mut self.italic),
            (format.caps, &mut self.caps),
            (format.underlined, &mut self.underlined),
        ] {
            *count += if is_set { n } else { 0 };
        }
        if !format.caps {
            self.has_lower |= text.chars().any(char::is_lowercase);
            self.has_upper |= text.chars().any(char::is_uppercase);
        }
        let room = self.sizes.len() < MAX_SIZES;
        match self.sizes.iter_mut().find(|(size, _)| *size == format.size) {
            Some((_, count)) => *count += n,
            None if room => self.sizes.push((format.size, n)),
            None => {}
        }
    }

    /// Format of all characters and format of most; `empty` for both if there are none.
    fn formats(self, empty: CharacterFormat) -> (CharacterFormat, CharacterFormat) {
        if self.total == 0 {
            return (empty, empty);
        }
        let size = self.sizes.iter().max_by_key(|(_, n)| *n).map_or(empty.size, |(size, _)| *size);
        let caps = self.caps == self.total || !self.has_lower && (self.has_upper || self.caps > 0);
        let uniform = CharacterFormat {
            bold: self.bold == self.total,
            italic: self.italic == self.total,
            caps,
            underlined: self.underlined == self.total,
            size,
        };
        let dominant = CharacterFormat {
            bold: self.bold * 2 > self.total,
            italic: self.italic * 2 > self.total,
            caps,
            underlined: self.underlined * 2 > self.total,
            size,
        };
        (uniform, dominant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(text: &str) -> String {
        let mut normalizer = TextNormalizer::default();
        normalizer.push(text);
        normalizer.compose().to_owned()
    }

    #[test]
    fn text_is_normalized() {
        let cases = [
            ("  two\t words \u{a0} here ", "two words here"),
            ("e\u{301}lan of\u{fb01}ce co\u{ad}op", "élan office coop"),
            ("one\ntwo", "one two"),
            ("第一\n条", "第一条"),
            ("第一 条", "第一 条"),
            ("zero\u{200b}width\u{feff}", "zerowidth"),
        ];
        for (text, expected) in cases {
            assert_eq!(normalized(text), expected, "{text:?}");
        }
    }
}
