//! Paragraphs: lines that belong together.
//!
//! Two lines of a region are parted by more white than usual, by a change of size or weight, by an indent,
//! by a line that ends although the next word would have fitted, or by the marker of a list item: see the rules of
//! [`line_rules`] and [`paragraph_rules`]. The edges against which a line is measured are those of the lines around
//! it, so that block quotations and columns of any width follow the same rules.
//!
//! Cost: linear in the lines (a window of a few lines around each).

mod edges;
mod line_evidence;
mod line_rules;
mod paragraph_rules;
mod verdict;

use document::{Place, RuleInfo, Slice as _};
use text::rules::Rules;

use crate::page::{Line, Paragraph};
use crate::paragraphs::edges::{RegionEdges, ends_short, first_word_width};
use crate::paragraphs::line_rules::LinePair;
use crate::paragraphs::paragraph_rules::OpenParagraph;
use crate::paragraphs::verdict::BreakVerdict;
use crate::typography::{Marker, list_marker};

/// Fewest line ends within a sentence that tell the line pitch of a region.
const MIN_CONTINUED: usize = 2;
/// The same where they are parted by more than lines usually are.
const MIN_WIDER: usize = 4;
/// First line's indent against the lines around it, in multiples of the type size.
const INDENT: f32 = 0.8;

/// The rules that part lines into paragraphs, in the order in which they are asked.
pub(crate) fn rules() -> impl Iterator<Item = RuleInfo> {
    line_rules::RULES.iter().map(|rule| rule.info).chain(paragraph_rules::RULES.iter().map(|rule| rule.info))
}

/// Adds the paragraphs of these lines, which are of one region and of no table.
pub(crate) fn group(lines: Vec<Line>, rules: &Rules, paragraphs: &mut Vec<Paragraph>) {
    let parted = part(&lines, rules);
    let mut lines = lines.into_iter();
    paragraphs.extend(parted.into_iter().map(|(paragraph, n_lines)| Paragraph {
        lines: lines.by_ref().take(n_lines).collect(),
        ..paragraph
    }));
}

/// The paragraphs of these lines, still without them, each with the number of its lines.
fn part(lines: &[Line], rules: &Rules) -> Vec<(Paragraph, usize)> {
    let edges = RegionEdges::of(lines);
    let pitch = usual_pitch(lines, &edges);
    let markers: Vec<Option<Marker>> = lines.iter().map(list_marker).collect();
    let mut last_baseline: Option<f32> = None;
    let mut parted: Vec<(Paragraph, usize)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let is_centred = edges.is_centred(line);
        let begins = parted.last().is_none_or(|(open, n_lines)| {
            let pair = LinePair::of(lines, i, pitch, &edges);
            let own = lines.slice(i.saturating_sub(*n_lines)..i);
            let open = OpenParagraph::of(open, own, lines, i, &markers, &edges);
            pair.zip(open).is_none_or(|(pair, open)| begins_paragraph(&pair, &open, rules))
        });
        if begins {
            let mut paragraph = Paragraph::of(Vec::new());
            paragraph.white =
                last_baseline.map_or(f32::INFINITY, |last| (line.baseline - last) / line.size.max(0.1));
            paragraph.indented = line.rect.x0 > edges.around(lines, i).left + INDENT * line.size;
            paragraph.centered = is_centred;
            parted.push((paragraph, 0));
        }
        last_baseline = Some(line.baseline);
        let Some((paragraph, n_lines)) = parted.last_mut() else { continue };
        *n_lines += 1;
        paragraph.centered &= is_centred;
        let next = lines.get(i + 1);
        let mut around = edges.around(lines, i);
        if next.is_none() {
            around.right = around.right.max(edges.right);
        }
        paragraph.ends_short = ends_short(line, next, around);
    }
    parted
}

/// True if a line begins a paragraph: the rules of the line above part them, or else those of its paragraph.
fn begins_paragraph(pair: &LinePair<'_>, open: &OpenParagraph<'_>, rules: &Rules) -> bool {
    let by_line = rules.first(&line_rules::RULES, pair);
    let decided = match by_line {
        Some((BreakVerdict::Break, _)) => by_line,
        _ => rules.first(&paragraph_rules::RULES, open).or(by_line),
    };
    let begins = matches!(decided, Some((BreakVerdict::Break, _)));
    let verdict = if begins { "begins a paragraph" } else { "goes on" };
    rules.record("break", verdict, decided.map(|(_, rule)| rule), || {
        (Place::Page(pair.line.page), pair.line.text())
    });
    begins
}

/// The usual distance between baselines within a paragraph, in points: measured where a sentence certainly goes
/// on in the next line, because on a page of short paragraphs most lines are parted by more.
fn usual_pitch(lines: &[Line], edges: &RegionEdges) -> f32 {
    let steps_of = |of: &dyn Fn(&Line, &Line) -> bool| -> Vec<f32> {
        let alike = |pair: &&[Line]| (pair[0].size - pair[1].size).abs() < 0.05 * pair[0].size;
        let pairs = lines.windows(2).filter(alike).filter(|pair| of(&pair[0], &pair[1]));
        let mut steps: Vec<f32> =
            pairs.map(|pair| pair[1].baseline - pair[0].baseline).filter(|&step| step > 0.5).collect();
        steps.sort_by(f32::total_cmp);
        steps
    };
    let steps = steps_of(&|_, _| true);
    let usual = steps.get(steps.len() * 2 / 5).copied().unwrap_or(f32::INFINITY);
    let continued = steps_of(&|line, next| is_continued(line, next, edges.right));
    match continued.get(continued.len() / 2) {
        Some(&step) if continued.len() >= MIN_CONTINUED && (step < usual || continued.len() >= MIN_WIDER) => {
            step
        }
        _ => usual,
    }
}

/// True if a sentence certainly goes on in the next line: it is open, and there was no room for the next word.
fn is_continued(line: &Line, next: &Line, right: f32) -> bool {
    let is_open = line.words.last().is_some_and(|word| word.text.ends_with(char::is_alphanumeric));
    is_open
        && right - line.rect.x1 < first_word_width(next) + 0.5 * line.size
        && next.words.first().is_some_and(|word| word.text.starts_with(char::is_lowercase))
}
