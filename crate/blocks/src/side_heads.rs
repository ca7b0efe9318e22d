//! Side headings: short blocks in the left margin, each beside the text that it heads, as manuals and older statutes
//! print them; terms beside their definitions stand the same way.
//!
//! A strip of white that next to no line crosses, little text left of it and running text right of it, and blocks on
//! the left that begin where a line on the right does: then each block is read before the text beside it. Numbers
//! and letters that hang in the margin are no headings. Cost: a sort of the pieces of a page.

use document::{BlockKind, Rect};

use crate::columns::Region;
use crate::lines::Line;
use crate::paragraphs::Paragraph;
use crate::rows::rows;
use crate::tables::ruled::Grid;
use crate::words::Word;

/// Least white between the margin and the text, in multiples of the type size.
const MIN_WHITE: f32 = 0.5;
/// Least width of the margin, in points.
const MIN_MARGIN: f32 = 50.0;
/// Most lines of a block.
const MAX_LINES: usize = 8;
/// Fewest lines of text on the right.
const MIN_TEXT: usize = 8;

/// Where a part of a region stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Text,
    /// In the margin: one block.
    Margin,
}

struct Piece {
    words: Vec<usize>,
    rect: Rect,
    baseline: f32,
    size: f32,
    bold: bool,
}

/// The words of a page as they are read, its side headings each before the text beside them; the words again when it
/// has none.
pub(crate) fn part(words: Vec<Word>, grids: &[Grid]) -> Result<Vec<(Region, Side)>, Vec<Word>> {
    let Some(bounds) = words.iter().map(|word| word.rect).reduce(|a, b| a.union(&b)) else {
        return Err(words);
    };
    let pieces = pieces(&words);
    let Some((strip, blocks)) = find(&pieces, &bounds, grids) else { return Err(words) };
    let (x0, x1) = (bounds.x0, bounds.x1);
    let mut slots: Vec<Option<Word>> = words.into_iter().map(Some).collect();
    let mut take = |members: &[usize]| -> Vec<Word> {
        let own = members.iter().filter_map(|&i| pieces.get(i)).flat_map(|piece| &piece.words);
        own.filter_map(|&i| slots.get_mut(i).and_then(Option::take)).collect()
    };
    let starts: Vec<f32> = blocks
        .iter()
        .map(|block| {
            block.first().and_then(|&i| pieces.get(i)).map_or(f32::MAX, |p| p.baseline - 0.5 * p.size)
        })
        .collect();
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); blocks.len() + 1];
    let in_block: Vec<bool> = {
        let mut is = vec![false; pieces.len()];
        for &i in blocks.iter().flatten() {
            if let Some(slot) = is.get_mut(i) {
                *slot = true;
            }
        }
        is
    };
    for (i, piece) in pieces.iter().enumerate().filter(|(i, _)| !in_block.get(*i).copied().unwrap_or(false)) {
        let at = starts.partition_point(|&start| start <= piece.baseline);
        if let Some(members) = beside.get_mut(at) {
            members.push(i);
        }
    }
    let mut out = Vec::new();
    let mut push = |words: Vec<Word>, x0: f32, x1: f32, side: Side| {
        if !words.is_empty() {
            out.push((Region { words, x0, x1 }, side));
        }
    };
    for (at, members) in beside.iter().enumerate() {
        if let Some(block) = at.checked_sub(1).and_then(|at| blocks.get(at)) {
            push(take(block), x0, strip.1, Side::Margin);
        }
        push(take(members), strip.1, x1, Side::Text);
    }
    Ok(out)
}

/// A block in the margin as a paragraph: a heading when it stands out or is numbered, else a term or remark.
pub(crate) fn paragraph(lines: &[Line]) -> Paragraph {
    let mut paragraph = Paragraph::of(lines.to_vec());
    let stands_out = lines.iter().any(|line| line.looks.bold || line.looks.italic || line.looks.caps);
    let is_numbered = lines
        .first()
        .and_then(|line| line.words.first())
        .is_some_and(|word| word.text.contains('.') && word.text.starts_with(|c: char| c.is_ascii_digit()));
    if stands_out || is_numbered {
        paragraph.kind = BlockKind::Heading;
    }
    paragraph
}

/// A strip of white, from where to where, and the blocks left of it, each as positions of its pieces.
type Margin = ((f32, f32), Vec<Vec<usize>>);

