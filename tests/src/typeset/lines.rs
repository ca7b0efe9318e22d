//! Words into lines: total-fit breaking, as Knuth and Plass have it but without hyphenation.
//!
//! Minimises the sum of squared badness over a paragraph by dynamic programming; quadratic in the words of a
//! line, linear in those of a paragraph. Source: Knuth and Plass, *Breaking Paragraphs into Lines*, 1981.

use super::font::{Family, Font};
use super::markup::Inline;

/// A word: its parts in different faces, and the marks of notes that follow it.
#[derive(Clone, Debug, Default)]
pub(super) struct Atom {
    pub parts: Vec<(Font, String)>,
    pub marks: Vec<String>,
    /// Width in points, marks included.
    pub width: f64,
    /// Width of its marks.
    pub marks_width: f64,
}

/// Marks of notes: their size and how far they are raised, in ems of the text.
pub(super) const MARK_SIZE: f64 = 0.62;
pub(super) const MARK_RISE: f64 = 0.36;

/// Splits text at its spaces.
pub(super) fn atoms(text: &[Inline], family: Family, size: f64) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = Vec::new();
    let mut open = false;
    for inline in text {
        match inline {
            Inline::Text(text, face) => {
                let font = Font { family, face: *face };
                for (at, piece) in text.split(' ').enumerate() {
                    if at > 0 {
                        open = false;
                    }
                    if piece.is_empty() {
                        continue;
                    }
                    if !open {
                        atoms.push(Atom::default());
                        open = true;
                    }
                    if let Some(atom) = atoms.last_mut() {
                        atom.parts.push((font, piece.to_owned()));
                        atom.width += font.measure(piece, size);
                    }
                }
            }
            Inline::Mark(marker) => {
                if let Some(atom) = atoms.last_mut() {
                    let width = Font { family, ..Font::default() }.measure(marker, size * MARK_SIZE);
                    atom.marks.push(marker.clone());
                    atom.marks_width += width;
                    atom.width += width;
                }
            }
        }
    }
    atoms
}

/// One line of a paragraph: its words and the space between two of them.
pub(super) struct Broken {
    pub words: std::ops::Range<usize>,
    pub gap: f64,
}

/// Breaks words into lines of a width, the first of them shorter by `indent`.
pub(super) fn break_lines(atoms: &[Atom], width: f64, indent: f64, space: f64, justify: bool) -> Vec<Broken> {
    let n = atoms.len();
    let mut best = vec![(f64::INFINITY, 0usize); n + 1];
    best[0].0 = 0.0;
    for start in 0..n {
        let room = if start == 0 { width - indent } else { width };
        let mut natural = -space;
        for end in start + 1..=n {
            natural += atoms[end - 1].width + space;
            let cost = best[start].0 + badness(room - natural, end - start - 1, space, end == n, justify);
            if cost < best[end].0 {
                best[end] = (cost, start);
            }
            if natural > room + space {
                break;
            }
        }
    }
    let mut lines = Vec::new();
    let mut end = n;
    while end > 0 {
        let start = best[end].1;
        let room = if start == 0 { width - indent } else { width };
        let natural: f64 = atoms[start..end].iter().map(|atom| atom.width).sum();
        let n_gaps = (end - start - 1).max(1) as f64;
        let full = (room - natural) / n_gaps;
        let gap = if justify && end < n || full < space { full } else { space };
        lines.push(Broken { words: start..end, gap });
        end = start;
    }
    lines.reverse();
    lines
}

/// Badness of a line with `n_gaps` spaces that leaves `slack` points.
fn badness(slack: f64, n_gaps: usize, space: f64, last: bool, justify: bool) -> f64 {
    const OVERFULL: f64 = 1e9;
    let n = n_gaps.max(1) as f64;
    if slack < 0.0 {
        let shrink = -slack / (n * space * 0.25);
        return if shrink > 1.0 || !justify {
            OVERFULL * (1.0 - slack)
        } else {
            1.0 + 100.0 * shrink * shrink * shrink
        };
    }
    if last {
        return 0.0;
    }
    let stretch = if justify { slack / (n * space * 0.6) } else { slack / (space * 12.0) };
    let bad = 1.0 + 100.0 * stretch * stretch * stretch;
    bad * bad
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_on_one_line_and_no_line_is_too_long() {
        let text =
            "A Firm must hold Client Money in an account that is held with an Eligible Bank. ".repeat(9);
        let atoms = atoms(&super::super::markup::inlines(&text).unwrap(), Family::Times, 11.0);
        for justify in [true, false] {
            let lines = break_lines(&atoms, 200.0, 15.0, 2.75, justify);
            let mut at = 0;
            for line in &lines {
                assert_eq!(line.words.start, at);
                at = line.words.end;
                let natural: f64 = atoms[line.words.clone()].iter().map(|atom| atom.width).sum();
                let width = natural + line.gap * (line.words.len() - 1) as f64;
                let room = if line.words.start == 0 { 185.0 } else { 200.0 };
                assert!(width < room + 0.01, "{width}");
                assert!(!justify || line.words.end == atoms.len() || width > room - 0.01, "{width}");
            }
            assert_eq!(at, atoms.len());
        }
    }
}
