//! Rules that part a line from the paragraph that it would go on with.

use text::rules::{Decides, Rule, rule};

use crate::page::{Line, Paragraph};
use crate::paragraphs::edges::{RegionEdges, ends_clause};
use crate::paragraphs::line_evidence::{hangs_under, is_article_start, is_centred_under};
use crate::paragraphs::verdict::BreakVerdict::{self, Break, Join};
use crate::typography::Marker;

/// Step that parts a line from a paragraph, in multiples of the paragraph's own first step.
const WIDE_STEP: f32 = 1.25;
/// Rounding of baselines in points, added to a wide step: producers place lines on a grid of points or halves of
/// them, whatever the type.
const ROUNDING: f32 = 0.5;
/// Indent that begins a paragraph, in multiples of the type size.
const INDENT: f32 = 0.7;
/// Indent of an item against the first line of the paragraph above, in multiples of the type size.
const ITEM_INDENT: f32 = 0.6;
/// Distance within which two lines begin at one place, in multiples of the type size.
const SAME_PLACE: f32 = 0.3;
/// Lines before and after in which another item of a list is looked for: a page's length.
const LIST_REACH: usize = 60;

/// The decision between a line and the paragraph above it.
pub(super) struct ParagraphBreak;

impl Decides for ParagraphBreak {
    type Context<'a> = OpenParagraph<'a>;
    type Verdict = BreakVerdict;
    const NAME: &'static str = "break";
}

/// A paragraph and the line below it.
pub(super) struct OpenParagraph<'a> {
    pub paragraph: &'a Paragraph,
    /// Its lines so far.
    pub own: &'a [Line],
    pub first: &'a Line,
    pub last: &'a Line,
    pub lines: &'a [Line],
    /// Position of `line` in them.
    pub i: usize,
    pub line: &'a Line,
    /// For each of the lines, the marker that it begins with.
    pub markers: &'a [Option<Marker>],
    pub edges: &'a RegionEdges,
}

impl<'a> OpenParagraph<'a> {
    /// A paragraph of its `own` lines and line `i` below it; `None` if either has nothing.
    pub(super) fn of(
        paragraph: &'a Paragraph,
        own: &'a [Line],
        lines: &'a [Line],
        i: usize,
        markers: &'a [Option<Marker>],
        edges: &'a RegionEdges,
    ) -> Option<Self> {
        let (first, last) = (own.first()?, own.last()?);
        Some(Self { paragraph, own, first, last, lines, i, line: lines.get(i)?, markers, edges })
    }

    fn marker(&self) -> Option<&Marker> {
        self.markers.get(self.i)?.as_ref()
    }

    fn n_lines(&self) -> usize {
        self.own.len()
    }

    /// True if the paragraph begins with the marker of an item.
    fn is_item(&self) -> bool {
        self.markers.get(self.i.saturating_sub(self.n_lines())).is_some_and(Option::is_some)
    }

    fn starts_lower(&self) -> bool {
        self.line.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
    }

    /// Distance from the left edge of the last line to that of this one, in points.
    fn set_in(&self) -> f32 {
        self.line.rect.x0 - self.last.rect.x0
    }

    fn begins_with(&self, other: &Line) -> bool {
        (other.rect.x0 - self.line.rect.x0).abs() < SAME_PLACE * self.line.size
    }

    /// True if the paragraph ends as what stands before an item of a list does.
    fn ends_before_item(&self) -> bool {
        let text = self.last.text();
        text.ends_with(['.', ';', ':', ',', '。', '；', '：', '—', '?', '!'])
            || text.ends_with(" and")
            || text.ends_with(" or")
    }

    /// True if another item with such a marker begins at the same place within a page's length.
    fn has_sibling(&self, marker: &Marker) -> bool {
        let window = self.i.saturating_sub(LIST_REACH)..(self.i + LIST_REACH).min(self.lines.len());
        let is_sibling = |at: usize| {
            let other = self.markers.get(at).and_then(Option::as_ref);
            other.is_some_and(|other| other.kind == marker.kind)
                && self.lines.get(at).is_some_and(|line| self.begins_with(line))
        };
        window.filter(|&at| at != self.i).any(is_sibling)
    }
}

/// The rules in order. A line that none of them parts goes on with the paragraph.
pub(super) static RULES: [Rule<ParagraphBreak>; 9] = [
    rule(
        "wider-than-own",
        "more white than between a paragraph's own lines parts it",
        "03 = private operating foundation (a list of codes)",
        |open| {
            let [first, second, ..] = open.own else { return None };
            let own = second.baseline - first.baseline;
            let step = open.line.baseline - open.last.baseline;
            (own > 0.0 && step > WIDE_STEP * own + ROUNDING).then_some(Break)
        },
    ),
    rule("centred-paragraph", "a centred line goes on with centred ones", "opinion", |open| {
        (open.paragraph.centered && open.edges.is_centred(open.line)).then_some(Join)
    }),
    rule("centred-last-line", "a centred line under a wider open one is its last line", "rulebook", |open| {
        is_centred_under(open.last, open.line, open.lines.get(open.i + 1), open.edges).then_some(Join)
    }),
    rule("bullet", "a bullet begins an item", "• Fax: 202–493–2251.", |open| {
        open.marker().is_some_and(|marker| marker.is_bullet).then_some(Break)
    }),
    rule(
        "list-item",
        "a marker in a list, or set in, below the end of a clause begins an item",
        "definitions",
        |open| {
            let marker = open.marker()?;
            let is_set_in = (open.line.rect.x0 - open.first.rect.x0).abs() > ITEM_INDENT * open.line.size
                || open.is_item();
            (open.ends_before_item() && (open.has_sibling(marker) || is_set_in)).then_some(Break)
        },
    ),
    rule("article-after-stop", "an article begins below a full stop", "chinese-statute", |open| {
        (is_article_start(open.line) && open.last.text().ends_with(['。', '.', ';', '；'])).then_some(Break)
    }),
    rule(
        "first-line-indent",
        "the first line of a paragraph is set in, unless it hangs under a marker",
        "court-cover",
        |open| {
            let is_single = open.n_lines() == 1;
            let hangs = is_single && hangs_under(open.last, open.line.rect.x0);
            let is_open = !open.last.words.last().is_some_and(|word| ends_clause(&word.text));
            let goes_on = is_single && open.starts_lower() && is_open;
            // A first line that hangs out, whose continuation is set in like the line after it.
            let next_agrees = open.lines.get(open.i + 1).is_some_and(|next| open.begins_with(next));
            let is_hanging = is_single && next_agrees && open.is_item();
            let is_set_in = open.set_in() > INDENT * open.line.size;
            (is_set_in && !hangs && !goes_on && !is_hanging).then_some(Break)
        },
    ),
    rule(
        "two-first-lines",
        "a line set in like the single line above, above one that is not, is a first line",
        "run-in",
        |open| {
            let em = open.line.size;
            let next_out =
                open.lines.get(open.i + 1).is_some_and(|next| next.rect.x0 < open.line.rect.x0 - INDENT * em);
            let is_like_first = open.n_lines() == 1 && open.set_in().abs() < SAME_PLACE * em;
            (is_like_first && next_out && open.paragraph.indented && !open.starts_lower() && !open.is_item())
                .then_some(Break)
        },
    ),
    rule(
        "set-out",
        "a line set out again after two lines or more begins a paragraph",
        "1308.26 Excluded veterinary anabolic steroid …",
        |open| {
            let second = open.own.get(1)?;
            (open.line.rect.x0 < second.rect.x0 - INDENT * open.line.size).then_some(Break)
        },
    ),
];
