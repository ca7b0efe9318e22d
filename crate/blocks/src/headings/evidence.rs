//! The evidence that a paragraph is a heading: its wording, type, place and neighbours.

use text::heading::HeadingWording;
use text::wording::{Numbering, marker_kind, numbering};

use crate::page::{BodyStyle, Line, LineStyle, Paragraph};
use crate::typography::{is_lone_number, list_marker};

/// White above a heading that stands apart, in multiples of its type size.
const APART: f32 = 1.4;
/// The same above the title of a section in one line with its number.
const SECTION_APART: f32 = 1.3;
/// Most words of the title of a section.
const MAX_SECTION_TITLE: usize = 10;
/// Longest number with a stop that may be centred alone, in characters.
const MAX_LONE_NUMBER: usize = 5;
/// Longest text of the line on which somebody signs, in bytes.
const MAX_SIGNATURE: usize = 160;

/// A paragraph and what is known of it.
pub(super) struct HeadingEvidence<'a> {
    pub paragraph: &'a Paragraph,
    pub first: &'a Line,
    pub last: &'a Line,
    pub next: Option<&'a Paragraph>,
    /// True if the paragraph below it, which it would head, stands on the same page.
    pub opens_body: bool,
    pub body: BodyStyle,
    pub wording: HeadingWording<'a>,
    pub n_lines: usize,
    /// Smallest type size of its lines, in points.
    pub size: f32,
    /// Style of all its lines, where the body's is another.
    pub style: LineStyle,
}

impl<'a> HeadingEvidence<'a> {
    /// The evidence of a paragraph with this text; `None` if it has no line.
    pub(super) fn of(
        paragraph: &'a Paragraph,
        text: &'a str,
        next: Option<&'a Paragraph>,
        opens_body: bool,
        body: BodyStyle,
    ) -> Option<Self> {
        let all = |has: fn(&LineStyle) -> bool| paragraph.lines.iter().all(|line| has(&line.style));
        let style = LineStyle {
            bold: all(|style| style.bold) && !body.bold,
            italic: all(|style| style.italic),
            caps: all(|style| style.caps) && !body.caps,
            underlined: all(|style| style.underlined),
            starts_underlined: all(|style| style.starts_underlined),
        };
        Some(Self {
            paragraph,
            first: paragraph.lines.first()?,
            last: paragraph.lines.last()?,
            next,
            opens_body,
            body,
            wording: HeadingWording::of(text),
            n_lines: paragraph.lines.len(),
            size: paragraph.lines.iter().map(|line| line.size).fold(f32::MAX, f32::min),
            style,
        })
    }

    /// True if nothing in its type or place sets it off from the text.
    pub(super) fn is_plain(&self) -> bool {
        !(self.style.bold || self.style.caps || self.style.underlined || self.paragraph.centered)
    }

    /// True if there is more white above it than between lines.
    pub(super) fn is_apart(&self) -> bool {
        self.paragraph.white > APART
    }

    /// True if it is a number or letter and nothing else: "I", "A.", "(3).".
    pub(super) fn is_lone_number(&self) -> bool {
        let text = self.wording.text;
        is_lone_number(text)
            || (self.wording.n_chars <= MAX_LONE_NUMBER && text.ends_with('.') && marker_kind(text).is_some())
    }

    /// True if it has fewer letters than words have: the rest of it, beside its number, is figures and signs.
    pub(super) fn has_few_letters(&self) -> bool {
        let HeadingWording { n_chars, n_letters, .. } = self.wording;
        let is_number = |word: &&str| word.starts_with(|c: char| c == '§' || c.is_ascii_digit());
        let number = Some(self.wording.first_word()).filter(is_number);
        let n_worded = n_chars - number.map_or(0, |number| number.chars().count());
        n_letters * 2 < n_worded.min(40) || n_letters < 2
    }

    /// True if it is a remark in brackets.
    pub(super) fn is_aside(&self) -> bool {
        let text = self.wording.text;
        text.starts_with(['(', '[']) && text.ends_with([')', ']']) && text.matches(['(', '[']).count() == 1
    }

    /// True if it begins with a bullet.
    pub(super) fn is_bulleted(&self) -> bool {
        list_marker(self.first).is_some_and(|marker| marker.is_bullet)
    }

    /// True if the next paragraph begins with a marker in brackets.
    pub(super) fn opens_list(&self) -> bool {
        let marker = self.next.and_then(|next| next.lines.first()).and_then(list_marker);
        marker.is_some_and(|marker| marker.text.starts_with('('))
    }

    /// True if it is the title of a section ("§ 3 Scope of this part."): a line by itself with its text in the next
    /// paragraph, which is not another section.
    pub(super) fn is_section_title(&self) -> bool {
        let is_above_text = self.next.is_some_and(|next| !next.text().starts_with('§'));
        self.wording.text.starts_with('§')
            && self.paragraph.white > SECTION_APART
            && is_above_text
            && self.wording.text.split_whitespace().count() <= MAX_SECTION_TITLE
    }

    /// True if the next paragraph is where somebody signs for the name in this one.
    pub(super) fn is_above_signature(&self) -> bool {
        let Some(next) = self.next else { return false };
        let text = next.text();
        let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
        let is_line = text.contains("____")
            || matches!(first.as_str(), "by" | "by:" | "name:" | "per:" | "its:" | "/s/");
        is_line
            && text.len() < MAX_SIGNATURE
            && numbering(self.wording.text) == Numbering::None
            && next.page() == self.paragraph.page()
    }
}
