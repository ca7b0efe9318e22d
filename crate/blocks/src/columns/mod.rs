//! Columns: a page's words in regions, the regions in reading order.
//!
//! A gutter is a strip of white that many lines share, with running text on both sides. For each fragment of a
//! line (words without a wide gap) the white to its right neighbour is noted; the x that most of these strips
//! have in common is the gutter, if the fragments on both sides mostly fill their columns, as prose does and
//! cells of a table do not. Lines that cross a gutter (titles, wide tables) end a band; within a band the
//! columns are read one after the other.
//!
//! Seam: whoever knows better (a structure tree, a learnt model) gives other regions. Cost: a sort of the
//! fragments of a page, and for each the fragments at its height.

use document::{Rect, Slice as _};

use crate::page::{Grid, Gutter, PageWords, Region, Word};
use crate::typography::{Fragment, fragments, is_section_number};

/// Most columns looked for on a page.
const MAX_COLUMNS: usize = 4;
/// Lines that must share a strip of white before it is a gutter.
const MIN_LINES: usize = 6;
/// Gap that parts fragments, in multiples of the type size.
const MAX_GAP: f32 = 0.85;
/// Distance from the left edge of a page's text within which a fragment is outermost, in multiples of its type size:
/// a bracket or an italic hangs out by less.
const OUTERMOST: f32 = 0.5;
/// Share of a fragment's height that another in its row covers: raised marks and capitals of other sizes do.
const SAME_ROW: f32 = 0.5;
/// The same of two pieces of one line, which are of one size.
const SAME_LINE: f32 = 0.6;
/// Share of the smaller height from which on fragments stand beside each other: rows of two columns need not be level.
const BESIDE: f32 = 0.3;
/// Difference of edges that are one, in points: strips of white have no type size, and side bearings and the rounding of
/// positions come to less in any type that is set in columns.
const EDGE: f32 = 2.0;
/// The same for text beside a strip that was measured on it.
const INTO_STRIP: f32 = 1.0;
/// Width of a margin with numbered headings, as a share of the width of the page's text: less is a hanging number,
/// more is a column.
const MARGIN_WIDTH: std::ops::Range<f32> = 0.12..0.4;
/// White between the lines of one heading in a margin, in multiples of the type size: single spacing leaves less.
const SAME_HEADING: f32 = 0.8;
/// Height of fragments beyond which neighbours are not looked for, in points: it bounds the work on a hostile page.
const MAX_REACH: f32 = 40.0;
/// Least width of a gutter in points: a gutter is a measure of the page, not of the type.
const MIN_GUTTER: f32 = 4.0;
/// Width of a gutter beyond which more says nothing, in points.
const USUAL_GUTTER: f32 = 6.0;
/// Width of a gutter between columns that are full and need not read as text, in points.
const SURE_GUTTER: f32 = 8.0;
/// Least width of an outer column, as a share of the width of what is split: less is a margin of numbers.
const MIN_COLUMN: f32 = 0.15;
/// Difference of the widths of two columns that are halves, as a share of the wider.
const HALVES_DIFFER: f32 = 0.12;
/// Quantile of widths at which the full lines of a column stand: headings and last lines are narrower.
const FULL_QUANTILE: f32 = 0.8;
/// Quantile of left edges at which the flush lines of a column stand: hanging numbers begin further left.
const FLUSH_QUANTILE: f32 = 0.2;
/// Share of the column's width from which on a line is full: ragged lines leave room for a word.
const FULL: f32 = 0.85;
/// Fewest words of a usual line of text.
const MIN_WORDS_A_LINE: f32 = 3.0;
/// Gutter beside which gaps within a line can be told from it, in multiples of the type size.
const WIDE_GUTTER: f32 = 1.2;
/// Widest gap within a line, as a share of the gutter.
const GAP_OF_GUTTER: f32 = 0.8;
/// Widest gap within a justified line, in multiples of the type size.
const MAX_JUSTIFIED: f32 = 2.0;
/// White above the last line of a paragraph across the columns, in multiples of the type size.
const LAST_LINE: f32 = 0.5;
/// Indent of that line against the paragraph, in multiples of the type size.
const LAST_LINE_INDENT: f32 = 1.5;

