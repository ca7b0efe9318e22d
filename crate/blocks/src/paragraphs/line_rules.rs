//! Rules that part a line from the line above it, whatever paragraph that line is in.

use text::rules::{Decides, Rule, rule};
use text::wording::{is_contents_title, is_lone_number};

use crate::page::Line;
use crate::paragraphs::edges::{LineMeasure, RegionEdges, ends_clause, ends_short, first_word_width};
use crate::paragraphs::line_evidence::{
    begins_run_in, changes_weight, is_loud, is_pair, is_stanza, sizes_meet,
};
use crate::paragraphs::verdict::BreakVerdict::{self, Break, Join};
use crate::typography::ends_in_page_number;

/// Difference of sizes that parts paragraphs, as a share of the larger type size.
const OTHER_SIZE: f32 = 0.08;
/// The same beside another difference or room at the end of the line.
const SLIGHTLY_OTHER_SIZE: f32 = 0.04;
/// Line pitch of a region that does not tell its own, in multiples of the type size.
const USUAL_PITCH: f32 = 1.3;
/// Type this much larger than the region's has a wider pitch.
const LARGE_TYPE: f32 = 1.1;
/// Lines of a region below which headings alone do not tell its pitch.
const FEW_LINES: usize = 5;
/// Largest pitch that headings alone tell, in multiples of the type size.
const MAX_HEADING_PITCH: f32 = 1.5;
/// Step between baselines that parts paragraphs, in multiples of the line pitch.
const WIDE_STEP: f32 = 1.22;
/// Rounding of baselines in points, added to a wide step: producers place lines on a grid of points or halves of
/// them, whatever the type.
const ROUNDING: f32 = 0.5;
/// Step below which lines are never apart, in multiples of the type size.
const MIN_WIDE_STEP: f32 = 1.25;
/// Characters up to which a line's capitals say nothing.
const FEW_CHARS: usize = 3;
/// Room beyond the first word of the next line that ends a line in another face, in multiples of the type size.
const ROOM_BEYOND_WORD: f32 = 0.5;
/// Most words of the title of a table of contents.
const MAX_CONTENTS_TITLE: usize = 6;
/// Width of a centred line that ends by itself, as a share of its region's.
const NARROW: f32 = 0.8;

/// The decision between two lines.
pub(super) struct LineBreak;

impl Decides for LineBreak {
    type Context<'a> = LinePair<'a>;
    type Verdict = BreakVerdict;
    const NAME: &'static str = "break";
}

/// Two lines below each other in a region.
pub(super) struct LinePair<'a> {
    pub lines: &'a [Line],
    /// Position of `line` in them.
    pub i: usize,
    pub above: &'a Line,
    pub line: &'a Line,
    /// Step between the baselines, in points.
    pub step: f32,
    /// The larger type size.
    pub size: f32,
    /// Usual step between baselines of the region, in points; infinite if it has none.
    pub pitch: f32,
    pub edges: &'a RegionEdges,
}

impl<'a> LinePair<'a> {
    /// Line `i` and the one above it.
    pub(super) fn of(lines: &'a [Line], i: usize, pitch: f32, edges: &'a RegionEdges) -> Option<Self> {
        let (above, line) = (lines.get(i.checked_sub(1)?)?, lines.get(i)?);
        let (step, size) = (line.baseline - above.baseline, line.size.max(above.size));
        Some(Self { lines, i, above, line, step, size, pitch, edges })
    }

    fn are_centred(&self) -> bool {
        self.edges.is_centred(self.above) && self.edges.is_centred(self.line)
    }

    /// The edges around the line above.
    fn around_above(&self) -> LineMeasure {
        self.edges.around(self.lines, self.i - 1)
    }

    fn differs_in_size(&self, least: f32) -> bool {
        (self.above.size - self.line.size).abs() > least * self.size && !sizes_meet(self.above, self.line)
    }

    fn changes_slant(&self) -> bool {
        self.above.style.italic != self.line.style.italic
            && self.above.words.last().map(|word| word.style.is_italic())
                != self.line.words.first().map(|word| word.style.is_italic())
    }

    fn starts_lower(&self) -> bool {
        self.line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
    }

    fn ends_short(&self) -> bool {
        ends_short(self.above, Some(self.line), self.around_above())
    }

    /// The step that lines of this size usually have here, in points.
    fn usual_step(&self) -> f32 {
        let usual = if self.pitch.is_finite() { self.pitch.max(self.size) } else { USUAL_PITCH * self.size };
        let body = self.edges.size.max(0.1);
        let is_large = self.line.size > LARGE_TYPE * body && self.above.size > LARGE_TYPE * body;
        let usual = if is_large { usual * self.size / body } else { usual };
        let are_headings = self.lines.len() < FEW_LINES && is_loud(self.above) && is_loud(self.line);
        if are_headings { usual.min(MAX_HEADING_PITCH * self.size) } else { usual }
    }
}

