//! Side headings: short blocks in the left margin, each beside the text that it heads, as manuals and older statutes
//! print them; terms beside their definitions stand the same way.
//!
//! A strip of white that next to no line crosses, little text left of it and running text right of it, and blocks on
//! the left that begin where a line on the right does: then each block is read before the text beside it. Numbers
//! and letters that hang in the margin are no headings. Cost: a sort of the fragments of a page.

use document::{BlockKind, Rect};

use crate::page::{Grid, Line, Paragraph, Region, Word};
use crate::typography::{Fragment, fragments};

/// Least white between the margin and the text, in multiples of the type size.
const MIN_WHITE: f32 = 0.5;
/// Gap that parts fragments, in multiples of the type size.
const MAX_GAP: f32 = 0.6;
/// Least width of the margin, in multiples of the type size: one longer word, where numbers and letters hang in less.
const MIN_MARGIN: f32 = 5.0;
/// Most lines of a block.
const MAX_LINES: usize = 8;
/// Fewest lines of text on the right.
const MIN_TEXT: usize = 8;
/// Widest margin, as a share of the width of the page's text: a wider one is a column.
const MAX_MARGIN: f32 = 0.4;
/// Largest type by which white is measured, in points: a title on the page does not widen it.
const MAX_SIZE: f32 = 14.0;
/// Distance between baselines of one row, in multiples of the type size: a block and its text may differ in size.
const SAME_ROW: f32 = 0.5;
/// Widest step between the lines of a block, in multiples of the type size: one and a half spaced.
const MAX_PITCH: f32 = 1.5;
/// Share of the text's width from which on a line is running text.
const LONG_LINE: f32 = 0.6;
/// Rounding of edges in points: a strip ends where a fragment begins, whatever its type.
const ROUNDING: f32 = 0.5;

/// The words of a page as they are read, its side headings each before the text beside them; the words again when it
/// has none.
pub(crate) fn part(words: Vec<Word>, grids: &[Grid]) -> Result<Vec<Region>, Vec<Word>> {
    let Some(bounds) = words.iter().map(|word| word.rect).reduce(|a, b| a.union(&b)) else {
        return Err(words);
    };
    let fragments = fragments(&words, MAX_GAP);
    let Some((strip, blocks)) = find(&fragments, &bounds, grids) else { return Err(words) };
    let (x0, x1) = (bounds.x0, bounds.x1);
    let mut slots: Vec<Option<Word>> = words.into_iter().map(Some).collect();
    let mut take = |members: &[usize]| -> Vec<Word> {
        let own = members.iter().filter_map(|&i| fragments.get(i)).flat_map(|fragment| &fragment.words);
        own.filter_map(|&i| slots.get_mut(i).and_then(Option::take)).collect()
    };
    let starts: Vec<f32> = blocks
        .iter()
        .map(|block| {
            block.first().and_then(|&i| fragments.get(i)).map_or(f32::MAX, |p| p.baseline - SAME_ROW * p.size)
        })
        .collect();
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); blocks.len() + 1];
    let in_block: Vec<bool> = {
        let mut is = vec![false; fragments.len()];
        for &i in blocks.iter().flatten() {
            if let Some(slot) = is.get_mut(i) {
                *slot = true;
            }
        }
        is
    };
    for (i, fragment) in
        fragments.iter().enumerate().filter(|(i, _)| !in_block.get(*i).copied().unwrap_or(false))
    {
        let at = starts.partition_point(|&start| start <= fragment.baseline);
        if let Some(members) = beside.get_mut(at) {
            members.push(i);
        }
    }
    let mut out = Vec::new();
    let mut push = |words: Vec<Word>, x0: f32, x1: f32, in_margin: bool| {
        if !words.is_empty() {
            out.push(Region { words, x0, x1, in_margin });
        }
    };
    for (at, members) in beside.iter().enumerate() {
        if let Some(block) = at.checked_sub(1).and_then(|at| blocks.get(at)) {
            push(take(block), x0, strip.1, true);
        }
        push(take(members), strip.1, x1, false);
    }
    Ok(out)
}

/// A block in the margin as a paragraph: a heading when it stands out or is numbered, else a term or remark.
pub(crate) fn paragraph(lines: Vec<Line>) -> Paragraph {
    let stands_out = lines.iter().any(|line| line.style.bold || line.style.italic || line.style.caps);
    let is_numbered = lines
        .first()
        .and_then(|line| line.words.first())
        .is_some_and(|word| word.text.contains('.') && word.text.starts_with(|c: char| c.is_ascii_digit()));
    let mut paragraph = Paragraph::of(lines);
    if stands_out || is_numbered {
        paragraph.kind = BlockKind::Heading;
    }
    paragraph
}

/// A strip of white, from where to where, and the blocks left of it, each as positions of its fragments.
type SideMargin = ((f32, f32), Vec<Vec<usize>>);