/// The regions of a page in reading order. `known` are the gutters of the page before, which a page with few
/// lines (the last) shares; those of this page are left in it.
pub(crate) fn split(page: &mut PageWords, known: &mut Vec<Gutter>) -> Vec<Region> {
    let words = std::mem::take(&mut page.words);
    let Some(bounds) = words.iter().map(|word| word.rect).reduce(|a, b| a.union(&b)) else {
        return Vec::new();
    };
    let fragments = in_grids(fragments_from_top(&words), &page.grids);
    let margin = margin(&fragments, &bounds);
    let gutters = match margin {
        Some(_) => Vec::new(),
        None => gutters(&fragments, &bounds, known),
    };
    if !gutters.is_empty() {
        known.clone_from(&gutters);
    }
    let (gutters, bands) = match margin {
        Some(margin) => (vec![margin], beside_margin(&fragments, margin)),
        None if gutters.is_empty() => {
            return vec![Region { words, x0: bounds.x0, x1: bounds.x1, in_margin: false }];
        }
        None => {
            let bands = in_bands(&fragments, &gutters);
            (gutters, bands)
        }
    };
    let mut slots: Vec<Option<Word>> = words.into_iter().map(Some).collect();
    let mut regions = Vec::new();
    for (column, members) in bands {
        let words: Vec<Word> = members
            .iter()
            .filter_map(|&i| fragments.get(i))
            .flat_map(|fragment| &fragment.words)
            .filter_map(|&i| slots.get_mut(i).and_then(Option::take))
            .collect();
        let (x0, x1) = match column {
            None => (bounds.x0, bounds.x1),
            Some(column) => {
                let left = column.checked_sub(1).and_then(|i| gutters.get(i));
                (left.map_or(bounds.x0, |g| g.1), gutters.get(column).map_or(bounds.x1, |g| g.0))
            }
        };
        regions.push(Region { words, x0, x1, in_margin: false });
    }
    regions
}

/// The fragments of all rows, from top to bottom.
fn fragments_from_top(words: &[Word]) -> Vec<Fragment> {
    let mut fragments = fragments(words, MAX_GAP);
    fragments.sort_by(|a, b| a.rect.y0.total_cmp(&b.rect.y0).then(a.rect.x0.total_cmp(&b.rect.x0)));
    fragments
}

/// The fragments with those inside a grid as one, so that no gutter cuts a table.
fn in_grids(fragments: Vec<Fragment>, grids: &[Grid]) -> Vec<Fragment> {
    if grids.is_empty() {
        return fragments;
    }
    let mut out: Vec<Fragment> = Vec::with_capacity(fragments.len());
    let mut inside: Vec<Option<Fragment>> = grids.iter().map(|_| None).collect();
    for fragment in fragments {
        let grid = grids.iter().take(64).position(|grid| grid.holds(&fragment.rect));
        match grid.and_then(|at| inside.get_mut(at)) {
            Some(Some(open)) => {
                open.words.extend(fragment.words);
                open.rect = open.rect.union(&fragment.rect);
                open.size = open.size.max(fragment.size);
            }
            Some(slot) => *slot = Some(fragment),
            None => out.push(fragment),
        }
    }
    out.extend(inside.into_iter().flatten());
    out.sort_by(|a, b| a.rect.y0.total_cmp(&b.rect.y0).then(a.rect.x0.total_cmp(&b.rect.x0)));
    out
}