/// The rules in order. A line that none of them parts may still begin a paragraph by the rules of the paragraph
/// above it.
pub(super) static RULES: [Rule<LineBreak>; 16] = [
    rule("other-size", "a paragraph has one type size", "rulebook", |pair| {
        pair.differs_in_size(OTHER_SIZE).then_some(Break)
    }),
    rule("contents-title", "the title of a table of contents stands alone", "contents", |pair| {
        let is_title =
            |line: &Line| line.words.len() <= MAX_CONTENTS_TITLE && is_contents_title(&line.text());
        (is_title(pair.above) || is_title(pair.line)).then_some(Break)
    }),
    rule("labels-and-values", "labels with their values far from them are one a line", "pleading", |pair| {
        (is_pair(pair.above) && is_pair(pair.line)).then_some(Break)
    }),
    rule(
        "run-in-heading",
        "a bold run-in heading below the end of a sentence begins a paragraph",
        "run-in",
        |pair| {
            let is_end = |line: &Line| {
                line.words.last().is_some_and(|word| !word.style.is_bold() && ends_clause(&word.text))
            };
            (begins_run_in(pair.line) && is_end(pair.above)).then_some(Break)
        },
    ),
    rule("wide-white", "more white than between the lines around parts paragraphs", "contract", |pair| {
        let is_wide = pair.step > WIDE_STEP * pair.usual_step() + ROUNDING;
        (is_wide && pair.step > MIN_WIDE_STEP * pair.size).then_some(Break)
    }),
    rule(
        "other-weight",
        "text after a bold title is a paragraph of its own, and so is the title",
        "pleading",
        |pair| {
            (pair.above.style.bold != pair.line.style.bold && changes_weight(pair.above, pair.line))
                .then_some(Break)
        },
    ),
    rule(
        "other-case",
        "a title in bold or centred capitals ends where capitals and weight end",
        "WHEREAS, ETON is engaged …",
        |pair| {
            let (a, b) = (pair.above.style, pair.line.style);
            let is_told = pair.above.n_chars().min(pair.line.n_chars()) > FEW_CHARS;
            let is_set_off = a.bold || pair.edges.is_centred(pair.above);
            (a.caps != b.caps && is_told && is_set_off && a.bold != b.bold).then_some(Break)
        },
    ),
    rule(
        "other-face-and-size",
        "a change of both slant and size is no emphasis",
        "Within 8 days after the date … (a summary in smaller italics)",
        |pair| (pair.changes_slant() && pair.differs_in_size(SLIGHTLY_OTHER_SIZE)).then_some(Break),
    ),
    rule(
        "other-face-with-room",
        "a line in another face that leaves room is a heading of its own",
        "an axis: 60, 50, # Train: 40k",
        |pair| {
            let room = pair.around_above().right - pair.above.rect.x1;
            let changes = pair.changes_slant()
                || pair.differs_in_size(SLIGHTLY_OTHER_SIZE)
                || pair.above.style.underlined != pair.line.style.underlined;
            (changes && room > first_word_width(pair.line) + ROOM_BEYOND_WORD * pair.size).then_some(Break)
        },
    ),
    rule(
        "underline-ends",
        "an underlined heading ends where the underline ends",
        "1. General rule (underlined, above plain text)",
        |pair| {
            let is_title = pair.above.style.underlined && pair.above.words.len() > 1;
            (is_title && !pair.line.style.starts_underlined).then_some(Break)
        },
    ),
    rule("page-number", "an entry of a table of contents ends with its page number", "contents", |pair| {
        ends_in_page_number(pair.above).then_some(Break)
    }),
    rule(
        "centred-number",
        "a number centred on a line of its own is a heading",
        "A (centred, in an opinion of the Supreme Court)",
        |pair| {
            let is_lone = |line: &Line| is_lone_number(&line.text());
            (pair.are_centred() && (is_lone(pair.above) || is_lone(pair.line))).then_some(Break)
        },
    ),
    rule(
        "centred-lines",
        "centred lines in one style are one title",
        "a title in two centred lines of one style",
        |pair| {
            let (a, b) = (pair.above.style, pair.line.style);
            let are_alike = a.caps == b.caps && a.underlined == b.underlined && a.italic == b.italic;
            (pair.are_centred() && are_alike).then_some(Join)
        },
    ),
    rule(
        "centred-alone",
        "centred text leaves room on both sides and does not run on",
        "statutory-instrument",
        |pair| {
            let is_narrow = pair.above.rect.width() < NARROW * (pair.edges.right - pair.edges.left);
            (pair.edges.is_centred(pair.above) && is_narrow && !pair.starts_lower()).then_some(Break)
        },
    ),
    rule(
        "stanza",
        "the lines of an address are short and one paragraph",
        "10th Floor / New York, NY 10020",
        |pair| (pair.ends_short() && is_stanza(pair.lines, pair.i)).then_some(Join),
    ),
    rule(
        "ends-short",
        "a line that ends although the next word would have fitted ends a paragraph",
        "pleading",
        |pair| pair.ends_short().then_some(Break),
    ),
];
