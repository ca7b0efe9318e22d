//! Pages and verdicts for `tests/visibility/figures.mjs`: `visibility pages OUT.pdf SEED N` writes pages that hide text in
//! every way, `visibility glyphs FILE` prints what the engine takes each glyph of a file for.
//!
//! Glyphs are lines of JSON, one a page: `{"page", "glyphs": [[x0, y0, x1, y1, visibility, character, size], …]}`, in
//! points from the top left of the page as shown; turned text is left out.

use std::ops::ControlFlow;

use anyhow::{Context, Result, bail};
use document::Run;
use pincite_tests::hiding;
use serde_json::{Value, json};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["pages", out, seed, n] => std::fs::write(out, hiding::pages(seed.parse()?, n.parse()?))?,
        ["glyphs", file] => glyphs(file)?,
        _ => bail!("usage: visibility pages OUT.pdf SEED N | visibility glyphs FILE"),
    }
    Ok(())
}

fn glyphs(file: &str) -> Result<()> {
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    let read = pages::read(&bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()))
        .with_context(|| file.to_owned())?;
    for page in &read.output.pages {
        let glyphs: Vec<Value> =
            page.runs.iter().filter(|run| run.angle == 0.0).flat_map(glyphs_of).collect();
        println!("{}", json!({ "page": page.id.idx() + 1, "glyphs": glyphs }));
    }
    Ok(())
}

fn glyphs_of(run: &Run) -> impl Iterator<Item = Value> + '_ {
    let (top, bottom) = (run.baseline - 0.75 * run.size.0, run.baseline + 0.22 * run.size.0);
    let visibility = format!("{:?}", run.visibility);
    run.text.chars().zip(run.edges.windows(2)).filter(|(c, _)| !c.is_whitespace()).map(move |(c, edges)| {
        let (left, right) = (run.rect.x0 + edges[0], run.rect.x0 + edges[1]);
        json!([left, top, right, bottom, visibility, c, run.size.0])
    })
}