/// True if the page has a margin of numbered headings, which are told from side heads by their numbers.
pub(crate) fn has_numbered_margin(words: &[Word]) -> bool {
    let bounds = words.iter().map(|word| word.rect).reduce(|a, b| a.union(&b));
    words.iter().any(|word| is_section_number(&word.text))
        && bounds.is_some_and(|bounds| margin(&fragments_from_top(words), &bounds).is_some())
}

/// The strip right of a margin that holds nothing but headings, as manuals set them: each begins with its number,
/// and the text of the section stands at its side.
fn margin(fragments: &[Fragment], bounds: &Rect) -> Option<Gutter> {
    let is_outer = |fragment: &&Fragment| fragment.rect.x0 < bounds.x0 + OUTERMOST * fragment.size;
    let numbers: Vec<&Fragment> =
        fragments.iter().filter(is_outer).filter(|fragment| fragment.is_number).collect();
    let beside = |number: &&&Fragment| {
        let near = |other: &&Fragment| {
            other.rect.x0 > number.rect.x1
                && other.rect.y_overlap(&number.rect) > SAME_ROW * number.rect.height()
        };
        fragments.iter().filter(near).map(|other| other.rect.x0).min_by(f32::total_cmp)
    };
    // Lines of a table of contents have their titles at different places, and nothing below the number.
    let text = numbers.iter().take(64).filter_map(|number| beside(&number)).min_by(f32::total_cmp)?;
    let is_left = |fragment: &&Fragment| fragment.rect.x0 < text - EDGE;
    let n_left = fragments.iter().filter(is_left).count();
    let n_across = fragments.iter().filter(is_left).filter(|fragment| fragment.rect.x1 > text).count();
    let edge = fragments
        .iter()
        .filter(is_left)
        .map(|fragment| fragment.rect.x1)
        .filter(|&x1| x1 < text)
        .fold(0.0, f32::max);
    let share = (text - bounds.x0) / bounds.width().max(1.0);
    let is_margin = MARGIN_WIDTH.contains(&share) && n_across * 8 <= n_left && n_left >= 2 * numbers.len();
    (is_margin && n_left * 3 < fragments.len() * 2).then_some((edge, text))
}

/// The fragments of a page with headings in its margin: each heading, then the text at its side. Pieces across belong
/// to the text.
fn beside_margin(fragments: &[Fragment], margin: Gutter) -> Vec<(Option<usize>, Vec<usize>)> {
    let mut bands: Vec<(Option<usize>, Vec<usize>)> = vec![(Some(0), Vec::new()), (Some(1), Vec::new())];
    let mut last: Option<Rect> = None;
    for (i, fragment) in fragments.iter().enumerate() {
        let is_left = fragment.rect.x1 <= margin.1 && fragment.rect.x0 < margin.1 - EDGE;
        if is_left {
            let follows = last.is_some_and(|last| fragment.rect.y0 - last.y1 < SAME_HEADING * fragment.size);
            if !follows || fragment.is_number {
                bands.push((Some(0), Vec::new()));
                bands.push((Some(1), Vec::new()));
            }
            last = Some(last.filter(|_| follows).map_or(fragment.rect, |last| last.union(&fragment.rect)));
        }
        let n = bands.len();
        if let Some((_, members)) = bands.get_mut(n - if is_left { 2 } else { 1 }) {
            members.push(i);
        }
    }
    // Text at the height of a heading's first line comes before it from top to bottom when it is higher by a hair.
    for at in (3..bands.len()).step_by(2) {
        let top = bands
            .get(at - 1)
            .and_then(|(_, left)| left.first())
            .and_then(|&i| fragments.get(i))
            .map(|p| p.rect);
        let Some(top) = top else { continue };
        let Some((_, before)) = bands.get_mut(at - 2) else { continue };
        let is_beside =
            |i: &usize| fragments.get(*i).is_some_and(|p| p.rect.y_overlap(&top) > SAME_ROW * top.height());
        let from = before.len() - before.iter().rev().take_while(|&i| is_beside(i)).count();
        let mut moved = before.split_off(from);
        if let Some((_, members)) = bands.get_mut(at) {
            moved.append(members);
            *members = moved;
        }
    }
    bands.retain(|(_, members)| !members.is_empty());
    bands
}

