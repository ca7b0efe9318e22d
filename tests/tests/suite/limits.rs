//! Bombs cost no more than their size allows. Counted, not timed: time and memory are in `tests/limits/figures.md`.

use document::{DiagCode, PageId};
use pages::{Costs, Limits, Options, Reader};
use pincite_tests::bombs;

/// Factor by which a cost may exceed its allowance: a page that is being read is read on until its next operator, and the
/// work on its bitmap is told when it is done.
const OVER: usize = 2;

#[test]
fn no_bomb_costs_more_than_its_size_allows() {
    let limits = Limits::default();
    let mut wrong = Vec::new();
    for bomb in bombs::all().filter(|bomb| bomb.file_name.ends_with(".pdf")) {
        let Ok(reader) = Reader::open(&bomb.bytes, &Options::default()) else { continue };
        let mut diags = Vec::new();
        for idx in 0..reader.n_pages() {
            diags.extend(reader.page(PageId::from_idx(idx)).diags);
        }
        let Costs { inflated, operators, characters, runs, steps } = reader.costs();
        let n = bomb.bytes.len();
        for (what, cost, allowed) in [
            ("inflated", inflated, limits.inflated.of(n)),
            ("operators", operators, limits.operators.of(n)),
            ("characters", characters, limits.characters.of(n)),
            ("runs", runs, limits.runs.of(n)),
            ("steps", steps, limits.steps.of(n)),
        ] {
            if cost > OVER * allowed {
                wrong.push(format!("{}: {cost} {what} of {allowed}", bomb.file_name));
            }
        }
        let told = reader.closing_diags();
        let cut = told.iter().filter(|diag| diag.code == DiagCode::LimitReached).count();
        println!(
            "{}: {n} bytes, {:?}, {} diagnostics",
            bomb.file_name,
            reader.costs(),
            diags.len() + told.len()
        );
        if cut > 1 || diags.len() > 2 * reader.n_pages() {
            wrong.push(format!("{}: {cut} times cut, {} diagnostics", bomb.file_name, diags.len()));
        }
    }
    crate::env::assert_none("bombs that cost too much", &wrong);
}

#[test]
fn bombs_in_word_files_are_refused_or_cut() {
    let limits = docx::Limits::default();
    let mut wrong = Vec::new();
    for bomb in bombs::all().filter(|bomb| bomb.file_name.ends_with(".docx")) {
        let Ok(read) = docx::read(&bomb.bytes, &limits) else { continue };
        let (n, layout) = (bomb.bytes.len(), read.output.layout);
        if layout.text.len() > OVER * limits.text_bytes.of(n) || layout.blocks.len() > limits.paragraphs.of(n)
        {
            wrong.push(format!("{}: {} bytes of text", bomb.file_name, layout.text.len()));
        }
    }
    crate::env::assert_none("bombs that cost too much", &wrong);
}
