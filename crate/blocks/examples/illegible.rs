//! Share of the characters that are set apart as illegible: as the files are, and after their fonts are broken.
//!
//! `cargo run -p pincite-blocks --example illegible -- [--show] FILE.pdf...`; `--show` prints what is set apart of the
//! files as they are.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use document::{FurnitureKind, Layout, PdfText};

/// Name of a failure, and the character that a font shows for one of the text.
type Failure = (&'static str, fn(char) -> char);

/// Ways in which a font loses its map.
const FAILURES: [Failure; 7] = [
    ("as they are", |c| c),
    ("codes 29 too low (glyph ids)", |c| shift(c, -29)),
    ("codes 1 too high", |c| shift(c, 1)),
    ("letters turned by 13", |c| match c {
        'a'..='z' => turn(c, 'a', 13),
        'A'..='Z' => turn(c, 'A', 13),
        _ => c,
    }),
    ("codes permuted", |c| if c.is_ascii_graphic() { permuted(c) } else { c }),
    ("private use", |c| if c.is_alphanumeric() { private(c) } else { c }),
    ("no map", |c| if c.is_whitespace() { c } else { '\u{FFFD}' }),
];

fn shift(c: char, by: i32) -> char {
    let code = u32::from(c).checked_add_signed(by).and_then(char::from_u32);
    code.filter(|code| c.is_ascii_graphic() && code.is_ascii_graphic()).unwrap_or(' ')
}

fn turn(c: char, first: char, by: u32) -> char {
    char::from_u32(u32::from(first) + (u32::from(c) - u32::from(first) + by) % 26).unwrap_or(c)
}

/// A fixed permutation of the printed characters of ASCII: 37 has no factor in common with 94.
fn permuted(c: char) -> char {
    char::from_u32(33 + (u32::from(c) - 33) * 37 % 94).unwrap_or(c)
}

fn private(c: char) -> char {
    char::from_u32(0xF000 + u32::from(c) % 256).unwrap_or(c)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let is_shown = args.iter().any(|arg| arg == "--show");
    let mut totals: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for path in args.iter().filter(|arg| *arg != "--show") {
        let bytes = std::fs::read(path)?;
        let options = pages::Options::default();
        let Ok(read) = pages::read(&bytes, &options, &mut |_, _| ControlFlow::Continue(())) else { continue };
        for (idx, (_, broken)) in FAILURES.iter().enumerate() {
            let layout = blocks::layout(&broken_by(&read.output, *broken)).output;
            let (kept, apart) = counts(&layout);
            let total = totals.entry(idx).or_default();
            *total = (total.0 + kept, total.1 + apart);
            if idx == 0 && apart > 0 && is_shown {
                println!("{path}: {apart} of {} characters", kept + apart);
                let pieces = layout.furniture.iter().filter(|piece| piece.kind == FurnitureKind::Illegible);
                for piece in pieces.take(10) {
                    println!("    p{} {}", piece.page.idx() + 1, piece.text);
                }
            }
            if is_shown && idx > 0 && apart * 100 < (kept + apart) * 95 {
                let (name, _) = FAILURES[idx];
                println!("{path}: {name}: only {apart} of {} characters", kept + apart);
            }
        }
    }
    for (idx, (kept, apart)) in totals {
        let share = 100.0 * apart as f64 / (kept + apart).max(1) as f64;
        println!("{:32} {apart:9} of {:9} characters set apart, {share:.3} %", FAILURES[idx].0, kept + apart);
    }
    Ok(())
}

/// The text with every character of its runs replaced.
fn broken_by(source: &PdfText, broken: fn(char) -> char) -> PdfText {
    let mut text = source.clone();
    for run in text.pages.iter_mut().flat_map(|page| &mut page.runs) {
        run.text = run.text.chars().map(broken).collect();
    }
    text
}

/// Printed characters of the text, and those set apart.
fn counts(layout: &Layout) -> (usize, usize) {
    let n = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    let apart = layout.furniture.iter().filter(|piece| piece.kind == FurnitureKind::Illegible);
    (n(&layout.text), apart.map(|piece| n(&piece.text)).sum())
}
