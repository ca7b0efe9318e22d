//! The evidence of a heading in a paragraph of a page.

use text::heading::{Below, HeadingEvidence, HeadingStyle, HeadingWording};

use crate::page::{BodyStyle, LineStyle, Paragraph};
use crate::typography::{ends_in_page_number, list_marker};

/// A paragraph of a page, its text, and what stands around it.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub paragraph: &'a Paragraph,
    pub text: &'a str,
    /// The next paragraph and its text.
    pub next: Option<(&'a Paragraph, &'a str)>,
    pub body: BodyStyle,
}

impl<'a> Placed<'a> {
    /// Kind of paragraph below it. A file may be a part of a document, so its end is the end of a page and no more.
    pub(super) fn below(&self) -> Below {
        match self.next {
            Some((next, _)) if next.page() == self.paragraph.page() => Below::Text,
            _ => Below::PageEnd,
        }
    }

    /// The evidence; `None` if it has no line.
    pub(super) fn evidence(&self, below: Below) -> Option<HeadingEvidence<'a>> {
        let Self { paragraph, text, next, body } = *self;
        let (first, last) = (paragraph.lines.first()?, paragraph.lines.last()?);
        let all = |has: fn(&LineStyle) -> bool| paragraph.lines.iter().all(|line| has(&line.style));
        let next_marker = next.and_then(|(next, _)| next.lines.first()).and_then(list_marker);
        Some(HeadingEvidence {
            wording: HeadingWording::of(text),
            declared: None,
            n_lines: paragraph.lines.len(),
            size: paragraph.lines.iter().map(|line| line.size).fold(f32::MAX, f32::min),
            body_size: body.size,
            style: HeadingStyle {
                bold: all(|style| style.bold) && !body.bold,
                italic: all(|style| style.italic),
                caps: all(|style| style.caps) && !body.caps,
                underlined: all(|style| style.underlined),
            },
            centered: paragraph.centered,
            white: paragraph.white,
            keeps_with_next: false,
            is_whole: false,
            is_bulleted: list_marker(first).is_some_and(|marker| marker.is_bullet),
            is_contents_entry: ends_in_page_number(last),
            below,
            next: next.map(|(_, text)| text),
            opens_list: next_marker.is_some_and(|marker| marker.text.starts_with('(')),
        })
    }
}
