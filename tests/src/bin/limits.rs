//! Time and memory of reading a hostile file: `limits FILE` takes it through the stages, up to the bytes of a segment,
//! and prints seconds, the highest memory of the process in MiB, and the outcome, with tabs between; `limits --write
//! DIR` writes the bombs. `tests/limits/figures.py` runs it for each file in a process of its own. A measurement, not a test.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use document::{Diag, DiagCode, Document};
use pincite_tests::{bombs, hostile, stages};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [flag, folder] if flag == "--write" => write(Path::new(folder)),
        [file] => measure(file),
        _ => bail!("usage: limits FILE | --write DIR"),
    }
}

/// Writes the bombs, and a list of their names with what they ask for.
fn write(folder: &Path) -> Result<()> {
    let mut list = String::new();
    for bomb in bombs::all() {
        std::fs::write(folder.join(bomb.file_name), &bomb.bytes)?;
        writeln!(list, "{}\t{}", bomb.file_name, bomb.why)?;
    }
    std::fs::write(folder.join("bombs.tsv"), list)?;
    for odd in hostile::all()? {
        std::fs::write(folder.join(format!("hostile-{}", odd.file_name.replace('/', "_"))), odd.bytes)?;
    }
    Ok(())
}

fn measure(file: &str) -> Result<()> {
    let bytes = std::fs::read(file).context(file.to_owned())?;
    #[expect(clippy::disallowed_methods, reason = "the stages have no clock; this program measures them")]
    let (start, now) = (Instant::now(), Instant::now);
    let outcome = match read(&bytes) {
        Ok(document) => {
            let Document { layout, diags, .. } = &document;
            let cut = diags.iter().find(|diag| diag.code == DiagCode::LimitReached);
            let first = cut.map_or("whole".to_owned(), |diag| diag.message.clone());
            let (n_pages, n_chars) = (layout.pages.len(), layout.text.len());
            let segment = index::Segment::new(document, text::AnalyzerKind::Default).encode();
            format!("{n_pages} pages, {n_chars} bytes of text, {} MiB stored: {first}", segment.len() >> 20)
        }
        Err(error) => error,
    };
    let took = (now() - start).as_secs_f64();
    println!("{took:.3}\t{:.1}\t{outcome}", peak_mib());
    Ok(())
}

/// A document after all stages, or why there is none.
fn read(bytes: &[u8]) -> Result<Document, String> {
    if docx::is_office_file(bytes) {
        let read = docx::read(bytes, &docx::Limits::default()).map_err(|error| error.to_string())?;
        let diags: Vec<Diag> = read.diags;
        let docx::WordDocument { layout, outline, title, .. } = read.output;
        return Ok(stages::finish("bomb.docx", layout, &outline, title, diags));
    }
    let (mut pages, options) = (blocks::Pages::default(), pages::Options::default());
    let mut goes_on = |_, _| ControlFlow::Continue(());
    let read = pages::read_pages(bytes, &options, &mut goes_on, &mut |page| pages.push(&page));
    let read = read.map_err(|error| error.to_string())?;
    let mut diags = read.diags;
    let layout = pages.layout(&blocks::Options::default());
    diags.extend(layout.diags);
    let pages::Declared { outline, title, .. } = read.output;
    Ok(stages::finish("bomb.pdf", layout.output, &outline, title, diags))
}

/// Highest memory of this process so far in MiB, on Linux; else 0.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}