/// The strip of white and the blocks left of it, from the top.
fn find(pieces: &[Piece], bounds: &Rect, grids: &[Grid]) -> Option<Margin> {
    let in_grid = |piece: &Piece| grids.iter().take(64).any(|grid| grid.holds(&piece.rect));
    let own: Vec<&Piece> = pieces.iter().filter(|piece| !in_grid(piece)).collect();
    if own.len() < MIN_TEXT || own.len() * 2 < pieces.len() {
        return None;
    }
    let em = own.iter().map(|piece| piece.size).fold(0.0, f32::max).min(14.0);
    let total: usize = own.iter().map(|piece| piece.words.len()).sum();
    for strip in white(&own, em) {
        if strip.0 - bounds.x0 < MIN_MARGIN || strip.0 > bounds.x0 + 0.4 * (bounds.x1 - bounds.x0) {
            continue;
        }
        let n_left: usize =
            own.iter().filter(|piece| is_left(piece, strip)).map(|piece| piece.words.len()).sum();
        if n_left * 4 > total || n_left == 0 {
            continue;
        }
        let width = bounds.x1 - strip.1;
        let right: Vec<&&Piece> = own.iter().filter(|piece| piece.rect.x0 >= strip.1 - 0.5).collect();
        let n_full =
            right.iter().filter(|piece| piece.rect.width() > 0.6 * width && piece.words.len() >= 5).count();
        let n_long = right.iter().filter(|piece| piece.words.len() >= 2).count();
        if n_full < MIN_TEXT || n_full * 5 < n_long * 2 {
            continue;
        }
        let left: Vec<usize> = (0..pieces.len())
            .filter(|&i| pieces.get(i).is_some_and(|piece| is_left(piece, strip) && !in_grid(piece)))
            .collect();
        let blocks = blocks(&left, pieces);
        if are_heads(&blocks, pieces, &right) {
            return Some((strip, blocks));
        }
    }
    None
}

/// Whether a piece lies left of a strip; the longest ones may reach into it.
fn is_left(piece: &Piece, strip: (f32, f32)) -> bool {
    piece.rect.x0 < strip.0 && piece.rect.x1 < strip.1
}

/// Strips that next to no piece crosses, from the left.
fn white(pieces: &[&Piece], em: f32) -> Vec<(f32, f32)> {
    let tolerated = i32::try_from(pieces.len() / 25).unwrap_or(0);
    let mut ends: Vec<(f32, i32)> =
        pieces.iter().flat_map(|piece| [(piece.rect.x0, 1), (piece.rect.x1, -1)]).collect();
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
fn blocks(left: &[usize], pieces: &[Piece]) -> Vec<Vec<usize>> {
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut last: Option<&Piece> = None;
    for &i in left {
        let Some(piece) = pieces.get(i) else { continue };
        // The number of the next block after the title of this one.
        let follows = last.replace(piece).is_some_and(|last| {
            piece.baseline - last.baseline < 1.5 * piece.size && (piece.bold || !last.bold)
        });
        match blocks.last_mut().filter(|_| follows) {
            Some(block) => block.push(i),
            None => blocks.push(vec![i]),
        }
    }
    blocks
}

/// Whether blocks in the margin head what stands beside them.
fn are_heads(blocks: &[Vec<usize>], pieces: &[Piece], right: &[&&Piece]) -> bool {
    let n = blocks.len();
    let piece = |i: &usize| pieces.get(*i);
    let starts_beside = |block: &Vec<usize>| {
        block.first().and_then(piece).is_some_and(|first| {
            right.iter().any(|other| (other.baseline - first.baseline).abs() < 0.5 * first.size)
        })
    };
    let is_text = |block: &Vec<usize>| {
        block.iter().filter_map(piece).map(|piece| piece.words.len()).sum::<usize>() >= 2
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

fn pieces(words: &[Word]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for row in rows(words) {
        let mut open: Option<Piece> = None;
        for i in row.words {
            let Some(word) = words.get(i) else { continue };
            let gap = open.as_ref().map(|piece| word.rect.x0 - piece.rect.x1);
            match (&mut open, gap) {
                (Some(piece), Some(gap)) if gap < 0.6 * piece.size.max(word.size) => {
                    piece.words.push(i);
                    piece.rect = piece.rect.union(&word.rect);
                }
                _ => pieces.extend(open.replace(Piece {
                    words: vec![i],
                    rect: word.rect,
                    baseline: word.baseline,
                    size: word.size,
                    bold: word.looks.bold,
                })),
            }
        }
        pieces.extend(open);
    }
    pieces
}