/// The gutters from left to right, each as its left and right edge.
fn gutters(fragments: &[Fragment], bounds: &Rect, known: &[Gutter]) -> Vec<Gutter> {
    let mut gaps = gaps_right_of(fragments);
    let mut gutters: Vec<Gutter> = Vec::new();
    for &(x0, x1) in known {
        let holds = gaps.iter().filter(|gap| gap.0 <= x0 + EDGE && gap.1 >= x1 - EDGE);
        let (mut n_lines, mut n_full) = (0usize, 0usize);
        for gap in holds {
            n_lines += 1;
            n_full += usize::from((gap.0 - x0).abs() < EDGE && (gap.1 - x1).abs() < EDGE);
        }
        if n_lines >= 2 && n_full * 2 >= n_lines {
            gutters.push((x0, x1));
        }
    }
    gaps.retain(|gap| gutters.iter().all(|found| gap.1 <= found.0 || gap.0 >= found.1));
    while gutters.len() + 1 < MAX_COLUMNS {
        let Some((strip, n_lines)) = most_shared(&gaps) else { break };
        if n_lines < MIN_LINES {
            break;
        }
        gaps.retain(|gap| gap.1 <= strip.0 || gap.0 >= strip.1);
        // A strip inside a column is judged by that column alone.
        let left = gutters.iter().map(|g| g.1).filter(|&x| x <= strip.0).fold(bounds.x0, f32::max);
        let right = gutters.iter().map(|g| g.0).filter(|&x| x >= strip.1).fold(bounds.x1, f32::min);
        let column = Rect { x0: left, x1: right, ..*bounds };
        let within = |fragment: &&Fragment| (left..=right).contains(&fragment.rect.x_mid());
        let own: Vec<&Fragment> = fragments.iter().filter(within).collect();
        if is_gutter(strip, &own, &column) {
            gutters.push(strip);
        }
    }
    gutters.sort_by(|a, b| a.0.total_cmp(&b.0));
    gutters
}

/// For each fragment, the white between it and the next fragment to its right at its height.
fn gaps_right_of(fragments: &[Fragment]) -> Vec<(f32, f32)> {
    let tallest = fragments.iter().map(|fragment| fragment.rect.height()).fold(0.0, f32::max).min(MAX_REACH);
    let mut gaps = Vec::new();
    for (i, fragment) in fragments.iter().enumerate() {
        let near = |other: &&Fragment| {
            other.rect.x0 > fragment.rect.x1
                && other.rect.y_overlap(&fragment.rect)
                    > BESIDE * fragment.rect.height().min(other.rect.height())
        };
        let reach = |other: &&Fragment| (other.rect.y0 - fragment.rect.y0).abs() <= tallest;
        let after = fragments.slice(i + 1..).iter().take_while(reach).take(64);
        let before = fragments.slice(..i).iter().rev().take_while(reach).take(64);
        let next = after.chain(before).filter(near).map(|other| other.rect.x0).min_by(f32::total_cmp);
        if let Some(next) = next {
            gaps.push((fragment.rect.x1, next));
        }
    }
    gaps
}

