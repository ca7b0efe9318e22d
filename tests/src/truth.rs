//! The ground truth of a sample: words with their boxes, headings, notes, paragraphs, quotations.
//!
//! Boxes are advance widths by font ascent to descent, as crate `pages` defines those of a run, in points from
//! the top left of the page; quads are the same in PDF user space. Pages are 1-based.

use anyhow::{Result, bail};
use document::Rect;
use serde::Serialize;

use crate::typeset::{Element, Flow, Manuscript, Mark, Printed, SetWord, Style};

/// The truth about a sample.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SampleTruth {
    /// The file's name.
    pub file: String,
    /// The title in its document information.
    pub title: String,
    /// Its pages.
    pub pages: Vec<TruthPage>,
    /// The words of the body in reading order, then those of each note, then running heads and feet.
    pub words: Vec<TruthWord>,
    /// The headings in reading order.
    pub headings: Vec<TruthHeading>,
    /// The notes in the order of their marks.
    pub notes: Vec<TruthNote>,
    /// Everything else in the body, in reading order.
    pub paragraphs: Vec<TruthParagraph>,
    /// Passages, with the boxes that must light up when they are cited.
    pub quotations: Vec<TruthQuotation>,
}

/// A page.
#[derive(Clone, Debug, Serialize)]
pub struct TruthPage {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// The printed label.
    pub label: String,
}

/// A word: characters between spaces.
#[derive(Clone, Debug, Serialize)]
pub struct TruthWord {
    /// The page, from 1.
    pub page: usize,
    /// Its characters, marks of notes left out.
    pub text: String,
    /// Its box.
    pub bbox: [f32; 4],
    /// The same in user space.
    pub quad: [f32; 8],
    /// "body", "note", "header" or "footer".
    pub flow: &'static str,
    /// Which part of the manuscript, or which note, it belongs to.
    #[serde(skip)]
    pub element: usize,
}

/// A heading.
#[derive(Clone, Debug, Serialize)]
pub struct TruthHeading {
    /// Level from 1.
    pub level: usize,
    /// Its words, number included.
    pub text: String,
    /// The page on which it begins.
    pub page: usize,
    /// The index of the heading above it, where there is one.
    pub parent: Option<usize>,
}

/// A note and the mark that calls it.
#[derive(Clone, Debug, Serialize)]
pub struct TruthNote {
    /// Its mark.
    pub marker: String,
    /// Its words.
    pub text: String,
    /// The pages on which it stands.
    pub pages: Vec<usize>,
    /// The word that the mark follows.
    pub after: String,
    /// The page of the mark.
    pub mark_page: usize,
    /// The box of the mark.
    pub mark_bbox: [f32; 4],
}

/// A part of the body that is not a heading.
#[derive(Clone, Debug, Serialize)]
pub struct TruthParagraph {
    /// "title", "paragraph", "item", "quote", "centered", "lines" (of an address, say) or "table".
    pub kind: &'static str,
    /// The page on which it begins.
    pub page: usize,
    /// Its words, markers included.
    pub text: String,
}

/// A passage and where it stands.
#[derive(Clone, Debug, Serialize)]
pub struct TruthQuotation {
    /// Its words, separated by single spaces.
    pub text: String,
    /// Its lines in reading order.
    pub lines: Vec<TruthLine>,
}

/// The part of a passage that stands on one line.
#[derive(Clone, Debug, Serialize)]
pub struct TruthLine {
    /// The page, from 1.
    pub page: usize,
    /// Its words.
    pub text: String,
    /// Its box.
    pub bbox: [f32; 4],
    /// The same in user space.
    pub quad: [f32; 8],
}

/// Writes down where everything stands. A quotation that is not found, or found twice, is an error.
pub fn truth(
    printed: &Printed,
    manuscript: &Manuscript,
    style: &Style,
    quotations: &[&str],
) -> Result<SampleTruth> {
    let mut truth = SampleTruth::default();
    for page in &printed.pages {
        let (width, height) = (style.page.0 as f32, style.page.1 as f32);
        truth.pages.push(TruthPage { width, height, label: page.label.clone() });
    }
    truth.words = words(printed, style);
    paragraphs(&mut truth, manuscript);
    truth.notes = notes(printed, manuscript, &truth.words)?;
    for quotation in quotations {
        truth.quotations.push(locate(quotation, &truth.words, style)?);
    }
    Ok(truth)
}

/// The box of a word, from its baseline and the metrics of its tallest font.
pub fn word_box(word: &SetWord) -> Rect {
    let above = word.parts.iter().map(|part| part.font.ascent()).fold(0.0, f64::max);
    let below = word.parts.iter().map(|part| part.font.descent()).fold(0.0, f64::min);
    let (top, bottom) = (above * word.size / 1000.0, below * word.size / 1000.0);
    let [x0, x1] = [word.x as f32, (word.x + word.width) as f32];
    Rect::new(x0, (word.baseline - top) as f32, x1, (word.baseline - bottom) as f32)
}

fn words(printed: &Printed, style: &Style) -> Vec<TruthWord> {
    let mut words = Vec::new();
    for (flow, name) in
        [(Flow::Body, "body"), (Flow::Note, "note"), (Flow::Head, "header"), (Flow::Foot, "footer")]
    {
        for (page_at, page) in printed.pages.iter().enumerate() {
            for word in page.lines.iter().flatten().filter(|word| word.flow == flow && !word.parts.is_empty())
            {
                let rect = word_box(word);
                words.push(TruthWord {
                    page: page_at + 1,
                    text: word.text(),
                    bbox: corners(&rect),
                    quad: quad(&rect, style),
                    flow: name,
                    element: word.element,
                });
            }
        }
    }
    words
}

