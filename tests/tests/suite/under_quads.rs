//! The characters under the quads of a quotation are the quotation: on the samples, and on real legal documents
//! when they are at hand.
//!
//! The characters are taken from the runs of `pages`, not from the layout, so that a word that was put in the
//! wrong place cannot vouch for itself.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use document::{Layout, Page, PageId, PdfText, PlacedWord, Quad, Rect, TextRange, Visibility};

use crate::env::samples;

const PER_FILE: usize = 40;

/// A small linear congruential generator: the same quotations every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A passage of 4 to 30 words that lies in one block.
fn passage(layout: &Layout, dice: &mut Dice) -> Option<TextRange> {
    let block = layout.blocks.get(dice.below(layout.blocks.len()))?;
    let words: Vec<PlacedWord> = layout.words.words_in(block.range).collect();
    if words.len() < 4 {
        return None;
    }
    let length = 4 + dice.below(27.min(words.len() - 3));
    let start = dice.below(words.len() - length + 1);
    let range = TextRange { start: words[start].range.start, end: words[start + length - 1].range.end };
    Some(range)
}

/// Letters and digits only, folded: quotes, dashes, ligatures and spaces may be decoded either way.
fn letters(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            'ﬁ' => vec!['f', 'i'],
            'ﬂ' => vec!['f', 'l'],
            'ﬀ' => vec!['f', 'f'],
            'ﬃ' => vec!['f', 'f', 'i'],
            'ﬄ' => vec!['f', 'f', 'l'],
            c => vec![c],
        })
        .filter(|c| c.is_alphanumeric())
        .collect()
}

fn shown(page: &Page, quad: &Quad) -> Rect {
    let corner = |x: usize| page.geometry.to_shown(quad[x], quad[x + 1]);
    let (a, b) = (corner(0), corner(6));
    Rect::new(a.x, a.y, b.x, b.y)
}

/// The characters whose middle lies under a quad that is moved to the right by `shift` points, from left to
/// right; those of note marks left out.
fn under(source: &PdfText, layout: &Layout, page_at: usize, quad: &Quad, shift: f32) -> String {
    let page = &source.pages[page_at];
    let mut rect = shown(page, quad);
    rect.x0 += shift;
    rect.x1 += shift;
    let is_mark = |x: f32, y: f32| {
        layout.marks.iter().any(|mark| {
            let r = mark.rect;
            mark.page.map(PageId::idx) == Some(page_at) && r.x0 <= x && x <= r.x1 && r.y0 <= y && y <= r.y1
        })
    };
    let mut found: Vec<(f32, char)> = Vec::new();
    for run in page.runs.iter().filter(|run| run.visibility != Visibility::OffPage && run.angle == 0.0) {
        let y = run.rect.y_mid();
        if y < rect.y0 || y > rect.y1 {
            continue;
        }
        for (c, edges) in run.text.chars().zip(run.edges.windows(2)) {
            let x = run.rect.x0 + (edges[0] + edges[1]) / 2.0;
            if rect.x0 <= x && x <= rect.x1 && !is_mark(x, y) {
                found.push((x, c));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, c)| c).collect()
}

/// Asks for passages of a document: how many, and how many lie under their quads.
fn ask(name: &str, source: &PdfText, layout: &Layout, shift: f32) -> (usize, usize) {
    let mut dice = Dice(layout.text.len() as u64);
    let (mut asked, mut right) = (0, 0);
    for _ in 0..PER_FILE * 4 {
        if asked == PER_FILE {
            break;
        }
        let Some(range) = passage(layout, &mut dice) else { continue };
        let mut found = String::new();
        for span in layout.spans(range) {
            let page = span.page.map_or(0, document::PageId::idx);
            for quad in &span.quads {
                found.push_str(&under(source, layout, page, quad, shift));
            }
        }
        let expected = layout.slice(range);
        asked += 1;
        if letters(&found) == letters(expected) {
            right += 1;
        } else if shift == 0.0 && asked - right <= 2 {
            println!("{name}:\n  quoted {expected:?}\n  under  {found:?}");
        }
    }
    (asked, right)
}

#[test]
fn text_under_the_quads_of_the_samples_is_the_quotation() {
    for sample in samples() {
        let (source, layout) = (&sample.read.source, &sample.read.document.layout);
        assert_eq!(ask(sample.made.id, source, layout, 0.0), (PER_FILE, PER_FILE));
        let (_, right) = ask(sample.made.id, source, layout, 9.0);
        assert!(right < PER_FILE / 4, "a box that is 9 points off goes unnoticed: {right}");
    }
}

#[test]
fn text_under_the_quads_of_real_documents_is_the_quotation() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/pdf/corpus/legal-dev");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "pdf"));
    files.sort();
    let (mut n_asked, mut n_right) = (0, 0);
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(path).unwrap();
        let read = pages::read(&bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()));
        let source = match read {
            Ok(read) => read.output,
            Err(error) => panic!("{name}: {error}"),
        };
        let layout = blocks::layout(&source).output;
        let (asked, right) = ask(&name, &source, &layout, 0.0);
        println!("{name}: {right} of {asked}");
        n_asked += asked;
        n_right += right;
    }
    println!("{n_right} of {n_asked} quotations lie under their quads");
    assert!(n_right * 100 >= n_asked * 99, "{n_right} of {n_asked}");
}