/// The strip that most gaps share and how many share it.
fn most_shared(gaps: &[(f32, f32)]) -> Option<((f32, f32), usize)> {
    let mut ends: Vec<(f32, i32)> = Vec::with_capacity(gaps.len() * 2);
    for &(x0, x1) in gaps.iter().filter(|gap| gap.1 - gap.0 >= MIN_GUTTER) {
        ends.push((x0, 1));
        ends.push((x1, -1));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    // Weigh by lines times width up to a usual gutter, so that a hair's breadth shared by one line more than
    // the gutter proper does not win.
    let (mut open, mut best, mut weight) = (0i32, None, 0.0f32);
    for pair in ends.windows(2) {
        open += pair[0].1;
        let width = pair[1].0 - pair[0].0;
        let own = open as f32 * width.clamp(0.0, USUAL_GUTTER);
        if own > weight && open > 0 {
            weight = own;
            best = Some(((pair[0].0, pair[1].0), open.unsigned_abs() as usize));
        }
    }
    best
}

/// True if running text stands on both sides of the strip: most fragments beside it fill their column.
fn is_gutter(strip: (f32, f32), fragments: &[&Fragment], bounds: &Rect) -> bool {
    let mid = 0.5 * (strip.0 + strip.1);
    if mid < bounds.x0 + MIN_COLUMN * bounds.width() || mid > bounds.x1 - MIN_COLUMN * bounds.width() {
        return false;
    }
    let left: Vec<&Fragment> =
        fragments.iter().copied().filter(|p| p.rect.x1 <= strip.0 + INTO_STRIP).collect();
    let right: Vec<&Fragment> =
        fragments.iter().copied().filter(|p| p.rect.x0 >= strip.1 - INTO_STRIP).collect();
    let n_across = fragments.len() - left.len() - right.len();
    if n_across > (left.len() + right.len()) / 2 {
        return false;
    }
    // Halves of one width are columns even when one of them holds short lines (a list of contents).
    let width_left = strip.0 - quantile(left.iter().map(|p| p.rect.x0).collect(), FLUSH_QUANTILE);
    let width_right = quantile(right.iter().map(|p| p.rect.x1).collect(), FULL_QUANTILE) - strip.1;
    let are_halves = (width_left - width_right).abs() < HALVES_DIFFER * width_left.max(width_right);
    // Figures and lone words in rows are the columns of a table.
    let words_a_piece =
        |fragments: &[&Fragment]| quantile(fragments.iter().map(|p| p.words.len() as f32).collect(), 0.5);
    let are_texts = words_a_piece(&left).min(words_a_piece(&right)) >= 2.0;
    let are_full = are_halves && are_texts && n_across == 0 && left.len().min(right.len()) >= 5 * MIN_LINES;
    let (left, right) = (lines(&left, strip.1 - strip.0), lines(&right, strip.1 - strip.0));
    let by_text = match (is_prose(&left), is_prose(&right)) {
        (true, true) => true,
        (true, false) => are_halves && is_text(&right),
        (false, true) => are_halves && is_text(&left),
        (false, false) => false,
    };
    by_text || (are_full && strip.1 - strip.0 > SURE_GUTTER)
}

/// A line of a column, as far as it decides whether the column holds text.
struct LineExtent {
    rect: Rect,
    n_words: usize,
}

/// The lines of a column from its fragments: a narrow justified line may have wide gaps, but none as wide as the
/// gutter.
fn lines(fragments: &[&Fragment], gutter: f32) -> Vec<LineExtent> {
    let mut lines: Vec<LineExtent> = Vec::with_capacity(fragments.len());
    for fragment in fragments {
        let most = if gutter > WIDE_GUTTER * fragment.size {
            (GAP_OF_GUTTER * gutter).min(MAX_JUSTIFIED * fragment.size)
        } else {
            0.0
        };
        // Pieces of one line differ a little in height, so the line of this one is among the last.
        let own = lines.iter_mut().rev().take(6).find(|line| {
            let gap = (fragment.rect.x0 - line.rect.x1).max(line.rect.x0 - fragment.rect.x1);
            gap < most && line.rect.y_overlap(&fragment.rect) > SAME_LINE * fragment.rect.height()
        });
        match own {
            Some(line) => {
                line.rect = line.rect.union(&fragment.rect);
                line.n_words += fragment.words.len();
            }
            None => lines.push(LineExtent { rect: fragment.rect, n_words: fragment.words.len() }),
        }
    }
    lines
}

/// True if most of these lines are more than a figure or a name.
fn is_text(fragments: &[LineExtent]) -> bool {
    let n_long = fragments.iter().filter(|fragment| fragment.n_words >= 3).count();
    fragments.len() >= 2 * MIN_LINES && n_long * 3 >= fragments.len() * 2
}

/// True if most of these lines have one width: they end where the others end.
fn is_prose(fragments: &[LineExtent]) -> bool {
    // The column next to the strip: the width that the longer fragments have.
    let width = quantile(fragments.iter().map(|p| p.rect.width()).collect(), FULL_QUANTILE);
    let n_full = fragments.iter().filter(|p| p.rect.width() > FULL * width).count();
    let words_a_line = quantile(fragments.iter().map(|p| p.n_words as f32).collect(), 0.5);
    fragments.len() >= MIN_LINES && n_full * 20 >= fragments.len() * 7 && words_a_line >= MIN_WORDS_A_LINE
}

/// True if another fragment stands at the same height.
fn has_neighbour(fragments: &[Fragment], i: usize) -> bool {
    let Some(fragment) = fragments.get(i) else { return false };
    let near = fragments.slice(i.saturating_sub(8)..(i + 9).min(fragments.len()));
    let beside = |other: &&Fragment| other.rect.y_overlap(&fragment.rect) > SAME_ROW * fragment.rect.height();
    near.iter().filter(beside).count() > 1
}

/// The value below which this share of the values lies.
fn quantile(mut values: Vec<f32>, share: f32) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get((values.len() as f32 * share) as usize).copied().unwrap_or_default()
}