fn corners(rect: &Rect) -> [f32; 4] {
    [rect.x0, rect.y0, rect.x1, rect.y1]
}

/// The pages of the samples are neither cropped nor turned.
fn quad(rect: &Rect, style: &Style) -> [f32; 8] {
    let height = style.page.1 as f32;
    let (top, bottom) = (height - rect.y0, height - rect.y1);
    [rect.x0, top, rect.x1, top, rect.x0, bottom, rect.x1, bottom]
}

fn paragraphs(truth: &mut SampleTruth, manuscript: &Manuscript) {
    for (at, element) in manuscript.elements.iter().enumerate() {
        let words = || truth.words.iter().filter(|word| word.flow == "body" && word.element == at);
        let text: Vec<&str> = words().map(|word| word.text.as_str()).collect();
        let (text, Some(page)) = (text.join(" "), words().next().map(|word| word.page)) else { continue };
        if let Element::Heading { level, .. } = element {
            let parent = truth.headings.iter().rposition(|above| above.level < *level);
            truth.headings.push(TruthHeading { level: *level, text, page, parent });
        } else {
            let kind = match element {
                Element::Title(_) => "title",
                Element::Item { .. } => "item",
                Element::Quote(_) => "quote",
                Element::Centered(_) => "centered",
                Element::Lines(_) => "lines",
                Element::Table(_) => "table",
                Element::Paragraph(_) | Element::Heading { .. } | Element::PageBreak | Element::Space(_) => {
                    "paragraph"
                }
            };
            truth.paragraphs.push(TruthParagraph { kind, page, text });
        }
    }
}

fn notes(printed: &Printed, manuscript: &Manuscript, words: &[TruthWord]) -> Result<Vec<TruthNote>> {
    let mut notes = Vec::new();
    for (page_at, page) in printed.pages.iter().enumerate() {
        for word in page.lines.iter().flatten().filter(|word| word.flow == Flow::Body) {
            for mark in &word.marks {
                let Some(at) = manuscript.notes.iter().position(|(marker, _)| *marker == mark.marker) else {
                    bail!("no note {}", mark.marker)
                };
                let own = || words.iter().filter(|word| word.flow == "note" && word.element == at);
                let text: Vec<&str> = own().map(|word| word.text.as_str()).collect();
                let mut pages: Vec<usize> = own().map(|word| word.page).collect();
                pages.dedup();
                notes.push(TruthNote {
                    marker: mark.marker.clone(),
                    text: text.join(" "),
                    pages,
                    after: word.text(),
                    mark_page: page_at + 1,
                    mark_bbox: corners(&mark_box(word, mark)),
                });
            }
        }
    }
    Ok(notes)
}

/// The box of a raised mark.
fn mark_box(word: &SetWord, mark: &Mark) -> Rect {
    let (size, rise) = word.mark_type();
    let font = word.parts.first().map(|part| part.font).unwrap_or_default();
    let baseline = word.baseline - rise;
    let (top, bottom) = (font.ascent() * size / 1000.0, font.descent() * size / 1000.0);
    let (x0, x1) = (mark.x as f32, (mark.x + mark.width) as f32);
    Rect::new(x0, (baseline - top) as f32, x1, (baseline - bottom) as f32)
}

/// Finds a passage among the words, which must hold it exactly once.
fn locate(quotation: &str, words: &[TruthWord], style: &Style) -> Result<TruthQuotation> {
    let wanted: Vec<&str> = quotation.split_whitespace().collect();
    let mut places = words
        .windows(wanted.len().max(1))
        .enumerate()
        .filter(|(_, window)| window.iter().map(|word| word.text.as_str()).eq(wanted.iter().copied()));
    let (Some((start, _)), None) = (places.next(), places.next()) else {
        bail!("not found, or found twice: {quotation}")
    };
    let found = &words[start..start + wanted.len()];
    let mut lines: Vec<(TruthLine, Rect)> = Vec::new();
    for word in found {
        let [x0, y0, x1, y1] = word.bbox;
        let rect = Rect { x0, y0, x1, y1 };
        match lines.last_mut() {
            Some((line, bounds)) if line.page == word.page && adjoins(bounds, &rect) => {
                *bounds = bounds.union(&rect);
                line.text.push(' ');
                line.text.push_str(&word.text);
            }
            _ => {
                let line =
                    TruthLine { page: word.page, text: word.text.clone(), bbox: [0.0; 4], quad: [0.0; 8] };
                lines.push((line, rect));
            }
        }
    }
    let lines = lines
        .into_iter()
        .map(|(line, rect)| TruthLine { bbox: corners(&rect), quad: quad(&rect, style), ..line })
        .collect();
    Ok(TruthQuotation { text: wanted.join(" "), lines })
}

/// True if a word continues the box of a line. A gap as wide as a tab starts a new box, so the white between a hanging
/// number and its text is not lit.
fn adjoins(line: &Rect, word: &Rect) -> bool {
    let height = line.height().min(word.height());
    line.y_overlap(word) > 0.5 * height && word.x0 >= line.x1 && word.x0 - line.x1 < 1.2 * height
}
