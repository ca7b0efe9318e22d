//! A paragraph as it will stand in the text: normalised, with its number in front and its marks in place.
//!
//! The same normal form as that of text read from pages: NFC, ligatures as their letters, soft hyphens and
//! invisible characters gone, one space between words, nothing between CJK characters over the end of a line.
//! Cost: linear in the text.

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::items::{Call, LINE_END, Look, Para, Piece};
use crate::numbering::Suffix;
use crate::styles::Meaning;

/// A paragraph in its final words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    pub(crate) text: String,
    /// Marks and the bytes of [`Self::text`] before which they stand.
    pub(crate) calls: Vec<(usize, Call)>,
    /// The number that was put in front of the text.
    pub(crate) marker: Option<String>,
    pub(crate) meaning: Meaning,
    /// Its level by its style, from 1.
    pub(crate) heading: Option<u8>,
    pub(crate) style: String,
    pub(crate) indent: f32,
    pub(crate) centered: bool,
    pub(crate) keep_next: bool,
    pub(crate) apart: bool,
    /// The looks of all of its characters.
    pub(crate) whole: Look,
    /// The looks of most of its characters.
    pub(crate) most: Look,
}

/// Brings a paragraph into its final form.
pub(crate) fn prepare(para: &Para) -> Paragraph {
    let mut writer = Writer::default();
    let mut looks = Looks::default();
    let marker = para.marker.as_ref().map(|marker| {
        writer.push(&marker.text);
        let printed = writer.finish().trim().to_owned();
        if marker.suffix == Suffix::Gap {
            writer.push(" ");
        }
        printed
    });
    let mut calls = Vec::new();
    for piece in &para.pieces {
        match piece {
            Piece::Text(text, look) => {
                looks.count(text, *look);
                writer.push(text);
            }
            Piece::Call(call) => {
                writer.finish();
                calls.push((writer.text.len(), call.clone()));
            }
        }
    }
    writer.finish();
    let (whole, most) = looks.settle(para.look);
    Paragraph {
        text: writer.text,
        calls,
        marker: marker.filter(|marker| !marker.is_empty()),
        meaning: para.meaning,
        heading: para.heading,
        style: para.style.clone(),
        indent: para.indent,
        centered: para.centered,
        keep_next: para.keep_next,
        apart: para.apart,
        whole,
        most,
    }
}

/// Writes text in normal form.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) text: String,
    /// Written, but not yet composed.
    open: String,
    gap: Option<Gap>,
}

/// White that waits for the character after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Space,
    LineEnd,
}

impl Writer {
    pub(crate) fn push(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                LINE_END => self.gap = self.gap.or(Some(Gap::LineEnd)),
                c if c.is_whitespace() => self.gap = Some(Gap::Space),
                c if is_invisible(c) => {}
                c => self.push_char(c),
            }
        }
    }

    fn push_char(&mut self, c: char) {
        let before = self.open.chars().next_back().or_else(|| self.text.chars().next_back());
        if let (Some(gap), Some(before)) = (self.gap.take(), before)
            && (gap == Gap::Space || !(is_unspaced(before) || is_unspaced(c)))
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

    /// Composes what was written; the text so far.
    pub(crate) fn finish(&mut self) -> &str {
        if is_nfc(&self.open) {
            self.text.push_str(&self.open);
        } else {
            self.text.extend(self.open.nfc());
        }
        self.open.clear();
        &self.text
    }
}

/// Characters that no reader sees: soft hyphens, joiners, marks of direction, controls.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffc}')
}

/// Whether a character belongs to writing without spaces: CJK other than Hangul, and its punctuation.
fn is_unspaced(c: char) -> bool {
    let is_hangul = matches!(u32::from(c), 0x1100..=0x11FF | 0x3131..=0x318E | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xFFA0..=0xFFDC);
    let is_punctuation = matches!(u32::from(c), 0x3001..=0x303F | 0xFF01..=0xFF60);
    is_punctuation || (text::is_cjk(c) && !is_hangul)
}

/// Sizes of type that are told apart in one paragraph.
const MAX_SIZES: usize = 64;

/// How many characters look how.
#[derive(Default)]
struct Looks {
    total: usize,
    bold: usize,
    italic: usize,
    caps: usize,
    underlined: usize,
    has_lower: bool,
    has_upper: bool,
    sizes: Vec<(f32, usize)>,
}

impl Looks {
    fn count(&mut self, text: &str, look: Look) {
        let n = text.chars().filter(|c| c.is_alphanumeric()).count();
        if n == 0 {
            return;
        }
        self.total += n;
        for (is_so, slot) in [
            (look.bold, &mut self.bold),
            (look.italic, &mut self.italic),
            (look.caps, &mut self.caps),
            (look.underlined, &mut self.underlined),
        ] {
            *slot += if is_so { n } else { 0 };
        }
        if !look.caps {
            self.has_lower |= text.chars().any(char::is_lowercase);
            self.has_upper |= text.chars().any(char::is_uppercase);
        }
        let room = self.sizes.len() < MAX_SIZES;
        match self.sizes.iter_mut().find(|(size, _)| *size == look.size) {
            Some((_, count)) => *count += n,
            None if room => self.sizes.push((look.size, n)),
            None => {}
        }
    }

    fn settle(self, empty: Look) -> (Look, Look) {
        if self.total == 0 {
            return (empty, empty);
        }
        let size = self.sizes.iter().max_by_key(|(_, n)| *n).map_or(empty.size, |(size, _)| *size);
        let caps = self.caps == self.total || !self.has_lower && (self.has_upper || self.caps > 0);
        let whole = Look {
            bold: self.bold == self.total,
            italic: self.italic == self.total,
            caps,
            underlined: self.underlined == self.total,
            size,
        };
        let most = Look {
            bold: self.bold * 2 > self.total,
            italic: self.italic * 2 > self.total,
            caps,
            underlined: self.underlined * 2 > self.total,
            size,
        };
        (whole, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut writer = Writer::default();
        writer.push(text);
        writer.finish().to_owned()
    }

    #[test]
    fn text_is_brought_to_normal_form() {
        let cases = [
            ("  two\t words \u{a0} here ", "two words here"),
            ("e\u{301}lan of\u{fb01}ce co\u{ad}op", "élan office coop"),
            ("one\ntwo", "one two"),
            ("第一\n条", "第一条"),
            ("第一 条", "第一 条"),
            ("zero\u{200b}width\u{feff}", "zerowidth"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text), expected, "{text:?}");
        }
    }
}