/// The fragments by band and column in reading order; `None` is a fragment across.
fn in_bands(fragments: &[Fragment], gutters: &[(f32, f32)]) -> Vec<(Option<usize>, Vec<usize>)> {
    let column_of = |fragment: &Fragment| -> Option<usize> {
        let crosses = gutters.iter().any(|g| fragment.rect.x0 < g.1 - EDGE && fragment.rect.x1 > g.0 + EDGE);
        (!crosses).then(|| gutters.iter().filter(|g| fragment.rect.x_mid() > 0.5 * (g.0 + g.1)).count())
    };
    let mut regions: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); gutters.len() + 1];
    let flush = |columns: &mut Vec<Vec<usize>>, regions: &mut Vec<(Option<usize>, Vec<usize>)>| {
        for (column, members) in columns.iter_mut().enumerate() {
            if !members.is_empty() {
                regions.push((Some(column), std::mem::take(members)));
            }
        }
    };
    // Pieces across whose lines are done, to find small fragments (a raised mark) of the same line.
    let mut across: Option<Rect> = None;
    for (i, fragment) in fragments.iter().enumerate() {
        let beside = across.is_some_and(|rect| {
            rect.y_overlap(&fragment.rect) > SAME_ROW * fragment.rect.height()
                && fragment.rect.x0 - rect.x1 < fragment.size
                && rect.x0 - fragment.rect.x1 < fragment.size
        });
        // The short last line of a paragraph across, with nothing beside it.
        let below = across.is_some_and(|rect| {
            fragment.rect.y0 - rect.y1 < LAST_LINE * fragment.size
                && (fragment.rect.x0 - rect.x0).abs() < LAST_LINE_INDENT * fragment.size
                && !has_neighbour(fragments, i)
        });
        match column_of(fragment) {
            Some(column) if !beside && !below => {
                if let Some(members) = columns.get_mut(column) {
                    members.push(i);
                }
            }
            _ => {
                flush(&mut columns, &mut regions);
                match regions.last_mut() {
                    Some((None, members)) => members.push(i),
                    _ => regions.push((None, vec![i])),
                }
                across = Some(fragment.rect);
            }
        }
    }
    flush(&mut columns, &mut regions);
    regions
}