/// The strip of white and the blocks left of it, from the top.
fn find(fragments: &[Fragment], bounds: &Rect, grids: &[Grid]) -> Option<SideMargin> {
    let in_grid = |fragment: &Fragment| grids.iter().take(64).any(|grid| grid.holds(&fragment.rect));
    let own: Vec<&Fragment> = fragments.iter().filter(|fragment| !in_grid(fragment)).collect();
    if own.len() < MIN_TEXT || own.len() * 2 < fragments.len() {
        return None;
    }
    let em = own.iter().map(|fragment| fragment.size).fold(0.0, f32::max).min(MAX_SIZE);
    let total: usize = own.iter().map(|fragment| fragment.words.len()).sum();
    for strip in white(&own, em) {
        if strip.0 - bounds.x0 < MIN_MARGIN * em || strip.0 > bounds.x0 + MAX_MARGIN * (bounds.x1 - bounds.x0)
        {
            continue;
        }
        let n_left: usize =
            own.iter().filter(|fragment| is_left(fragment, strip)).map(|fragment| fragment.words.len()).sum();
        if n_left * 4 > total || n_left == 0 {
            continue;
        }
        let width = bounds.x1 - strip.1;
        let right: Vec<&&Fragment> =
            own.iter().filter(|fragment| fragment.rect.x0 >= strip.1 - ROUNDING).collect();
        let n_full = right
            .iter()
            .filter(|fragment| fragment.rect.width() > LONG_LINE * width && fragment.words.len() >= 5)
            .count();
        let n_long = right.iter().filter(|fragment| fragment.words.len() >= 2).count();
        if n_full < MIN_TEXT || n_full * 5 < n_long * 2 {
            continue;
        }
        let left: Vec<usize> = (0..fragments.len())
            .filter(|&i| {
                fragments.get(i).is_some_and(|fragment| is_left(fragment, strip) && !in_grid(fragment))
            })
            .collect();
        let blocks = blocks(&left, fragments);
        if are_heads(&blocks, fragments, &right) {
            return Some((strip, blocks));
        }
    }
    None
}

/// True if a fragment lies left of a strip; the longest ones may reach into it.
fn is_left(fragment: &Fragment, strip: (f32, f32)) -> bool {
    fragment.rect.x0 < strip.0 && fragment.rect.x1 < strip.1
}

/// Strips that next to no fragment crosses, from the left.
fn white(fragments: &[&Fragment], em: f32) -> Vec<(f32, f32)> {
    let tolerated = i32::try_from(fragments.len() / 25).unwrap_or(0);
    let mut ends: Vec<(f32, i32)> =
        fragments.iter().flat_map(|fragment| [(fragment.rect.x0, 1), (fragment.rect.x1, -1)]).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut open, mut from, mut strips) = (0, None, Vec::new());
    for (x, change) in ends {
        open += change;
        if open <= tolerated && from.is_none() {
            from = Some(x);
        } else if open > tolerated
            && let Some(start) = from.take()
            && x - start >= MIN_WHITE * em
        {
            strips.push((start, x));
        }
    }
    strips
}

/// Pieces of the margin as blocks: lines that follow each other closely.
fn blocks(left: &[usize], fragments: &[Fragment]) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<&Fragment> = None;
    for &i in left {
        let Some(fragment) = fragments.get(i) else { continue };
        // The number of the next block after the title of this one.
        let follows = last.replace(fragment).is_some_and(|last| {
            fragment.baseline - last.baseline < MAX_PITCH * fragment.size && (fragment.bold || !last.bold)
        });
        match blocks.last_mut().filter(|_| follows) {
            Some(block) => block.push(i),
            None => blocks.push(vec![i]),
        }
    }
    blocks
}

/// True if blocks in the margin head what stands beside them.
fn are_heads(blocks: &[Vec<usize>], fragments: &[Fragment], right: &[&&Fragment]) -> bool {
    let n = blocks.len();
    let fragment = |i: &usize| fragments.get(*i);
    let starts_beside = |block: &Vec<usize>| {
        block.first().and_then(fragment).is_some_and(|first| {
            right.iter().any(|other| (other.baseline - first.baseline).abs() < SAME_ROW * first.size)
        })
    };
    let is_text = |block: &Vec<usize>| {
        block.iter().filter_map(fragment).map(|fragment| fragment.words.len()).sum::<usize>() >= 2
    };
    let is_short = |block: &Vec<usize>| block.len() <= MAX_LINES;
    let n_beside = blocks.iter().filter(|block| starts_beside(block)).count();
    let n_text = blocks.iter().filter(|block| is_text(block)).count();
    let n_lines: usize = blocks.iter().map(Vec::len).sum();
    n > 0
        && blocks.iter().all(is_short)
        && n_beside * 5 >= n * 4
        && n_text * 3 >= n * 2
        && n_lines <= right.len()
}
