//! Where the time of reading goes: `stages FILE...` prints milliseconds and pages a second by stage, the best of
//! five rounds over all files, natively. A measurement, not a test.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

const STAGES: [&str; 5] = ["pages", "blocks", "sections", "chunks", "index"];
const ROUNDS: usize = 5;

fn main() -> Result<()> {
    let mut files = Vec::new();
    for path in std::env::args().skip(1) {
        files.push(std::fs::read(&path).with_context(|| path.clone())?);
    }
    let mut best = [Duration::MAX; STAGES.len()];
    let mut n_pages = 0;
    for _ in 0..ROUNDS {
        n_pages = 0;
        let mut spent = [Duration::ZERO; STAGES.len()];
        for bytes in &files {
            n_pages += read(bytes, &mut spent);
        }
        for (best, spent) in best.iter_mut().zip(spent) {
            *best = spent.min(*best);
        }
    }
    for (stage, time) in STAGES.iter().zip(best) {
        print_row(stage, time, n_pages);
    }
    print_row("all", best.iter().sum(), n_pages);
    Ok(())
}

/// Takes a file through the stages, adds what each takes, and says how many pages it has.
fn read(bytes: &[u8], spent: &mut [Duration; STAGES.len()]) -> usize {
    let [pages_time, blocks_time, sections_time, chunks_time, index_time] = spent;
    let source = timed(pages_time, || {
        pages::read(bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()))
    });
    let Ok(source) = source else { return 0 };
    let source = source.output;
    let layout = timed(blocks_time, || blocks::layout(&source)).output;
    let tree = timed(sections_time, || sections::build(&layout, &source.outline)).output;
    let chunks = timed(chunks_time, || {
        chunks::split(&layout, &tree, &text::ApproximateTokens, &chunks::Options::default())
    });
    let document = document::Document { layout, tree, chunks, ..document::Document::default() };
    timed(index_time, || index::Segment::new(document, text::AnalyzerKind::Default).encode());
    source.pages.len()
}

fn timed<T>(spent: &mut Duration, work: impl FnOnce() -> T) -> T {
    #[expect(clippy::disallowed_methods, reason = "the stages have no clock; this program measures them")]
    let (start, now) = (Instant::now(), Instant::now);
    let output = work();
    *spent += now() - start;
    output
}

fn print_row(stage: &str, time: Duration, n_pages: usize) {
    let seconds = time.as_secs_f64();
    println!("{stage:10} {:10.1} ms {:10.0} pages/s", seconds * 1000.0, n_pages as f64 / seconds);
}
